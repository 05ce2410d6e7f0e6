/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_recover.c - units of a chunk, turned into batches; see al_recover.h */

#include "lib/al_recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_stream.h"

enum { PREFETCH = 128 }; /* [words] ahead of the unit being read */

static void free_block(struct al_block *b)
{
	free(b->left);
	free(b->skipped);
	free(b->own);
	free(b);
}

void al_recovery_release(struct al_recovery *r)
{
	for (uint32_t i = 0; i < r->n_blocks; i++)
		free_block(r->block[i]);
	free(r->block);
	free(r->hot);
	free(r->child);
	al_blocks_release(&r->blocks);
}

static bool has_guards(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_accesses; i++)
		if ((d->access[i].flags & PT_GUARDED) &&
		    d->access[i].slot != PT_NO_SLOT)
			return true;
	return false;
}

static uint16_t *exit_bytes(const struct al_hot *h)
{
	return (uint16_t *)(h->left + h->n_exits);
}

/* Counters and, behind them, the lengths that units are checked against. */
static uint64_t *new_counters(const struct al_desc *d)
{
	size_t n = d->n_exits;
	uint64_t *left = calloc(1, n * (sizeof(uint64_t) + sizeof(uint16_t)));
	uint16_t *bytes = (uint16_t *)(left + n);

	for (size_t i = 0; left != NULL && i < n; i++)
		bytes[i] = d->exit[i].bytes;
	return left;
}

static struct al_block *new_block(const struct al_desc *d, uint32_t id)
{
	struct al_block *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	b->desc = d;
	b->left = new_counters(d);
	if (has_guards(d))
		b->skipped = calloc(d->n_accesses, sizeof(*b->skipped));
	if (b->left == NULL || (has_guards(d) && b->skipped == NULL)) {
		free_block(b);
		return NULL;
	}
	b->pub = (struct an_block){
		.id = id,
		.n_instrs = d->n_instrs,
		.n_accesses = d->n_accesses,
		.n_exits = d->n_exits,
		.n_slots = d->n_slots,
		.instr = d->instr,
		.access = d->access,
		.exit = d->exit,
		.left = b->left,
		.skipped = b->skipped,
	};
	return b;
}

/* A block is executed for the first time. */
static int add_block(struct al_recovery *r, const struct al_desc *d,
		     struct al_hot *hot)
{
	struct al_block *b;

	if (r->n_blocks == r->blocks_size) {
		uint32_t size = r->blocks_size ? r->blocks_size * 2 : 1024;
		void *p = realloc(r->block, size * sizeof(*r->block));

		if (p == NULL)
			return -ENOMEM;
		r->block = p;
		r->blocks_size = size;
	}
	b = new_block(d, r->n_blocks);
	if (b == NULL)
		return -ENOMEM;
	r->block[r->n_blocks++] = b;
	hot->left = b->left;
	hot->block = b->pub.id;
	hot->n_exits = d->n_exits;
	hot->has_guards = b->skipped != NULL;
	return r->on_block(r->user, &b->pub);
}

/* Makes the table of hot blocks as long as the log is. */
static int grow_hot(struct al_recovery *r)
{
	uint32_t n = r->blocks.n;
	void *p = realloc(r->hot, n * sizeof(*r->hot));

	if (p == NULL)
		return -ENOMEM;
	r->hot = p;
	memset(r->hot + r->n_hot, 0, (n - r->n_hot) * sizeof(*r->hot));
	r->n_hot = n;
	return 0;
}

static int warm_up(struct al_recovery *r, uint32_t id)
{
	int err;

	if (id >= r->n_hot) {
		if (id >= r->blocks.n)
			return -EPROTO;
		err = grow_hot(r);
		if (err)
			return err;
	}
	if (r->hot[id].n_exits != 0)
		return 0;
	return add_block(r, r->blocks.desc[id], &r->hot[id]);
}

static void count_skips(struct al_recovery *r, const struct al_hot *h,
			unsigned exit, const uint64_t *slots)
{
	struct al_block *b = r->block[h->block];

	for (unsigned i = 0; i < b->desc->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &b->desc->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_word(slots + a->slot) == PT_NOT_DONE)
			b->skipped[i]++;
	}
}

static void execute(struct al_recovery *r, const struct al_hot *h,
		    unsigned exit, const struct al_cursor *c)
{
	h->left[exit]++;
	if (h->has_guards)
		count_skips(r, h, exit, c->words + c->at + 1);
	r->exec[r->n_execs++] = an_exec(h->block, exit, (uint32_t)c->at + 1);
}

/* A block stopped by a fault runs as a block of its own. */
static int take_cut(struct al_recovery *r, uint64_t header, struct al_cursor *c)
{
	uint32_t id = pt_unit_id(header);
	unsigned bytes = pt_unit_bytes(header);
	uint64_t how = pt_word(c->words + c->at + bytes / 8 - 1);
	struct al_hot hot = {0};
	struct al_desc *d;
	int err;

	if (id >= r->blocks.n || bytes < 16)
		return -EPROTO;
	d = al_desc_cut(r->blocks.desc[id], pt_cut_accesses(how),
			pt_cut_instrs(how), pt_cut_half(how));
	if (d == NULL)
		return -errno;
	if (d->exit[0].bytes + 8u != bytes) {
		free(d);
		return -EPROTO;
	}
	err = add_block(r, d, &hot);
	if (hot.left == NULL) {
		free(d);
		return err;
	}
	r->block[hot.block]->own = d;
	execute(r, &hot, 0, c);
	return err;
}

static int take_child(struct al_recovery *r, uint32_t pid, uint32_t status)
{
	if (r->n_children == r->children_size) {
		size_t size = r->children_size ? r->children_size * 2 : 8;
		void *p = realloc(r->child, size * sizeof(*r->child));

		if (p == NULL)
			return -ENOMEM;
		r->child = p;
		r->children_size = size;
	}
	r->child[r->n_children++] = (struct al_child_exit){pid, status};
	return 0;
}

static void add_mark(struct al_recovery *r, unsigned kind, uint32_t id)
{
	r->mark[r->n_marks++] =
		(struct an_mark){(uint32_t)r->n_execs, kind, id};
}

/* Anything that is not the execution of a whole block. */
static int take_other(struct al_recovery *r, uint64_t header,
		      struct al_cursor *c)
{
	uint32_t id = pt_unit_id(header);

	switch (pt_unit_kind(header)) {
	case 0:
		return -EPROTO;
	case PT_CUT:
		return take_cut(r, header, c);
	case PT_CHILD_EXIT:
		if (pt_unit_bytes(header) < 16)
			return -EPROTO;
		return take_child(r, id,
				  (uint32_t)pt_word(c->words + c->at + 1));
	case PT_THREAD_START:
		r->threads++;
		break;
	case PT_SIGNAL:
		r->signals++;
		break;
	}
	add_mark(r, pt_unit_kind(header), id);
	return 0;
}

/* A block's record when the unit fits it, or NULL. */
static inline const struct al_hot *match(const struct al_recovery *r,
					 uint64_t header)
{
	uint32_t id = pt_unit_id(header);
	unsigned exit = pt_unit_exit(header);
	const struct al_hot *h;

	if (id >= r->n_hot)
		return NULL;
	h = &r->hot[id];
	return exit < h->n_exits && exit_bytes(h)[exit] == pt_unit_bytes(header)
		       ? h
		       : NULL;
}

static int take_slowly(struct al_recovery *r, uint64_t header,
		       struct al_cursor *c)
{
	const struct al_hot *h;
	int err;

	if (pt_unit_kind(header) != PT_BLOCK)
		return take_other(r, header, c);
	err = warm_up(r, pt_unit_id(header));
	if (err)
		return err;
	h = match(r, header);
	if (h == NULL)
		return -EPROTO;
	execute(r, h, pt_unit_exit(header), c);
	return 0;
}

/*
 * The common run of units: whole executions of known blocks without guards.
 * Everything is in registers; stops at what is not common.
 */
static void take_quickly(struct al_recovery *r, struct al_cursor *c)
{
	const uint64_t *words = c->words;
	size_t at = c->at, end = c->end, n = r->n_execs;

	while (at < end && n < AL_BATCH) {
		uint64_t header = pt_word(words + at);
		unsigned len = pt_unit_bytes(header) / 8;
		unsigned exit = pt_unit_exit(header);
		const struct al_hot *h = match(r, header);

		if (h == NULL || h->has_guards || len > end - at ||
		    pt_unit_kind(header) != PT_BLOCK)
			break;
		__builtin_prefetch(words + at + PREFETCH);
		h->left[exit]++;
		r->exec[n++] = an_exec(h->block, exit, (uint32_t)at + 1);
		at += len;
	}
	c->at = at;
	r->n_execs = n;
}

int al_recover(struct al_recovery *r, struct al_cursor *c)
{
	r->n_execs = r->n_marks = 0;
	for (;;) {
		uint64_t header;
		unsigned bytes;
		int err;

		take_quickly(r, c);
		if (r->n_execs > 0)
			r->last = r->exec[r->n_execs - 1];
		if (c->at >= c->end || r->n_execs == AL_BATCH ||
		    r->n_marks == AL_MARKS)
			return 0;
		header = pt_word(c->words + c->at);
		bytes = pt_unit_bytes(header);
		if (bytes < 8 || bytes % 8 != 0 || bytes / 8 > c->end - c->at)
			return -EPROTO;
		err = take_slowly(r, header, c);
		if (err)
			return err;
		c->at += bytes / 8;
	}
}
