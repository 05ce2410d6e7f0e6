/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_info.c - reads /proc about processes that need not be children of the
 * daemon
 */
#include "daemon/core/proc_info.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/system/lock_check.h"

enum {
	STATE_FIELD = 3, /* field numbers of /proc/PID/stat, see proc(5); field
			    2 is the name */
	PARENT_FIELD = 4,
	START_TIME_FIELD = 22,
	EXIT_CODE_FIELD = 52,
	END_TRIES = 100,
	END_PAUSE_US = 2000,
};

/* Read at most @text_size - 1 bytes of file @file_name in /proc/@pid into
   @text, and append a NUL. Return: 0; -1 if it cannot be read or is empty. */
static int read_proc_file_to_string_0_or_minus_1(pid_t pid,
						 const char *file_name,
						 char *text, size_t text_size)
{
	char path[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file_name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, text_size - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	return 0;
}

static int read_proc_stat_file(pid_t pid, char *text, size_t text_size)
{
	return read_proc_file_to_string_0_or_minus_1(pid, "stat", text,
						     text_size);
}

/* Return the start of field @field_number_from_1 in @stat_text, the content of
   /proc/PID/stat; NULL: it has no such field. @field_number_from_1: STATE_FIELD
   or more. */
static const char *find_proc_stat_field(const char *stat_text,
					int field_number_from_1)
{
	const char *p =
		strrchr(stat_text, ')'); /* end of the process's name, which
					       may contain ')' */
	int field;

	if (!p || strlen(p) < 3)
		return NULL;
	p += 2;
	for (field = STATE_FIELD; p && field < field_number_from_1; field++) {
		p = strchr(p, ' ');
		if (p)
			p++;
	}
	return p;
}

/* Return the start time [clock ticks since boot] in @stat_text, the content of
   /proc/PID/stat; 0: the field is missing. */
static unsigned long long parse_start_time_ticks_or_0(const char *stat_text)
{
	const char *field = find_proc_stat_field(stat_text, START_TIME_FIELD);

	return field ? strtoull(field, NULL, 10) : 0;
}

enum dm_life dm_process_read_proc_life_state(pid_t pid,
					     unsigned long long start_ticks,
					     int *wait_status)
{
	const char *state, *code;
	char text[1024];

	if (pid <= 0 || read_proc_stat_file(pid, text, sizeof(text)) < 0)
		return DM_GONE;
	state = find_proc_stat_field(text, STATE_FIELD);
	if (!state ||
	    (start_ticks && parse_start_time_ticks_or_0(text) != start_ticks))
		return DM_GONE;
	if (*state != 'Z' && *state != 'X')
		return DM_ALIVE;
	code = find_proc_stat_field(text, EXIT_CODE_FIELD);
	if (!code)
		return DM_GONE;
	*wait_status = atoi(code);
	return DM_DEAD;
}

unsigned long long dm_process_start_ticks_or_0(pid_t pid)
{
	char text[1024];

	if (pid <= 0 || read_proc_stat_file(pid, text, sizeof(text)) < 0)
		return 0;
	return parse_start_time_ticks_or_0(text);
}

unsigned long long dm_process_handled_signal_mask_or_0(pid_t pid)
{
	static const char key[] = "\nSigCgt:";
	char text[4096], *found;

	if (pid <= 0 || read_proc_file_to_string_0_or_minus_1(
				pid, "status", text, sizeof(text)) < 0)
		return 0;
	found = strstr(text, key);
	return found ? strtoull(found + sizeof(key) - 1, NULL, 16) : 0;
}

pid_t dm_process_innermost_namespace_pid(pid_t pid)
{
	char path[32], line[256];
	pid_t own = pid;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6))
			own = atoi(strrchr(line, '\t') + 1);
	if (f)
		fclose(f);
	return own > 0 ? own : pid;
}

pid_t dm_process_parent_pid_or_0(pid_t pid)
{
	const char *field = NULL;
	char text[1024];

	if (pid > 0 && !read_proc_stat_file(pid, text, sizeof(text)))
		field = find_proc_stat_field(text, PARENT_FIELD);
	return field ? (pid_t)atoi(field) : 0;
}

enum dm_life dm_process_poll_end_200ms_at_most(pid_t pid,
					       unsigned long long start_ticks,
					       int *wait_status)
{
	enum dm_life life;
	int tries = 0;

	al_blocking_check();
	while ((life = dm_process_read_proc_life_state(
			pid, start_ticks, wait_status)) == DM_ALIVE &&
	       ++tries < END_TRIES)
		usleep(END_PAUSE_US);
	return life;
}
