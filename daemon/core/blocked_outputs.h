/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked_outputs.h - ending outputs that block
 *
 * An output may have no reader for as long as it likes. Whoever asks a second
 * time that the daemon end does not want to wait for one: what is not written by
 * then is reported as unwritten, and what can be written without waiting still
 * is.
 */
#ifndef DAEMON_CORE_BLOCKED_OUTPUTS_H
#define DAEMON_CORE_BLOCKED_OUTPUTS_H

#include <signal.h>
#include <stdio.h>

/* Make blocked outputs of this process end when dm_interrupt_outputs() is
   called. Call it before other threads start. */
void dm_interrupt_init(void);

/* Give up blocked outputs, now and in future. Async-signal-safe. Threads:
   any. */
void dm_interrupt_outputs(void);

/* Have a signal of @set, other than SIGCHLD, give up outputs that block the
   calling thread. The thread must block these signals; the signal stays
   pending. */
void dm_interrupt_on(const sigset_t *set);

/* Open standard error as a stream that can be given up. Return: the stream,
   which fclose() closes; NULL with errno. */
FILE *dm_interrupt_stderr(void);

#endif
