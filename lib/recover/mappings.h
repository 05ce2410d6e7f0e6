/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings.h - stores the object files that an exec image maps, and when
 *
 * Threads: one at a time.
 *
 * Times are positions [bytes] in the image's log. Mappings that have ended are
 * stored too, because blocks and forked children refer to them.
 */
#ifndef LIB_RECOVER_MAPPINGS_H
#define LIB_RECOVER_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

/* A mapped object file. Its section .text lies in [start, start + size). */
struct al_mapping {
	uint64_t start;
	uint64_t size;	  /* [bytes] > 0, and start + size - 1 is an address */
	uint64_t bias;	  /* address = value in the file's symbols + bias */
	const char *path; /* path of the object file, interned */
	uint32_t number;  /* index in al_mappings.mapping */
	uint64_t log_start; /* length [bytes] of the log when the file was
			       mapped */
	uint64_t log_end;   /* length [bytes] of the log when the mapping ended;
			       UINT64_MAX: it has not ended */
};

/* All mappings of an exec image, past and current. Initialise with zeros. */
struct al_mappings {
	struct al_mapping **mapping; /* [n] all mappings, oldest first */
	size_t n;
	struct al_mapping **live; /* [n_live] current mappings, sorted by
				     address; they do not overlap */
	size_t n_live;
	size_t size; /* allocated elements of each array */
};

void al_mappings_release(struct al_mappings *);

/* Add a copy of a mapping, and set its `number` and `log_end`. Mappings that
   overlap it, even in part, end. Return: 0; -ENOMEM. */
int al_mappings_add_copy_end_overlapping(struct al_mappings *,
					 const struct al_mapping *);

/* End each current mapping that overlaps [@start_address, @start_address +
   @byte_count), even if only in part: remove it from the current ones, and set
   its `log_end` to @log_offset, the length [bytes] of the log at this
   moment. */
void al_mappings_end_all_overlapping(struct al_mappings *,
				     uint64_t start_address,
				     uint64_t byte_count, uint64_t log_offset);

/* Add copies of the mappings that were current in @parent when its log had
   @log_offset bytes; their `log_start` is 0. Return: 0; -ENOMEM. */
int al_mappings_copy_live_at_log_offset(struct al_mappings *,
					const struct al_mappings *parent,
					uint64_t log_offset);

/* Return the mapping that contained @addr when the log had @log_offset bytes,
   or NULL. */
const struct al_mapping *
al_mappings_find_at_log_offset(const struct al_mappings *, uint64_t addr,
			       uint64_t log_offset);

/* Return the lowest length of the log above @log_offset at which a mapping was
   added or ended; UINT64_MAX: none. */
uint64_t al_mappings_find_next_change(const struct al_mappings *,
				      uint64_t log_offset);

/* Return the current mapping that contains @addr, or NULL. */
const struct al_mapping *al_mappings_find_live_at(const struct al_mappings *,
						  uint64_t addr);

#endif
