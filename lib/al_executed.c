/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_executed.c - the blocks that an image has executed; see al_executed.h */

#include "lib/al_executed.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pt_unit.h"

static void free_block(struct al_block *b)
{
	free(b->left);
	free(b->skipped);
	free(b->own);
	free(b);
}

/* The blocks are freed by number. */
static void free_nothing(void *block)
{
	(void)block;
}

void al_executed_release(struct al_executed *x)
{
	tdestroy(x->cuts, free_nothing);
	for (uint32_t i = 0; i < x->n; i++)
		free_block(x->block[i]);
	free(x->block);
	free(x->number);
	*x = (struct al_executed){0};
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

static struct al_block *add(struct al_executed *x, const struct al_desc *d)
{
	struct al_block *b;

	if (x->n == x->size) {
		uint32_t size = x->size ? x->size * 2 : 1024;
		void *block = realloc(x->block, size * sizeof(*x->block));

		if (block == NULL)
			return NULL;
		x->block = block;
		x->size = size;
	}
	b = new_block(d, x->n);
	if (b == NULL)
		return NULL;
	if (x->last != NULL)
		x->last->next = b;
	x->last = b;
	if (x->fresh == NULL)
		x->fresh = b;
	x->block[x->n++] = b;
	return b;
}

static bool make_numbers(struct al_executed *x, const struct al_blocks *blocks)
{
	uint32_t *number = realloc(x->number, blocks->size * sizeof(*number));

	if (number == NULL)
		return false;
	memset(number + x->n_numbers, 0,
	       (blocks->size - x->n_numbers) * sizeof(*number));
	x->number = number;
	x->n_numbers = blocks->size;
	return true;
}

struct al_block *al_executed_find(struct al_executed *x,
				  const struct al_blocks *blocks, uint32_t id)
{
	struct al_block *b;

	if (id >= x->n_numbers && !make_numbers(x, blocks))
		return NULL;
	if (x->number[id] != 0)
		return x->block[x->number[id] - 1];
	b = add(x, blocks->desc[id]);
	if (b != NULL)
		x->number[id] = b->pub.id + 1;
	return b;
}

static int compare_cuts(const void *one, const void *other)
{
	const struct al_block *a = one, *b = other;

	if (a->cut_id != b->cut_id)
		return a->cut_id < b->cut_id ? -1 : 1;
	return (a->cut_how > b->cut_how) - (a->cut_how < b->cut_how);
}

static struct al_block *add_cut(struct al_executed *x, uint32_t id,
				uint64_t how, struct al_desc *d)
{
	struct al_block *b = add(x, d);

	if (b == NULL) {
		free(d);
		return NULL;
	}
	b->own = d;
	b->cut_id = id;
	b->cut_how = how;
	return tsearch(b, &x->cuts, compare_cuts) ? b : NULL;
}

struct al_block *al_executed_cut(struct al_executed *x,
				 const struct al_blocks *blocks, uint32_t id,
				 uint64_t how)
{
	const struct al_block key = {.cut_id = id, .cut_how = how};
	void *found = tfind(&key, &x->cuts, compare_cuts);
	struct al_desc *d;

	if (found != NULL)
		return *(struct al_block **)found;
	if (id >= blocks->n) {
		errno = EPROTO;
		return NULL;
	}
	d = al_desc_cut(blocks->desc[id], pt_cut_accesses(how),
			pt_cut_instrs(how), pt_cut_half(how));
	return d ? add_cut(x, id, how, d) : NULL;
}

uint32_t al_executed_take(struct al_executed *x, const struct al_block **first)
{
	uint32_t n = x->fresh ? x->n - x->fresh->pub.id : 0;

	*first = x->fresh;
	x->fresh = NULL;
	return n;
}
