/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk_counts.c - what the units of one chunk amount to; see chunk_counts.h
 *
 * What leaving a block by an exit amounts to is put together once: four counts
 * of 16 bits in one word, so that two additions take an execution.
 */
#include "lib/recover/chunk_counts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/recover/page_index.h"

enum { INSTRS = 0, WRITES = 16, READS = 32, MODIFIES = 48 };

#define EVEN 0x0000ffff0000ffffu

/* Of one access. */
static uint64_t amount(const struct pt_access *a)
{
	return (uint64_t)(a->kind != PT_STORE) << READS |
	       (uint64_t)(a->kind != PT_LOAD) << WRITES |
	       (uint64_t)(a->kind == PT_MODIFY) << MODIFIES;
}

static uint64_t amount_of_exit(const struct al_desc *d, unsigned exit)
{
	uint64_t sum = (uint64_t)d->exit[exit].n_instrs << INSTRS;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++)
		sum += amount(&d->access[i]);
	return sum;
}

static int make_tally(struct al_met *m)
{
	const struct al_desc *d = m->block->desc;

	m->tally = malloc(d->n_exits * sizeof(*m->tally));
	for (unsigned e = 0; m->tally != NULL && e < d->n_exits; e++)
		m->tally[e] = amount_of_exit(d, e);
	for (unsigned i = 0; i < d->n_accesses; i++)
		m->is_far |= al_is_far(&d->access[i]);
	return m->tally ? 0 : -ENOMEM;
}

/* What guards have kept from happening. */
static uint64_t amount_skipped(const struct al_desc *d, unsigned exit,
			       const uint32_t *slots)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_slot(slots + 2 * a->slot) == PT_NOT_DONE)
			sum += amount(a);
	}
	return sum;
}

/* Of a block that was stopped by a fault, which no recoverer meets. */
static uint64_t amount_cut(const struct al_recoverer *r, struct an_exec e,
			   const uint32_t *slots)
{
	struct al_recovery *all = r->recovery;
	const struct al_desc *d;

	pthread_mutex_lock(&all->lock);
	d = all->executed.block[e.block]->desc;
	pthread_mutex_unlock(&all->lock);
	return amount_of_exit(d, 0) - amount_skipped(d, 0, slots);
}

static int touch_far(struct al_piece *p, const struct al_desc *d,
		     struct an_exec e)
{
	if (p->far == NULL)
		p->far = calloc(1, sizeof(*p->far));
	if (p->far == NULL)
		return -ENOMEM;
	al_touch_accesses(p->far, d, an_exit(e), p->base + an_at(e), false);
	return 0;
}

static int amount_done(struct al_recoverer *r, struct an_exec e,
		       struct al_piece *p, uint64_t *sum)
{
	const uint32_t *slots = p->base + an_at(e);
	struct al_met *m = e.block < r->n_met ? &r->met[e.block] : NULL;

	if (m == NULL || m->block == NULL) {
		*sum = amount_cut(r, e, slots);
		return 0;
	}
	if (m->tally == NULL && make_tally(m) != 0)
		return -ENOMEM;
	*sum = m->tally[an_exit(e)];
	if (m->skipped != NULL)
		*sum -= amount_skipped(m->block->desc, an_exit(e), slots);
	return m->is_far ? touch_far(p, m->block->desc, e) : 0;
}

int al_tally(struct al_recoverer *r, struct al_piece *p)
{
	uint64_t even = 0, odd = 0; /* two counts each, of 32 bits */

	if (p->far != NULL)
		pf_pages_empty(p->far);
	for (size_t i = 0; i < p->n_execs; i++) {
		uint64_t sum;

		if (amount_done(r, p->exec[i], p, &sum) != 0)
			return -ENOMEM;
		even += sum & EVEN;
		odd += sum >> 16 & EVEN;
	}
	p->counts = (struct pf_counts){
		.instructions = (uint32_t)even,
		.reads = even >> 32,
		.writes = (uint32_t)odd,
		.modifies = odd >> 32,
	};
	return 0;
}
