/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_runs.c - precomputes the plans of blocks; see access_runs.h */

#include "analyzers/cache/model/access_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Make a run of code that begins with instruction @instr_index, at the
   instruction's first byte in the line at address @line_address. */
static struct an_run
make_code_run_beginning_with_instr(const struct pt_instr *in,
				   uint16_t instr_index, uint64_t line_address)
{
	uint64_t first = in->addr < line_address ? line_address : in->addr;

	return (struct an_run){
		.delta = first,
		.slot_or_instr = (uint16_t)((first - in->addr) << 8 | in->len),
		.first_row = instr_index,
	};
}

/* Write to the array the runs of code of a block, one for each line to look up:
   an instruction's line begins a run unless the previous instruction ends in
   it. Then write a sentinel. @line_size: line size [bytes]. Return: number of
   runs without the sentinel. */
static size_t list_code_runs_and_uncounted_sentinel(const struct an_block *b,
						    unsigned line_size,
						    struct an_run *runs_out)
{
	uint64_t previous = UINT64_MAX;
	size_t n = 0;

	for (uint16_t i = 0; i < b->n_instrs; i++) {
		const struct pt_instr *in = &b->instr[i];
		uint64_t line = in->addr / line_size;
		uint64_t end = (in->addr + in->len - 1) / line_size;

		for (; line <= end; previous = line++)
			if (line != previous)
				runs_out[n++] =
					make_code_run_beginning_with_instr(
						in, i, line * line_size);
	}
	runs_out[n] = (struct an_run){.first_row = b->n_instrs};
	return n;
}

static unsigned clamp_access_size_to_line(const struct pt_access *a,
					  unsigned smallest_line_bytes)
{
	return a->size < smallest_line_bytes ? a->size : smallest_line_bytes;
}

/* Make an access run of data access @access_index alone. */
static struct an_run make_run_of_one_access(const struct an_block *b,
					    unsigned access_index,
					    unsigned smallest_line_bytes)
{
	const struct pt_access *a = &b->access[access_index];
	bool based = a->slot != PT_NO_SLOT;
	bool guarded = based && (a->flags & PT_GUARDED);

	return (struct an_run){
		.delta = a->delta,
		.slot_or_instr = based ? (uint16_t)(2 * a->slot) : 0,
		.span = guarded ? AN_SPAN_GUARDED
				: (uint16_t)(clamp_access_size_to_line(
						     a, smallest_line_bytes) -
					     1),
		.first_row = (uint16_t)access_index,
		.base_mask = (int8_t)-based,
		.writes = a->kind != PT_LOAD,
	};
}

/* Merge @next, a run of one access, into @run if both have the same base
   (recorded address to which deltas are added) and together span at most
   @line_size bytes. Return: whether it was merged. */
static bool merge_run_if_same_base_up_to_line_size(struct an_run *run,
						   const struct an_run *next,
						   unsigned line_size)
{
	bool below = (int64_t)(next->delta - run->delta) < 0;
	uint64_t first = below ? next->delta : run->delta;
	uint64_t end = run->delta + run->span - first;
	uint64_t next_end = next->delta + next->span - first;

	if (next_end > end)
		end = next_end;
	if (next->slot_or_instr != run->slot_or_instr ||
	    next->base_mask != run->base_mask || end >= line_size)
		return false;
	run->delta = first;
	run->span = (uint16_t)end;
	run->writes |= next->writes;
	return true;
}

/* Whether some exit of the block has exactly @access_count accesses before it,
   so that an access run must end there. */
static bool has_exit_after_exactly_n_accesses(const struct an_block *b,
					      unsigned access_count)
{
	for (unsigned e = 0; e < b->n_exits; e++)
		if (b->exit[e].n_accesses == access_count)
			return true;
	return false;
}

/* Write to the array the access runs (accesses that need one lookup) of a
   block's data accesses, then a sentinel, which ends them. Return: number of
   runs without the sentinel. */
static size_t
list_data_runs_and_uncounted_sentinel(const struct an_block *b,
				      const struct an_hierarchy *h,
				      struct an_run *runs_out)
{
	unsigned line = an_hierarchy_first_level(h, AN_DATA)->line;
	size_t n = 0;

	for (unsigned i = 0; i < b->n_accesses; i++) {
		runs_out[n] = make_run_of_one_access(b, i, h->smallest_line);
		if (n == 0 || has_exit_after_exactly_n_accesses(b, i) ||
		    !merge_run_if_same_base_up_to_line_size(&runs_out[n - 1],
							    &runs_out[n], line))
			n++;
	}
	runs_out[n] = (struct an_run){.first_row = b->n_accesses};
	return n;
}

/* Return the size of a head of @head_bytes bytes and @u16_count numbers of 16
   bits, in units of 8 bytes, rounded up. */
static uint16_t count_8_byte_units_of_head_and_u16s(size_t head_bytes,
						    unsigned u16_count)
{
	return (uint16_t)((head_bytes + u16_count * sizeof(uint16_t) + 7) / 8);
}

/* Return how many accesses (or instructions, if @data_or_code_path is code) are
   before exit @e. */
static unsigned count_accesses_or_instrs_to_exit(const struct pt_exit *e,
						 int data_or_code_path)
{
	return data_or_code_path == AN_DATA ? e->n_accesses : e->n_instrs;
}

/* Return a new plan of one path (code or data), allocated in @a, with copies of
   @run_count access runs and of the sentinel after them, and with the number of
   runs before each exit of the block. Return NULL if memory is short. */
static const struct an_path_plan *
alloc_path_plan_and_copy_runs(struct an_arena *a, const struct an_block *b,
			      int path, const struct an_run *run,
			      size_t run_count)
{
	size_t bytes = (run_count + 1) * sizeof(*run);
	uint16_t offset = count_8_byte_units_of_head_and_u16s(
		sizeof(struct an_path_plan), b->n_exits);
	struct an_path_plan *p = an_arena_alloc(a, offset * 8u + bytes);

	if (p == NULL)
		return NULL;
	*p = (struct an_path_plan){.block = b, .runs_offset = offset};
	memcpy((uint64_t *)p + offset, run, bytes);
	for (unsigned e = 0; e < b->n_exits; e++)
		for (p->n_runs[e] = 0; p->n_runs[e] < run_count &&
				       run[p->n_runs[e]].first_row <
					       count_accesses_or_instrs_to_exit(
						       &b->exit[e], path);)
			p->n_runs[e]++;
	return p;
}

/* Make the plan of a block whose accesses are simulated one by one: of its
   members only data->block is set. Return: 0 or -ENOMEM. */
static int create_plan_with_block_pointer_only(struct an_arena *a,
					       const struct an_block *b,
					       struct an_plan *plan_out)
{
	struct an_path_plan *p = an_arena_alloc(a, sizeof(*p));

	if (p == NULL)
		return -ENOMEM;
	*p = (struct an_path_plan){.block = b};
	*plan_out = (struct an_plan){.data = p};
	return 0;
}

static int create_code_and_data_plans(struct an_planner *planner,
				      const struct an_block *b,
				      const struct an_hierarchy *h,
				      struct an_plan *plan_out)
{
	unsigned line = an_hierarchy_first_level(h, AN_INSTRUCTION)->line;
	size_t max_runs = 2u * b->n_instrs + b->n_accesses + 1;
	struct an_run *run = malloc(max_runs * sizeof(*run));

	if (run == NULL)
		return -ENOMEM;
	plan_out->code = alloc_path_plan_and_copy_runs(
		&planner->code, b, AN_INSTRUCTION, run,
		list_code_runs_and_uncounted_sentinel(b, line, run));
	plan_out->data = alloc_path_plan_and_copy_runs(
		&planner->data, b, AN_DATA, run,
		list_data_runs_and_uncounted_sentinel(b, h, run));
	free(run);
	return plan_out->code && plan_out->data ? 0 : -ENOMEM;
}

int an_planner_create_block_plan(struct an_planner *planner,
				 const struct an_block *b,
				 const struct an_hierarchy *h,
				 struct an_plan *plan_out)
{
	return h->separate_l1
		       ? create_code_and_data_plans(planner, b, h, plan_out)
		       : create_plan_with_block_pointer_only(&planner->data, b,
							     plan_out);
}

void an_planner_free_all_plans(struct an_planner *p)
{
	an_arena_free_all_and_reset(&p->code);
	an_arena_free_all_and_reset(&p->data);
}

bool an_block_compute_access_ref(const struct an_block *b,
				 unsigned max_ref_bytes, unsigned access_index,
				 const uint32_t *slots, struct an_ref *ref_out)
{
	const struct pt_access *a = &b->access[access_index];
	bool based = a->slot != PT_NO_SLOT;
	uint64_t base =
		based ? pt_read_shared_unaligned_u64_once(slots + 2 * a->slot)
		      : 0;

	*ref_out = (struct an_ref){base + a->delta,
				   clamp_access_size_to_line(a, max_ref_bytes),
				   a->kind != PT_LOAD};
	return !(based && (a->flags & PT_GUARDED) && base == PT_NOT_DONE);
}
