/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write_back_log.h - lists the lines that cache levels write back
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_LRU_WRITE_BACK_LOG_H
#define ANALYZERS_LRU_WRITE_BACK_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct an_write_back {
	uint64_t addr;	/* address of the line's first byte */
	uint32_t miss;	/* first level: index of the miss that replaced the
			   line, in a list of misses of the caller; 0 if a
			   struct an_set_assoc wrote it back */
	uint32_t level; /* position of the level on the path of data; 0: nearest
			   to the processor */
};

/* A list of written-back lines. Initialise with zeros. */
struct an_write_back_log {
	struct an_write_back *item; /* [n] */
	size_t n, size;
	size_t n_sent; /* number of items that the reader has read */
	bool failed;   /* memory was short: items are missing */
};

/* Append an item; set `failed` if memory is short. */
void an_write_back_log_append_or_set_failed(struct an_write_back_log *,
					    uint64_t line_addr,
					    uint32_t miss_index,
					    uint32_t level);

void an_write_back_log_release(struct an_write_back_log *);

#endif
