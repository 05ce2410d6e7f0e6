/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_info_test.c - processes that live, have died, are gone, or are others
 */
#include "daemon/core/proc_info.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

int main(void)
{
	unsigned long long born;
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		for (;;)
			pause();
	}
	born = dm_process_start_ticks_or_0(pid);
	is_u64((uint64_t)dm_process_innermost_namespace_pid(pid), (uint64_t)pid,
	       "it knows its id");
	ok(born > 0, "a process was born some time");
	ok(dm_process_read_proc_life_state(pid, born, &status) == DM_ALIVE,
	   "it lives");
	ok(dm_process_read_proc_life_state(pid, 0, &status) == DM_ALIVE,
	   "also when nobody knows since when");
	ok(dm_process_read_proc_life_state(pid, born + 1, &status) == DM_GONE,
	   "who has its pid but was born later is another");
	ok(dm_process_poll_end_200ms_at_most(pid, born + 1, &status) == DM_GONE,
	   "and is not waited for");
	kill(pid, SIGKILL);
	ok(dm_process_poll_end_200ms_at_most(pid, born, &status) == DM_DEAD &&
		   WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	   "it is dead, and of what");
	waitpid(pid, NULL, 0);
	ok(dm_process_read_proc_life_state(pid, born, &status) == DM_GONE,
	   "and gone");
	return done_testing();
}
