/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_state.h - what the files of the reader share
 */
#ifndef PROFILE_FORMAT_READER_STATE_H
#define PROFILE_FORMAT_READER_STATE_H

#include <pthread.h>
#include <sys/types.h>

#include "profile/format/reader.h"

struct pf_reader {
	int fd;
	struct pf_entry *entries; /* [size] */
	size_t n;
	size_t size;
	struct pf_state state;
	struct pf_unpacker *unpacker; /* for the index */

	/* Walking. */
	struct pf_state past; /* what was wrong before @at */
	uint64_t at;	      /* [bytes] where the next block is looked for */
	uint64_t sequence;    /* that it has at least */
	uint64_t index;	      /* [bytes] offset of the last index met */
	bool met;	      /* a head was good */
	bool ended;	      /* with a tail */

	pthread_mutex_t lock; /* guards what follows */
	uint64_t bytes_read;
	uint64_t blocks_read;
	uint64_t n_damaged;    /* damaged blocks, see pf_reader_damaged() */
	uint64_t damage_at;    /* [bytes] offset of the first one */
	uint64_t damage_bytes; /* [bytes] of all damaged blocks */
	uint8_t *damaged;      /* [damaged_size] by entry: it was counted; or
				  NULL */
	size_t damaged_size;
};

/* 0; -ENOMEM. */
int pf_reader_add(struct pf_reader *, uint64_t offset, const struct pf_head *);

/* As many of @bytes as the file has from @offset: their number; -errno. */
ssize_t pf_reader_bytes(const struct pf_reader *, void *data, size_t bytes,
			uint64_t offset);

/* The head at @offset: as pf_head_take(); -errno of reading. */
int pf_reader_head(const struct pf_reader *, uint64_t offset, struct pf_head *);

/* From @at to the end of the file. 0; -ENOMEM; -errno of reading. */
int pf_walk(struct pf_reader *);

#endif
