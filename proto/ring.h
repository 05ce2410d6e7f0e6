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
 * Each side maps what the other writes read-only. Chunk number k (0, 1, ...)
 * lies in place k % n_chunks, until the ring grows; see struct pt_places. The
 * tool may write to that place when k < released + n; it has finished the chunks
 * below published. It writes the units of a chunk into the place, or into
 * staging, which stays in the caches of its processor, and then copies the
 * whole chunk: as it likes, chunk by chunk.
 *
 *   tool                                 daemon
 *   write units of chunk k
 *   commit length into its PT_CHUNK
 *   if in staging: copy to the place, fence: see stream.h
 *   published := k + 1   (release)  -->  published (acquire), read chunk k
 *   released (acquire)   <--             released := k + 1   (release)
 *   cursor := first unit of chunk k + 1, then its PT_CHUNK gets the number
 *
 * The units of a chunk that is not published are read when the tool has ended, or
 * are copied and forgotten if published has changed meanwhile. They are in the
 * chunk that the cursor points into. If the tool was killed before the cursor
 * moved on, that is a published chunk, which its PT_CHUNK shows: so units are
 * neither lost nor read twice.
 *
 * The log works alike with log_head and log_tail, positions in bytes.
 *
 * The memory may hold more places than n_chunks, which are not to be touched.
 * The daemon makes the ring larger by saying that from chunk grow_at on it has
 * grow_to places: a number whose place would be 0 and which the tool cannot
 * have begun there, since it has not been released that far. So both know where a
 * chunk lies by its number alone, and nobody has to answer:
 *
 *   daemon                               tool
 *   allocate the places
 *   grow_to := n, grow_at := k (release)
 *   released := ...  (release)       --> released (acquire); is k the chunk
 *                                        to place? then there are n places
 *
 * There may be the next growth when chunk grow_at has been published.
 *
 * `cursor` is the address, in the tool's address space, of the unit that was
 * begun last; the chunk's first unit when none was. The code that Valgrind
 * generates finds the place of the next unit behind it. When the process has
 * died, everything before the cursor is complete, and the unit at the cursor
 * too unless `running` is 1.
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
	uint32_t chunk_bytes; /* multiple of PT_PAGE */
	uint32_t n_chunks;    /* >= 2, at first */
	uint32_t log_bytes;   /* power of two, >= 2 * PT_MAX_RECORD */
	uint32_t pad;
	struct pt_pos released; /* chunks that the tool may write again */
	struct pt_pos log_tail; /* [bytes] of log read */
	struct pt_pos grow_at;	/* chunk from which the ring is larger; or 0 */
	struct pt_pos grow_to;	/* places that it has then */
	struct pt_pos orders;	/* sent so far: PT_MSG_ORDER, PT_MSG_HAPPENED,
				   PT_MSG_MARK, PT_MSG_FLUSH */
};

/* Where chunks lie. Instead of beginning again at place 0, chunk grow_at goes
   to the first new place; what lies before it stays where it is. */
struct pt_places {
	uint64_t first; /* chunk that lay, or would have lain, in place 0 */
	uint32_t n;
};

static inline uint32_t pt_place(struct pt_places p, uint64_t chunk)
{
	return (uint32_t)((chunk - p.first) % p.n);
}

/* The same ring with @n places from chunk @at on, whose place was 0. */
static inline struct pt_places pt_grown(struct pt_places p, uint64_t at,
					uint32_t n)
{
	return (struct pt_places){at - p.n, n};
}

enum { PT_TITLE = 128 /* [bytes] with a NUL */ };

enum pt_ending {
	PT_ALIVE = 0,  /* still the value when a process was killed */
	PT_EXITED = 1, /* ending_value: exit code */
	PT_FATAL = 2,  /* ending_value: signal, 0 when not known */
	PT_EXEC = 3,   /* in execve(); back to PT_ALIVE when that failed */
};

struct pt_tool_page {
	/* Read and written by generated code. */
	uint64_t cursor; /* address of the unit begun last */
	uint64_t next;	 /* where the one after it will begin */
	uint64_t limit;	 /* no unit begins above this address */

	uint64_t staging; /* address of staging in the tool */
	uint64_t running; /* 1 while generated code may be in a unit */
	uint64_t ending;  /* enum pt_ending */
	uint64_t ending_value;
	uint64_t dividing;	 /* 1 while generated code divides */
	struct pt_pos published; /* chunks finished */
	struct pt_pos log_head;	 /* [bytes] of log written */
	struct pt_pos wait_ns;	 /* time spent waiting for the daemon */
	struct pt_pos waits;	 /* number of such waits */
	struct pt_pos skipped;	 /* accesses that could not be described */
	struct pt_pos windows;	 /* those that are open, a bit each */
	struct pt_pos title[PT_TITLE / 8]; /* text that the program has given
					      its process, NULs behind it */
	struct pt_pos overfull; /* 1: the tool has ended the recording, since
				    descriptions of code took too much memory */
	struct pt_pos lost_messages; /* messages to the daemon that the tool
					had no room for */
};

/* Set the address of the unit that was begun last, which is complete or is
   being written by the code that runs. */
static inline void pt_set_cursor(struct pt_tool_page *page, uint64_t unit)
{
	pt_store_last(&page->cursor, unit);
}

static inline uint64_t pt_cursor(const struct pt_tool_page *page)
{
	return pt_word(&page->cursor);
}

#endif
