/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.c - runs one program under a daemon in the same process
 */
#include "daemon/program.h"

#include <errno.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/core/blocked_outputs.h"
#include "daemon/core/proc_info.h"
#include "daemon/core/received_signal.h"
#include "daemon/daemon.h"

enum {
	START_CHECK_MS = 20, /* [ms] between checks whether Valgrind runs the
			  program */
};

void dm_program_init_block_signals_to_pass_on(struct dm_program *p)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};
	static const int passed[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGCONT,
				     SIGWINCH};

	p->output_fd = -1;
	p->environment = NULL;
	sigemptyset(&p->ending_signals);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		sigaddset(&p->ending_signals, ending[i]);
	p->all_signals = p->ending_signals;
	for (size_t i = 0; i < sizeof(passed) / sizeof(*passed); i++)
		sigaddset(&p->all_signals, passed[i]);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		sigaddset(&p->all_signals, signal);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &p->all_signals, &p->original_mask);
	dm_register_output_cancel_check();
}

/* Start the program with the signal mask and the standard output that it shall
   have. Return: 0; -errno. */
static int start_program(struct dm_program *p, char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int err;

	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &p->original_mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	if (p->output_fd >= 0)
		posix_spawn_file_actions_adddup2(&files, p->output_fd,
						 STDOUT_FILENO);
	err = posix_spawnp(&p->pid, argv[0], &files, &attr, argv,
			   p->environment ? p->environment : environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return -err;
}

/* Continue a program that called PTRACE_TRACEME and has stopped. */
static void ptrace_continue_if_stopped(pid_t pid)
{
	siginfo_t info = {0};
	long signal;

	if (waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) < 0 ||
	    info.si_pid != pid)
		return;
	/* a stop that belongs to the tracing, as after exec, appears as
	   SIGTRAP */
	signal = info.si_status == SIGTRAP ? 0 : info.si_status;
	ptrace(PTRACE_CONT, pid, NULL, signal);
}

/* Whether the program has ended. A program that has ended is not waited for, so
   that the daemon can read its /proc. A traced program that has stopped is
   continued. */
static bool has_program_ended_continue_if_stopped(const struct dm_program *p)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return true;
	if (info.si_pid != p->pid)
		return false;
	if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
		return true;
	ptrace_continue_if_stopped(p->pid);
	return false;
}

/* Wait at most @timeout_ms for a signal of @set. Return: the signal, with
   @info; 0: @timeout_ms have passed, or the signal was SIGCHLD, which ends the
   wait, too. */
static int wait_signal_or_0_if_none_or_sigchld(const sigset_t *set,
					       unsigned timeout_ms,
					       siginfo_t *info)
{
	struct timespec t = {timeout_ms / 1000,
			     (long)(timeout_ms % 1000) * 1000000};
	int signal = sigtimedwait(set, info, &t);

	return signal <= 0 || signal == SIGCHLD ? 0 : signal;
}

/* Whether Valgrind already runs the program. Valgrind has handlers for nearly
   all signals, the shell script that executes it only for a few. */
static bool has_valgrind_signal_handlers(const struct dm_program *p)
{
	enum { MANY = 16 };
	unsigned long long handled =
		p->handles_signals
			? 0
			: dm_process_handled_signal_mask_or_0(p->pid);

	return p->handles_signals || __builtin_popcountll(handled) >= MANY;
}

/* Pass a signal on to the program, unless the program received it too or the
   kernel sent it to this process for another reason. */
static void pass_signal_unless_received(const struct dm_program *p, int signal,
					const siginfo_t *info)
{
	bool is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;

	if (sigismember(&p->ending_signals, signal) ? info->si_code == SI_KERNEL
						    : !is_sent)
		return;
	if (info->si_code == SI_QUEUE)
		sigqueue(p->pid, signal, info->si_value);
	else
		kill(p->pid, signal);
}

/* Wait for the program's end, pass signals on to it, and call @tick with @arg
   after each signal, and each @tick_ms without one. Until Valgrind has set its
   signal handlers, only the signals of ending_signals are passed on, the others
   stay pending, and @tick is called each START_CHECK_MS without a signal. */
static void pass_signals_until_program_end(struct dm_program *p,
					   unsigned tick_ms,
					   void (*tick)(void *arg), void *arg)
{
	siginfo_t info;
	int signal;

	while (!has_program_ended_continue_if_stopped(p)) {
		p->handles_signals = has_valgrind_signal_handlers(p);
		signal = p->handles_signals
				 ? wait_signal_or_0_if_none_or_sigchld(
					   &p->all_signals, tick_ms, &info)
				 : wait_signal_or_0_if_none_or_sigchld(
					   &p->ending_signals, START_CHECK_MS,
					   &info);
		if (signal)
			pass_signal_unless_received(p, signal, &info);
		tick(arg);
	}
}

/* Receive a signal of ending_signals but SIGCHLD, if one is pending. */
static struct dm_received_signal
receive_ending_signal_if_any(const struct dm_program *p)
{
	siginfo_t info;
	int signal = wait_signal_or_0_if_none_or_sigchld(&p->ending_signals, 0,
							 &info);

	return signal ? dm_received_signal_make(signal, &info)
		      : (struct dm_received_signal){0};
}

/* Wait until the daemon has analysed and saved everything, and call @tick with
   @arg about every @tick_ms. The first signal of ending_signals but SIGCHLD
   stops the recordings; the second one also drops unread contents of the rings
   and abandons outputs that block. */
static void wait_analysis_stop_recording_on_signal(struct dm_program *p,
						   struct dm_daemon *d,
						   unsigned tick_ms,
						   void (*tick)(void *arg),
						   void *arg)
{
	struct dm_received_signal first = {0}, next;

	while (!dm_daemon_wait_clients_end_saved(d, tick_ms)) {
		next = receive_ending_signal_if_any(p);
		if (next.number &&
		    !dm_received_signal_is_repeated(&first, &next)) {
			dm_daemon_request_recording_stop(d, first.number != 0);
			if (first.number)
				dm_request_interruption_of_outputs();
			first = next;
		}
		tick(arg);
	}
}

int dm_program_run_and_wait_analysis(struct dm_program *p, struct dm_daemon *d,
				     char *const *program_argv,
				     unsigned tick_ms, void (*tick)(void *arg),
				     void *arg, int *wait_status)
{
	int err = start_program(p, program_argv);

	if (err)
		return err;
	p->handles_signals = p->ended = false;
	pass_signals_until_program_end(p, tick_ms, tick, arg);
	p->ended = true;
	wait_analysis_stop_recording_on_signal(p, d, tick_ms, tick, arg);
	while (waitpid(p->pid, wait_status, 0) < 0 && errno == EINTR)
		;
	dm_daemon_set_process_wait_status(d, p->pid, *wait_status);
	/* Ignore these signals, so that a closed pipe or a file size limit
	   prevents one output of the report, not the others. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return 0;
}

void dm_program_set_outputs_interruptible(struct dm_program *p)
{
	dm_set_output_interrupt_signals(&p->ending_signals);
}
