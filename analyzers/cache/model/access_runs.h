/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_runs.h - precomputes what the cache simulation needs of a block
 *
 * Everything that does not depend on the execution is computed once: the lines
 * of code to look up (an instruction in the same line as the one before it
 * cannot miss), and runs of accesses that need only one lookup together.
 *
 * A plan is compact, because fetching plans takes most of the simulation's
 * time. Code and data are simulated by different threads, so each has a
 * separate plan in separate memory.
 */
#ifndef ANALYZERS_CACHE_MODEL_ACCESS_RUNS_H
#define ANALYZERS_CACHE_MODEL_ACCESS_RUNS_H

#include "analyzers/analyzer.h"
#include "analyzers/arena.h"
#include "analyzers/cache/model/hierarchy.h"

enum {
	AN_SPAN_GUARDED = UINT16_MAX
}; /* value of an_run.span for a guarded access; larger than the span of any
      unguarded run */

/*
 * Consecutive accesses with the same base that together span at most a line:
 * they touch the line of their first byte, the line of their last byte, and no
 * other. A guarded (conditional) access is a run of its own with span
 * AN_SPAN_GUARDED. For code, a run is the consecutive instructions that need
 * one lookup together, for one line.
 */
struct an_run {
	uint64_t delta; /* data: address of the first byte relative to the base;
			   code: address of the run's first byte */
	uint16_t slot_or_instr; /* data: offset of the base address in the
				  execution's slots, in units of 4 bytes; code:
				  number of bytes of the run's first instruction
				  that are in the line before << 8 | length of
				  this instruction [bytes] */
	uint16_t span;	    /* data: [bytes] distance from the run's first byte
			       to its last byte, or AN_SPAN_GUARDED; code: 0 */
	uint16_t first_row; /* index in the block of the run's first access
			       (data) or first instruction (code) */
	int8_t base_mask;   /* data: -1: delta is relative to the base, 0: delta
			     is absolute */
	uint8_t writes;	    /* data: 1: some access writes, 0: none does */
};

/* Return the base address of an access run of data, read from the slots of an
   execution; 0 if the addresses of the run are absolute. */
static inline uint64_t an_run_read_base_or_0_if_absolute(const struct an_run *r,
							 const uint32_t *slots)
{
	return pt_read_shared_unaligned_u64_once(slots + r->slot_or_instr) &
	       (uint64_t)r->base_mask;
}

/* Return the number of accesses (of data) or instructions (of code) of an
   access run, which must be in a plan. */
static inline unsigned an_run_n_accesses_or_instrs(const struct an_run *r)
{
	return (unsigned)r[1].first_row - r[0].first_row;
}

/* Whether an access run of data may be looked up by the line of its first byte
   alone: with a base address, it is not guarded (conditional; whether it
   crosses a line border is known only when it is executed); with absolute
   addresses, it lies in one line. @line_shift: log2 of the line size. */
static inline bool an_run_can_be_one_unguarded_line(const struct an_run *r,
						    uint32_t line_shift)
{
	if (r->base_mask)
		return r->span != AN_SPAN_GUARDED;
	return r->delta >> line_shift == (r->delta + r->span) >> line_shift;
}

/* Return the address of the first instruction of a run of code (instructions
   that need one lookup). */
static inline uint64_t an_run_first_instr_addr(const struct an_run *r)
{
	return r->delta - (r->slot_or_instr >> 8);
}

static inline unsigned an_run_first_instr_len(const struct an_run *r)
{
	return r->slot_or_instr & UINT8_MAX;
}

/*
 * Layout of a use of a line (an_line_uses.line): line number <<
 * AN_USE_LINE_SHIFT | flags. Lines are at least AN_MIN_LINE bytes long, so line
 * numbers have the bits to spare. Layout of its position
 * (an_line_uses.position): index of the execution in the chunk <<
 * AN_ACCESS_BITS | number of the access.
 */
enum {
	AN_USE_WRITES = 1,
	AN_USE_STRADDLES = 2,
	AN_USE_LINE_SHIFT = 2,
	AN_ACCESS_BITS = 10,
};

_Static_assert(PT_MAX_ACCESSES <= 1 << AN_ACCESS_BITS,
	       "an access and its execution fit into 32 bits");

/* Plan of a block for one path (code or data). The access runs follow n_runs[],
   at the next multiple of 8 bytes; after the last one comes a sentinel whose
   `first_row` is the number of accesses or instructions. */
struct an_path_plan {
	const struct an_block *block;
	uint16_t runs_offset; /* offset of the runs from the start of this
				struct, in units of 8 bytes */
	uint16_t n_runs[];    /* by exit: number of runs before the exit */
};

static inline const struct an_run *
an_path_plan_runs(const struct an_path_plan *p)
{
	return (const struct an_run *)((const uint64_t *)p + p->runs_offset);
}

/* Plans of a block, owned by the planner. If code and data share their first
   level, accesses are simulated one by one: then `code` is NULL, and only
   `block` is set in `data`. */
struct an_plan {
	const struct an_path_plan *code;
	const struct an_path_plan *data;
};

/* Owner of the plans of all blocks. A planner that is all zeros is valid and
   empty. */
struct an_planner {
	struct an_arena code;
	struct an_arena data;
};

/* Make the plan of a block. @plan_out: receives the plan, valid until
   an_planner_free_all_plans(). Return: 0 or -ENOMEM. */
int an_planner_create_block_plan(struct an_planner *, const struct an_block *,
				 const struct an_hierarchy *,
				 struct an_plan *plan_out);
void an_planner_free_all_plans(struct an_planner *);

/* One access of an execution, with its address. */
struct an_ref {
	uint64_t addr;
	unsigned size; /* [bytes] at most the shortest line size of all levels:
			  larger accesses, of Valgrind's helper functions, are
			  cut to it, as in Cachegrind */
	bool write;
};

/* Set @ref_out to the address, size and direction of access @access_index of an
   execution of a block. @max_ref_bytes: maximum of the size [bytes]. @slots:
   the slots (recorded addresses) of the execution. Return: whether the access
   happened; if its guard was false, false, and the address is meaningless. */
bool an_block_compute_access_ref(const struct an_block *,
				 unsigned max_ref_bytes, unsigned access_index,
				 const uint32_t *slots, struct an_ref *ref_out);

#endif
