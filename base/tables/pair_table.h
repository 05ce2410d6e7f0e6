/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair_table.h - numbers for pairs, from 0 in the order in which they come
 *
 * Threads: one at a time.
 */
#ifndef BASE_TABLES_PAIR_TABLE_H
#define BASE_TABLES_PAIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct al_numbered {
	uint64_t a, b;
};

/* Zeroed: none. */
struct al_numbering {
	struct al_numbered *pair; /* by number */
	uint32_t n;
	uint32_t *slot;	  /* number + 1, or 0; open addressing */
	uint32_t n_slots; /* power of two, or 0 */
};

/**
 * al_numbering_find() - The number of a pair.
 * @is_new: receives whether it got one now.
 *
 * Return: 0; -ENOMEM.
 */
int al_numbering_find(struct al_numbering *, uint64_t a, uint64_t b,
		      uint32_t *number, bool *is_new);

void al_numbering_release(struct al_numbering *);

#endif
