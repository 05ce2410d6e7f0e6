/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring.h - layout of the memory that a traced process and the daemon share
 *
 *   offset 0            struct pt_daemon_page   W: daemon  R: tool
 *   PT_PAGE             struct pt_tool_page     W: tool    R: daemon
 *   2 * PT_PAGE         log, log_bytes          W: tool    R: daemon
 *   + log_bytes         staging, chunk_bytes    W: tool    R: daemon
 *   + chunk_bytes       place 0 .. place n-1    W: tool    R: daemon
 *
 * Each side maps the memory that the other writes read-only. Chunk number k
 * (0, 1, ...) lies in place k % n_chunks, until the ring grows; see struct
 * pt_places. The tool may write to that place when k < released + n; it has
 * finished the chunks below published. For each chunk the tool chooses whether
 * it writes the units into the place, or into staging and then copies all of
 * them at once. Staging stays in the caches of the tool's processor.
 *
 *   tool                                 daemon
 *   write units of chunk k
 *   commit length into its PT_CHUNK
 *   if in staging: copy to the place, fence: see stream.h
 *   published := k + 1   (release)  -->  published (acquire), read chunk k
 *   released (acquire)   <--             released := k + 1   (release)
 *   cursor := first unit of chunk k + 1, then its PT_CHUNK gets the number
 *
 * Unpublished units are in the chunk that the cursor points into. The daemon
 * reads them when the tool has ended. It may also copy them earlier, and then
 * drops the copy if published has changed meanwhile. If the tool was killed
 * before it moved the cursor, the cursor points into a published chunk, which
 * the chunk's PT_CHUNK shows. So units are neither lost nor read twice.
 *
 * The log works like the chunks: log_head and log_tail are positions in bytes.
 *
 * The memory may hold more places than n_chunks; these are not touched. To grow
 * the ring, the daemon announces that from chunk grow_at on it has grow_to
 * places. grow_at is a number whose place would be 0, and which the tool cannot
 * have begun, since it has not been released that far. So both sides derive the
 * place of a chunk from its number, and no answer is needed:
 *
 *   daemon                               tool
 *   allocate the places
 *   grow_to := n, grow_at := k (release)
 *   released := ...  (release)       --> released (acquire); is k the chunk
 *                                        to place? then there are n places
 *
 * The ring may grow again when chunk grow_at has been published.
 *
 * `cursor` is the address, in the tool's address space, of the last unit begun,
 * or of the chunk's first unit, or of a 0 after the last unit, if the code that
 * runs next may write none. Generated code computes the address of the next
 * unit from it. When the process has died, all units before the cursor are
 * complete, and the unit at the cursor too unless `running` is 1.
 */
#ifndef PROTO_RING_H
#define PROTO_RING_H

#include "proto/shared/atomic.h"

enum {
	PT_PAGE = 4096,
	PT_MIN_CHUNK = 128 << 10, /* [bytes] */
	PT_MAX_CHUNK = 16 << 20,  /* [bytes] */
	PT_MAX_CHUNKS = 1024,
};

struct pt_daemon_page {
	uint32_t chunk_bytes; /* size of a chunk [bytes], a multiple of
				 PT_PAGE */
	uint32_t n_chunks;    /* initial number of places for chunks, at least
				 2 */
	uint32_t log_bytes;   /* size of the log [bytes]: a power of two, at
				 least 2 * PT_MAX_RECORD */
	uint32_t pad;
	struct pt_shared_u64 released; /* number of chunks that the daemon has
				   released: the tool may write to their places
				   again */
	struct pt_shared_u64
		log_tail; /* end of the log that the daemon has read
				   [bytes] */
	struct pt_shared_u64
		grow_at; /* first chunk that is placed in the larger
				   ring; 0: the ring has not grown */
	struct pt_shared_u64
		grow_to; /* number of places for chunks in the larger
				   ring */
	/* Number of messages of the types PT_MSG_ORDER, PT_MSG_HAPPENED,
	   PT_MSG_MARK and PT_MSG_FLUSH that the daemon has sent so far. */
	struct pt_shared_u64 orders;
};

/* Maps chunk numbers to places. Chunk grow_at goes to the first new place
   instead of place 0; earlier chunks do not move. */
struct pt_places {
	uint64_t first; /* number of the chunk that is, or would be, in place
			   0 */
	uint32_t n;	/* number of places */
};

/* Return the index of the place in the ring, from 0, that holds chunk number
   @chunk_number. */
static inline uint32_t pt_ring_place_index_of_chunk(struct pt_places p,
						    uint64_t chunk_number)
{
	return (uint32_t)((chunk_number - p.first) % p.n);
}

/* Return the layout with @new_place_count places from chunk
   @growth_chunk_number on. This chunk goes to place p.n, the first new one;
   without growth it would go to place 0. */
static inline struct pt_places
pt_places_after_growth(struct pt_places p, uint64_t growth_chunk_number,
		       uint32_t new_place_count)
{
	return (struct pt_places){growth_chunk_number - p.n, new_place_count};
}

enum { PT_TITLE = 128 /* size of a process's title with its NUL [bytes] */ };

enum pt_ending {
	PT_ALIVE = 0,  /* the process is alive, or was killed */
	PT_EXITED = 1, /* ending_value: exit code */
	PT_FATAL = 2,  /* ending_value: signal, 0 when not known */
	PT_EXEC = 3,   /* in execve(); PT_ALIVE again when execve() fails */
};

struct pt_tool_page {
	/* Read and written by generated code. */
	uint64_t cursor; /* address of the last unit begun, or of a 0 after
			    it */
	uint64_t next;	 /* address of the unit that begins after @cursor */
	uint64_t limit;	 /* highest address in the current chunk at which blocks
			    begin their first unit; other units may begin above
			    it */

	uint64_t staging; /* address of the staging chunk in the tool's
			     memory */
	uint64_t running; /* 1 while generated code may be writing a unit */
	uint64_t ending;  /* how the process ended, enum pt_ending */
	uint64_t ending_value;
	/* 1 while generated code executes a division of the program, which may
	   fault */
	uint64_t dividing;
	struct pt_shared_u64 published; /* number of chunks published */
	struct pt_shared_u64
		log_head; /* end of the log that the tool has written
				    [bytes] */
	struct pt_shared_u64 wait_ns; /* time spent waiting for the daemon */
	struct pt_shared_u64
		waits; /* how often the tool has waited for the daemon */
	struct pt_shared_u64 skipped; /* accesses that could not be described,
				    control units without room in the chunk, and
				    marks beyond PT_MAX_NAMES names */
	struct pt_shared_u64
		windows; /* open windows: bit w is set if window w is
				    open */
	struct pt_shared_u64
		title[PT_TITLE / 8]; /* the process's title, NUL-padded */
	/* 1: the tool has stopped recording because its descriptors of code use
	   too much memory. */
	struct pt_shared_u64 overfull;
	struct pt_shared_u64
		lost_messages; /* messages to the daemon that were dropped
					because the outbox was full, or were not
					sent at the end */
	/* The environment with which the program began; since version 3.1 of
	   the protocol. */
	struct pt_shared_u64 environment_variables; /* number of variables */
	struct pt_shared_u64
		environment_bytes; /* [bytes] of all strings with their
					    NULs */
	/* pt_hash_update_with_bytes() over the environment_bytes bytes, in
	   their order; 0: not known */
	struct pt_shared_u64 environment_hash;
};

/* Set the cursor to @unit_address, the address of the last unit begun or of a 0
   after it. This unit is complete, or generated code is writing it. */
static inline void
pt_store_cursor_after_compiler_fence(struct pt_tool_page *page,
				     uint64_t unit_address)
{
	pt_store_after_compiler_fence(&page->cursor, unit_address);
}

static inline uint64_t pt_load_cursor(const struct pt_tool_page *page)
{
	return pt_read_shared_u64(&page->cursor);
}

#endif
