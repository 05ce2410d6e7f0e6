/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovered_chunk.h - holds a chunk's executions and marks until analysed
 *
 * Threads: one at a time, except as lib/pipeline/stages.h allows.
 *
 * Slots are not copied out of the chunk, so the chunk must not be released
 * before it is analysed. If the stream is stored in a profile, the slots are
 * read from a private copy: the traced program can write to the chunk, and the
 * encoded units must be those that were checked.
 */
#ifndef LIB_RECOVER_RECOVERED_CHUNK_H
#define LIB_RECOVER_RECOVERED_CHUNK_H

#include "analyzers/analyzer.h"
#include "profile/format/pages.h"

struct al_block;
struct al_desc;
struct pf_block;

/* Wait status of a child, as its parent received it. */
struct al_child_exit {
	uint32_t pid;
	uint32_t status; /* wait status, as returned by waitpid() */
};

/* An execution that a warm lane (thread filter of a window's warm-up) may
   select. */
struct al_warmup_exec {
	const struct al_desc *desc; /* descriptor of the whole block */
	/* position of its slots in the chunk [4 bytes] */
	uint32_t slots_index;
	uint16_t n_words; /* length of the execution's unit without the header
			     [4 bytes] */
	uint16_t exit;	  /* exit taken; AL_EXIT_FAULT: stopped by a fault */
	uint8_t class;	  /* class of its thread, see thread_filter.h */
	uint32_t n_recorded; /* number of executions of the chunk up to this
				one, counting this one if it is recorded */
};

enum { AL_EXIT_FAULT = UINT16_MAX };

/* A private copy of a chunk. */
struct al_copy {
	struct al_copy *next; /* list link for the owner */
	size_t size;	      /* [bytes] allocated for words */
	uint64_t words[];
};

/* Start of the recording of a window that has a warm-up. */
struct al_warmup_start {
	uint32_t before;  /* index of the first execution after the start */
	uint32_t window;  /* number of the window in the plan */
	uint64_t instret; /* number of instructions that the process had
			     executed when the window started to record */
};

/* A chunk in the pipeline, with everything recovered from it. */
struct al_recovered_chunk {
	const uint32_t *base; /* the chunk's words, or those of the copy */
	size_t bytes;	      /* [bytes] size of the chunk */
	size_t end; /* [bytes] end of the written part of a chunk that the tool
		       has not finished; 0: it has finished the chunk */
	size_t recovered_bytes; /* [bytes] of the chunk's PT_CHUNK unit and of
				   the units that were recovered */
	int error; /* -errno: error of the log, of loading, or of recovery at
		      the unit after the recovered ones; 0: none */
	int (*load)(void *arg); /* reads the words into memory, before recovery;
				   returns 0 or -errno. NULL: they are in
				   memory */
	void *load_arg;
	unsigned inflight_slot;	      /* index of the pipeline's state for this
					 chunk, see an_batch in analyzer.h */
	const struct al_block *block; /* first of the n_blocks blocks that were
					 added to the exec image's blocks since
					 the previous chunk was prepared, or
					 NULL */
	uint32_t n_blocks;	      /* number of blocks in the list of
					 `block` */
	struct an_exec *exec;
	size_t n_execs;
	size_t execs_size;
	struct an_mark *mark; /* before_exec of a mark is an index into exec */
	size_t n_marks;
	size_t marks_size;
	struct an_stream_event *event; /* before_exec is an index into exec */
	size_t n_events;
	size_t events_size;
	uint64_t *event_word; /* [n_event_words] words of the events, copied */
	size_t n_event_words;
	size_t event_words_size;
	size_t n_partial_blocks;     /* number of executions stopped by a
					fault */
	struct al_child_exit *child; /* [n_children] exits of children that were
					waited for */
	size_t n_children;
	size_t children_size;

	/* Members for windows with a warmup. */
	struct al_warmup_exec *warmup;
	size_t n_warmup;
	size_t warmup_size;
	struct al_warmup_start *warmup_start;
	size_t n_warmup_starts;
	size_t warmup_starts_size;

	/* Members for the profile that the stream is stored in. */
	uint64_t begin_ns; /* [ns] time by CLOCK_MONOTONIC when
			      al_stream_begin_chunk() queued the chunk; 0 if
			      the stream is stored in no profile */
	struct pf_counts counts;
	/* memory pages of the far accesses, which may lie beyond the pages next
	   to their slot value's (al_access_is_over_a_page_from_slot_value());
	   NULL: there was none so far */
	struct pf_pages *far_pages;
	/* the chunk as a block of the profile, until it is written; or NULL */
	struct pf_block *encoded_block;
	struct al_copy *copy; /* private copy of the chunk, or NULL */
};

/**
 * al_recovered_chunk_clear_and_reserve() - Remove everything recovered
 * from the chunk, and allocate memory for one execution in every 4 bytes of the
 * chunk.
 *
 * The caller has set `base`, `bytes` and `end`.
 * Return: 0; -ENOMEM. The chunk is empty either way.
 */
int al_recovered_chunk_clear_and_reserve(struct al_recovered_chunk *);

/**
 * al_recovered_chunk_point_base_at_copy() - Copy the chunk's words, and set
 * `base` to the copy.
 * @bytes: number of bytes to copy, from the chunk's start; 8 zero bytes are
 *         appended.
 *
 * Reuses the memory of an earlier copy if it is large enough. The words are
 * valid until the next call or al_recovered_chunk_release().
 * Return: 0; -ENOMEM, and `base` is unchanged.
 */
int al_recovered_chunk_point_base_at_copy(struct al_recovered_chunk *,
					  size_t bytes);

/* Append a mark (an_mark), which lies after the last execution so far. @kind:
   enum pt_kind. @id: number in the unit. Return: 0; -ENOMEM. */
int al_recovered_chunk_add_mark(struct al_recovered_chunk *, unsigned kind,
				uint32_t id);

/**
 * al_recovered_chunk_add_event() - Append an event after the last execution.
 * @kind: enum pt_kind, PT_FIRST_EVENT or later.
 * @words: [2 * @word64_count] halves of its words in the chunk; each is loaded
 *         once.
 *
 * Return: 0; -ENOMEM.
 */
int al_recovered_chunk_add_event(struct al_recovered_chunk *, unsigned kind,
				 uint32_t id, const uint32_t *words,
				 unsigned word64_count);

/* Append the wait status of a child with process id @pid, as waitpid() returned
   it. Return: 0; -ENOMEM. */
int al_recovered_chunk_add_child_exit(struct al_recovered_chunk *, uint32_t pid,
				      uint32_t wait_status);

/* Append an execution that a warm lane (thread filter of a window's warm-up)
   may select. Return: 0; -ENOMEM. */
int al_recovered_chunk_add_warmup_execution(struct al_recovered_chunk *,
					    const struct al_warmup_exec *);

/* Append an al_warmup_start: @window starts to record after the last execution.
   @instret: number of instructions that the process has executed. Return: 0;
   -ENOMEM. */
int al_recovered_chunk_add_warmup_start(struct al_recovered_chunk *,
					uint32_t window, uint64_t instret);

/* Return the number that the head of the chunk's block in a profile states as
   its marks: the sum of marks (an_mark), events, exits of children, and
   executions stopped by a fault. */
static inline size_t
al_recovered_chunk_count_profile_marks(const struct al_recovered_chunk *p)
{
	return p->n_marks + p->n_events + p->n_children + p->n_partial_blocks;
}

/* Remove executions, marks, events, exits of children and warm-up data. Memory
   is not freed. */
void al_recovered_chunk_clear(struct al_recovered_chunk *);

void al_recovered_chunk_release(struct al_recovered_chunk *);

#endif
