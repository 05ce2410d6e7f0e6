/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocked_outputs.c - ends writes that block; see blocked_outputs.h */

#include "daemon/core/blocked_outputs.h"

#include <stdbool.h>

#include "base/system/blocking_output.h"
#include "proto/shared/atomic.h"

static struct pt_shared_u64 interrupted; /* 1: outputs that block fail; 0: they
					  wait for their readers */
static _Thread_local sigset_t watched; /* signals that interrupt all outputs if
					  pending while an output blocks this
					  thread; empty: none */

/* Whether a signal of `watched` is pending for this thread. */
static bool is_watched_signal_pending(void)
{
	sigset_t pending, both;

	return !sigpending(&pending) && !sigandset(&both, &pending, &watched) &&
	       !sigisemptyset(&both);
}

/* Whether the flag is set that interrupts outputs. It is set first if a watched
   signal is pending. */
static bool is_output_to_be_interrupted(void *unused_arg)
{
	(void)unused_arg;
	if (is_watched_signal_pending())
		dm_request_interruption_of_outputs();
	/* Relaxed order suffices: no other shared data depends on the flag. */
	return pt_load_relaxed(&interrupted);
}

void dm_register_output_cancel_check(void)
{
	al_special_file_set_cancel_check(is_output_to_be_interrupted, NULL);
}

void dm_request_interruption_of_outputs(void)
{
	pt_store_relaxed(&interrupted, 1);
}

void dm_set_output_interrupt_signals(const sigset_t *interrupting_signals)
{
	watched = *interrupting_signals;
	sigdelset(&watched, SIGCHLD);
}

FILE *dm_open_interruptible_stderr(void)
{
	return al_special_file_open_write_stream("/dev/stderr");
}
