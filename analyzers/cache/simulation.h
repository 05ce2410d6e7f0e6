/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulation.h - simulates a cache hierarchy batch by batch
 *
 * Two implementations give the same result: reference.c simulates one access
 * after the other; i1.c and d1.c simulate many accesses with one lookup, and
 * need separate first levels of code and data.
 *
 * Threads: an_cachesim_add_block() and an_cachesim_store_plans_in_slot_run_i1()
 * run on one thread, an_cachesim_run_d1_or_all() on another
 * meanwhile,
 * an_lower_levels_run_chunk_misses() on a third, like prepare(), batch() and
 * tail() in analyzer.h. Each uses only its own members, as marked below.
 */
#ifndef ANALYZERS_CACHE_SIMULATION_H
#define ANALYZERS_CACHE_SIMULATION_H

#include "analyzers/cache/jit/compiler.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/i1_lines.h"
#include "analyzers/cache/parallel/partitions.h"

/* Misses of consecutive batches of the same kind, warm-up or not; every warm-up
   batch is a segment of its own. */
struct an_miss_segment {
	size_t code_end, data_end; /* indices of the ends in code_misses and
			     data_misses */
	bool warm;
};

/* Data of one chunk (several batches), passed from stage to stage of the
   pipeline. */
struct an_inflight {
	const struct an_plan *plan; /* by block id; all blocks added so far */
	size_t n_plans;
	struct an_misses code_misses;
	struct an_misses data_misses;
	struct an_write_back_log write_backs; /* of the first level of data, if
						 it is separate and observed */
	struct an_miss_segment *segment;      /* in program order */
	size_t n_segments;
	size_t segments_size;
	size_t n_segments_begun; /* number of segments to which the simulation
				    of data has added misses so far */
};

/* Misses of a block: [row * max_depth + n] counts how often instruction or
   access number `row` missed exactly n + 1 levels. NULL until one missed. */
struct an_miss_counts {
	uint64_t *rows[2]; /* by path: AN_INSTRUCTION, AN_DATA */
};

struct an_cachesim;

/* Functions that receive each data access that missed and, with has_code, each
   fetch that missed: in program order, on the thread that counts the miss,
   without those of warm-up. All members 0: no observer. */
struct an_miss_observer {
	/* NULL, or called before the misses of each batch that has executions;
	   if code and data have separate first levels, before the misses of
	   each chunk. Return: 0 or -errno. */
	int (*begin_batch)(void *arg, struct an_cachesim *,
			   const struct an_batch *);
	/* NULL, or called instead of an_d1_simulate_batch() if
	   an_cachesim_has_unpartitioned_l1d(), for warm-up batches,
	   too: calls that for all executions of the batch, in order, in one or
	   more parts. Return: 0 or -errno. */
	int (*simulate_d1)(void *arg, struct an_cachesim *,
			   const struct an_batch *);
	/* NULL, or called after the last batch, before the simulation is
	   freed. */
	void (*end)(void *arg);
	bool has_code; /* count_miss() receives fetches that missed, too */
	/* @levels: number of levels that missed. Valid members of struct
	   an_miss: block, row, path and program_order; addr is an address in a
	   first-level line that the access uses. */
	void (*count_miss)(void *arg, const struct an_miss *, int levels);
	/* A level wrote a line back because of @miss, of code or data, of which
	   program_order is valid. Follows count_miss() of this miss, if that
	   is called. */
	void (*count_write_back)(void *arg, const struct an_miss *miss,
				 const struct an_write_back *);
	void *arg;
};

/* Receives all that missed a first level, code and warm-up too, in program
   order, on the thread that counts the miss. All members 0: none. */
struct an_lower_observer {
	/* @levels: number of levels that missed. */
	void (*pass_miss)(void *arg, const struct an_block *,
			  const struct an_miss *, int levels, bool warm);
	void *arg;
};

struct an_cachesim {
	struct an_miss_observer observer;	    /* constant after
					     an_cachesim_set_observer() */
	struct an_write_back_log lower_write_backs; /* of the access that is
						       simulated */

	struct an_lower_observer lower_observer; /* set before the first
						    batch, then constant */

	/* Constant, except the levels. If code and data have separate first
	   levels, the first level of code belongs to the preparation stage of
	   the pipeline, that of data to
	   an_cachesim_run_d1_or_all() or the partitions, and
	   the others to the tail stage, the last one; if not, all levels belong
	   to an_cachesim_run_d1_or_all(). */
	struct an_hierarchy hierarchy;

	/* Used by the preparation stage of the pipeline. Arrays of block plans
	   that were outgrown are freed at the end only, because
	   an_cachesim_run_d1_or_all() may be reading them.
	   */
	struct an_planner planner;
	struct an_plan *plan; /* by block id */
	size_t n_plans;
	size_t plans_size;
	struct an_plan **old_plans;
	size_t n_old_plans;
	struct an_i1_index i1_index;
	uint32_t batch_number; /* number of the last batch whose blocks were
				  listed in last_listed, see i1.c */
	uint32_t *
		last_listed; /* by block id: batch number << AN_EXIT_BITS | exit
			      of the block's last listed execution;
			      [plans_size] */
	bool no_code_misses; /* the last batch had no code misses */
	bool code_narrows;   /* a lower level has shorter lines than the first
			      level of code */
	uint16_t *many_accesses; /* by block id: number of accesses if some exit
				  has more accesses than its unit has bytes,
				  else 0; [plans_size] */
	bool any_many_accesses;

	/* Data of the chunks that are in the pipeline. Used by its preparation
	   stage, then by an_cachesim_run_d1_or_all() or the
	   partitions of the first level, then by the tail stage. */
	struct an_inflight inflight[AN_INFLIGHT_SLOTS];

	struct an_partitions partitions;

	/* Used by an_cachesim_run_d1_or_all(); if the level is partitioned, by
	   the preparation stage, and an_scatter_list_batch_uses() runs its
	   code. */
	struct an_compiler compiler; /* compiles access runs (consecutive
				        accesses that need one lookup) of
				        data */

	/* Used by an_cachesim_run_d1_or_all(); if the level
	   is partitioned, by the gather stage, which merges the partitions'
	   misses. */
	struct an_misses
		*gathered; /* list to which an_d1_simulate_batch() appends the
			      misses of the first level of data: data_misses of
			      the chunk's in-flight slot */
	int error;	   /* 0; -ENOMEM if memory was short while the first
			      level of data was simulated */

	/* Used by the tail stage (the last stage of the pipeline); by
	   an_cachesim_run_d1_or_all() if accesses are
	   simulated one by one. */
	struct an_miss_counts *miss_counts; /* by block id */
	size_t miss_counts_size;
	int count_error; /* 0; -ENOMEM if memory was short while misses or
			    write-backs were counted */
};

/* Initialise a simulation. @n_partitions: less than 2: not partitioned. Return:
   0 or -ENOMEM; call an_cachesim_release() in both cases. */
int an_cachesim_init(struct an_cachesim *, const struct an_env *,
		     unsigned n_partitions);
void an_cachesim_release(struct an_cachesim *);

/* Set the observer, before the first batch. */
void an_cachesim_set_observer(struct an_cachesim *,
			      const struct an_miss_observer *);

/* Call the observer's end(), if there is one. */
static inline void
an_cachesim_call_observer_end_if_set(const struct an_cachesim *s)
{
	if (s->observer.end != NULL)
		s->observer.end(s->observer.arg);
}

/* Report the lines in lower_write_backs, which were written back because of
   @miss, unless @observed is false, and empty this list. */
void an_cachesim_report_and_clear_write_backs(struct an_cachesim *,
					      const struct an_miss *miss,
					      bool observed);

/* Whether code and data have separate first levels, and that of data is not
   partitioned. */
static inline bool
an_cachesim_has_unpartitioned_l1d(const struct an_cachesim *s)
{
	return s->hierarchy.separate_l1 && s->partitions.n < 2;
}

/* Call the observer's begin_batch(), if there is one. Return: 0 or -errno. */
static inline int an_cachesim_observer_begin_batch(struct an_cachesim *s,
						   const struct an_batch *batch)
{
	return s->observer.begin_batch
		       ? s->observer.begin_batch(s->observer.arg, s, batch)
		       : 0;
}

/* Add a block. Return: 0 or -ENOMEM. */
int an_cachesim_add_block(struct an_cachesim *, const struct an_block *);

/* Store the plans of all blocks in the in-flight slot (memory of one chunk in
   the pipeline) of the batch and, if code and data have separate first levels,
   simulate the first level of code for the batch. Return: 0 or -ENOMEM. */
int an_cachesim_store_plans_in_slot_run_i1(struct an_cachesim *,
					   const struct an_batch *);

/* Simulate the first level of data for a batch or, if code and data have no
   separate first levels, all levels of code and data. The write-backs of these
   levels are not counted in a warm-up batch. Return: 0 or -errno. */
int an_cachesim_run_d1_or_all(struct an_cachesim *, const struct an_batch *);

/* Simulate a batch: an_reference_simulate_batch_one_by_one() all levels, one
   access after the other, for any geometry; an_i1_simulate_batch() the separate
   first level of code; an_d1_simulate_batch() that of data. Return: 0; -ENOMEM;
   error of the observer's begin_batch()
   (an_reference_simulate_batch_one_by_one()). */
int an_reference_simulate_batch_one_by_one(struct an_cachesim *,
					   const struct an_batch *);
int an_i1_simulate_batch(struct an_cachesim *, const struct an_batch *);
int an_d1_simulate_batch(struct an_cachesim *, const struct an_batch *);

/* Simulate a partitioned first level of data instead of an_d1_simulate_batch();
   to be called in this order: compile frequent blocks, begin a chunk, and
   return how it is processed (preparation stage); list the line uses of a batch
   by partition; simulate the line uses of one partition in a chunk; merge the
   misses of all partitions in program order. Return of the last three: 0 or
   -ENOMEM. */
enum an_chunk_mode an_scatter_begin_chunk(struct an_cachesim *,
					  const struct an_batch *chunk);
int an_scatter_list_batch_uses(struct an_cachesim *, const struct an_batch *);
int an_partition_simulate_chunk(struct an_cachesim *,
				const struct an_batch *chunk,
				unsigned partition);
int an_partitions_merge_miss_lists(struct an_cachesim *,
				   const struct an_batch *chunk);

/* Simulate the lower levels for all first-level misses of a chunk, in program
   order, and empty the chunk's in-flight slot. Called by tail(). Return: 0;
   -ENOMEM; error of the observer's begin_batch(). */
int an_lower_levels_run_chunk_misses(struct an_cachesim *,
				     const struct an_batch *chunk);

/* Return the segment for the misses of the next batch: the last of the
   *@segment_count segments if neither its batches nor the next batch (@warm)
   are warm-up; else a new one, which is added to *@segment_count and for which
   the caller has reserved room. */
static inline struct an_miss_segment *
an_inflight_segment_for_batch(struct an_inflight *l, size_t *segment_count,
			      bool warm)
{
	if (*segment_count == 0 || warm || l->segment[*segment_count - 1].warm)
		l->segment[(*segment_count)++].warm = warm;
	return &l->segment[*segment_count - 1];
}

/* Return the miss counters of a block, by @code_or_data for its instructions
   or its data accesses (an_miss_counts.rows); NULL if there are none yet. */
static inline uint64_t *
an_cachesim_block_miss_counters(const struct an_cachesim *s, uint32_t block_id,
				int code_or_data)
{
	return block_id < s->miss_counts_size
		       ? s->miss_counts[block_id].rows[code_or_data]
		       : NULL;
}

/* Allocate the zeroed miss counters of a block, by @code_or_data for its
   instructions or its data accesses. Return: the counters; NULL with
   s->count_error set if memory is short. Context: the tail stage (the last
   stage of the pipeline), or an_cachesim_run_d1_or_all() if accesses are
   simulated one by one. */
uint64_t *an_cachesim_alloc_miss_counters(struct an_cachesim *,
					  const struct an_block *,
					  int code_or_data);

/* Return the counters of instruction or access @instr_or_access: [n] counts
   misses of exactly n + 1 levels. NULL if there are none yet. */
static inline uint64_t *
an_cachesim_row_miss_counters(const struct an_cachesim *s, uint32_t block_id,
			      int code_or_data, unsigned instr_or_access)
{
	uint64_t *rows =
		an_cachesim_block_miss_counters(s, block_id, code_or_data);

	return rows ? rows + instr_or_access * s->hierarchy.max_depth : NULL;
}

/* Count that instruction or access @instr_or_access of block @block_id missed
   @exact_missed_level_count levels.
   @plan is read only if the block has no counters yet. */
static inline void an_cachesim_count_miss_by_depth(struct an_cachesim *s,
						   const struct an_plan *plan,
						   uint32_t block_id,
						   int code_or_data,
						   unsigned instr_or_access,
						   int exact_missed_level_count)
{
	if (an_cachesim_block_miss_counters(s, block_id, code_or_data) == NULL)
		an_cachesim_alloc_miss_counters(s, plan->data->block,
						code_or_data);
	if (an_cachesim_block_miss_counters(s, block_id, code_or_data) != NULL)
		an_cachesim_row_miss_counters(
			s, block_id, code_or_data,
			instr_or_access)[exact_missed_level_count - 1]++;
}

#endif
