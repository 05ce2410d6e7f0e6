/* SPDX-License-Identifier: GPL-2.0-or-later */
/* executed_blocks.c - finds and adds executed blocks; see executed_blocks.h */

#include "lib/recover/executed_blocks.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"

static void free_block(struct al_block *b)
{
	free(b->exit_count);
	free(b->skipped);
	free(b->own_desc);
	free(b);
}

static unsigned n_classes(const struct al_executed *x)
{
	return x->lanes ? x->lanes->n : 1;
}

/* Do nothing: the tree does not own its blocks. */
static void free_nothing(void *block)
{
	(void)block;
}

void al_executed_release(struct al_executed *x)
{
	tdestroy(x->partial_blocks, free_nothing);
	for (uint32_t i = 0; i < x->n; i++)
		free_block(x->block[i]);
	free(x->block);
	for (unsigned c = 0; x->numbers && c < n_classes(x); c++)
		free(x->numbers[c].number);
	free(x->numbers);
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
	b->exit_count = calloc(d->n_exits, sizeof(*b->exit_count));
	if (has_guards(d))
		b->skipped = calloc(d->n_accesses, sizeof(*b->skipped));
	if (b->exit_count == NULL || (has_guards(d) && b->skipped == NULL)) {
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
		.exit_count = b->exit_count,
		.skip_count = b->skipped,
	};
	return b;
}

/* Append a block with descriptor @d. Return: NULL if memory is short. */
static struct al_block *append_block(struct al_executed *x,
				     const struct al_desc *d)
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
	if (x->first_new == NULL)
		x->first_new = b;
	x->block[x->n++] = b;
	return b;
}

/* Enlarge a class's table of numbers to all described blocks. */
static int grow_numbers(struct al_block_numbers *table,
			const struct al_blocks *blocks)
{
	uint32_t *number =
		realloc(table->number, blocks->size * sizeof(*number));

	if (number == NULL)
		return -ENOMEM;
	memset(number + table->n, 0,
	       (blocks->size - table->n) * sizeof(*number));
	table->number = number;
	table->n = blocks->size;
	return 0;
}

/* Return the element of a class's table for block @id; NULL if memory is
   short. */
static uint32_t *find_number(struct al_executed *x,
			     const struct al_blocks *blocks, uint32_t id,
			     unsigned class)
{
	struct al_block_numbers *table;

	if (x->numbers == NULL)
		x->numbers = calloc(n_classes(x), sizeof(*x->numbers));
	if (x->numbers == NULL)
		return NULL;
	table = &x->numbers[class];
	if (id >= table->n && grow_numbers(table, blocks) != 0)
		return NULL;
	return &table->number[id];
}

/* Add the instructions of @d that @lanes select as a block. @own: @d if the
   block is to own it, and then freed if it is not used; else NULL. @out:
   receives the block; NULL if @lanes select nothing. Return: 0; -ENOMEM. */
static int add_selected(struct al_executed *x, const struct al_desc *d,
			struct al_desc *own, uint64_t lanes,
			struct al_block **out)
{
	enum al_selection wanted = al_desc_selection(d, lanes);
	struct al_desc *narrow = NULL;

	*out = NULL;
	if (wanted == AL_SELECTS_SOME) {
		narrow = al_desc_make_selected(d, lanes);
		free(own);
		d = own = narrow;
	}
	if (wanted != AL_SELECTS_NONE && d != NULL)
		*out = append_block(x, d);
	if (*out == NULL) {
		free(own);
		return wanted == AL_SELECTS_NONE ? 0 : -ENOMEM;
	}
	(*out)->own_desc = own;
	return 0;
}

/* Add the instructions of @d that the lanes of @class select, as
   add_selected(). */
static int add_for_class(struct al_executed *x, const struct al_desc *d,
			 struct al_desc *own, unsigned class,
			 struct al_block **out)
{
	int err = add_selected(x, d, own, al_executed_lanes(x, class), out);

	if (*out != NULL)
		(*out)->class = class;
	return err;
}

int al_executed_find(struct al_executed *x, const struct al_blocks *blocks,
		     uint32_t id, unsigned class, struct al_block **out)
{
	uint32_t *number = find_number(x, blocks, id, class);
	int err;

	*out = NULL;
	if (number == NULL)
		return -ENOMEM;
	if (*number == AL_UNSELECTED)
		return 0;
	if (*number != 0) {
		*out = x->block[*number - 1];
		return 0;
	}
	err = add_for_class(x, blocks->desc[id], NULL, class, out);
	if (!err)
		*number = *out ? (*out)->pub.id + 1 : AL_UNSELECTED;
	return err;
}

/* [bytes] that an analysis allocates for one instruction or access; measured: 9
   in the cache analysis, 41 in the callgrind analysis. */
enum { BYTES_PER_ITEM = 40 };

/* Return the approximate memory [bytes] that block @b takes here and in the
   analyses. */
static uint64_t part_bytes(const struct al_block *b)
{
	const struct al_desc *d = b->desc;
	uint64_t n = (uint64_t)d->n_instrs + d->n_accesses;

	return sizeof(*b) + sizeof(*d) + n * BYTES_PER_ITEM;
}

static int compare_cuts(const void *one, const void *other)
{
	const struct al_block *a = one, *b = other;

	if (a->whole_id != b->whole_id)
		return a->whole_id < b->whole_id ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return (a->fault_position > b->fault_position) -
	       (a->fault_position < b->fault_position);
}

/* Add the part of a block before a fault. @key: its id, class and position. @d:
   its descriptor, consumed. */
static int add_cut(struct al_executed *x, const struct al_block *key,
		   struct al_desc *d, struct al_block **out)
{
	int err = add_for_class(x, d, d, key->class, out);
	struct al_block *b = *out;

	if (b == NULL)
		return err;
	x->partial_bytes += part_bytes(b);
	b->is_partial = true;
	b->whole_id = key->whole_id;
	b->fault_position = key->fault_position;
	return tsearch(b, &x->partial_blocks, compare_cuts) ? 0 : -ENOMEM;
}

/* Whether the fault came before the first instruction that the block records.
   Only a block without lanes for some instructions can stop there. */
static bool is_before_first(const struct al_desc *d, uint64_t how)
{
	return d->lanes != UINT64_MAX && how == pt_cut_word(0, 0, false);
}

int al_executed_find_partial(struct al_executed *x,
			     const struct al_blocks *blocks, uint32_t id,
			     uint64_t how, unsigned class,
			     struct al_block **out)
{
	const struct al_block key = {
		.whole_id = id, .fault_position = how, .class = class};
	void *found = tfind(&key, &x->partial_blocks, compare_cuts);
	struct al_desc *d;

	*out = found ? *(struct al_block **)found : NULL;
	if (found != NULL)
		return 0;
	if (id >= blocks->n)
		return -EPROTO;
	if (is_before_first(blocks->desc[id], how))
		return 0;
	if (x->partial_bytes > AL_MAX_PARTIAL_BYTES)
		return -AL_E_PARTIAL_BYTES;
	d = al_desc_make_partial(blocks->desc[id], pt_cut_accesses(how),
				 pt_cut_instrs(how), pt_cut_half(how));
	return d ? add_cut(x, &key, d, out) : -errno;
}

struct al_block *al_executed_add_warm(struct al_executed *x,
				      struct al_desc *own)
{
	struct al_block *b;

	if (x->partial_bytes > AL_MAX_PARTIAL_BYTES) {
		errno = AL_E_PARTIAL_BYTES;
		return NULL;
	}
	b = append_block(x, own);
	if (b == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	x->partial_bytes += part_bytes(b);
	b->own_desc = own;
	b->pub.warm = true;
	return b;
}

/* Compare by block, fault and lanes. The route identifies the tool's block;
   cut_how is 0 only for blocks that no fault has stopped. */
static int compare_own(const void *one, const void *other)
{
	const struct al_block *a = one, *b = other;

	if (a->desc->first_route != b->desc->first_route)
		return a->desc->first_route < b->desc->first_route ? -1 : 1;
	if (a->fault_position != b->fault_position)
		return a->fault_position < b->fault_position ? -1 : 1;
	return (a->lanes > b->lanes) - (a->lanes < b->lanes);
}

int al_executed_find_selected(struct al_executed *x, const struct al_block *of,
			      uint64_t lanes, struct al_block **out)
{
	const struct al_block key = {
		.desc = of->desc,
		.fault_position = of->fault_position,
		.lanes = lanes,
	};
	void *found = tfind(&key, &x->partial_blocks, compare_own);
	struct al_block *b;
	int err;

	*out = found ? *(struct al_block **)found : NULL;
	if (found != NULL)
		return 0;
	err = add_selected(x, of->desc, NULL, lanes, out);
	b = *out;
	if (b == NULL)
		return err;
	b->fault_position = of->fault_position;
	b->lanes = lanes;
	return tsearch(b, &x->partial_blocks, compare_own) ? 0 : -ENOMEM;
}

void al_executed_add_counts(struct al_block *own, const struct al_block *of)
{
	const struct al_desc *d = of->desc;
	unsigned n = 0;

	for (unsigned e = 0; e < d->n_exits; e++)
		own->exit_count[e] += of->exit_count[e];
	for (unsigned i = 0; own->skipped && i < d->n_accesses; i++)
		if (al_desc_lanes(d, d->access[i].instr) & own->lanes)
			own->skipped[n++] += of->skipped[i];
}

uint32_t al_executed_get_new(struct al_executed *x,
			     const struct al_block **first)
{
	uint32_t n = x->first_new ? x->n - x->first_new->pub.id : 0;

	*first = x->first_new;
	x->first_new = NULL;
	return n;
}
