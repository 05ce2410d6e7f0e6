/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.c - reads block descriptors, mappings, marks and outcomes from the
   log; see blocks.h */

#include "lib/recover/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/tables/intern.h"
#include "lib/recover/memory_bounds.h"
#include "lib/recover/value_slots.h"
#include "proto/unit.h"

void al_blocks_init(struct al_blocks *b, struct al_intern *strings)
{
	*b = (struct al_blocks){.strings = strings};
}

void al_blocks_release(struct al_blocks *b)
{
	for (uint32_t i = b->n_borrowed; i < b->n; i++)
		free(b->desc[i]);
	free(b->desc);
	free(b->outside);
	free(b->next_values);
	free(b->next_lanes);
	al_mappings_release(&b->mappings);
	al_marks_release(&b->marks);
	al_plan_outcomes_release(&b->outcomes);
}

static int borrow_first_blocks_of_parent(struct al_blocks *b,
					 const struct al_blocks *parent,
					 uint32_t block_count)
{
	b->desc = malloc((block_count + 1) * sizeof(*b->desc));
	if (b->desc == NULL)
		return -ENOMEM;
	if (block_count > 0) {
		memcpy(b->desc, parent->desc, block_count * sizeof(*b->desc));
		b->n_routes = b->desc[block_count - 1]->first_route +
			      b->desc[block_count - 1]->n_exits;
	}
	b->n = b->n_borrowed = block_count;
	b->size = block_count + 1;
	return 0;
}

/* Copy the parent's list of blocks that are outside of all mappings, as far as
   these blocks are borrowed. Return: 0; -ENOMEM. */
static int copy_ids_of_blocks_outside_mappings(struct al_blocks *b,
					       const struct al_blocks *parent)
{
	while (b->n_outside < parent->n_outside &&
	       parent->outside[b->n_outside] < b->n_borrowed)
		b->n_outside++;
	if (al_array_reserve(b->outside, b->outside_size, b->n_outside) != 0)
		return -ENOMEM;
	if (b->n_outside > 0)
		memcpy(b->outside, parent->outside,
		       b->n_outside * sizeof(*b->outside));
	return 0;
}

int al_blocks_borrow_blocks_and_mappings(struct al_blocks *b,
					 const struct al_blocks *parent,
					 uint32_t block_count,
					 uint64_t log_offset)
{
	int err;

	if (block_count > parent->n || log_offset > parent->log_bytes)
		return -EPROTO;
	err = borrow_first_blocks_of_parent(b, parent, block_count);
	if (!err)
		err = copy_ids_of_blocks_outside_mappings(b, parent);
	return err ? err
		   : al_mappings_copy_live_at_log_offset(
			     &b->mappings, &parent->mappings, log_offset);
}

static bool are_accesses_valid(const struct al_desc *d)
{
	unsigned last = 0;

	for (unsigned i = 0; i < d->n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		if (a->instr < last || a->instr >= d->n_instrs ||
		    a->size == 0 || a->kind > PT_MODIFY ||
		    (a->slot != PT_NO_SLOT && a->slot >= d->n_slots))
			return false;
		last = a->instr;
	}
	return true;
}

/* Whether the exits are valid: n_instrs and n_accesses do not decrease from
   exit to exit and are at most the block's; the accesses before an exit belong
   to instructions before it; and the size of the exit's unit is a valid one, at
   least that of the slots of these accesses. */
static bool are_exit_counts_and_sizes_valid(const struct al_desc *d)
{
	unsigned done = 0, slots = al_desc_count_timestamp_instret_slots(d),
		 instrs = 0;

	for (unsigned i = 0; i < d->n_exits; i++) {
		const struct pt_exit *e = &d->exit[i];

		if (e->n_instrs < instrs || e->n_instrs > d->n_instrs ||
		    e->n_accesses < done || e->n_accesses > d->n_accesses ||
		    e->bytes > PT_MAX_UNIT || e->bytes % 8 != 4)
			return false;
		for (; done < e->n_accesses; done++) {
			if (d->access[done].instr >= e->n_instrs)
				return false;
			slots = al_desc_slot_count_including_access(
				d, done, false, slots);
		}
		if (e->bytes < pt_block_unit_bytes(slots))
			return false;
		instrs = e->n_instrs;
	}
	return true;
}

static bool is_length_of_each_instr_in_range(const struct al_desc *d)
{
	for (unsigned i = 0; i < d->n_instrs; i++)
		if (d->instr[i].len == 0 || d->instr[i].len > PT_MAX_LEN)
			return false;
	return true;
}

static size_t min_bytes_of_block_record(const struct pt_log_block *r)
{
	return sizeof(*r) + r->n_instrs * sizeof(struct pt_instr) +
	       r->n_accesses * sizeof(struct pt_access) +
	       r->n_exits * sizeof(struct pt_exit) + r->n_code;
}

/* Whether @code_bytes is at least the sum of the lengths of the block's
   instructions. */
static bool is_code_of_all_instrs_present(const struct al_desc *d,
					  unsigned code_bytes)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < d->n_instrs; i++)
		sum += d->instr[i].len;
	return sum <= code_bytes;
}

/* Return the number of lane masks in record @lanes: one for the block, or one
   for each instruction; 0 if @lanes is NULL. */
static unsigned count_lane_masks(const struct pt_log_lanes *lanes)
{
	return lanes ? (lanes->head.bytes - sizeof(*lanes)) /
			       sizeof(*lanes->lanes)
		     : 0;
}

/* Set d->lanes to all lanes in record @lanes, or to UINT64_MAX if @lanes is
   NULL. If the record has masks for single instructions, copy them to
   @mask_storage and point d->instr_lanes to the copy; else set d->instr_lanes
   to NULL. */
static void set_lanes_from_record_or_all(struct al_desc *d,
					 const struct pt_log_lanes *lanes,
					 char *mask_storage)
{
	d->instr_lanes = NULL;
	d->lanes = lanes ? 0 : UINT64_MAX;
	for (unsigned i = 0; i < count_lane_masks(lanes); i++)
		d->lanes |= lanes->lanes[i];
	if (count_lane_masks(lanes) < 2)
		return;
	memcpy(mask_storage, lanes->lanes,
	       count_lane_masks(lanes) * sizeof(*lanes->lanes));
	d->instr_lanes = (const void *)mask_storage;
}

/* Allocate a descriptor followed by copies of record @r and of the lane masks
   and values, which the descriptor's arrays point into, and check its
   instructions, accesses, exits and values.
   @lanes, @values: the other records of the block, or NULL. Return: the
   descriptor, to be freed with free(); NULL with errno EPROTO or ENOMEM. */
static struct al_desc *
new_desc_from_records_if_valid(const struct pt_log_block *r,
			       const struct pt_log_lanes *lanes,
			       const struct pt_log_values *values)
{
	size_t bytes = r->head.bytes;
	size_t lane_bytes = count_lane_masks(lanes) * sizeof(*lanes->lanes);
	struct al_desc *d = malloc(sizeof(*d) + bytes + lane_bytes +
				   al_values_array_bytes_or_0(values));
	const struct pt_log_block *copy = (const void *)(d + 1);

	if (d == NULL)
		return NULL;
	memcpy(d + 1, r, bytes);
	set_lanes_from_record_or_all(d, lanes, (char *)(d + 1) + bytes);
	d->instr = (const void *)(copy + 1);
	d->access = (const void *)(d->instr + r->n_instrs);
	d->exit = (const void *)(d->access + r->n_accesses);
	d->code = (const void *)(d->exit + r->n_exits);
	d->n_instrs = r->n_instrs;
	d->n_accesses = r->n_accesses;
	d->n_exits = r->n_exits;
	d->n_slots = r->n_slots;
	d->mapping = NULL;
	d->path = NULL;
	d->passed_exit = NULL;
	d->n_passed_exits = 0;
	if (!is_code_of_all_instrs_present(d, r->n_code))
		d->code = NULL;
	if (al_desc_set_and_check_values(
		    d, values,
		    (void *)((char *)(d + 1) + bytes + lane_bytes)) &&
	    is_length_of_each_instr_in_range(d) && are_accesses_valid(d) &&
	    are_exit_counts_and_sizes_valid(d))
		return d;
	free(d);
	errno = EPROTO;
	return NULL;
}

/* Whether record @r is as long as its counts require, and each count is within
   its limit. */
static bool are_block_counts_in_range(const struct pt_log_block *r)
{
	return r->head.bytes >= sizeof(*r) &&
	       min_bytes_of_block_record(r) <= r->head.bytes &&
	       r->n_instrs > 0 && r->n_instrs <= PT_MAX_INSTRS &&
	       r->n_exits > 0 && r->n_exits <= PT_MAX_EXITS &&
	       r->n_slots <= PT_MAX_SLOTS && r->n_accesses <= PT_MAX_ACCESSES;
}

/* Whether the counts of record @r are valid, its block and first route have the
   next numbers, and a record of lanes before it has masks for the block or for
   each instruction. */
static bool is_block_record_valid(const struct al_blocks *b,
				  const struct pt_log_block *r)
{
	unsigned lane_masks = count_lane_masks(b->next_lanes);

	return are_block_counts_in_range(r) && r->id == b->n &&
	       r->route == b->n_routes &&
	       b->n_routes + r->n_exits <= PT_MAX_ROUTES &&
	       (lane_masks <= 1 || lane_masks == r->n_instrs);
}

/* Give the next block the mapping of its first instruction, and the path of
   that mapping or, if there is none, of the record before the block. */
static void set_mapping_and_path(struct al_blocks *b, struct al_desc *d)
{
	d->mapping = al_mappings_find_live_at(&b->mappings, d->instr[0].addr);
	d->path = d->mapping ? d->mapping->path : b->next_path;
	if (d->mapping == NULL && d->path != NULL)
		b->outside[b->n_outside++] = b->n;
}

/* Forget the path, values and lanes that the log gave for the next block. */
static void drop_pending_path_values_and_lanes(struct al_blocks *b)
{
	b->next_path = NULL;
	free(b->next_values);
	b->next_values = NULL;
	free(b->next_lanes);
	b->next_lanes = NULL;
}

/* Check record @r and add its block, with the path, values and lanes from the
   records before it (next_path, next_values, next_lanes), which are then
   cleared. Return: 0; -EPROTO; -ENOMEM. */
static int add_block_of_log_record(struct al_blocks *b,
				   const struct pt_log_block *r)
{
	struct al_desc *d;

	if (!is_block_record_valid(b, r))
		return -EPROTO;
	if (al_array_reserve(b->desc, b->size, b->n + 1) != 0 ||
	    al_array_reserve(b->outside, b->outside_size, b->n_outside + 1) !=
		    0)
		return -ENOMEM;
	d = new_desc_from_records_if_valid(r, b->next_lanes, b->next_values);
	if (d == NULL)
		return -errno;
	set_mapping_and_path(b, d);
	drop_pending_path_values_and_lanes(b);
	d->first_route = b->n_routes;
	d->log_end = b->log_bytes;
	b->n_routes += d->n_exits;
	b->desc[b->n++] = d;
	return 0;
}

/* Return the path that follows the first @header_bytes of record @r, interned;
   NULL if it is missing or has no NUL within the record. */
static const char *intern_path_after_header(struct al_blocks *b,
					    const struct pt_log_head *r,
					    size_t header_bytes)
{
	const char *path = (const char *)r + header_bytes;

	if (r->bytes <= header_bytes ||
	    memchr(path, 0, r->bytes - header_bytes) == NULL)
		return NULL;
	return al_intern_question_marks_if_no_memory(b->strings, path);
}

static int store_path_of_next_block(struct al_blocks *b,
				    const struct pt_log_head *r)
{
	b->next_path = intern_path_after_header(b, r, sizeof(*r));
	return b->next_path ? 0 : -EPROTO;
}

static int store_lanes_of_next_block(struct al_blocks *b,
				     const struct pt_log_head *r)
{
	if (r->bytes < sizeof(*b->next_lanes) + sizeof(*b->next_lanes->lanes))
		return -EPROTO;
	free(b->next_lanes);
	b->next_lanes = malloc(r->bytes);
	if (b->next_lanes == NULL)
		return -ENOMEM;
	memcpy(b->next_lanes, r, r->bytes);
	return 0;
}

/* Whether the range [@start, @start + @bytes) is not empty and does not wrap
   around the end of the address space. */
static bool is_nonempty_range_without_wrap(uint64_t start, uint64_t bytes)
{
	return bytes > 0 && start + (bytes - 1) >= start;
}

static int add_mapping_of_log_record(struct al_blocks *b,
				     const struct pt_log_map *r)
{
	struct al_mapping m = {
		.path = intern_path_after_header(b, &r->head, sizeof(*r)),
		.log_start = b->log_bytes,
	};

	if (m.path == NULL ||
	    !is_nonempty_range_without_wrap(r->start, r->size) ||
	    b->mappings.n_live == PT_MAX_MAPPED)
		return -EPROTO;
	m.start = r->start;
	m.size = r->size;
	m.bias = r->bias;
	return al_mappings_add_copy_end_overlapping(&b->mappings, &m);
}

static int end_mappings_of_unmap_record(struct al_blocks *b,
					const struct pt_log_unmap *r)
{
	if (r->head.bytes < sizeof(*r) ||
	    !is_nonempty_range_without_wrap(r->start, r->size))
		return -EPROTO;
	al_mappings_end_all_overlapping(&b->mappings, r->start, r->size,
					b->log_bytes);
	return 0;
}

static int check_and_store_log_record(struct al_blocks *b,
				      const struct pt_log_head *r)
{
	switch (r->kind) {
	case PT_LOG_BLOCK:
		return add_block_of_log_record(b, (const void *)r);
	case PT_LOG_MAP:
		return add_mapping_of_log_record(b, (const void *)r);
	case PT_LOG_UNMAP:
		return end_mappings_of_unmap_record(b, (const void *)r);
	case PT_LOG_FILE:
		return store_path_of_next_block(b, r);
	case PT_LOG_VALUES:
		return al_values_replace_with_copy(&b->next_values,
						   (const void *)r);
	case PT_LOG_LANES:
		return store_lanes_of_next_block(b, r);
	case PT_LOG_NAMED:
		return al_marks_add_from_log_record(&b->marks, b->strings,
						    (const void *)r);
	case PT_LOG_OUTCOME:
		return al_plan_outcomes_add_record(&b->outcomes, b->strings,
						   (const void *)r);
	default: /* padding, or a record of a later version */
		return 0;
	}
}

/* Add the record's size to stored_bytes if it is a block, mapping, path, name
   or outcome. Values and lanes of a block, which are stored too, are not
   counted. Return: 0; -AL_E_STORED_LOG if stored_bytes exceeds
   AL_MAX_STORED_LOG. */
static int count_and_limit_stored_bytes(struct al_blocks *b,
					const struct pt_log_head *r)
{
	switch (r->kind) {
	case PT_LOG_BLOCK:
	case PT_LOG_MAP:
	case PT_LOG_FILE:
	case PT_LOG_NAMED:
	case PT_LOG_OUTCOME:
		b->stored_bytes += r->bytes;
		break;
	}
	return b->stored_bytes > AL_MAX_STORED_LOG ? -AL_E_STORED_LOG : 0;
}

int al_blocks_parse_and_store_log(struct al_blocks *b, const void *log,
				  size_t bytes)
{
	const char *next = log, *end = next + bytes;

	while (next < end) {
		const struct pt_log_head *r = (const void *)next;
		int err;

		if ((size_t)(end - next) < sizeof(*r) ||
		    r->bytes < sizeof(*r) || r->bytes % 8 != 0 ||
		    r->bytes > (size_t)(end - next))
			return -EPROTO;
		b->log_bytes += r->bytes;
		err = count_and_limit_stored_bytes(b, r);
		if (!err)
			err = check_and_store_log_record(b, r);
		if (err)
			return err;
		next += r->bytes;
	}
	return 0;
}

/* Return the number of slots of a unit that holds the first @access_count
   accesses of the block and, if @with_next_load, also the load of the access
   after them. */
static unsigned count_unit_slots(const struct al_desc *d, unsigned access_count,
				 bool with_next_load)
{
	unsigned slots = al_desc_count_timestamp_instret_slots(d);

	for (unsigned i = 0; i < access_count + with_next_load; i++)
		slots = al_desc_slot_count_including_access(
			d, i, i == access_count, slots);
	return slots;
}

/* Copy the block's accesses 0 to @modify_index, inclusive, to @to, and make the
   last of the copies, which is a modify in the block, a load. Return: the
   copies. */
static const struct pt_access *
copy_accesses_last_as_load(void *to, const struct al_desc *d,
			   uint32_t modify_index)
{
	struct pt_access *access = to;

	memcpy(access, d->access, (modify_index + 1) * sizeof(*access));
	access[modify_index].kind = PT_LOAD;
	return access;
}

/* Return the number of side exits (all exits but the last) that had been passed
   without being taken when @accesses_done accesses of the block were done and
   @instrs_begun instructions begun. */
static uint16_t count_side_exits_passed_before(const struct al_desc *d,
					       uint32_t accesses_done,
					       uint32_t instrs_begun)
{
	uint16_t n = 0;

	while (n + 1 < d->n_exits && d->exit[n].n_accesses <= accesses_done &&
	       d->exit[n].n_instrs <= instrs_begun)
		n++;
	return n;
}

/* Whether a fault can stop the block when @access_count accesses were done,
   @instr_count instructions begun and, with @has_modify_load, the next access,
   a modify, had loaded. */
static bool is_fault_position_valid(const struct al_desc *whole,
				    uint32_t access_count, uint32_t instr_count,
				    bool has_modify_load)
{
	uint32_t n = access_count + has_modify_load;

	if (n < access_count || n > whole->n_accesses || instr_count == 0 ||
	    instr_count > whole->n_instrs)
		return false;
	if (has_modify_load && whole->access[access_count].kind != PT_MODIFY)
		return false;
	return n == 0 || whole->access[n - 1].instr < instr_count;
}

/* Return the exit of the part of a block that ran before a fault: its counts,
   and the size of a unit with its slots, 12 bytes less than the PT_CUT unit. */
static struct pt_exit make_fault_exit(const struct al_desc *whole,
				      uint32_t access_count,
				      uint32_t instr_count,
				      bool has_modify_load)
{
	return (struct pt_exit){
		.n_instrs = (uint16_t)instr_count,
		.n_accesses = (uint16_t)(access_count + has_modify_load),
		.bytes = (uint16_t)pt_block_unit_bytes(
			count_unit_slots(whole, access_count, has_modify_load)),
		.jump = PT_JUMP_SIGNAL,
	};
}

struct al_desc *al_desc_new_partial(const struct al_desc *whole,
				    uint32_t access_count, uint32_t instr_count,
				    bool has_modify_load)
{
	uint32_t n = access_count + has_modify_load;
	struct pt_exit *exit;
	struct al_desc *d;

	if (!is_fault_position_valid(whole, access_count, instr_count,
				     has_modify_load)) {
		errno = EPROTO;
		return NULL;
	}
	d = malloc(sizeof(*d) + sizeof(*exit) +
		   (has_modify_load ? n * sizeof(*d->access) : 0));
	if (d == NULL)
		return NULL;
	exit = (struct pt_exit *)(d + 1);
	/* d->value stays that of @whole. If the last access becomes a load, its
	   written value is ignored. */
	*d = *whole;
	if (has_modify_load)
		d->access = copy_accesses_last_as_load(exit + 1, whole,
						       access_count);
	*exit = make_fault_exit(whole, access_count, instr_count,
				has_modify_load);
	d->passed_exit = whole->exit;
	d->n_passed_exits = count_side_exits_passed_before(whole, access_count,
							   instr_count);
	d->exit = exit;
	d->n_instrs = (uint16_t)instr_count;
	d->n_accesses = (uint16_t)n;
	d->n_exits = 1;
	return d;
}

uint32_t al_blocks_find_block_id_of_route(const struct al_blocks *b,
					  uint32_t route)
{
	uint32_t low = 0, high = b->n; /* the result is in [low, high) */

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (b->desc[middle]->first_route <= route)
			low = middle;
		else
			high = middle;
	}
	return low;
}
