/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_groups.h - accesses in runs of loops whose strides are counted later
 *
 * batch() follows the executions of a chunk and lists their accesses in groups;
 * tail() counts the strides of the groups, on another thread, while batch()
 * follows the next chunk. So batch() reads no strides, and writes only the
 * zeros of new ones.
 *
 * If the option `of` names functions, tail() also counts dependences. Then all
 * accesses of a block are listed, and between the groups batch() lists events:
 * what tail() must know of the runs of chosen loops and of the calls.
 */
#ifndef ANALYZERS_LOOPS_ACCESS_GROUPS_H
#define ANALYZERS_LOOPS_ACCESS_GROUPS_H

#include <errno.h>

#include "analyzers/analyzer.h"
#include "analyzers/loops/access_strides.h"
#include "analyzers/loops/run_lanes.h"

struct an_loop_state;
struct an_loop_run;

/* An access of a block that is listed: it is in a loop, or the option `of`
   names functions. It does not change, because tail() reads it while batch()
   follows later executions. */
struct an_loop_access {
	struct an_strides *strides; /* in an_loop_state.stride_arena; NULL: the
				       access is in no loop */
	uint64_t delta;		    /* address - value of the slot [bytes] */
	uint32_t slot_word;	    /* index, in the words [4 bytes] of an
				 execution's slots, of the base address */
	uint32_t node;		    /* of its instruction */
	uint16_t size;		    /* [bytes] */
	uint8_t kind;		    /* enum pt_access_kind */
	/* log2 of the largest cells that the access covers wholly if it is
	   aligned to its size; -1: the size is not 1, 2, 4 or 8 */
	int8_t max_cell_shift;
	bool has_slot : 1;   /* else the base address is 0 */
	bool is_guarded : 1; /* not done if the slot has PT_NOT_DONE */
	bool is_plain;	     /* it has a slot, and is not guarded */
};

/* Place of a listed access in its block and its loop; tail() does not need
   it. */
struct an_loop_access_place {
	uint32_t loop;	 /* index of the innermost loop; if the access is in no
			  loop, that of the next access in one, or else of the
			  last one before; AN_NO_LOOP: none */
	uint16_t access; /* index in an_block.access */
	uint16_t end_of_loop; /* index in an_loop_block.list, plus 1, of the
				 last of the adjacent accesses with the same
				 `loop` */
};

/* The listed accesses of a block. */
struct an_loop_access_list {
	struct an_loop_access_list *next;   /* in an_loop_inflight.replaced */
	struct an_loop_access_place *place; /* of each element of `access`;
					       allocated together with the
					       list */
	struct an_loop_access access[];
};

/* Events between groups, which are listed if the option `of` names
   functions. */
enum an_loop_event_kind {
	AN_LOOP_NO_EVENT,
	/* The run `run` of a chosen loop begins its next iteration, before the
	   accesses of the group. */
	AN_LOOP_ITERATES,
	/* The kinds from here on have no accesses. */
	AN_LOOP_FIRST_WITHOUT_ACCESSES,
	/* A run of the chosen loop `index` begins, with n_accesses
	   iterations, as number `run`; `value` is the header's node. */
	AN_LOOP_RUN_BEGINS = AN_LOOP_FIRST_WITHOUT_ACCESSES,
	/* The newest runs of chosen loops in thread `index` have ended; `value`
	   remain active. */
	AN_LOOP_RUNS_END,
	/* The call at node `index` (AN_NO_NODE: a signal handler) begins while
	   a run of a chosen loop is active. */
	AN_LOOP_CALL,
	/* The newest such calls in thread `index` have ended; `value`
	   remain active. */
	AN_LOOP_CALLS_END,
	/* Thread `index` continues; or its next execution does not continue its
	   last one. */
	AN_LOOP_THREAD_SWITCH,
	AN_LOOP_THREAD_RESET,
	/* Node `index` is first executed, in function `value`. */
	AN_LOOP_NODE_FUNCTION,
};

/* Accesses of one execution in one run of a loop, whose strides tail() counts;
   or an event. */
struct an_loop_access_group {
	union {
		const struct an_loop_access *access; /* [n_accesses] */
		uint64_t value; /* see enum an_loop_event_kind */
	};
	uint64_t run; /* number of the run, from 1; 0: none */
	union {
		uint32_t first_slot_word; /* of the execution, as
					     an_exec_first_slot_word_index() */
		uint32_t index;		  /* of a loop, node or thread: see enum
				   an_loop_event_kind */
	};
	uint16_t n_accesses;
	uint16_t lane : AN_LANE_BITS; /* an_loop_run.lane of the run; 0 if there
					 is none */
	uint16_t event : 16 - AN_LANE_BITS; /* enum an_loop_event_kind */
};

/* Data of the chunk in an in-flight slot: batch() fills it, tail() empties
   it. */
struct an_loop_inflight {
	/* [n_groups] in the order of execution */
	_Alignas(64) struct an_loop_access_group *group;
	size_t n_groups, max_groups;
	struct an_loop_access_list *replaced; /* lists that no block has, but
						 groups of this chunk or earlier
						 ones may have */
	bool lacks_events; /* memory was short for an event */
};

/* Return memory for a list of @access_count accesses, whose contents are
   undefined; NULL if memory is short. */
struct an_loop_access_list *an_loops_alloc_access_list(size_t access_count);

/* Let tail() free @list after it has counted the strides of the chunk whose
   executions batch() is reading now. */
void an_loops_defer_free_of_access_list(struct an_loop_state *,
					struct an_loop_access_list *list);

/* Make room for @more groups. Return: 0 or -ENOMEM. */
int an_loops_grow_groups(struct an_loop_inflight *, size_t more);

/* Make room for @more groups, unless there is. Return: 0 or -ENOMEM. */
static inline int an_loops_reserve_groups(struct an_loop_inflight *in,
					  size_t more)
{
	return in->max_groups - in->n_groups >= more
		       ? 0
		       : an_loops_grow_groups(in, more);
}

/* Append @group, whose accesses must remain until tail() has counted the chunk.
   Return: 0 or -ENOMEM. */
static inline int
an_loops_append_access_group(struct an_loop_inflight *in,
			     struct an_loop_access_group group)
{
	if (an_loops_reserve_groups(in, 1) != 0)
		return -ENOMEM;
	in->group[in->n_groups++] = group;
	return 0;
}

/* Append an event. If memory is short, set in->lacks_events instead. */
static inline void an_loops_append_event(struct an_loop_inflight *in,
					 struct an_loop_access_group event)
{
	if (an_loops_append_access_group(in, event) != 0)
		in->lacks_events = true;
}

/* Append a group of one access, which is copied and was executed in
   @run_or_null, a run of a loop; NULL: in none. Return: 0 or -ENOMEM. */
int an_loops_append_group_of_one_access(struct an_loop_state *,
					const struct an_loop_access *,
					uint32_t first_slot_word,
					const struct an_loop_run *run_or_null);

/* Count the strides of all groups, and empty their list. @chunk_slots:
   an_batch.slots of the chunk. @arena: of the lanes of strides. Return: 0 or
   -ENOMEM. */
int an_loops_count_strides_of_groups(struct an_loop_inflight *,
				     const uint32_t *chunk_slots,
				     struct an_arena *arena);

/* Free the lists of an_loops_defer_free_of_access_list(). */
void an_loops_free_deferred_access_lists(struct an_loop_inflight *);

/* Return a new struct an_loop_access of access @a of a block, with these
   strides, at node @node. */
struct an_loop_access an_loops_make_access(struct an_strides *,
					   const struct pt_access *a,
					   uint32_t node);

#endif
