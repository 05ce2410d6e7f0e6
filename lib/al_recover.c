/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_recover.c - units of a chunk, turned into a piece; see al_recover.h */

#include "lib/al_recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_stream.h"

enum {
	PREFETCH = 1024, /* [bytes] ahead of the unit being read */
	COLD = 1,	 /* length of a route whose block was not executed yet:
			    no unit has it */
	ONCE = 1 << 16,	 /* in al_hot.times_length */
};

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

static struct al_block *new_block(const struct al_desc *d, uint32_t id)
{
	struct al_block *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	b->desc = d;
	b->left = calloc(d->n_exits, sizeof(*b->left));
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

/* A block is executed for the first time. Return: 0 with it in @out, -errno. */
static int add_block(struct al_recovery *r, const struct al_desc *d,
		     struct al_piece *p, struct al_block **out)
{
	struct al_block *b;

	if (r->n_blocks == r->blocks_size) {
		uint32_t size = r->blocks_size ? r->blocks_size * 2 : 1024;
		void *block = realloc(r->block, size * sizeof(*r->block));

		if (block == NULL)
			return -ENOMEM;
		r->block = block;
		r->blocks_size = size;
	}
	b = new_block(d, r->n_blocks);
	if (b == NULL)
		return -ENOMEM;
	r->block[r->n_blocks++] = b;
	*p->last_block = b;
	p->last_block = &b->next;
	*out = b;
	return 0;
}

/* Makes the table of routes as long as the log says. */
static int grow_hot(struct al_recovery *r)
{
	uint32_t n = r->blocks.n_routes;
	void *p = realloc(r->hot, n * sizeof(*r->hot));

	if (p == NULL)
		return -ENOMEM;
	r->hot = p;
	for (; r->n_hot < n; r->n_hot++)
		r->hot[r->n_hot] = (struct al_hot){.times_length = COLD};
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

/* The descriptor that a route belongs to. */
static const struct al_desc *find_desc(const struct al_blocks *b,
				       uint32_t route)
{
	uint32_t low = 0, high = b->n; /* it is in [low, high) */

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (b->desc[middle]->route <= route)
			low = middle;
		else
			high = middle;
	}
	return b->desc[low];
}

/* The block of a route is executed for the first time. */
static int warm_up(struct al_recovery *r, uint32_t route, struct al_piece *p)
{
	const struct al_desc *d;
	struct al_block *b;
	int err = 0;

	if (route >= r->blocks.n_routes)
		return -EPROTO;
	if (route >= r->n_hot)
		err = grow_hot(r);
	if (err || length_of(&r->hot[route]) != COLD)
		return err;
	d = find_desc(&r->blocks, route);
	err = add_block(r, d, p, &b);
	for (unsigned e = 0; !err && e < d->n_exits; e++)
		r->hot[d->route + e] = (struct al_hot){
			d->exit[e].bytes | (b->skipped != NULL),
			to_word(an_exec(b->pub.id, e, 0)),
		};
	return err;
}

static void count_skips(struct al_block *b, unsigned exit,
			const uint32_t *slots)
{
	for (unsigned i = 0; i < b->desc->exit[exit].n_accesses; i++) {
		const struct pt_access *a = &b->desc->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_slot(slots + 2 * a->slot) == PT_NOT_DONE)
			b->skipped[i]++;
	}
}

static void execute(struct al_recovery *r, uint32_t block, unsigned exit,
		    const struct al_cursor *c, struct al_piece *p)
{
	struct al_block *b = r->block[block];

	if (b->skipped != NULL)
		count_skips(b, exit, c->base + c->at + 1);
	p->exec[p->n_execs++] = an_exec(block, exit, (uint32_t)c->at + 1);
}

/* A block stopped by a fault runs as a block of its own. */
static int take_cut(struct al_recovery *r, unsigned bytes,
		    const struct al_cursor *c, struct al_piece *p)
{
	const uint32_t *tail = c->base + c->at + bytes / 4 - 3;
	uint32_t id = bytes < 16 ? UINT32_MAX : pt_half(tail);
	uint64_t how = bytes < 16 ? 0 : pt_slot(tail + 1);
	struct al_block *b = NULL;
	struct al_desc *d;
	int err;

	if (id >= r->blocks.n)
		return -EPROTO;
	d = al_desc_cut(r->blocks.desc[id], pt_cut_accesses(how),
			pt_cut_instrs(how), pt_cut_half(how));
	if (d == NULL)
		return -errno;
	err = d->exit[0].bytes + 12u == bytes ? add_block(r, d, p, &b)
					      : -EPROTO;
	if (err) {
		free(d);
		return err;
	}
	b->own = d;
	b->left[0]++;
	execute(r, b->pub.id, 0, c, p);
	return 0;
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

/* Anything that is not the execution of a whole block. */
static int take_control(struct al_recovery *r, uint32_t header,
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
		return take_child(r, id, (uint32_t)pt_slot(unit + 2));
	case PT_THREAD_START:
		r->threads++;
		break;
	case PT_SIGNAL:
		r->signals++;
		break;
	}
	return al_piece_mark(p, kind, id);
}

/* A block with guards, or one that was not executed yet. */
static int take_block(struct al_recovery *r, uint32_t header,
		      const struct al_cursor *c, struct al_piece *p)
{
	uint32_t route = pt_unit_route(header);
	int err = warm_up(r, route, p);
	struct an_exec e;
	struct al_hot *h;

	if (err)
		return err;
	h = &r->hot[route];
	if ((length_of(h) & ~1u) != pt_unit_bytes(header))
		return -EPROTO;
	h->times_length += ONCE;
	e = from_word(h->exec);
	execute(r, e.block, an_exit(e), c, p);
	return 0;
}

/*
 * The common run of units: executions of known blocks without guards. One
 * comparison tells that a unit is such, and has the right length: a control
 * unit's length is a multiple of 8, and a block unit's never. Whether the last
 * one ends where the chunk does is asked once, behind it.
 */
static void take_quickly(struct al_recovery *r, struct al_cursor *c,
			 struct al_piece *p)
{
	const char *base = (const char *)c->base;
	struct al_hot *hot = r->hot, *h = NULL;
	struct an_exec *exec = p->exec + p->n_execs, *first = exec;
	size_t at = 4 * c->at, end = 4 * c->end, bytes = 0;
	uint32_t n_hot = r->n_hot;

	while (at < end) {
		uint32_t header = pt_half((const uint32_t *)(base + at));
		uint32_t route = pt_unit_route(header);
		uint64_t word;

		if (route >= n_hot)
			break;
		bytes = pt_unit_bytes(header);
		if (length_of(&hot[route]) != bytes)
			break;
		h = &hot[route];
		__builtin_prefetch(base + at + PREFETCH);
		h->times_length += ONCE;
		word = h->exec + ((uint64_t)(at + 4) << 30);
		memcpy(exec++, &word, sizeof(word));
		at += bytes;
	}
	if (at > end) {
		h->times_length -= ONCE;
		exec--;
		at -= bytes;
	}
	c->at = at / 4;
	p->n_execs += (size_t)(exec - first);
}

static int take_slowly(struct al_recovery *r, struct al_cursor *c,
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

int al_recover(struct al_recovery *r, struct al_cursor *c, struct al_piece *p)
{
	int err = 0;

	do {
		take_quickly(r, c, p);
		if (c->at < c->end)
			err = take_slowly(r, c, p);
	} while (!err && c->at < c->end);
	if (p->n_execs > 0)
		r->last = p->exec[p->n_execs - 1];
	return err;
}

void al_recovery_settle(struct al_recovery *r)
{
	for (uint32_t i = 0; i < r->n_blocks; i++) {
		struct al_block *b = r->block[i];

		for (unsigned e = 0; !b->own && e < b->desc->n_exits; e++)
			b->left[e] =
				r->hot[b->desc->route + e].times_length / ONCE;
	}
}
