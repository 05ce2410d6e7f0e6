/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked_outputs.h - ends writes to outputs that block
 *
 * The reader of an output, such as a pipe, may stop reading for any time. If a
 * user signals the daemon a second time to end, it does not wait for this
 * reader: outputs that block then are abandoned and reported as unwritten,
 * others are still written.
 */
#ifndef DAEMON_CORE_BLOCKED_OUTPUTS_H
#define DAEMON_CORE_BLOCKED_OUTPUTS_H

#include <signal.h>
#include <stdio.h>

/* Register the check that makes outputs of this process that block fail with
   ECANCELED after dm_request_interruption_of_outputs() was called. Call this
   before other threads start. */
void dm_register_output_cancel_check(void);

/* Set a flag, which is never cleared: all outputs of this process that block
   now or later fail. Async-signal-safe. Threads: any. */
void dm_request_interruption_of_outputs(void);

/* Store the signals of @interrupting_signals, without SIGCHLD, for the calling
   thread. If one of them is pending later while an output blocks this thread,
   dm_request_interruption_of_outputs() is called. The thread must have blocked
   these signals; a pending signal stays pending. */
void dm_set_output_interrupt_signals(const sigset_t *interrupting_signals);

/* Open standard error as a stream whose blocked writes can be abandoned.
   Return: the stream, to be closed with fclose(); NULL with errno. */
FILE *dm_open_interruptible_stderr(void);

#endif
