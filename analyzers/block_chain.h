/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_chain.h - passes blocks from block() to the partitions of an analysis
 *
 * In a partitioned analysis, block() adds blocks on the thread of prepare()
 * while partitions work on earlier chunks, so an array that grows cannot be
 * shared. The chain is a linked list. Each partition reads it at a pace of its
 * own, up to the last block of the chunk that it works on, and stores what it
 * reads in an array of its own. In an analysis without partitions, batch() can
 * read the chain in the same way.
 *
 * Threads: an_block_chain_append() and an_block_chain_store_count_in_slot() on
 * the thread of block(); a reader on that of its partition, or of batch().
 */
#ifndef ANALYZERS_BLOCK_CHAIN_H
#define ANALYZERS_BLOCK_CHAIN_H

#include "analyzers/analyzer.h"

/* The first member of a struct that an analysis has for a block. */
struct an_chained_block {
	struct an_chained_block *next;
	const struct an_block *block;
};

/* Zeroed, it is empty; an_block_chain_init() must be called before the first
   block. */
struct an_block_chain {
	struct an_chained_block head; /* before the first block */
	struct an_chained_block *last;
	size_t n; /* number of blocks */
	/* number of blocks up to the chunk in each in-flight slot, this one
	   included */
	size_t n_in_slot[AN_INFLIGHT_SLOTS];
};

/* Position of a reader: the number of blocks that it has read, and the last of
   them. */
struct an_chain_reader {
	struct an_chained_block *last;
	size_t n;
};

static inline void an_block_chain_init(struct an_block_chain *c)
{
	c->last = &c->head;
}

static inline void an_chain_reader_init(struct an_chain_reader *r,
					struct an_block_chain *c)
{
	r->last = &c->head;
}

/* Append a block, whose id is the number of blocks in the chain. The caller
   must keep the block in memory until all readers have stopped. */
static inline void an_block_chain_append(struct an_block_chain *c,
					 struct an_chained_block *b)
{
	b->next = NULL;
	c->last->next = b;
	c->last = b;
	c->n++;
}

/* Store that the blocks of the chunk in an in-flight slot have been appended.
   Call in begin_chunk() or, in an analysis without partitions, in prepare(). */
static inline void an_block_chain_store_count_in_slot(struct an_block_chain *c,
						      unsigned inflight_slot)
{
	c->n_in_slot[inflight_slot] = c->n;
}

/* Return the next block that a reader has not read, and count it as read; NULL
   when it has read @readable_block_count: at most c->n_in_slot[] of the chunk
   that the reader works on, or c->n on the thread that appends. */
static inline struct an_chained_block *
an_chain_reader_next_or_null(struct an_chain_reader *r,
			     size_t readable_block_count)
{
	if (r->n >= readable_block_count)
		return NULL;
	r->n++;
	return r->last = r->last->next;
}

#endif
