/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks.h - reads and checks the block descriptors in an exec image's log
 *
 * Threads: one at a time.
 *
 * Descriptors do not change after they are read. A forked child uses its
 * parent's descriptors, which must live as long as the child's blocks.
 *
 * A route is a block together with one of its exits. A lane is a window's
 * filter for one thread, or for all other threads (thread_filter.h); it selects
 * instructions of a block.
 */
#ifndef LIB_RECOVER_BLOCKS_H
#define LIB_RECOVER_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/recover/mappings.h"
#include "lib/recover/marks.h"
#include "lib/recover/plan_outcome.h"
#include "proto/log.h"

struct al_intern;

/* Descriptor of a block: its instructions, accesses and exits. */
struct al_desc {
	const struct al_mapping *mapping; /* object whose symbols cover the
					     block, or NULL */
	const char *path; /* file that contains the code, or NULL; interned */
	const struct pt_instr *instr;
	const struct pt_access *access;
	const struct pt_exit *exit;
	const struct pt_value *value; /* [n_accesses] slots of each access's
					 values, or NULL */
	const uint8_t *code; /* bytes of the instructions; NULL: not all sent */
	const uint64_t *instr_lanes; /* [n_instrs] lanes that select each
					instruction, as bits; NULL: `lanes`
					select all instructions */
	uint64_t lanes;	      /* lanes that select at least one instruction, as
				 bits */
	uint32_t first_route; /* route of exit 0; exit e has route first_route +
				 e */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_slots;
	uint16_t n_passed_exits;
	/* [n_passed_exits] for a part of a block that ran before a fault, if
	   all its instructions are selected: the side exits of the whole block
	   that were passed without being taken; else empty */
	const struct pt_exit *passed_exit;
	uint64_t log_end; /* [bytes] of the log up to the end of the block's
			     record */
	uint16_t timestamp_slot; /* slot (8-byte word of the block's unit) with
				    the time stamp, or PT_NO_SLOT */
	/* slot with the number of instructions that the process had executed
	   before the block, or PT_NO_SLOT */
	uint16_t instret_slot;
};

/* All blocks of an exec image, and the other contents of its log. */
struct al_blocks {
	struct al_intern *strings;
	struct al_desc **desc; /* [n] descriptors, by the tool's block id */
	uint32_t n;
	uint32_t n_routes; /* number of routes: sum of the blocks' exits */
	uint32_t size;	   /* allocated elements of desc */
	uint32_t *outside; /* [n_outside] ids, ascending, of the blocks that
				  begin in no mapping, but have a path */
	uint32_t n_outside, outside_size;
	uint32_t n_borrowed;   /* blocks 0 to n_borrowed - 1 belong to the
				  parent */
	uint64_t log_bytes;    /* [bytes] of the log that were read */
	uint64_t stored_bytes; /* [bytes] of the stored log records, without
				  values and lanes of blocks; AL_MAX_STORED_LOG
				  is the bound */
	const char *next_path; /* path of the next block's file, from a
				  PT_LOG_FILE record, or NULL; interned */
	/* log record PT_LOG_VALUES of the next block; NULL: none was read */
	struct pt_log_values *next_values;
	/* log record PT_LOG_LANES of the next block; NULL: none was read */
	struct pt_log_lanes *next_lanes;
	struct al_mappings mappings;
	struct al_marks marks;		  /* empty in a forked child at first */
	struct al_plan_outcomes outcomes; /* empty in a forked child at first */
};

/* Initialise with no blocks. @strings: stores paths and names; must outlive the
   blocks. */
void al_blocks_init(struct al_blocks *, struct al_intern *strings);
void al_blocks_release(struct al_blocks *);

/**
 * al_blocks_borrow_blocks_and_mappings() - Start, in a forked child, with the
 * blocks and mappings that the parent had at the fork.
 * @parent: must outlive the child's blocks; may have read more of its log since
 *          the fork.
 * @block_count: number of the parent's blocks at the fork.
 * @log_offset: length [bytes] of the parent's log at the fork.
 *
 * Descriptors of blocks are not copied; mappings are. Return: 0; -ENOMEM;
 * -EPROTO if @parent has read fewer blocks or less log.
 */
int al_blocks_borrow_blocks_and_mappings(struct al_blocks *,
					 const struct al_blocks *parent,
					 uint32_t block_count,
					 uint64_t log_offset);

/* Check the log records at @log, @bytes long in total, and store their
   contents, up to the first error. Return: 0; -ENOMEM; -EPROTO: a record is
   invalid; -AL_E_STORED_LOG: more than AL_MAX_STORED_LOG bytes would be
   stored. */
int al_blocks_parse_and_store_log(struct al_blocks *, const void *log,
				  size_t bytes);

/**
 * al_desc_new_partial() - Make a descriptor of the part of a block
 * that ran before a fault.
 * @access_count: number of accesses done.
 * @instr_count: number of instructions begun.
 * @has_modify_load: the next access is a modify that has loaded, but not
 *                   stored.
 *
 * Return: a descriptor with one exit, to be freed with free(); it points to the
 *         block's arrays, except for its own exit and, if @has_modify_load, its
 *         own copy of the accesses. NULL with errno set: ENOMEM, or EPROTO if
 *         the block has no such part.
 */
struct al_desc *al_desc_new_partial(const struct al_desc *,
				    uint32_t access_count, uint32_t instr_count,
				    bool has_modify_load);

/* Return, as bits, the lanes (thread filters of windows) that select
   instruction @instr_index. */
static inline uint64_t al_desc_lanes_of_instr(const struct al_desc *d,
					      unsigned instr_index)
{
	return d->instr_lanes ? d->instr_lanes[instr_index] : d->lanes;
}

/* How many instructions of a block a set of lanes (thread filters of windows)
   selects: none, some but not all, or all. */
enum al_selection { AL_SELECTS_NONE, AL_SELECTS_SOME, AL_SELECTS_ALL };

/* Return how many of the block's instructions are selected by at least one lane
   in the bit set @lane_bits: none, some or all. */
enum al_selection
al_desc_selected_instrs_none_some_or_all(const struct al_desc *,
					 uint64_t lane_bits);

/**
 * al_desc_new_of_selected_instrs() - Make a descriptor of the instructions of a
 * block that lanes select.
 * @lanes: lanes (thread filters of windows), as bits; an instruction is
 *         selected if at least one of them selects it.
 *
 * The result has only these instructions and their accesses. It has all exits
 * of the block, and its slots have the same numbers.
 *
 * Return: a descriptor to be freed with free(), with its own arrays; mapping
 *         and path are the block's. NULL if memory is short.
 */
struct al_desc *al_desc_new_of_selected_instrs(const struct al_desc *,
					       uint64_t lanes);

/* Return the tool's id of the block whose exits include @route (block and
   exit). @route: less than n_routes. */
uint32_t al_blocks_find_block_id_of_route(const struct al_blocks *,
					  uint32_t route);

#endif
