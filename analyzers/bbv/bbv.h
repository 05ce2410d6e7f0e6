/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bbv.h - state of the analysis of basic-block vectors
 *
 * An interval ends with the first execution of a block with which it has at
 * least the requested number of instructions. The instructions of all threads
 * count, in the order of time.
 */
#ifndef ANALYZERS_BBV_BBV_H
#define ANALYZERS_BBV_BBV_H

#include "analyzers/code/code_map.h"
#include "analyzers/output_text.h"

/* A part of a block (code with one entry that Valgrind translates at once):
   instructions [first_instr, end_instr), which form one basic block, so only
   the last can be a branch. */
struct an_block_part {
	uint32_t basic_block; /* its index in an_basic_blocks.known */
	uint16_t first_instr;
	uint16_t end_instr;
};

/* The parts of a block, and its exits among those of all blocks. */
struct an_bbv_block {
	size_t first_part;
	size_t end_part;
	size_t first_exit; /* index in an_bbv.exit of its exit 0 */
};

/* Basic blocks of an exec image, identified by the address of their first
   instruction, the version of its code (see code_map.h) and their length
   [instructions]. They are numbered in the order of their first execution,
   because the order in which blocks are added depends on the timing of the
   daemon's threads. Initialise with zeros. */
struct an_basic_blocks {
	struct an_code_map code;
	struct al_key_table known;  /* all basic blocks of `part`; key: index
				      in `code` of the node of the first
				      instruction, number of instructions */
	struct an_block_part *part; /* [n_parts] of all blocks */
	size_t n_parts;
	size_t max_parts;
	uint32_t *number; /* [known.n or less] number from 1; 0: not executed */
	size_t max_numbers;
	uint32_t *numbered; /* [n_numbered] index in `known` by number - 1 */
	uint32_t n_numbered;
	size_t max_numbered;
};

/* Cut a block into parts, and find or add the basic block of each part; a new
   basic block has no number yet. @first_and_end_part_out: its first_part and
   end_part are set. Return: 0 or -ENOMEM. */
int an_basic_blocks_add_parts_of_block(
	struct an_basic_blocks *, const struct an_block *block,
	struct an_bbv_block *first_and_end_part_out);

/* Make room to number all basic blocks. Return: 0 or -ENOMEM. */
int an_basic_blocks_reserve_number_arrays(struct an_basic_blocks *);

/* Return the number of a basic block, which gets the next one if it has
   none. */
uint32_t an_basic_blocks_find_or_add_number(struct an_basic_blocks *,
					    uint32_t basic_block_index);

void an_basic_blocks_release(struct an_basic_blocks *);

/* An exit of a block, and how often the interval has left the block by it. */
struct an_exit_count {
	uint64_t count;
	uint32_t block;
	/* number of the block's instructions that are executed if it is left by
	   this exit, with the one that leaves it */
	uint16_t n_instrs;
};

/* Lines of data of the interval that runs, with the number of accesses of each.
   Initialise with zeros. */
struct an_touched_lines {
	struct al_key_table line; /* key: number of the line, of 64 bytes */
	uint64_t *count;	  /* [line.n] accesses of each line in the
				     interval */
	size_t max_counts;
};

/* Count the accesses of an execution by cache lines of 64 bytes. Return: 0 or
   -ENOMEM. */
int an_touched_lines_count_accesses(struct an_touched_lines *,
				    const struct an_block *,
				    const struct an_batch *, struct an_exec);
void an_touched_lines_release(struct an_touched_lines *);

struct an_bbv {
	const struct an_env *env;
	struct an_output output;
	uint64_t interval; /* requested [instructions]; UINT64_MAX: the whole
				stream is one interval */
	bool has_lines;	   /* memory=yes: the lines of data that each
			      interval accessed are written as well */
	struct an_basic_blocks blocks;
	struct an_bbv_block *block;	/* [n_blocks] by id */
	const struct an_block **source; /* [n_blocks] the blocks that the
					   host has passed, by id */
	size_t n_blocks;
	size_t max_blocks;
	size_t max_sources;
	struct an_exit_count *exit; /* [n_exits] of all blocks */
	size_t n_exits;
	size_t max_exits;
	uint32_t *used; /* [n_used] indices of exits whose count is not 0 */
	size_t n_used;
	size_t max_used;
	struct an_touched_lines lines;
	uint64_t instrs; /* number of instructions that the current interval,
			    which is not complete, has executed so far */
	uint64_t *sum;	 /* [max_sums] by number of a basic block, from
			    1, minus 1: instructions in the interval whose
			    line is being written; all 0 between lines */
	size_t max_sums;
	/* result */
	uint64_t n_intervals;
	uint64_t n_instrs;	 /* of all intervals */
	uint64_t n_basic_blocks; /* executed ones */
};

/* Write the line of output for the interval that runs and, with memory=yes,
   another for the cache lines that it accessed; begin the next interval.
   Return: 0; -ENOMEM; error of writing. */
int an_bbv_write_and_end_interval(struct an_bbv *);

/* Write a comment line for each executed basic block: its number, address,
   length [instructions] and function. Return: 0; error of writing. */
int an_bbv_write_list_of_basic_blocks(struct an_bbv *);

#endif
