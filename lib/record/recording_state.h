/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording_state.h - declares the state of a recording, private to lib/record
 */
#ifndef LIB_RECORD_RECORDING_STATE_H
#define LIB_RECORD_RECORDING_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "lib/record/name_table.h"
#include "lib/record/recording.h"
#include "profile/codec/codec.h"
#include "profile/format/records.h"

/* Tables and buffers for encoding and compressing blocks. */
struct al_packer {
	struct al_packer *next; /* next idle packer */
	struct pf_coder *coder;
	struct pf_packer *packer;
	void *code;
	size_t code_size;
	struct pf_chunk_content coded_units;
	size_t headers_size;
};

struct al_packers {
	int level;
	pthread_mutex_t lock; /* guards the members below; no other lock is
				 acquired while it is held */
	struct al_packer *idle;
};

struct al_stream_writer {
	struct al_recording *recording;
	uint32_t stream; /* number of the stream in the profile */

	/* Members that only
	   al_stream_writer_queue_block_of_chunk() uses. */
	uint64_t chunks; /* number of chunks appended */
	bool has_gap;	 /* a chunk is missing, so no later chunk is written */
	uint64_t last_begin_ns;	 /* [ns] when the last chunk was begun, since
				    the recording began */
	uint32_t thread;	 /* number of the thread that runs at the end of
				    the last chunk */
	struct pf_counts totals; /* sums over all chunks so far */

	/* Guards the members below. It is acquired before al_recording.lock and
	   the writer's lock. The file is not written while it is held. */
	pthread_mutex_t lock;
	char *log; /* binary log records (proto/log.h) that are not yet in the
		      writer's queue */
	size_t log_bytes;
	size_t log_size;
	/* [bytes] of log added to the queue so far */
	uint64_t queued_log_bytes;
	uint64_t inherited_bytes; /* [bytes] of log inherited at a fork, which
				     another image wrote; only
				     al_stream_writer_copy_parent_log() uses
				     it, without the lock */
};

struct al_recording {
	char *path;
	struct pf_writer *writer;
	struct al_packers *packers;
	uint64_t start_ns; /* time by CLOCK_MONOTONIC when the recording
			      began */

	/* Guards the members below. */
	pthread_mutex_t lock;
	int error;	 /* -errno: nothing more is recorded; or 0 */
	bool is_stopped; /* nothing more is written, not even the end of the
			    profile */
	uint32_t n_streams;

	pthread_mutex_t names_lock; /* guards name_table, and the order of
				       blocks of names; `lock` and the lock of
				       al_symbols are acquired while it is
				       held */
	struct al_name_table name_table;
};

/* Remove an idle packer (tables for encoding and compressing) from the pool, or
   create one, and return it; NULL when memory is short.
   al_packer_release_to_idle_list() adds it to the pool again, and does nothing
   for NULL. */
struct al_packer *al_packer_acquire_idle_or_new(struct al_recording *);
void al_packer_release_to_idle_list(struct al_recording *, struct al_packer *);

/* End the recording of all streams, because the profile cannot be written or
   memory is short: store the error @err (-errno) unless there is one, and drop
   the queued and all later blocks except the end of the profile. Errors of one
   stream are returned by al_stream_writer_pack_chunk(). */
void al_recording_fail_and_drop_queue(struct al_recording *, int err);

/* Compress @payload into a block and add it to the writer's queue, without
   waiting for the file; al_recording_write_queue_down_to_max() writes it. Do
   nothing if the recording has an error. An error here ends the recording. */
void al_recording_compress_and_queue_block(struct al_recording *,
					   const struct pf_head *,
					   const void *payload, size_t bytes);

/* Compress the records into a block of kind @block_kind of stream
   @stream_number, with the current time, and add it to the queue. Release the
   records in any case. An error ends the recording. */
void al_recording_queue_and_release_records(struct al_recording *,
					    enum pf_kind block_kind,
					    uint32_t stream_number,
					    struct pf_records *);

/* Return the time [ns] from the start of the recording until now. */
uint64_t al_recording_elapsed_ns(const struct al_recording *);

/* Return the time [ns] from the start of the recording until @at_ns
   (CLOCK_MONOTONIC); 0 if @at_ns is before the start. */
uint64_t al_recording_ns_since_start(const struct al_recording *,
				     uint64_t at_ns);

/* Add the log that waits in a stream writer to the queue. */
void al_stream_writer_queue_waiting_log(struct al_stream_writer *);

/* Append the facts of block PF_RUN: version, time, machine, page size, hash of
   the environment, and arguments of this process. */
void al_machine_append_run_facts(struct pf_records *);

#endif
