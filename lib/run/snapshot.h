/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.h - a run in a forked copy of its process
 *
 * A report on a run that goes on is made from a copy: the process forks while
 * no thread works on a stream, and the child finishes the streams, which end in
 * it alone. The child writes to no file of the run.
 *
 *   parent: al_snapshot_lock, fork, al_snapshot_unlock
 *   child:  al_snapshot_prepare, ... al_stream_finish, al_process_image_over
 */
#ifndef LIB_RUN_SNAPSHOT_H
#define LIB_RUN_SNAPSHOT_H

struct al_process;
struct al_run;

/* Lock everything that the run's threads share, so that a forked child can use
   it. Waits while an object's symbols are read. Context: no thread works on a
   stream or holds the lock of an object's symbols. */
void al_snapshot_lock(struct al_run *);
void al_snapshot_unlock(struct al_run *);

/**
 * al_snapshot_prepare() - Make the child's run fit for a report.
 * @only: a process that is recorded, of which alone the report shall be, with
 *        the image that it runs now; or NULL: of all.
 *
 * Return: 0; -ENOMEM.
 */
int al_snapshot_prepare(struct al_run *, struct al_process *only);

#endif
