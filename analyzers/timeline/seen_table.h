/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen_table.h - stores the time of the last use of each page or thread
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_TIMELINE_SEEN_TABLE_H
#define ANALYZERS_TIMELINE_SEEN_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct an_seen {
	uint64_t key;
	uint64_t time_plus_1; /* 1 + time of the last use; 0: never, the entry
				 is free */
};

/* An open hash table. Zeros are a valid empty table. */
struct an_seen_table {
	struct an_seen *entry; /* [size] */
	size_t size;	       /* a power of two */
	size_t n;
};

/* Set the last use of @key, whose entry is created if there is none, to @time.
   Return: 1 + time of its previous use; 0: there was none; UINT64_MAX: memory
   is short. */
uint64_t an_seen_table_set_get_previous_plus_1(struct an_seen_table *,
					       uint64_t key, uint64_t time);

void an_seen_table_release(struct an_seen_table *);

#endif
