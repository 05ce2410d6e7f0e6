/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.c - how long a turn of the processor the scheduler gives threads
 *
 *	slices			this one
 *	slices parent		each thread of the process that started this one
 *	slices MS COMMAND...	asks for @MS and becomes the command
 *
 * Prints lines of a thread's policy and slice [ms].
 */
#include <dirent.h>
#include <linux/sched/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int print(long tid)
{
	struct sched_attr s;

	if (syscall(SYS_sched_getattr, (pid_t)tid, &s, sizeof(s), 0) != 0)
		return 1;
	printf("%u %.1f\n", s.sched_policy, (double)s.sched_runtime / 1e6);
	return 0;
}

static int print_parent(void)
{
	char path[40];
	struct dirent *e;
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)getppid());
	dir = opendir(path);
	if (dir == NULL)
		return 1;
	while ((e = readdir(dir)) != NULL)
		if (e->d_name[0] != '.')
			err |= print(strtol(e->d_name, NULL, 10));
	closedir(dir);
	return err;
}

/* All else stays as it is. */
static int become(const char *ms, char **command)
{
	struct sched_attr s;
	long err = syscall(SYS_sched_getattr, 0, &s, sizeof(s), 0);

	s.sched_runtime = strtoull(ms, NULL, 10) * 1000000;
	if (err == 0 && syscall(SYS_sched_setattr, 0, &s, 0) == 0)
		execvp(command[0], command);
	perror("slices");
	return 1;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return print(0);
	if (!strcmp(argv[1], "parent"))
		return print_parent();
	return argc > 2 ? become(argv[1], argv + 2) : 2;
}
