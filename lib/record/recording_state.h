/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_state.h - declares the private state of a recording
 */
#ifndef LIB_RECORD_RECORDING_STATE_H
#define LIB_RECORD_RECORDING_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "lib/record/name_table.h"
#include "lib/record/recording.h"
#include "profile/codec/codec.h"
#include "profile/format/records.h"

/* Encodes and compresses blocks. */
struct al_packer {
	struct al_packer *next; /* next idle one */
	struct pf_coder *coder;
	struct pf_packer *packer;
	void *code;
	size_t code_size;
	struct pf_chunk_content coded_units;
	size_t headers_size;
};

struct al_packers {
	int level;
	pthread_mutex_t lock; /* guards what follows; the last one taken */
	struct al_packer *idle;
};

struct al_stream_writer {
	struct al_recording *recording;
	uint32_t stream;

	/* Used by al_stream_writer_append() alone. */
	uint64_t chunks;
	bool has_gap; /* a chunk is missing: no later one is written */
	uint64_t last_begin_ns;	 /* time when the last chunk was begun */
	uint32_t thread;	 /* thread that runs at its end */
	struct pf_counts totals; /* sums over all chunks so far */

	/* Guards the rest. Lock order: before al_recording.lock and the
	   writer's. The file is not written under it. */
	pthread_mutex_t lock;
	char *log; /* not yet in the writer's queue */
	size_t log_bytes;
	size_t log_size;
	/* [bytes] of log added to the queue so far */
	uint64_t queued_log_bytes;
	uint64_t inherited_bytes; /* [bytes] of them that another image wrote */
};

struct al_recording {
	char *path;
	struct pf_writer *writer;
	struct al_packers *packers;
	uint64_t start_ns; /* by CLOCK_MONOTONIC */

	/* Guards the rest. */
	pthread_mutex_t lock;
	int error;	 /* -errno: nothing more is accepted */
	bool is_stopped; /* nothing is written, not even the end */
	uint32_t n_streams;

	pthread_mutex_t names_lock; /* guards what follows, and that names are
				       put in order; the one above and
				       al_symbols' are taken under it */
	struct al_name_table name_table;
};

/* Fetch an idle packer or a new one, NULL when memory is short; and return
   it. */
struct al_packer *al_packer_acquire(struct al_recording *);
void al_packer_release(struct al_recording *, struct al_packer *);

/* End the recording of all streams, because it cannot be written or memory is
   short. @err: -errno. Errors of one stream are returned by
   al_stream_writer_pack(). */
void al_recording_fail(struct al_recording *, int err);

/* Pack a block and add it to the writer's queue; an error is the recording's.
   al_recording_write() writes it. Never waits for the file. */
void al_recording_append(struct al_recording *, const struct pf_head *,
			 const void *payload, size_t bytes);

/* Pack records, release them, and add them to the queue. */
void al_recording_append_records(struct al_recording *, enum pf_kind kind,
				 uint32_t stream, struct pf_records *);

/* Return the time since the recording began. [ns] */
uint64_t al_recording_elapsed_ns(const struct al_recording *);

/* Return the time from the start of the recording to @at_ns (CLOCK_MONOTONIC),
   0 if @at_ns is earlier. [ns] */
uint64_t al_recording_since(const struct al_recording *, uint64_t at_ns);

/* Add the log that waits in a track to the writer's queue. */
void al_stream_writer_flush(struct al_stream_writer *);

/* Append the records of block PF_RUN. */
void al_machine_describe(struct pf_records *);

#endif
