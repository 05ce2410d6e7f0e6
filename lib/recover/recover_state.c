/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover_state.c - sets up and frees the state of recovery; see recover.h */

#include "lib/recover/recover.h"

#include <stdlib.h>

#include "lib/recover/page_index.h"

void al_recovery_init(struct al_recovery *all, struct al_intern *strings)
{
	enum { FIRST_THREAD = 1 };

	*all = (struct al_recovery){.thread = FIRST_THREAD};
	pthread_mutex_init(&all->lock, NULL);
	al_blocks_init(&all->blocks, strings);
	al_lanes_init(&all->lanes, NULL);
	all->executed = (struct al_executed){.lanes = &all->lanes};
}

void al_recovery_release(struct al_recovery *shared_state)
{
	al_executed_free_blocks_and_numbers(&shared_state->executed);
	al_blocks_release(&shared_state->blocks);
	pthread_mutex_destroy(&shared_state->lock);
}

void al_recovery_set_thread_filters_from_plan(struct al_recovery *all,
					      const struct pt_plan *plan)
{
	al_lanes_init(&all->lanes, plan);
}

void al_recoverer_release(struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_known; i++) {
		free(r->known[i].skipped);
		free(r->known[i].packed_counts);
	}
	for (unsigned c = 1; r->class_counters && c < r->recovery->lanes.n; c++)
		free(r->class_counters[c - 1].route);
	free(r->class_counters);
	free(r->warmup_desc);
	free(r->known);
	free(r->counters.route);
	al_page_index_free(r->page_index);
}
