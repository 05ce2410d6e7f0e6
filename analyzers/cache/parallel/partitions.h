/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.h - divides the first level of data into partitions of its sets
 *
 * Threads: as for a partitioned analysis in analyzer.h. Each member below names
 * the stage that owns it; an in-flight slot (the data of one chunk) passes from
 * one stage to the next.
 *
 * Accesses to different sets are independent, so groups of sets are simulated
 * on different threads. A group is the sets whose numbers end in the same bits;
 * a map assigns each group to a partition.
 *
 *   executions --scatter--------> uses of lines, a list for each partition
 *              --run_partition--> misses of a partition, in program order
 *              --gather---------> misses of all partitions, in program order
 *
 * Groups can be simulated by any partition, because only the order of a set's
 * last-use times matters. Groups are reassigned at a barrier: all partitions
 * have finished a chunk and none has begun the next. Then the times of each set
 * are replaced by ranks.
 */
#ifndef ANALYZERS_CACHE_PARALLEL_PARTITIONS_H
#define ANALYZERS_CACHE_PARALLEL_PARTITIONS_H

#include <errno.h>

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_MAX_LAST_USES = 1 << 10, /* entries of the table in which scatter.c
				     stores the last uses of sets */
	AN_MAX_COLD_BLOCKS = 1 << 12,
};

/* Uses of lines in program order, also as the input of a partition. */
struct an_line_uses {
	uint64_t *line;
	uint32_t *position; /* index of the execution in the chunk <<
			    AN_ACCESS_BITS | access */
	size_t n;
	size_t size;
};

/* An access that missed its first level; input of the next level. */
struct an_miss {
	uint64_t addr;
	uint32_t program_order; /* position in the chunk:
				  an_program_order_key(); in a partition's list
				  that is not yet completed (shard.c):
				  an_line_uses.position */
	uint32_t block;
	uint16_t row;  /* number of the access, or of the instruction if path is
			  AN_INSTRUCTION */
	uint16_t size; /* [bytes] */
	uint8_t path;
	bool hit; /* this line did not miss; it is listed because it is one of
		     the two lines of an access that crosses a line border.
		     False in merged lists */
	bool write;
};

struct an_misses {
	struct an_miss *miss;
	size_t n;
	size_t size;
	size_t n_sent;
	size_t batch_start; /* index of the current batch's first miss */
};

/* Enlarge a list of misses. Return: 0 or -ENOMEM. */
int an_misses_grow(struct an_misses *);

_Static_assert(PT_MAX_INSTRS <= 1 << AN_EXIT_BITS,
	       "an instruction fits below a place");

static inline uint32_t an_program_order_key(struct an_exec e, unsigned instr)
{
	return an_exec_first_slot_word_index(e) << AN_EXIT_BITS | instr;
}

/* Append a miss, to be filled in by the caller. Return NULL if memory is
   short. */
static inline struct an_miss *
an_misses_grow_append_unfilled(struct an_misses *m)
{
	if (m->n == m->size && an_misses_grow(m) != 0)
		return NULL;
	return &m->miss[m->n++];
}

/* Fill in a miss (an access or fetch that missed) where it is stored, field by
   field: a wide load that soon follows several narrow stores would wait for
   them. @access_or_instr: number of the access, or of the instruction if @path
   is AN_INSTRUCTION. */
static inline void an_miss_fill(struct an_miss *m, struct an_exec e, int path,
				unsigned access_or_instr, unsigned instr,
				struct an_ref r)
{
	m->addr = r.addr;
	m->program_order = an_program_order_key(e, instr);
	m->block = e.block;
	m->row = (uint16_t)access_or_instr;
	m->size = (uint16_t)r.size;
	m->path = (uint8_t)path;
	m->hit = false;
	m->write = r.write;
}

/* Data of one chunk, passed from stage to stage of the pipeline. The map
   assigns groups of sets to partitions. */
struct an_partition_inflight {
	uint64_t moves; /* how often the map had changed before the chunk */
	uint8_t map[AN_MAX_SET_GROUPS];
	uint64_t group_uses[AN_MAX_SET_GROUPS]; /* by group: uses of lines
						   listed for this chunk */
	uint64_t last_use
		[AN_MAX_LAST_USES]; /* last listed use of a line in each set;
				       sets whose numbers have equal lower bits
				       share an entry */
	const struct pt_shared_u64
		*code_entry; /* address of each block's compiled code when the
				chunk began; NULL: none */
	uint32_t cold_block
		[AN_MAX_COLD_BLOCKS]; /* [n_cold] ids of blocks that the chunk
					 executed without compiled code, one for
					 each execution, as many as fit */
	unsigned n_cold;
	struct an_line_uses uses[AN_MAX_PARTITIONS];
	struct an_misses misses[AN_MAX_PARTITIONS];
	struct an_write_back_log
		write_backs[AN_MAX_PARTITIONS]; /* by partition: lines written
						   back; empty without an
						   observer */
};

struct an_partitions {
	/* Constant after an_partitions_init(). */
	unsigned n;	 /* partitions; less than 2: not partitioned */
	uint32_t groups; /* number of set groups, a power of two */
	uint64_t
		last_use_mask; /* entries of an_partition_inflight.last_use - 1,
				  a mask of line numbers */
	struct an_partition_inflight *inflight; /* [AN_INFLIGHT_SLOTS] */

	/* Assignment of groups of sets to partitions. Owned by the preparation
	   stage of the pipeline. */
	uint8_t map[AN_MAX_SET_GROUPS]; /* by group: number of the partition to
					   which it is assigned */
	uint64_t group_uses
		[AN_MAX_SET_GROUPS]; /* by group: uses since the map was last
					checked */
	unsigned chunks;	     /* chunks since `map` was last checked */
	uint64_t moves;		     /* how often set groups were assigned to
					   other partitions */
	uint64_t load
		[2][AN_MAX_PARTITIONS]; /* uses by partition, [0] with the first
					   map and [1] with later ones */

	/* Owned by the gather stage, which merges the partitions' misses, while
	   the partitions are idle. */
	uint64_t n_serial_batches; /* batches that were simulated
				     unpartitioned */

	/* Each element is owned by its partition. */
	struct {
		int32_t clock;
		uint64_t writebacks;
		uint64_t moves; /* an_partition_inflight.moves of the last chunk
				   that the partition simulated */
		char padding
			[40]; /* gives each element a cache line of its own */
	} part[AN_MAX_PARTITIONS];
};

/* Sums over several exec images. uses: uses of cache lines, of all partitions;
   busiest: of the partition with most. [0]: with the first assignment of set
   groups to partitions, [1]: with later ones. */
struct an_partition_load {
	unsigned n; /* partitions; 0: not partitioned */
	uint64_t moves;
	uint64_t n_serial_batches; /* batches that were simulated
				     unpartitioned */
	uint64_t uses[2];
	uint64_t busiest[2]; /* sum over the images of the busiest partition's
				uses */
};

/* Divide an empty first level of data into @n_partitions partitions: assign a
   range of groups of sets to each, and store the sets of one group next to each
   other in memory. Groups may be assigned to other partitions later. If
   @n_partitions is less than 2, only the number is stored. Return: 0 or
   -ENOMEM; call an_partitions_free_inflight_lists() in both cases. */
int an_partitions_init(struct an_partitions *, struct an_l1 *,
		       unsigned n_partitions);
void an_partitions_free_inflight_lists(struct an_partitions *);

/* Begin a chunk: add the line uses of the previous chunk in this in-flight slot
   to the loads of the partitions, and copy the map (partition of each set
   group) into the slot. Return: whether set groups were reassigned, so that a
   barrier is needed. */
bool an_partitions_begin_chunk_is_rebalanced(struct an_partitions *,
					     unsigned inflight_slot);

/* Move the counts of line uses in all in-flight slots to the loads of the
   partitions, and return the sums and the maxima of the partitions' loads. Call
   after the last chunk. */
struct an_partition_load
an_partitions_finish_sum_and_max_loads(struct an_partitions *);

void an_partition_load_add_of_all_partitions(struct an_partition_load *,
					     const struct an_partition_load *);

/* Write the members of the load, and how evenly it was divided, as members of
   the object that is open in the sink. */
void an_partition_load_report(const struct an_partition_load *,
			      struct an_sink *);

#endif
