/* SPDX-License-Identifier: GPL-2.0-or-later */
/* executed_blocks.c - finds and adds executed blocks; see executed_blocks.h */

#include "lib/recover/executed_blocks.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/memory_bounds.h"
#include "proto/unit.h"

static void free_block_and_own_desc(struct al_block *b)
{
	free(b->exit_count);
	free(b->skipped);
	free(b->own_desc);
	free(b);
}

static unsigned number_of_thread_classes_or_1(const struct al_executed *x)
{
	return x->lanes ? x->lanes->n : 1;
}

/* Do nothing. tdestroy() calls this for each block in the tree, which does not
   own its blocks. */
static void free_nothing(void *block)
{
	(void)block;
}

void al_executed_free_blocks_and_numbers(struct al_executed *x)
{
	tdestroy(x->partial_blocks, free_nothing);
	for (uint32_t i = 0; i < x->n; i++)
		free_block_and_own_desc(x->block[i]);
	free(x->block);
	for (unsigned c = 0; x->numbers && c < number_of_thread_classes_or_1(x);
	     c++)
		free(x->numbers[c].number);
	free(x->numbers);
	*x = (struct al_executed){0};
}

static bool has_guarded_access(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_accesses; i++)
		if ((d->access[i].flags & PT_GUARDED) &&
		    d->access[i].slot != PT_NO_SLOT)
			return true;
	return false;
}

static struct al_block *new_executed_block_of_desc(const struct al_desc *d,
						   uint32_t id)
{
	struct al_block *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	b->desc = d;
	b->exit_count = calloc(d->n_exits, sizeof(*b->exit_count));
	if (has_guarded_access(d))
		b->skipped = calloc(d->n_accesses, sizeof(*b->skipped));
	if (b->exit_count == NULL ||
	    (has_guarded_access(d) && b->skipped == NULL)) {
		free_block_and_own_desc(b);
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
		.passed_exit = d->passed_exit,
		.n_passed_exits = d->n_passed_exits,
		.code = d->code,
		.exit_count = b->exit_count,
		.skip_count = b->skipped,
	};
	return b;
}

/* Create a block with descriptor @d and append it to the executed blocks and to
   the list of new ones. Return: the block; NULL if memory is short. */
static struct al_block *append_new_block_of_desc(struct al_executed *x,
						 const struct al_desc *d)
{
	struct al_block *b;

	if (al_array_reserve(x->block, x->size, x->n + 1) != 0)
		return NULL;
	b = new_executed_block_of_desc(d, x->n);
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

/* Return the address of the element for the tool's block @id in the table of
   numbers of thread class @thread_class, which is enlarged if needed; NULL if
   memory is short. */
static uint32_t *find_or_add_block_number_entry(struct al_executed *x,
						uint32_t id,
						unsigned thread_class)
{
	struct al_block_numbers *table;

	if (x->numbers == NULL)
		x->numbers = calloc(number_of_thread_classes_or_1(x),
				    sizeof(*x->numbers));
	if (x->numbers == NULL)
		return NULL;
	table = &x->numbers[thread_class];
	if (al_array_reserve_zeroed(table->number, table->n, id + 1) != 0)
		return NULL;
	return &table->number[id];
}

/* Append a block with the instructions of @d that @lanes select. @own: NULL, or
   @d itself: the block then owns @d, which is freed if the block does not need
   it or is not appended. @block_or_null: receives the block; NULL if @lanes
   select nothing. Return: 0; -ENOMEM. */
static int append_lane_selected_block_or_free_own(
	struct al_executed *x, const struct al_desc *d, struct al_desc *own,
	uint64_t lanes, struct al_block **block_or_null)
{
	enum al_selection selection =
		al_desc_selected_instrs_none_some_or_all(d, lanes);
	struct al_desc *selected = NULL;

	*block_or_null = NULL;
	if (selection == AL_SELECTS_SOME) {
		selected = al_desc_new_of_selected_instrs(d, lanes);
		free(own);
		d = own = selected;
	}
	if (selection != AL_SELECTS_NONE && d != NULL)
		*block_or_null = append_new_block_of_desc(x, d);
	if (*block_or_null == NULL) {
		free(own);
		return selection == AL_SELECTS_NONE ? 0 : -ENOMEM;
	}
	(*block_or_null)->own_desc = own;
	return 0;
}

/* Append a block with the instructions of @d that the lanes of thread class
   @class select, and set its class. Parameters and result are those of
   append_lane_selected_block_or_free_own(). */
static int append_class_selected_block_or_free_own(
	struct al_executed *x, const struct al_desc *d, struct al_desc *own,
	unsigned class, struct al_block **block_or_null)
{
	int err = append_lane_selected_block_or_free_own(
		x, d, own, al_executed_nonwarm_lanes_of_class(x, class),
		block_or_null);

	if (*block_or_null != NULL)
		(*block_or_null)->class = class;
	return err;
}

int al_executed_find_or_add_block(struct al_executed *x,
				  const struct al_blocks *blocks,
				  uint32_t tool_block_id, unsigned thread_class,
				  struct al_block **block_or_null)
{
	uint32_t *number =
		find_or_add_block_number_entry(x, tool_block_id, thread_class);
	int err;

	*block_or_null = NULL;
	if (number == NULL)
		return -ENOMEM;
	if (*number == AL_UNSELECTED)
		return 0;
	if (*number != 0) {
		*block_or_null = x->block[*number - 1];
		return 0;
	}
	err = append_class_selected_block_or_free_own(
		x, blocks->desc[tool_block_id], NULL, thread_class,
		block_or_null);
	if (!err)
		*number = *block_or_null ? (*block_or_null)->pub.id + 1
					 : AL_UNSELECTED;
	return err;
}

/* Approximate memory [bytes] that an analysis allocates for each instruction
   and each access of a block; measured: 9 in the cache analysis, 41 in the
   callgrind analysis. */
enum { BYTES_PER_ITEM = 40 };

/* Return the approximate memory [bytes] that block @b occupies here and in the
   analyses. */
static uint64_t
estimate_block_and_analysis_memory_bytes(const struct al_block *b)
{
	const struct al_desc *d = b->desc;
	uint64_t n = (uint64_t)d->n_instrs + d->n_accesses;

	return sizeof(*b) + sizeof(*d) + n * BYTES_PER_ITEM;
}

static int compare_blocks_by_id_class_and_fault(const void *one,
						const void *other)
{
	const struct al_block *a = one, *b = other;

	if (a->whole_id != b->whole_id)
		return a->whole_id < b->whole_id ? -1 : 1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return (a->fault_position > b->fault_position) -
	       (a->fault_position < b->fault_position);
}

/* Add the part of a block that ran before a fault to the executed blocks and to
   the tree. @identity_block: has the whole block's id, the class and the
   position of the fault. @own_desc: descriptor of the part, owned or freed
   here. @block_or_null: receives the block; NULL if no lane of the class
   selects it. Return: 0; -ENOMEM. */
static int add_faulting_block_part_consume_desc(
	struct al_executed *x, const struct al_block *identity_block,
	struct al_desc *own_desc, struct al_block **block_or_null)
{
	int err = append_class_selected_block_or_free_own(
		x, own_desc, own_desc, identity_block->class, block_or_null);
	struct al_block *b = *block_or_null;

	if (b == NULL)
		return err;
	x->partial_bytes += estimate_block_and_analysis_memory_bytes(b);
	b->is_partial = true;
	b->whole_id = identity_block->whole_id;
	b->fault_position = identity_block->fault_position;
	return tsearch(b, &x->partial_blocks,
		       compare_blocks_by_id_class_and_fault)
		       ? 0
		       : -ENOMEM;
}

/* Whether lanes are set for the block and the fault occurred before its first
   recorded instruction. Without lanes that is not possible, because all
   instructions are recorded. */
static bool is_fault_before_recorded_instrs(const struct al_desc *d,
					    uint64_t fault_position)
{
	return d->lanes != UINT64_MAX &&
	       fault_position == pt_encode_block_cut_position(0, 0, false);
}

int al_executed_find_or_add_faulted_part(struct al_executed *x,
					 const struct al_blocks *blocks,
					 uint32_t tool_block_id,
					 uint64_t fault_position,
					 unsigned thread_class,
					 struct al_block **block_or_null)
{
	const struct al_block key = {.whole_id = tool_block_id,
				     .fault_position = fault_position,
				     .class = thread_class};
	void *found = tfind(&key, &x->partial_blocks,
			    compare_blocks_by_id_class_and_fault);
	struct al_desc *d;

	*block_or_null = found ? *(struct al_block **)found : NULL;
	if (found != NULL)
		return 0;
	if (tool_block_id >= blocks->n)
		return -EPROTO;
	if (is_fault_before_recorded_instrs(blocks->desc[tool_block_id],
					    fault_position))
		return 0;
	if (x->partial_bytes > AL_MAX_PARTIAL_BYTES)
		return -AL_E_PARTIAL_BYTES;
	d = al_desc_new_partial(blocks->desc[tool_block_id],
				pt_decode_cut_accesses_done(fault_position),
				pt_decode_cut_instrs_begun(fault_position),
				pt_decode_cut_modify_load_done(fault_position));
	return d ? add_faulting_block_part_consume_desc(x, &key, d,
							block_or_null)
		 : -errno;
}

struct al_block *
al_executed_add_warmup_block(struct al_executed *x,
			     struct al_desc *desc_owned_if_added)
{
	struct al_block *b;

	if (x->partial_bytes > AL_MAX_PARTIAL_BYTES) {
		errno = AL_E_PARTIAL_BYTES;
		return NULL;
	}
	b = append_new_block_of_desc(x, desc_owned_if_added);
	if (b == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	x->partial_bytes += estimate_block_and_analysis_memory_bytes(b);
	b->own_desc = desc_owned_if_added;
	b->pub.warm = true;
	return b;
}

/* Compare by block, position of the fault and lanes. The first route identifies
   the tool's block; fault_position is 0 only for blocks that no fault
   stopped. */
static int compare_blocks_by_route_fault_and_lanes(const void *one,
						   const void *other)
{
	const struct al_block *a = one, *b = other;

	if (a->desc->first_route != b->desc->first_route)
		return a->desc->first_route < b->desc->first_route ? -1 : 1;
	if (a->fault_position != b->fault_position)
		return a->fault_position < b->fault_position ? -1 : 1;
	return (a->lanes > b->lanes) - (a->lanes < b->lanes);
}

int al_executed_find_or_add_selected_part(struct al_executed *x,
					  const struct al_block *image_block,
					  uint64_t lanes,
					  struct al_block **block_or_null)
{
	const struct al_block key = {
		.desc = image_block->desc,
		.fault_position = image_block->fault_position,
		.lanes = lanes,
	};
	void *found = tfind(&key, &x->partial_blocks,
			    compare_blocks_by_route_fault_and_lanes);
	struct al_block *b;
	int err;

	*block_or_null = found ? *(struct al_block **)found : NULL;
	if (found != NULL)
		return 0;
	err = append_lane_selected_block_or_free_own(x, image_block->desc, NULL,
						     lanes, block_or_null);
	b = *block_or_null;
	if (b == NULL)
		return err;
	b->fault_position = image_block->fault_position;
	b->lanes = lanes;
	return tsearch(b, &x->partial_blocks,
		       compare_blocks_by_route_fault_and_lanes)
		       ? 0
		       : -ENOMEM;
}

void al_executed_add_image_counts(struct al_block *consumer_block,
				  const struct al_block *image_block)
{
	const struct al_desc *d = image_block->desc;
	unsigned n = 0;

	for (unsigned e = 0; e < d->n_exits; e++)
		consumer_block->exit_count[e] += image_block->exit_count[e];
	for (unsigned i = 0; consumer_block->skipped && i < d->n_accesses; i++)
		if (al_desc_lanes_of_instr(d, d->access[i].instr) &
		    consumer_block->lanes)
			consumer_block->skipped[n++] += image_block->skipped[i];
}

uint32_t
al_executed_detach_and_count_new_blocks(struct al_executed *x,
					const struct al_block **first_new_block)
{
	uint32_t n = x->first_new ? x->n - x->first_new->pub.id : 0;

	*first_new_block = x->first_new;
	x->first_new = NULL;
	return n;
}
