/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_program.c - running one program under a daemon of our own
 *
 * Room:    daemon.
 */
#include "daemon/dm_program.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_MS = 10000 };

void dm_program_prepare(struct dm_program *p)
{
	p->output = -1;
	sigemptyset(&p->ours);
	sigaddset(&p->ours, SIGINT);
	sigaddset(&p->ours, SIGTERM);
	sigaddset(&p->ours, SIGHUP);
	sigaddset(&p->ours, SIGQUIT);
	sigaddset(&p->ours, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &p->ours, &p->before);
}

static int start(struct dm_program *p, char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int err;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &p->before);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	if (p->output >= 0)
		posix_spawn_file_actions_adddup2(&files, p->output,
						 STDOUT_FILENO);
	err = posix_spawnp(&p->pid, argv[0], &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return -err;
}

/* Leaves it a zombie, so that the daemon can look at it. */
static bool has_ended(const struct dm_program *p)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) <
		       0 ||
	       info.si_pid == p->pid;
}

/* A signal other than SIGCHLD within @ms, or 0. */
static int next_signal(struct dm_program *p, unsigned ms, bool *from_terminal)
{
	struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
	siginfo_t info;
	int signal = sigtimedwait(&p->ours, &info, &t);

	if (signal <= 0 || signal == SIGCHLD)
		return 0;
	*from_terminal = info.si_code == SI_KERNEL;
	return signal;
}

static void wait_program(struct dm_program *p, unsigned tick_ms,
			 void (*tick)(void *arg), void *arg)
{
	bool from_terminal;
	int signal;

	while (!has_ended(p)) {
		signal = next_signal(p, tick_ms, &from_terminal);
		if (signal && !from_terminal)
			kill(p->pid, signal);
		tick(arg);
	}
}

static void wait_daemon(struct dm_program *p, struct dm_daemon *d,
			unsigned tick_ms, void (*tick)(void *arg), void *arg)
{
	unsigned grace_ms = GRACE_MS;
	bool ignored;

	while (!dm_daemon_wait(d, tick_ms)) {
		if (next_signal(p, 0, &ignored)) {
			dm_daemon_stop(d, grace_ms);
			grace_ms = 0;
		}
		tick(arg);
	}
}

int dm_program_run(struct dm_program *p, struct dm_daemon *d, char *const *argv,
		   unsigned tick_ms, void (*tick)(void *arg), void *arg,
		   int *status)
{
	int err = start(p, argv);

	if (err)
		return err;
	p->ended = false;
	wait_program(p, tick_ms, tick, arg);
	p->ended = true;
	wait_daemon(p, d, tick_ms, tick, arg);
	while (waitpid(p->pid, status, 0) < 0 && errno == EINTR)
		;
	dm_daemon_waited(d, p->pid, *status);
	/* A closed pipe, or a file that may not grow, shall not keep the rest
	   of the report from coming. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return 0;
}
