/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_state.h - declares the state that the source files of the reader share
 */
#ifndef PROFILE_FORMAT_READER_STATE_H
#define PROFILE_FORMAT_READER_STATE_H

#include <pthread.h>
#include <sys/types.h>

#include "profile/format/reader.h"

struct pf_reader {
	int fd;
	struct pf_entry *entries; /* [size], of which n are used */
	size_t n;
	size_t size;
	struct pf_state state;
	struct pf_unpacker *unpacker; /* used to read index blocks */

	/* The next members are the state of the search for blocks, by
	   pf_index_read_entries() or pf_reader_find_blocks_by_walk(). */
	struct pf_state state_before; /* faults before next_offset */
	uint64_t next_offset;	      /* [bytes] offset where the next block is
				 expected */
	uint64_t sequence; /* least sequence number that the next block of the
			      file may have */
	uint64_t index;	   /* [bytes] offset of the last index found; 0:
				 none */
	bool found_head;   /* at least one valid block header was found */
	bool found_tail;   /* the tail was found */

	pthread_mutex_t lock; /* guards the members below */
	uint64_t bytes_read;
	uint64_t blocks_read;
	/* number of damaged blocks, see pf_reader_damaged_blocks_found_so_far()
	   */
	uint64_t n_damaged;
	uint64_t damage_at;    /* [bytes] offset of the first damaged block */
	uint64_t damage_bytes; /* [bytes] of all damaged blocks */
	uint8_t *damaged;      /* [damaged_size] 1 for each entry counted as
				  damaged; or NULL */
	size_t damaged_size;
};

/* Append an entry with a block's offset and head to the reader's entries.
   Return: 0; -ENOMEM. */
int pf_reader_add_entry(struct pf_reader *, uint64_t offset,
			const struct pf_head *);

/* Read up to @bytes from @offset, fewer only at the end of the file. Return:
   the number of bytes read; -errno. */
ssize_t pf_reader_read_at_offset(const struct pf_reader *, void *data,
				 size_t bytes, uint64_t offset);

/* Read and check the header of the block at @offset. Return: as
   pf_head_decode(); -errno of a read. */
int pf_reader_read_head(const struct pf_reader *, uint64_t offset,
			struct pf_head *);

/* Add the blocks from next_offset to the end of the file, skipping damage, and
   set `state`. Return: 0; -ENOMEM; -EPROTONOSUPPORT; -errno of a read. */
int pf_reader_find_blocks_by_walk(struct pf_reader *);

#endif
