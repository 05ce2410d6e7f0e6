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

void al_recovery_release(struct al_recovery *all)
{
	al_executed_release(&all->executed);
	al_blocks_release(&all->blocks);
	pthread_mutex_destroy(&all->lock);
}

void al_recovery_plan(struct al_recovery *all, const struct pt_plan *plan)
{
	al_lanes_init(&all->lanes, plan);
}

void al_recoverer_release(struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_met; i++) {
		free(r->met[i].skipped);
		free(r->met[i].tally);
	}
	for (unsigned c = 1; r->others && c < r->recovery->lanes.n; c++)
		free(r->others[c - 1].hot);
	free(r->others);
	free(r->whole);
	free(r->met);
	free(r->hots.hot);
	al_touch_free(r->touch);
}
