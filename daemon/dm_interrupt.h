/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_interrupt.h - ending outputs that block
 *
 * An output may have no reader for as long as it likes. Whoever asks a second
 * time that the daemon end does not want to wait for one: what is not written by
 * then is reported as unwritten, and what can be written without waiting still
 * is.
 */
#ifndef DM_INTERRUPT_H
#define DM_INTERRUPT_H

#include <signal.h>
#include <stdio.h>

/* Make outputs of this process end by dm_interrupt_outputs(). Call it before
   there are threads. */
void dm_interrupt_init(void);

/* Give up outputs that block, now and in future. Async-signal-safe. Any
   thread. */
void dm_interrupt_outputs(void);

/* Have a signal of @set give up outputs that block the calling thread, which is
   the one that waits for these signals else, and blocks them. The signal stays
   pending. */
void dm_interrupt_on(const sigset_t *set);

/* Return standard error as a stream that can be given up, which fclose()
   closes; NULL with errno. */
FILE *dm_interrupt_stderr(void);

#endif
