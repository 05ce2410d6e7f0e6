/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair_table.h - numbers pairs of integers from 0, in the order of first use
 *
 * Threads: one at a time.
 */
#ifndef BASE_TABLES_PAIR_TABLE_H
#define BASE_TABLES_PAIR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct al_pair {
	uint64_t a, b;
};

/* Table of pairs. Initialise with zeros. */
struct al_pair_table {
	struct al_pair *pair; /* [n] pairs, by their number */
	uint32_t n;
	uint32_t *slot;	  /* number of a pair + 1; 0: free; open addressing */
	uint32_t n_slots; /* number of slots: a power of two, or 0 */
};

/**
 * al_pair_table_find_or_add() - Find the number of a pair, or assign the next
 * one.
 * @is_new: receives whether the number was assigned by this call.
 *
 * Return: 0; -ENOMEM.
 */
int al_pair_table_find_or_add(struct al_pair_table *, uint64_t a, uint64_t b,
			      uint32_t *number, bool *is_new);

/* Fetch the number of a pair. Return: false if it has none. */
bool al_pair_table_find(const struct al_pair_table *, uint64_t a, uint64_t b,
			uint32_t *number);

void al_pair_table_release(struct al_pair_table *);

#endif
