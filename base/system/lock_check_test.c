/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock_check_test.c - tests that the assertion fails only while a lock is
   held */

#undef AL_LOCK_CHECKS
#define AL_LOCK_CHECKS
#include "base/system/lock_check.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

static void *check_here(void *arg)
{
	al_blocking_check();
	return arg;
}

/* Return the signal that ends a check while @locks are held; 0: it passes.
   @text: [size] receives its output. */
static int get_signal_of_check(unsigned locks, char *text, size_t size)
{
	int pipes[2], status;
	ssize_t n;
	pid_t pid;

	if (pipe(pipes))
		abort();
	pid = fork();
	if (pid == 0) {
		dup2(pipes[1], STDERR_FILENO);
		for (unsigned i = 0; i < locks; i++)
			al_lock_check_begin_blocking_ban();
		check_here(NULL);
		_exit(0);
	}
	close(pipes[1]);
	n = read(pipes[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	close(pipes[0]);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void)
{
	char text[200];
	pthread_t other;

	is_u64((uint64_t)get_signal_of_check(0, text, sizeof(text)), 0,
	       "without a lock the check passes");
	is_u64((uint64_t)get_signal_of_check(1, text, sizeof(text)), SIGABRT,
	       "while a lock is held it ends the process");
	is_str(text, "alleria: check_here() may block while a lock is held\n",
	       "and names the function");
	is_u64((uint64_t)get_signal_of_check(2, text, sizeof(text)), SIGABRT,
	       "also under two");
	al_lock_check_begin_blocking_ban();
	pthread_create(&other, NULL, check_here, NULL);
	pthread_join(other, NULL);
	al_lock_check_end_blocking_ban();
	check_here(NULL);
	ok(true, "another thread may block, and so may this one afterwards");
	return done_testing();
}
