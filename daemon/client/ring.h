/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - the consumer's half of the ring in proto/ring.h
 *
 * Threads: one at a time, but for dm_ring_chunk_done(), which another may call
 *          meanwhile, of a chunk that the first has passed on under a lock.
 * Owns:    the mapping, and the descriptor until the tool has it.
 *
 * Everything that the tool wrote is copied, checked, and only then used; what
 * the daemon needs of its own page it keeps here, because a peer that holds
 * the descriptor can write that page too.
 */
#ifndef DAEMON_CLIENT_RING_H
#define DAEMON_CLIENT_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/log.h"
#include "proto/ring.h"

enum {
	DM_LOG_BYTES = 512 << 10,
	DM_MIN_LOG_BYTES = 2 * PT_MAX_RECORD,
};

struct dm_shape {
	uint32_t chunk_bytes; /* PT_MIN_CHUNK..PT_MAX_CHUNK */
	uint32_t n_chunks;    /* 2..PT_MAX_CHUNKS, to begin with */
	uint32_t log_bytes;   /* power of two, >= DM_MIN_LOG_BYTES */
	uint32_t max_chunks;  /* that it can grow to; less than n_chunks: it
				 does not grow */
};

/* Memory that a ring of this shape takes to begin with. [bytes] */
size_t dm_shape_bytes(const struct dm_shape *);

/* Makes it smaller by the next step; false when it is as small as can be. */
bool dm_shape_shrink(struct dm_shape *);

struct dm_ring {
	struct dm_shape shape;
	int fd;		    /* the memory, sealed; -1 when closed, which it is
			       early in a ring that cannot grow */
	unsigned char *map; /* NULL when released */
	size_t bytes;	    /* mapped: room for all that it can grow to */
	size_t allocated;   /* of them, that are there */

	struct pt_places places; /* of chunk `taken` */
	uint64_t grow_at;	 /* chunk from which there are grow_to; or 0 */
	uint32_t grow_to;

	uint64_t published; /* chunks, as last looked at and checked */
	uint64_t taken;	    /* chunks */
	uint64_t log_tail;  /* [bytes] */

	uint64_t released; /* chunks; of dm_ring_chunk_done() */
	uint64_t orders;   /* of dm_ring_ordered() */
};

/**
 * dm_ring_init() - Make a ring whose every page is there.
 * @want: shape to begin with; a smaller one is taken when memory is short.
 *
 * Return: 0; -errno when there is no memory even for the smallest. The ring
 *         may be released either way.
 */
int dm_ring_init(struct dm_ring *, const struct dm_shape *want);

/* Replace the daemon's page by a private copy, in a forked copy of the daemon,
   so that the tool does not see what is written into it. Return: 0; -errno. */
int dm_ring_separate(struct dm_ring *);

/* Positions stay readable. */
void dm_ring_release(struct dm_ring *);

/* The tool has its own copy of the descriptor; ours is closed, unless the ring
   can grow. */
void dm_ring_handed_over(struct dm_ring *);

/**
 * dm_ring_look() - Find out what the tool has published.
 *
 * Return: 0; -EPROTO when the position went back or further than the chunks
 *         that there are. A tool that overwrites chunks which are taken and
 *         not released is not noticed; it spoils nobody's results but its own.
 */
int dm_ring_look(struct dm_ring *);

/* The oldest chunk that is published and not taken. [words] */
const uint64_t *dm_ring_chunk(const struct dm_ring *);

/* On to the next one. */
void dm_ring_chunk_taken(struct dm_ring *);

/**
 * dm_ring_grow() - Give the ring more chunks, at its next turn.
 * @n: chunks that it shall have; at most shape.max_chunks of them are made.
 *
 * The memory is there when this returns; the tool comes to it when it has
 * filled the places that it has. Nothing is done while the growth before is
 * still to come.
 *
 * Return: chunks added, perhaps 0; -errno when there is no memory.
 */
int dm_ring_grow(struct dm_ring *, uint32_t n);

/* The tool has been sent an order. Context: as dm_ring_chunk_done(); nothing
   when it is released. */
void dm_ring_ordered(struct dm_ring *);

/* The tool may write the oldest chunk that was taken again. */
void dm_ring_chunk_done(struct dm_ring *);

/**
 * dm_ring_log() - Copy the new part of the log and free its place.
 * @to: [shape.log_bytes]
 * @bytes: receives the length; 0 when there is nothing new.
 *
 * Return: 0; -EPROTO when the position went back, is not aligned, or is
 *         further than the log is long.
 */
int dm_ring_log(struct dm_ring *, void *to, size_t *bytes);

/**
 * dm_ring_open_chunk() - Find the units that the tool has not published.
 * @alive: the tool may be writing: the unit at the cursor counts only while the
 *         program is in a system call, for example.
 * @end: receives where the complete units end [bytes]; 0: there are none.
 *
 * Context: all published chunks are taken. The units of a living tool can be
 * overwritten at any time; see dm_ring_copy_open().
 *
 * Return: the chunk, in staging or in its place; NULL when there is none.
 */
const uint64_t *dm_ring_open_chunk(const struct dm_ring *, bool alive,
				   size_t *end);

/**
 * dm_ring_copy_open() - Copy the units that a living tool has not published.
 * @to: [shape.chunk_bytes]
 *
 * Context: as dm_ring_open_chunk().
 *
 * Return: where the complete units end [bytes]; 0 when there are none, or when
 *         the tool has published the chunk meanwhile.
 */
size_t dm_ring_copy_open(const struct dm_ring *, void *to);

/* What the tool's page says at the end. */
struct dm_farewell {
	uint64_t ending; /* enum pt_ending */
	uint64_t value;
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t skipped;
	uint64_t overfull;	/* 1: the tool ended the recording for want of
			      memory */
	uint64_t lost_messages; /* messages that the tool had no room for */
};

struct dm_farewell dm_ring_farewell(const struct dm_ring *);

/* Copy the title that the program has given its process; "" when it has none or
   the ring is released. */
void dm_ring_title(const struct dm_ring *, char title[PT_TITLE]);

/* The windows that are open now, as the tool says, a bit each; none when it is
   released. */
uint64_t dm_ring_windows(const struct dm_ring *);

#endif
