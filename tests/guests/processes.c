/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * processes.c - ways in which processes begin and end
 *
 *   processes MODE [N]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *self;

static void need(int failed, const char *what)
{
	if (failed) {
		perror(what);
		exit(99);
	}
}

static unsigned work(unsigned n)
{
	static unsigned cell[256];
	unsigned i;

	for (i = 0; i < n; i++)
		cell[i % 256] += i;
	return cell[n % 256];
}

static int await(pid_t pid)
{
	int status;

	need(waitpid(pid, &status, 0) != pid, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A child that works and ends with @code. */
static pid_t child(unsigned n, int code)
{
	pid_t pid = fork();

	need(pid < 0, "fork");
	if (!pid) {
		work(n);
		_exit(code);
	}
	return pid;
}

static int one_fork(int n)
{
	(void)n;
	work(100);
	return await(child(1000, 7)) == 7 ? 0 : 1;
}

/* @n children at once, each waited for. */
static int many_forks(int n)
{
	static pid_t pid[1000];
	int i;

	for (i = 0; i < n; i++)
		pid[i] = child(100 + (unsigned)i, i % 256);
	for (i = 0; i < n; i++)
		if (await(pid[i]) != i % 256)
			return 1;
	return 0;
}

static int vfork_exec(int n)
{
	pid_t pid = vfork();

	(void)n;
	if (!pid) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	return await(pid);
}

static int spawn(int n)
{
	char *argv[] = {"sh", "-c", "exit 5", NULL};
	pid_t pid;

	(void)n;
	need(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ), "spawn");
	return await(pid) == 5 ? 0 : 1;
}

/* The child of posix_spawn() shares no memory with us under Valgrind, so that
   it can only tell by its status. */
static int spawn_missing(int n)
{
	char *argv[] = {"nowhere", NULL};
	pid_t pid;
	int error;

	(void)n;
	error = posix_spawn(&pid, "/nowhere", NULL, NULL, argv, environ);
	if (error != ENOENT && (error || await(pid) != 127))
		return 1;
	return system("exit 3") == 3 << 8 ? 0 : 1;
}

/* Becomes itself @n times, then ends. */
static int exec_chain(int n)
{
	char count[16];

	if (!n)
		return 4;
	snprintf(count, sizeof(count), "%d", n - 1);
	execl(self, self, "exec_chain", count, (char *)NULL);
	return 99;
}

static int exec_missing(int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (execl("/nowhere", "x", (char *)NULL) != -1 ||
		    execl("/", "x", (char *)NULL) != -1)
			return 1;
	return 6;
}

static void *exec_in_thread(void *arg)
{
	(void)arg;
	execl(self, self, "exec_chain", "0", (char *)NULL);
	return NULL;
}

static void *end_all(void *arg)
{
	(void)arg;
	_exit(3);
}

static void *idle(void *arg)
{
	pause();
	return arg;
}

static void *late(void *arg)
{
	usleep(20000);
	work(1000);
	return arg;
}

static void *short_work(void *arg)
{
	work(10);
	return arg;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t thread;

	need(pthread_create(&thread, NULL, run, NULL), "pthread_create");
	return thread;
}

static int thread_exec(int n)
{
	(void)n;
	start(idle);
	start(exec_in_thread);
	pause();
	return 1;
}

static int thread_exit(int n)
{
	while (n--)
		start(idle);
	start(end_all);
	pause();
	return 1;
}

static int main_ends_first(int n)
{
	while (n--)
		start(late);
	pthread_exit(NULL);
}

/* @n threads alive at once. */
static int crowd(int n)
{
	static pthread_t thread[1000];
	int i;

	for (i = 0; i < n; i++)
		thread[i] = start(late);
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/* @n threads, one after the other. */
static int parade(int n)
{
	while (n--)
		pthread_join(start(short_work), NULL);
	return 0;
}

static int close_all(int n)
{
	struct rlimit limit;
	int fd;

	(void)n;
	getrlimit(RLIMIT_NOFILE, &limit);
	for (fd = 3; fd < (int)limit.rlim_cur && fd < 70000; fd++)
		close(fd);
	work(1000);
	return 0;
}

/* A fork when the program has used up its descriptors. */
static int open_all(int n)
{
	(void)n;
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	return await(child(1000, 6));
}

/* Become a daemon: fork, new session, fork, the middle process ends. */
static int double_fork(int n)
{
	pid_t pid = fork();

	(void)n;
	need(pid < 0, "fork");
	if (pid)
		return await(pid);
	setsid();
	if (fork())
		_exit(0);
	usleep(100000);
	work(5000);
	_exit(9);
}

/* The parent ends before its child. */
static int orphan(int n)
{
	(void)n;
	if (!fork()) {
		usleep(100000);
		work(5000);
		_exit(8);
	}
	return 2;
}

static int child_killed(int n)
{
	pid_t pid = fork();

	(void)n;
	if (!pid) {
		work(3000);
		raise(SIGKILL);
	}
	return await(pid) == 137 ? 0 : 1;
}

/* The parent waits until its child has stopped, but not for its end. */
static int child_stopped(int n)
{
	int end[2];
	siginfo_t info;
	char byte;
	pid_t pid;

	(void)n;
	need(pipe(end) != 0, "pipe");
	pid = fork();
	if (!pid) {
		raise(SIGSTOP);
		_exit(3);
	}
	close(end[1]);
	need(waitid(P_PID, (id_t)pid, &info, WSTOPPED) != 0, "waitid");
	kill(pid, SIGCONT);
	need(read(end[0], &byte, 1) != 0, "the end of the child");
	return 0;
}

static int forks_in_threads(int n)
{
	int i, bad = 0;

	start(idle);
	for (i = 0; i < n; i++)
		bad |= await(child(50, 1)) != 1;
	return bad;
}

static const struct {
	const char *name;
	int (*run)(int n);
} modes[] = {
	{"one_fork", one_fork},
	{"many_forks", many_forks},
	{"vfork_exec", vfork_exec},
	{"spawn", spawn},
	{"spawn_missing", spawn_missing},
	{"exec_chain", exec_chain},
	{"exec_missing", exec_missing},
	{"thread_exec", thread_exec},
	{"thread_exit", thread_exit},
	{"main_ends_first", main_ends_first},
	{"crowd", crowd},
	{"parade", parade},
	{"close_all", close_all},
	{"open_all", open_all},
	{"double_fork", double_fork},
	{"orphan", orphan},
	{"child_killed", child_killed},
	{"child_stopped", child_stopped},
	{"forks_in_threads", forks_in_threads},
};

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;
	size_t i;

	self = argv[0];
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (argc > 1 && !strcmp(argv[1], modes[i].name))
			return modes[i].run(n);
	return 98;
}
