/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.h - prepares a forked copy of a run, to report on it
 *
 * A report on a run that is still recording is made from a copy: the process
 * forks while no thread works on a stream, and only the child finishes the
 * streams. The child writes to no file of the run.
 *
 * Order of calls: the parent calls al_snapshot_lock_symbols_before_fork(),
 * fork() and al_snapshot_unlock_symbols(); the child calls
 * al_snapshot_prepare_child() and then, for each image that has not ended,
 * al_stream_finish_counts_and_analyses() and al_process_end_image().
 */
#ifndef LIB_RUN_SNAPSHOT_H
#define LIB_RUN_SNAPSHOT_H

struct al_process;
struct al_run;

/* Lock the symbols, files' facts and strings that the run's threads share, so
   that a forked child can use them. Waits while an object's symbols are read.
   Context: no thread works on a stream; the caller holds none of these
   locks. */
void al_snapshot_lock_symbols_before_fork(struct al_run *);
void al_snapshot_unlock_symbols(struct al_run *);

/**
 * al_snapshot_prepare_child() - In the forked child, unlock
 * the symbols, and stop all writing to profiles and outputs of the run.
 * @reduce_to_process_or_null: a recorded process; the run is reduced to this
 *        process and the image that it runs now. NULL: all processes and images
 *        remain.
 *
 * Return: 0; -ENOMEM.
 */
int al_snapshot_prepare_child(struct al_run *,
			      struct al_process *reduce_to_process_or_null);

#endif
