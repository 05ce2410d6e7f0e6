/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - prepares a forked copy of a run; see snapshot.h */

#include "lib/run/snapshot.h"

#include <errno.h>

#include "lib/run/profile_files.h"
#include "lib/run/state.h"
#include "lib/symbols/symbols.h"

void al_snapshot_lock_symbols(struct al_run *run)
{
	al_symbols_lock_all(run->symbols);
}

void al_snapshot_unlock_symbols(struct al_run *run)
{
	al_symbols_unlock_all(run->symbols);
}

/* Reduce the run to process @p and its last image. Return: 0; -ENOMEM. */
static int reduce_run_to_process_last_image(struct al_run *run,
					    struct al_process *p)
{
	struct al_stream *total = al_stream_new_without_symbols(run->settings);

	if (!total ||
	    (p->plan && al_stream_add_own_output_consumers(total, p->plan)))
		return -ENOMEM;
	run->total = total;
	run->process[0] = p;
	run->n_processes = 1;
	run->n_trees = 1;
	p->image += p->n_images - 1;
	p->n_images = 1;
	return 0;
}

int al_snapshot_unlock_and_disable_outputs(
	struct al_run *run, struct al_process *only_process_or_null)
{
	al_snapshot_unlock_symbols(run);
	al_run_stop_writing_profiles(run);
	if (only_process_or_null &&
	    reduce_run_to_process_last_image(run, only_process_or_null))
		return -ENOMEM;
	al_stream_abandon_and_disable_outputs(run->total);
	for (size_t i = 0; i < run->n_processes; i++) {
		struct al_process *p = run->process[i];

		for (size_t k = 0; k < p->n_images; k++)
			if (p->image[k].stream)
				al_stream_abandon_and_disable_outputs(
					p->image[k].stream);
	}
	return 0;
}
