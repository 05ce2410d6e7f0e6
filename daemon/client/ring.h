/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - creates the ring of proto/ring.h, and reads it as its consumer
 *
 * Threads: one at a time. With dm_daemon.lock held, other threads may at the
 * same time release a chunk that the first thread has passed to them under the
 * lock, count a command, and read the figures in the tool's page. Owns: the
 * mapping and the descriptor, which a ring that cannot grow closes when the
 * tool has its own.
 *
 * The log and all positions that the tool wrote are copied and checked before
 * they are used. Positions of the daemon are stored in struct dm_ring and never
 * read back from the daemon's page, because a peer that holds the descriptor
 * can write that page too.
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
	uint32_t chunk_bytes; /* [bytes] PT_MIN_CHUNK..PT_MAX_CHUNK */
	uint32_t n_chunks;    /* initial number of chunks, 2..PT_MAX_CHUNKS */
	uint32_t log_bytes;   /* [bytes] power of two, >= DM_MIN_LOG_BYTES */
	uint32_t max_chunks;  /* number of chunks that the ring can grow to; if
				 it is n_chunks or less, the ring does not
				 grow */
};

/* Return the memory [bytes] of a ring of this shape with n_chunks chunks, that
   is, before it grows. */
size_t dm_ring_bytes_before_growth(const struct dm_shape *);

/* Make the shape smaller by one step: fewer chunks, then smaller chunks, then a
   smaller log. Return: false if it is the smallest already. */
bool dm_ring_shape_shrink_one_step(struct dm_shape *);

struct dm_ring {
	struct dm_shape shape;
	int fd;		    /* sealed memory file; -1: closed. A ring that
			       cannot grow closes it when the tool has its own
			       copy of the descriptor */
	unsigned char *map; /* the mapping; NULL after it was unmapped */
	size_t bytes;	    /* [bytes] length of the mapping, which is enough
			       for shape.max_chunks */
	size_t allocated;   /* [bytes] length of the mapping's start that has
			       memory allocated */

	struct pt_places places; /* maps chunk numbers to places, without the
				    announced growth */
	uint64_t growth_chunk;	 /* first chunk for which the ring has
				 growth_places places; 0: no growth is
				 announced */
	uint32_t growth_places;	 /* number of places after the announced
				    growth */

	uint64_t published; /* chunks that the tool has published, as checked by
			       dm_ring_update_published_if_valid() */
	uint64_t consumed;  /* number of chunks that were read, or passed to the
			      analysis */
	uint64_t log_tail;  /* [bytes] of the log copied since the start */

	uint64_t released;   /* number of chunks since the start that were
				released, so that the tool may overwrite them */
	uint64_t n_commands; /* number of commands sent to the tool; the last
				value published in the daemon's page */
};

/**
 * dm_ring_create_shrinking_to_fit() - Create a ring and allocate every page of
 * its initial chunks.
 * @requested: shape of the ring. If memory is short or file sizes are limited,
 *        the ring gets a smaller one, which `shape` shows.
 *
 * Return: 0; -EMFILE, -ENFILE; another -errno if not even a ring of the
 *         smallest shape can be created. dm_ring_close_and_unmap() may be
 *         called in all cases.
 */
int dm_ring_create_shrinking_to_fit(struct dm_ring *,
				    const struct dm_shape *requested);

/* Replace the daemon's page by a private copy, so that the tool does not see
   later changes of the page. Used in a forked copy of the daemon. Return: 0;
   -errno. */
int dm_ring_privatize_daemon_page(struct dm_ring *);

/* Unmap the ring and close its descriptor. The positions in struct dm_ring stay
   readable. */
void dm_ring_close_and_unmap(struct dm_ring *);

/* Close the descriptor unless the ring can grow. Call it when the tool has its
   own copy of the descriptor. */
void dm_ring_close_fd_unless_growable(struct dm_ring *);

/**
 * dm_ring_update_published_if_valid() - Read from the tool's page the
 * number of chunks that it has published, check it, and store it in
 * `published`.
 *
 * Return: 0; -EPROTO if the number decreased, or more chunks are unread than
 *         the ring holds. A tool that overwrites chunks which are not released
 *         is not noticed; it damages only its own results.
 */
int dm_ring_update_published_if_valid(struct dm_ring *);

/* Return the words of chunk number `consumed`, the oldest one that is not
   consumed. The caller has checked that it is published. */
const uint64_t *
dm_ring_start_of_oldest_unconsumed_chunk(const struct dm_ring *);

/* Increment `consumed`, so that dm_ring_start_of_oldest_unconsumed_chunk()
   returns the next chunk. The tool does not see this and may not overwrite the
   chunk. */
void dm_ring_increment_local_consumed_chunks(struct dm_ring *);

/**
 * dm_ring_grow_return_added_chunks() - Allocate more chunks and announce them
 * to the tool.
 * @new_chunk_count: total number of chunks requested, at most shape.max_chunks;
 *         a greater number counts as that one.
 *
 * The memory is allocated when this returns. The tool begins to use it when it
 * has filled its present places and would continue at place 0. Nothing is added
 * if the ring has that many chunks, if its descriptor is closed, or if the
 * daemon has not yet read the first chunk of an earlier growth.
 *
 * Return: number of chunks added, perhaps 0; -errno if there is no memory.
 */
int dm_ring_grow_return_added_chunks(struct dm_ring *,
				     uint32_t new_chunk_count);

/* Increment the count of sent commands in the daemon's page, which the tool
   polls. Call it after a command was sent. No-op if the ring is unmapped.
   Context: one thread at a time, see dm_daemon.lock. */
void dm_ring_increment_command_count(struct dm_ring *);

/* Release the oldest chunk that is consumed and not released: increment
   `released` here and in the daemon's page, so that the tool may overwrite the
   chunk. */
void dm_ring_mark_oldest_chunk_released(struct dm_ring *);

/**
 * dm_ring_copy_and_consume_log() - Copy the new part of the log and release its
 * space in the ring.
 * @buffer: [shape.log_bytes]
 * @copied_bytes: receives the length; 0 if nothing is new.
 *
 * Return: 0; -EPROTO if the tool's position decreased, is not a multiple of 8,
 *         or is more than a log's length ahead.
 */
int dm_ring_copy_and_consume_log(struct dm_ring *, void *buffer,
				 size_t *copied_bytes);

/**
 * dm_ring_find_unpublished_chunk() - Return the chunk that the tool has begun
 * and not published.
 * @may_tool_be_writing: the tool may be writing: the unit at the cursor then
 *         counts as complete only if the cursor has not moved.
 * @end_offset: receives the offset in the chunk of the end of the complete
 *         units [bytes]; 0: there are none.
 *
 * In either case the unit at the cursor does not count if the tool's page shows
 * that generated code was running; it counts during a system call, for example.
 *
 * Context: all published chunks are consumed. A living tool can overwrite the
 *          units at any time; see
 *          dm_ring_copy_unpublished_units().
 *
 * Return: the chunk, in the staging memory or in its place; NULL if there is
 *         none.
 */
const uint64_t *dm_ring_find_unpublished_chunk(const struct dm_ring *,
					       bool may_tool_be_writing,
					       size_t *end_offset);

/**
 * dm_ring_copy_unpublished_units() - Copy the units that a living
 * tool has not published.
 * @buffer: [shape.chunk_bytes]
 *
 * Context: all published chunks are consumed.
 *
 * Return: length of the complete units copied [bytes]; 0 if there are none, or
 *         if the tool has published the chunk before the end of the copy.
 */
size_t dm_ring_copy_unpublished_units(const struct dm_ring *, void *buffer);

/* Figures, and the ending of the program, that the tool wrote into its page. */
struct dm_tool_summary {
	uint64_t ending;	/* enum pt_ending */
	uint64_t exit_value;	/* exit code or signal, see enum pt_ending */
	uint64_t wait_ns;	/* [ns] time that the tool waited for the
				   daemon */
	uint64_t waits;		/* number of times that the tool waited for the
				   daemon */
	uint64_t skipped;	/* accesses that could not be described, plus
				   control units (units of events, such as the
				   start of a thread) and marks that had no
				   space */
	uint64_t overfull;	/* 1: the tool ended the recording because its
				   descriptors of code took too much memory */
	uint64_t lost_messages; /* messages that the tool could not send */
	/* number of variables, length and hash of the program's environment;
	   hash 0: the environment is not known */
	uint64_t environment_variables, environment_bytes, environment_hash;
};

/* Return a copy of the figures in the tool's page; if the ring is unmapped, all
   are 0 and the ending is PT_ALIVE. */
struct dm_tool_summary dm_ring_read_tool_summary(const struct dm_ring *);

/* Copy the title that the program has given its process; "" if it has none or
   the ring is unmapped. */
void dm_ring_read_program_title(const struct dm_ring *, char title[PT_TITLE]);

/* Return the windows that are open now according to the tool, bit n for window
   n; 0 if the ring is unmapped. */
uint64_t dm_ring_read_open_window_mask(const struct dm_ring *);

#endif
