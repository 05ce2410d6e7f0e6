/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_list.h - stores the blocks of one state of an analysis, and computes
   how often each instruction and access of a block was executed */
#ifndef ANALYZERS_BLOCK_LIST_H
#define ANALYZERS_BLOCK_LIST_H

#include "analyzers/analyzer.h"

/* A list that is all zeros is valid and empty. */
struct an_block_list {
	const struct an_block **block; /* [n] by id */
	size_t n;
	size_t size;
};

/* Append a block, whose id is the number of blocks in the list. Return: 0 or
   -ENOMEM. */
int an_block_list_append(struct an_block_list *, const struct an_block *);

void an_block_list_free_array(struct an_block_list *);

/* Return how often instruction @instr of a block was executed: the number of
   executions that left the block by an exit at or after this instruction. */
uint64_t an_instr_exec_count(const struct an_block *, unsigned instr);

/* Return how often access number @access of a block was performed: the number
   of executions that left the block by an exit after the access, less those in
   which the access's guard was false. */
uint64_t an_access_performed_count(const struct an_block *, unsigned access);

#endif
