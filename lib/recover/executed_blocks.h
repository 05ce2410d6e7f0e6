/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * executed_blocks.h - stores the blocks that an exec image has executed
 *
 * Threads: one at a time. A block is never moved, and only its counters and
 *          `next` change.
 *
 * A block's number depends on which chunk was recovered first, so it is only an
 * index and carries no meaning.
 *
 * With windows, a block executed by threads of two classes (thread_filter.h) is
 * two blocks here, and each has only the instructions that its class's lanes
 * select. A consumer (lib/pipeline/consumer.h) that receives part of the stream
 * has its own blocks, each the selected part of one of the image's blocks.
 */
#ifndef LIB_RECOVER_EXECUTED_BLOCKS_H
#define LIB_RECOVER_EXECUTED_BLOCKS_H

#include "analyzers/analyzer.h"
#include "lib/recover/blocks.h"
#include "lib/recover/thread_filter.h"

/* An executed block, or the part of one before a fault. */
struct al_block {
	struct an_block pub;   /* members that analyses read */
	struct al_block *next; /* block that was added after this one, or
				  NULL */
	const struct al_desc *desc;
	/* descriptor to free with the block, or NULL */
	struct al_desc *own_desc;
	uint64_t lanes;	   /* of a consumer's block: lanes of the consumer, as
			      bits */
	unsigned class;	   /* thread class that executes it, see
			      thread_filter.h */
	bool is_partial;   /* this is the part of a block that ran before a
			      fault, and no consumer's block; `whole_id` is
			      valid only then */
	uint32_t whole_id; /* tool's id of the whole block, which the fault
			      stopped */
	uint64_t fault_position; /* position of the fault in the block, see
				    pt_encode_block_cut_position() */
	/* [n_exits] executions that left the block by each exit */
	uint64_t *exit_count;
	uint64_t *skipped; /* [n_accesses] how often the guard of each access
			      was false; NULL: no guards */
};

/* Numbers of the executed blocks of one thread class (thread_filter.h). */
struct al_block_numbers {
	uint32_t *number; /* [n] by the tool's block id: 1 + index of the block
			     in al_executed.block; 0: not executed yet;
			     AL_UNSELECTED: no lane of the class selects it */
	uint32_t n;
};

#define AL_UNSELECTED UINT32_MAX

/* Executed blocks, by number. Initialise with zeros, and set `lanes` to the
   plan's thread filters or NULL. */
struct al_executed {
	struct al_block **block; /* [n] executed blocks, by number */
	uint32_t n;
	uint32_t size;			  /* allocated elements of block */
	const struct al_lanes *lanes;	  /* lanes and thread classes; NULL:
					     there is one class, and all
					     instructions are selected */
	struct al_block_numbers *numbers; /* [classes] block numbers of each
					     class; NULL: none yet */
	/* tsearch() tree: of an image, the blocks that faults stopped; of a
	   consumer, all of its blocks except warm ones, stopped by a fault or
	   not */
	void *partial_blocks;
	/* [bytes] estimated memory of blocks stopped by faults (only those of
	   an image) and of warm blocks, with the memory of the analyses for
	   these blocks; about AL_MAX_PARTIAL_BYTES at most */
	uint64_t partial_bytes;
	struct al_block *last;
	/* first block that al_executed_detach_and_count_new_blocks() has not
	   returned yet, or NULL */
	struct al_block *first_new;
};

void al_executed_free_blocks_and_numbers(struct al_executed *);

/**
 * al_executed_find_or_add_block() - Find an executed block of a thread class,
 * and add it if it is new.
 * @tool_block_id: the tool's id of the block, below the number of described
 *         blocks.
 * @thread_class: class of the thread that executes the block.
 * @block_or_null: receives the block; NULL if no lane of the class selects it.
 *
 * Return: 0; -ENOMEM.
 */
int al_executed_find_or_add_block(struct al_executed *,
				  const struct al_blocks *,
				  uint32_t tool_block_id, unsigned thread_class,
				  struct al_block **block_or_null);

/**
 * al_executed_find_or_add_faulted_part() - Find the part of a block that ran
 * before a fault, and add it if it is new.
 * @tool_block_id: the tool's id of the whole block.
 * @fault_position: position of the fault, see pt_encode_block_cut_position().
 * @thread_class: class of the thread that executes the block.
 * @block_or_null: receives the block; NULL if no lane of the class selects it,
 *                 or the fault precedes its first recorded instruction.
 *
 * All faults of a class at one position are one block, because a program may
 * take the same fault a million times.
 *
 * Return: 0; -EPROTO if the block has no such part; -AL_E_PARTIAL_BYTES;
 * -ENOMEM.
 */
int al_executed_find_or_add_faulted_part(struct al_executed *,
					 const struct al_blocks *,
					 uint32_t tool_block_id,
					 uint64_t fault_position,
					 unsigned thread_class,
					 struct al_block **block_or_null);

/**
 * al_executed_find_or_add_selected_part() - Find the block of a consumer that
 * has the selected instructions of a block of the image, and add it if it is
 * new.
 * @image_block: block of the exec image. Blocks that differ only in class may
 *               share one.
 * @lanes: lanes (thread filters) of the consumer's window that the threads of
 *         @image_block's class belong to.
 * @block_or_null: receives the consumer's block; NULL if @lanes select nothing
 *                 of @image_block.
 *
 * Return: 0; -ENOMEM.
 */
int al_executed_find_or_add_selected_part(struct al_executed *,
					  const struct al_block *image_block,
					  uint64_t lanes,
					  struct al_block **block_or_null);

/* Add the exit counts of @image_block, a block of the exec image, and the skip
   counts of its selected accesses to those of @consumer_block, the consumer's
   block made from it. Call al_recoverer_add_counts_to_blocks() on every
   recoverer first. */
void al_executed_add_image_counts(struct al_block *consumer_block,
				  const struct al_block *image_block);

/* Return, as bits, the lanes (thread filters of windows) that threads of class
   @class belong to, without warm lanes; all bits if there are no lanes. */
static inline uint64_t
al_executed_nonwarm_lanes_of_class(const struct al_executed *x, unsigned class)
{
	return x->lanes ? x->lanes->class[class].lanes : UINT64_MAX;
}

/* Add a block that is simulated to warm the caches; its executions are not
   counted. @desc_owned_if_added: its descriptor, owned by the block from now
   on. Return: the block; NULL with errno ENOMEM, or AL_E_PARTIAL_BYTES if the
   memory allowed for such blocks is used up (memory_bounds.h). If NULL is
   returned, the caller still owns @desc_owned_if_added. */
struct al_block *
al_executed_add_warmup_block(struct al_executed *,
			     struct al_desc *desc_owned_if_added);

/* Return the number of blocks added since the last call. @first_new_block:
   receives the first of these blocks, or NULL if there is none; its member
   `next` leads to the others. */
uint32_t al_executed_detach_and_count_new_blocks(
	struct al_executed *, const struct al_block **first_new_block);

#endif
