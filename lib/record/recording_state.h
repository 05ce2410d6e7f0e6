/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_state.h - what a recording consists of
 */
#ifndef LIB_RECORD_RECORDING_STATE_H
#define LIB_RECORD_RECORDING_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "lib/record/name_table.h"
#include "lib/record/recording.h"
#include "profile/codec/codec.h"

/* What packs. */
struct al_packer {
	struct al_packer *next; /* idle, too */
	struct pf_coder *coder;
	struct pf_packer *packer;
	void *code;
	size_t code_size;
	struct pf_met met;
	size_t met_size;
};

struct al_packers {
	int level;
	pthread_mutex_t lock; /* guards what follows; the last one taken */
	struct al_packer *idle;
};

struct al_track {
	struct al_recording *recording;
	uint32_t stream;

	/* Of who puts chunks. */
	uint64_t chunks;
	bool is_cut;	  /* a chunk is missing: no later one is written */
	uint64_t come_ns; /* the last of them */
	uint32_t thread;  /* that runs at its end */
	struct pf_counts before;

	/* Guards the rest. Lock order: before al_recording.lock and the
	   writer's. The file is not written under it. */
	pthread_mutex_t lock;
	char *log; /* not yet put */
	size_t log_bytes;
	size_t log_size;
	uint64_t log_at;    /* [bytes] put */
	uint64_t inherited; /* [bytes] of them: another image's */
};

struct al_recording {
	char *path;
	struct pf_writer *writer;
	struct al_packers *packers;
	uint64_t start_ns; /* by CLOCK_MONOTONIC */

	/* Guards the rest. */
	pthread_mutex_t lock;
	int error;    /* -errno: nothing more is taken */
	bool stopped; /* nothing is written, not even the end */
	uint32_t n_tracks;

	pthread_mutex_t naming_lock; /* guards what follows, and that names are
					put in order; the one above and
					al_symbols' are taken under it */
	struct al_naming naming;
};

struct al_packer *al_packer_take(struct al_recording *); /* NULL: no memory */
void al_packer_give(struct al_recording *, struct al_packer *);

/* End the recording of all streams, because it cannot be written or memory is
   short. @err: -errno. Errors of one stream are returned by al_track_pack(). */
void al_recording_fail(struct al_recording *, int err);

/* Pack a block and add it to the writer's queue; an error is the recording's.
   al_recording_write() writes it. Never waits for the file. */
void al_recording_put(struct al_recording *, const struct pf_head *,
		      const void *payload, size_t bytes);

/* Pack records, release them, and add them to the queue. */
void al_recording_put_records(struct al_recording *, enum pf_kind kind,
			      uint32_t stream, struct pf_records *);

/* [ns] since the recording began, now. */
uint64_t al_recording_now(const struct al_recording *);

/* [ns] since the recording began. @at_ns: by CLOCK_MONOTONIC. */
uint64_t al_recording_since(const struct al_recording *, uint64_t at_ns);

/* Add what there is of a track's log to the writer's queue. */
void al_track_flush(struct al_track *);

#endif
