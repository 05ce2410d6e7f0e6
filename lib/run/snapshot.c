/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - prepares a forked copy of a run; see snapshot.h */

#include "lib/run/snapshot.h"

#include <errno.h>

#include "lib/run/profile_files.h"
#include "lib/run/state.h"
#include "lib/symbols/symbols.h"

void al_snapshot_lock_symbols_before_fork(struct al_run *run)
{
	al_symbols_lock_all(run->symbols);
}

void al_snapshot_unlock_symbols(struct al_run *run)
{
	al_symbols_unlock_all(run->symbols);
}

/* Reduce the run to process @process and its last exec image, with a
   new, empty sum of results. Return: 0; -ENOMEM. */
static int reduce_run_to_last_image_of_process(struct al_run *run,
					       struct al_process *process)
{
	struct al_stream *total = al_stream_new_without_symbols(run->settings);

	if (!total ||
	    (process->plan &&
	     al_stream_add_consumer_per_window_output(total, process->plan)))
		return -ENOMEM;
	run->total = total;
	run->process[0] = process;
	run->n_processes = 1;
	run->n_trees = 1;
	process->image += process->n_images - 1;
	process->n_images = 1;
	return 0;
}

int al_snapshot_prepare_child(struct al_run *run,
			      struct al_process *reduce_to_process_or_null)
{
	al_snapshot_unlock_symbols(run);
	al_run_ignore_further_profile_writes(run);
	if (reduce_to_process_or_null &&
	    reduce_run_to_last_image_of_process(run, reduce_to_process_or_null))
		return -ENOMEM;
	al_stream_drop_output(run->total);
	for (size_t i = 0; i < run->n_processes; i++) {
		struct al_process *p = run->process[i];

		for (size_t k = 0; k < p->n_images; k++)
			if (p->image[k].stream)
				al_stream_drop_output(p->image[k].stream);
	}
	return 0;
}
