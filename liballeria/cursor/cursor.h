/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - what a cursor consists of
 *
 *   ap_take() > ap_walk_fill() > ap_units() > ap_give_...()
 */
#ifndef LIBALLERIA_CURSOR_CURSOR_H
#define LIBALLERIA_CURSOR_CURSOR_H

#include "liballeria/cursor/filter.h"
#include "liballeria/profile.h"
#include "profile/codec/codec.h"
#include "proto/shared/atomic.h"

enum {
	AP_BATCH = 1024, /* records, but for what the last unit adds */
	AP_KINDS = ALLERIA_EVENTS + 1,
};

/* Records of one kind that wait to be given. */
struct ap_batch {
	void *record;
	size_t n;
	size_t given;
};

/* Where a thread was last. */
struct ap_trail {
	const struct ap_block *block; /* NULL: not known, or see `fresh` */
	uint64_t number;	      /* of the last instruction */
	uint64_t next;		      /* address behind it */
	uint16_t index;		      /* of it in the block */
	uint8_t kind; /* of the exit, enum alleria_branch_kind */
	bool fresh;   /* it has done nothing yet */
	bool handler; /* a signal is being delivered */
};

/* Branches: where threads were. Masks are as in struct pf_head. */
struct ap_trails {
	struct ap_trail *of; /* by thread */
	uint32_t n;
	struct ap_trail other; /* of those that are not recalled */
	uint64_t unread;    /* that are not known for want of chunks that were
			       passed over */
	uint32_t shared_to; /* with the last bit of `unread`: chunk before which
			       all was read for threads that share it */
	uint64_t recalled;  /* others stay as they are; 0: none is recalled */
};

/* What a cursor knows of a block, by its number. */
struct ap_passes {
	uint8_t *instr; /* [n_code] whether it passes; NULL: not asked yet */
	bool any;
};

/* Pages that have code which passes, of what was described so far. */
struct ap_code_pages {
	uint32_t *page; /* ascending */
	uint32_t n;
	uint32_t size;
	uint32_t *asked; /* by index of the stream: how many blocks */
	uint32_t n_asked;
};

struct alleria_cursor {
	struct alleria_profile *profile;
	unsigned want; /* OR of 1 << enum alleria_what */
	struct ap_filter filter;
	char message[ALLERIA_MESSAGE];

	/* The place. */
	struct ap_stream *stream; /* NULL: before the first */
	bool begun;		  /* its beginning was told */
	bool over;		  /* its end was told */
	bool lost;		  /* damage or a missing image was reported */
	bool gap;		  /* something is missing before this */
	uint64_t gap_size;	  /* [instructions] or 0 */
	uint32_t chunk;		  /* of the stream, the next to open */
	uint64_t expected;	  /* its position, if nothing is missing */
	struct ap_bounds seek;	  /* nothing before it */
	int error;		  /* for the next call */

	/* The chunk that is open. */
	struct pf_unpacker *unpacker;
	struct pf_coder *coder;
	uint64_t *words;
	size_t words_size; /* [bytes] */
	const struct pf_head *head;
	const uint32_t *base;
	size_t at; /* [4 bytes] */
	size_t end;
	uint64_t instruction; /* number of the next */
	uint64_t access;      /* the same */
	uint32_t thread;
	bool thread_passes;
	bool faulted;		 /* to be told before the next unit, */
	uint64_t fault;		 /* the instruction's address */
	struct ap_bounds bounds; /* what passes in this chunk */
	bool inside;		 /* all of it is within them */

	/* By route, of the stream, for the thread's class (lib/recover/thread_filter.h). */
	const struct ap_exit **exit;
	uint32_t n_exits;
	unsigned class;
	struct ap_routes {
		const struct ap_exit **exit;
		uint32_t n_exits;
	} * others; /* of all classes, when they last ran; NULL: only one did */
	struct ap_passes *passes; /* by number of the block */
	uint32_t n_passes;

	struct ap_code_pages pages; /* where code is asked for by name */

	struct ap_trails trails;

	struct ap_batch batch[AP_KINDS];
	struct alleria_access *held; /* those of instructions */
	size_t n_held;
	uint32_t *unit; /* [4 bytes] where each execution's slots lie */
};

/* An execution, as it is found. */
struct ap_found {
	const struct ap_exit *exit;
	const uint32_t *slots;
	unsigned n_accesses;   /* that happened */
	const uint8_t *passes; /* instructions; NULL: all */
};

static inline bool ap_wants(const struct alleria_cursor *c,
			    enum alleria_what what)
{
	return c->want & 1u << what;
}

static inline bool ap_is_full(const struct alleria_cursor *c)
{
	bool full = false;

	for (unsigned i = ALLERIA_ACCESSES; i <= ALLERIA_EVENTS; i++)
		full |= c->batch[i].n >= AP_BATCH;
	return full || c->n_held >= AP_BATCH;
}

static inline bool ap_has_records(const struct alleria_cursor *c)
{
	bool any = false;

	for (unsigned i = ALLERIA_ACCESSES; i <= ALLERIA_EVENTS; i++)
		any |= c->batch[i].n > 0;
	return any;
}

/* cursor.c. @want as above. As alleria_cursor_open(). */
int ap_cursor_new(struct alleria_profile *, unsigned want,
		  const struct alleria_filter *, struct alleria_cursor **out);

/* chunks.c: fill the batches. 1; 0 at the end; enum alleria_error. */
int ap_walk_fill(struct alleria_cursor *);

/* Opens a chunk of the stream. 0; -EBADMSG, -EPROTO: it is broken, or what
   describes it; -ENOMEM; -errno of reading. */
int ap_walk_open(struct alleria_cursor *, uint32_t chunk);

/* Goes to a chunk of a stream. */
void ap_walk_to(struct alleria_cursor *, struct ap_stream *, uint32_t chunk);

/* routes.c: forgets what is known of the stream's. */
void ap_routes_forget(struct alleria_cursor *);

/* Another thread runs, which may be of another class. 0; -ENOMEM. */
int ap_routes_switch(struct alleria_cursor *);

/* Says what an error is about. Return: @error. */
int ap_cursor_fail(struct alleria_cursor *, int error, const char *what);

/* decode.c: as many units of the open chunk as fit. 0; -EPROTO; -ENOMEM. */
int ap_units(struct alleria_cursor *);

/* emit.c */
void ap_give_accesses(struct alleria_cursor *, const struct ap_found *);
void ap_give_instructions(struct alleria_cursor *, const struct ap_found *);
void ap_give_execution(struct alleria_cursor *, const struct ap_found *);
void ap_give_event(struct alleria_cursor *, unsigned kind, uint64_t value,
		   uint64_t detail);

/* Whether an instruction or execution with accesses [@access, @access + @n)
   passes. One without an access belongs to the access before it; before access 0
   there is none, and one that comes there passes unless an access was sought. */
static inline bool ap_is_within(const struct ap_bounds *b, uint64_t access,
				unsigned n)
{
	uint64_t first = n == 0 && access > 0 ? access - 1 : access;

	if (n == 0 && access == 0 && b->sought_access)
		return false;
	return first < b->access_to && first + (n ? n : 1) > b->access_from;
}

/* Of an execution, into @out. Return: how many. */
unsigned ap_make_accesses(const struct alleria_cursor *,
			  const struct ap_found *, uint64_t access,
			  uint64_t instruction, struct alleria_access *out);

/* The bytes at @slot; NULL when there are none, or not under this condition. */
static inline const uint8_t *ap_value(const uint32_t *slots, unsigned slot,
				      unsigned condition)
{
	if (slot == PT_NO_SLOT ||
	    (condition != PT_NO_SLOT && !pt_slot(slots + 2 * condition)))
		return NULL;
	return (const uint8_t *)(slots + 2 * slot);
}

static inline void ap_add_values(struct alleria_access *a,
				 const struct ap_made *m, const uint32_t *slots)
{
	if (!(m->flags & ALLERIA_VALUE))
		return;
	if (m->kind != PT_STORE)
		a->read = ap_value(slots, m->value.read, m->value.read_if);
	if (m->kind != PT_LOAD)
		a->written =
			ap_value(slots, m->value.written, m->value.written_if);
}

/* How many of an execution happened. */
unsigned ap_count_accesses(const struct ap_exit *, const uint32_t *slots);

/* branches.c. 0; -ENOMEM; -EPROTO. */
int ap_give_branch(struct alleria_cursor *, const struct ap_found *);

/* thread_position.c. 0; -ENOMEM; -EPROTO: no thread has that number. */
int ap_trail_of(struct alleria_cursor *, uint32_t thread, struct ap_trail **);
int ap_trail_start(struct alleria_cursor *, uint32_t thread);
int ap_trail_signal(struct alleria_cursor *, uint32_t thread);

/* Behind this nobody knows where any thread was. */
void ap_trail_forget(struct alleria_cursor *);

/* A chunk is passed over that has nothing which passes. */
void ap_trail_forget_some(struct alleria_cursor *, const struct pf_head *);

/* The next chunk is passed over, and may have; NULL: all before it is. */
void ap_trail_pass_over(struct alleria_cursor *, const struct pf_head *);

/* Threads of the next chunk that ran in chunks that were passed over: reads
   where they were. 0; -ENOMEM; -errno of reading. */
int ap_trail_recall(struct alleria_cursor *);
void ap_trail_release(struct alleria_cursor *);

#endif
