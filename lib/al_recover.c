/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_recover.c - units of a chunk, turned into a piece; see al_recover.h */

#include "lib/al_recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	PREFETCH = 512, /* [4 bytes] ahead of the unit being read */
	/* Beside the length of a route, so that no unit has it: */
	COLD = PT_LENGTH + 1, /* the block was not met yet */
	GUARDED = 2 * COLD,   /* it has guards */
};

void al_recoverer_release(struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_met; i++) {
		free(r->met[i].skipped);
		free(r->met[i].tally);
	}
	free(r->met);
	free(r->hot);
}

/* Makes the table of routes as long as the log says. */
static int grow_hot(struct al_recoverer *r)
{
	uint32_t n = r->recovery->blocks.n_routes;
	void *p = realloc(r->hot, n * sizeof(*r->hot));

	if (p == NULL)
		return -ENOMEM;
	r->hot = p;
	for (; r->n_hot < n; r->n_hot++)
		r->hot[r->n_hot] = (struct al_hot){.times_length = COLD};
	return 0;
}

static int grow_met(struct al_recoverer *r)
{
	uint32_t n = r->recovery->executed.size;
	void *p = realloc(r->met, n * sizeof(*r->met));

	if (p == NULL)
		return -ENOMEM;
	r->met = p;
	memset(r->met + r->n_met, 0, (n - r->n_met) * sizeof(*r->met));
	r->n_met = n;
	return 0;
}

static unsigned length_of(const struct al_hot *h)
{
	return (uint16_t)h->times_length;
}

static uint64_t to_word(struct an_exec e)
{
	return (uint64_t)e.where << 32 | e.block;
}

static struct an_exec from_word(uint64_t word)
{
	return (struct an_exec){(uint32_t)word, (uint32_t)(word >> 32)};
}

/* A block is met for the first time. */
static int meet(struct al_recoverer *r, struct al_block *b)
{
	const struct al_desc *d = b->desc;
	struct al_met *m;

	if (b->pub.id >= r->n_met && grow_met(r) != 0)
		return -ENOMEM;
	m = &r->met[b->pub.id];
	if (b->skipped != NULL && m->skipped == NULL)
		m->skipped = calloc(d->n_accesses, sizeof(*m->skipped));
	if (b->skipped != NULL && m->skipped == NULL)
		return -ENOMEM;
	m->block = b;
	for (unsigned e = 0; e < d->n_exits; e++)
		r->hot[d->route + e] = (struct al_hot){
			d->exit[e].bytes / 4u | (b->skipped ? GUARDED : 0),
			to_word(an_exec(b->pub.id, e, 0)),
		};
	return 0;
}

/* The block of a route is met for the first time. Context: lock held. */
static int meet_route(struct al_recoverer *r, uint32_t route)
{
	struct al_recovery *all = r->recovery;
	struct al_block *b;
	int err = 0;

	if (route >= all->blocks.n_routes)
		return -EPROTO;
	if (route >= r->n_hot)
		err = grow_hot(r);
	if (err)
		return err;
	b = al_executed_find(&all->executed, &all->blocks,
			     al_blocks_of_route(&all->blocks, route));
	return b ? meet(r, b) : -ENOMEM;
}

static int warm_up(struct al_recoverer *r, uint32_t route)
{
	int err;

	if (route < r->n_hot && length_of(&r->hot[route]) != COLD)
		return 0;
	pthread_mutex_lock(&r->recovery->lock);
	err = meet_route(r, route);
	pthread_mutex_unlock(&r->recovery->lock);
	return err;
}

/* Adds @times to how often each guard was false. */
static void count_skips(uint64_t *skipped, const struct al_desc *d,
			unsigned exit, const uint32_t *slots, uint64_t times)
{
	for (unsigned i = 0; skipped && i < d->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_slot(slots + 2 * a->slot) == PT_NOT_DONE)
			skipped[i] += times;
	}
}

/* Context: lock held. */
static int count_cut(struct al_recovery *all, unsigned bytes,
		     const uint32_t *unit, uint32_t *block)
{
	const uint32_t *tail = unit + bytes / 4 - 3;
	struct al_block *b;

	if (bytes < 16)
		return -EPROTO;
	b = al_executed_cut(&all->executed, &all->blocks, pt_half(tail),
			    pt_slot(tail + 1));
	if (b == NULL)
		return -errno;
	if (b->desc->exit[0].bytes + 12u != bytes)
		return -EPROTO;
	b->left[0]++;
	count_skips(b->skipped, b->desc, 0, unit + 1, 1);
	*block = b->pub.id;
	return 0;
}

/* A block stopped by a fault runs as a block of its own. Faults are rare: they
   are counted there at once. */
static int take_cut(struct al_recoverer *r, unsigned bytes,
		    const struct al_cursor *c, struct al_piece *p)
{
	uint32_t block = 0;
	int err;

	pthread_mutex_lock(&r->recovery->lock);
	err = count_cut(r->recovery, bytes, c->base + c->at, &block);
	pthread_mutex_unlock(&r->recovery->lock);
	if (err)
		return err;
	p->exec[p->n_execs++] = an_exec(block, 0, (uint32_t)c->at + 1);
	p->n_cuts++;
	return 0;
}

/* Anything that is not the execution of a whole block. */
static int take_control(struct al_recoverer *r, uint32_t header,
			const struct al_cursor *c, struct al_piece *p)
{
	const uint32_t *unit = c->base + c->at;
	unsigned kind = pt_unit_kind(header), bytes = pt_unit_bytes(header);
	uint32_t id = pt_half(unit + 1);

	switch (kind) {
	case PT_CUT:
		return take_cut(r, bytes, c, p);
	case PT_CHILD_EXIT:
		if (bytes < 16)
			return -EPROTO;
		return al_piece_child(p, id, (uint32_t)pt_slot(unit + 2));
	}
	return al_piece_mark(p, kind, id);
}

/* A block with guards, or one that was not met yet. */
static int take_block(struct al_recoverer *r, uint32_t header,
		      const struct al_cursor *c, struct al_piece *p)
{
	uint32_t route = pt_unit_route(header), at = (uint32_t)c->at + 1;
	int err = warm_up(r, route);
	struct al_met *met;
	struct an_exec e;
	struct al_hot *h;

	if (err)
		return err;
	h = &r->hot[route];
	if ((length_of(h) & PT_LENGTH) != pt_unit_length(header))
		return -EPROTO;
	h->times_length += AL_ONCE;
	e = from_word(h->exec);
	met = &r->met[e.block];
	count_skips(met->skipped, met->block->desc, an_exit(e), c->base + at,
		    1);
	p->exec[p->n_execs++] = an_exec(e.block, an_exit(e), at);
	return 0;
}

/*
 * The common run of units: executions of known blocks without guards. One
 * comparison tells that a unit is such, and has the right length: a control
 * unit's length is even, and a block unit's never. Whether the last one ends
 * where the chunk does is asked once, behind it.
 */
static void take_quickly(struct al_recoverer *r, struct al_cursor *c,
			 struct al_piece *p)
{
	const uint32_t *base = c->base;
	struct al_hot *hot = r->hot, *h = NULL;
	struct an_exec *exec = p->exec + p->n_execs, *first = exec;
	size_t at = c->at, end = c->end, length = 0;
	uint32_t n_hot = r->n_hot;

	while (at < end) {
		uint32_t header = pt_half(base + at);
		uint32_t route = pt_unit_route(header);
		uint64_t word;

		if (route >= n_hot)
			break;
		length = pt_unit_length(header);
		if (length_of(&hot[route]) != length)
			break;
		h = &hot[route];
		__builtin_prefetch(base + at + PREFETCH);
		h->times_length += AL_ONCE;
		word = h->exec + ((uint64_t)(at + 1) << 32);
		memcpy(exec++, &word, sizeof(word));
		at += length;
	}
	if (at > end) {
		h->times_length -= AL_ONCE;
		exec--;
		at -= length;
	}
	c->at = at;
	p->n_execs += (size_t)(exec - first);
}

static int take_slowly(struct al_recoverer *r, struct al_cursor *c,
		       struct al_piece *p)
{
	uint32_t header = pt_half(c->base + c->at);
	unsigned bytes = pt_unit_bytes(header);
	int err;

	if (bytes == 0 || bytes > 4 * (c->end - c->at))
		return -EPROTO;
	err = pt_unit_is_block(header) ? take_block(r, header, c, p)
				       : take_control(r, header, c, p);
	if (!err)
		c->at += bytes / 4;
	return err;
}

int al_recover(struct al_recoverer *r, struct al_cursor *c, struct al_piece *p)
{
	int err = 0;

	do {
		take_quickly(r, c, p);
		if (c->at < c->end)
			err = take_slowly(r, c, p);
	} while (!err && c->at < c->end);
	return err;
}

void al_recovery_undo(struct al_recovery *all, struct al_piece *p)
{
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < p->n_execs; i++) {
		struct an_exec e = p->exec[i];
		struct al_block *b = all->executed.block[e.block];

		b->left[an_exit(e)]--;
		count_skips(b->skipped, b->desc, an_exit(e), p->base + an_at(e),
			    UINT64_MAX);
	}
	pthread_mutex_unlock(&all->lock);
	al_piece_empty(p);
}

void al_recoverer_settle(struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_met; i++) {
		const struct al_met *m = &r->met[i];
		struct al_block *b = m->block;

		for (unsigned e = 0; b && e < b->desc->n_exits; e++)
			b->left[e] += r->hot[b->desc->route + e].times_length /
				      AL_ONCE;
		for (unsigned a = 0; m->skipped && a < b->desc->n_accesses; a++)
			b->skipped[a] += m->skipped[a];
	}
}
