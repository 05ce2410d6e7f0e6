/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_state.h - declares the private state of a stream
 */
#ifndef LIB_PIPELINE_STREAM_STATE_H
#define LIB_PIPELINE_STREAM_STATE_H

#include "lib/pipeline/consumer.h"
#include "lib/pipeline/stream.h"
#include "lib/recover/counts.h"
#include "lib/recover/recover.h"
#include "lib/symbols/perf_map.h"

/* A recoverer and the counts that it has published. */
struct al_counted_recoverer {
	struct al_recoverer recoverer;	   /* first: a pointer to it is cast to
					      al_counted_recoverer */
	struct al_counted_recoverer *next; /* the one created before */
	struct al_counts counts;
	/* time of the next update of @counts, earliest */
	uint64_t next_update_ns;
};

struct al_stream {
	struct al_stream *parent; /* lends its blocks to this one, or NULL */
	unsigned users;		  /* this stream, and borrowing children */
	struct al_consumer_context host;
	bool needs_names;	     /* names of code will be needed */
	struct al_perfmap jit_names; /* names of code made at run time */
	struct al_recovery recovery;
	/* the first is view 0 */
	struct al_consumer *consumer[AL_MAX_CONSUMERS];
	unsigned n_consumers;
	/* by number modulo stages.lanes */
	struct al_recovered_chunk chunk[AL_MAX_IN_FLIGHT];
	struct al_stream_writer *writer; /* stores the stream, or NULL */
	/* used by stage prepare; NULL: no warm-up */
	struct al_history *history;

	/* Guarded by the caller's lock. */
	struct al_stages stages;
	int error; /* the stream is broken: -errno */

	/* Used by stage prepare alone, which is done in order. */
	int prepare_error; /* error of the stream, before @error has it */
	struct an_exec last_exec; /* execution */
	struct al_child_exit *child;
	size_t n_children;

	/* Guarded by recovery.lock. */
	int log_error;
	/* copies that no piece uses, the one used last first */
	struct al_copy *idle_copies;
	int store_error; /* error of a chunk that could not be encoded */
	struct al_window_counts
		window_counts[PT_MAX_WINDOWS];	 /* only openings until the
						    stream has finished */
	struct al_counted_recoverer *recoverers; /* list of all */
	/* list of those that no job uses */
	struct al_recoverer *idle_recoverers;
	struct al_counts published;
};

static inline void al_stream_lock(const struct al_stream *s)
{
	pthread_mutex_lock((pthread_mutex_t *)&s->recovery.lock);
}

static inline void al_stream_unlock(const struct al_stream *s)
{
	pthread_mutex_unlock((pthread_mutex_t *)&s->recovery.lock);
}

#endif
