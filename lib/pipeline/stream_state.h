/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream_state.h - what a stream consists of
 */
#ifndef LIB_PIPELINE_STREAM_STATE_H
#define LIB_PIPELINE_STREAM_STATE_H

#include "lib/pipeline/consumer.h"
#include "lib/pipeline/stream.h"
#include "lib/recover/counts.h"
#include "lib/recover/recover.h"
#include "lib/symbols/perf_map.h"

/* A recoverer and what it has published. */
struct al_worker {
	struct al_recoverer recoverer; /* first */
	struct al_worker *next;	       /* made before it */
	struct al_counts counts;
	uint64_t count_at_ns; /* not before */
};

struct al_stream {
	struct al_stream *parent; /* whose blocks it borrows, or NULL */
	unsigned users;		  /* itself, and children that borrow */
	struct al_host host;
	bool names;		/* names of code are wanted */
	struct al_perfmap made; /* names of code made at run time */
	struct al_recovery recovery;
	struct al_view *view[AL_MAX_VIEWS]; /* the first is of all */
	unsigned n_views;
	struct al_piece piece[AL_PIECES]; /* as the stages are */
	struct al_track *track;		  /* where it is kept, or NULL */
	struct al_past *past;		  /* of preparation; NULL: no warmup */

	/* Guarded by the caller's lock. */
	struct al_stages stages;
	int error; /* broken: -errno */

	/* Of preparation, which has the pieces in order. */
	int broken;	     /* the same, earlier */
	struct an_exec last; /* executed */
	struct al_child_exit *child;
	size_t n_children;

	/* By recovery.lock. */
	int log_error;
	struct al_copy *copies; /* copies that no piece uses, the one used last
				   first */
	int store_error;	/* error of a chunk that could not be coded */
	struct al_window_counts window[PT_MAX_WINDOWS]; /* openings; the rest
							   once finished */
	struct al_worker *workers;			/* all */
	struct al_recoverer *idle; /* those with no piece */
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
