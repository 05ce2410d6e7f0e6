/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_counts.c - simulates accesses and counts Cachegrind's events
 *
 * Simulates one access after the other, by the rules of
 * analyzers/cache/model/hierarchy.h, so that counts can be divided at any
 * execution.
 */
#include <errno.h>
#include <string.h>

#include "analyzers/simpoint/simpoint.h"

int an_event_caches_release_and_init(struct an_event_caches *c,
				     const struct an_geometry *geometry)
{
	int err = 0;

	an_event_caches_release(c);
	c->geometry = geometry;
	c->smallest_line = ~0u;
	for (int i = 0; i < geometry->n_levels && !err; i++) {
		err = an_set_assoc_init(&c->level[i], &geometry->level[i]);
		if (geometry->level[i].line < c->smallest_line)
			c->smallest_line = geometry->level[i].line;
	}
	return err;
}

void an_event_caches_release(struct an_event_caches *c)
{
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		an_set_assoc_release(&c->level[i]);
	memset(c, 0, sizeof(*c));
}

bool an_event_caches_ran_out_of_memory(const struct an_event_caches *c)
{
	bool failed = false;

	for (int i = 0; i < AN_MAX_LEVELS; i++)
		failed |= c->level[i].failed;
	return failed;
}

/* Simulate an access, and count it and its misses. @event: AN_EVENT_IR,
   AN_EVENT_DR or AN_EVENT_DW; the next two events of the enum are its misses in
   the first and in the last level. */
static inline void simulate_access(struct an_event_caches *c, int first_level,
				   struct an_ref r, enum an_event event,
				   struct an_event_counts *counts)
{
	const struct an_geometry *g = c->geometry;
	int level = first_level;

	counts->n[event]++;
	if (!an_set_assoc_access_is_miss(&c->level[level], r.addr, r.size,
					 r.write))
		return;
	counts->n[event + 1]++;
	for (level = g->level[level].next; level != AN_MEMORY;
	     level = g->level[level].next)
		if (!an_set_assoc_access_is_miss(&c->level[level], r.addr,
						 r.size, r.write))
			return;
	counts->n[event + 2]++;
}

static void simulate_data_access(struct an_event_caches *c,
				 const struct an_block *b, unsigned access,
				 const uint32_t *slots,
				 struct an_event_counts *counts)
{
	struct an_ref r;

	if (an_block_compute_access_ref(b, c->smallest_line, access, slots, &r))
		simulate_access(c, c->geometry->first_data, r,
				b->access[access].kind == PT_STORE
					? AN_EVENT_DW
					: AN_EVENT_DR,
				counts);
}

void an_event_caches_simulate_add_counts(struct an_event_caches *c,
					 const struct an_block *b,
					 const struct an_batch *batch,
					 struct an_exec e,
					 struct an_event_counts *counts)
{
	const struct pt_exit *x = &b->exit[an_exec_exit_number(e)];
	const uint32_t *slots = batch->slots + an_exec_first_slot_word_index(e);
	unsigned access = 0;

	for (unsigned i = 0; i < x->n_instrs; i++) {
		simulate_access(c, c->geometry->first_instruction,
				(struct an_ref){b->instr[i].addr,
						b->instr[i].len, false},
				AN_EVENT_IR, counts);
		for (; access < x->n_accesses && b->access[access].instr <= i;
		     access++)
			simulate_data_access(c, b, access, slots, counts);
	}
}
