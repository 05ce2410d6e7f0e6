/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_state.h - declares the state of a stream, private to lib/pipeline
 */
#ifndef LIB_PIPELINE_STREAM_STATE_H
#define LIB_PIPELINE_STREAM_STATE_H

#include "lib/pipeline/consumer.h"
#include "lib/pipeline/stream.h"
#include "lib/recover/counts.h"
#include "lib/recover/recover.h"
#include "lib/recover/site_code.h"
#include "lib/symbols/perf_map.h"

/* A recoverer, and its counts for the status line. */
struct al_counted_recoverer {
	struct al_recoverer recoverer;	   /* first member, since a pointer to
					      it is cast to
					      al_counted_recoverer */
	struct al_counted_recoverer *next; /* recoverer that was created before
					      this one */
	struct al_counts counts;	   /* counts as of the last update */
	bool has_uncounted; /* `counts` was not updated when the recoverer
			       became idle; valid while it is idle */
	/* earliest time of the next update of `counts` */
	uint64_t next_update_ns;
};

struct al_stream {
	struct al_stream *parent; /* stream whose blocks this one borrows, or
				     NULL */
	unsigned users;		  /* 1 until the stream is freed, plus the
				     number of children that borrow its
				     blocks */
	struct al_consumer_context host;
	bool needs_names; /* names of code will be needed, so symbols of mapped
			     objects are read ahead */
	struct al_perfmap jit_names; /* names of code made at run time */
	struct al_recovery recovery;
	/* [n_consumers] consumers (consumer.h); the first is consumer 0, which
	   receives the whole stream */
	struct al_consumer *consumer[AL_MAX_CONSUMERS];
	unsigned n_consumers;
	/* chunks in flight, at index chunk number modulo
	   stages.max_in_flight */
	struct al_recovered_chunk chunk[AL_MAX_IN_FLIGHT];
	struct al_stream_writer *writer; /* stores the stream in a profile; or
					    NULL */
	/* last executions, for the warm-ups of windows, used by stage prepare
	   only; NULL: no window has a warm-up, or no analysis accepts
	   warm-ups */
	struct al_history *history;

	/* Guarded by the caller's lock. */
	struct al_stages stages;
	int error; /* -errno if the stream is broken, else 0 */

	/* Used by stage prepare alone, which is done in order. */
	int prepare_error;	  /* error of the stream, until it is copied to
				     `error` */
	struct an_exec last_exec; /* the last execution that was prepared */
	struct al_site_code site_code; /* code in call stacks of allocations,
					  which the profile will name; empty if
					  the stream is stored in no profile */
	struct al_child_exit *child; /* [n_children] exits of children that were
					waited for */
	size_t n_children;

	/* Guarded by recovery.lock. */
	int log_error; /* error of the log: -errno, or 0 */
	/* copies of chunks that are not in use, the one used last first */
	struct al_copy *idle_copies;
	int store_error; /* -errno of a chunk that could not be encoded, or 0 */
	struct al_window_counts
		window_counts[PT_MAX_WINDOWS];	 /* until the stream has
						    finished, only `openings` is
						    valid */
	struct al_counted_recoverer *recoverers; /* list of all recoverers */
	/* list of the recoverers that no job uses */
	struct al_recoverer *idle_recoverers;
	struct al_counts faulted;   /* until the stream has finished: counts
				       of `recovery.executed`, which are those
				       of blocks stopped by a fault, as of the
				       last update */
	struct al_counts published; /* counts of the stream, without those in
				       `recoverers` and `faulted` */
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
