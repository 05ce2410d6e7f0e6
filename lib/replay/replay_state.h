/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_state.h - declares the state of a replay, private to lib/replay
 */
#ifndef LIB_REPLAY_REPLAY_STATE_H
#define LIB_REPLAY_REPLAY_STATE_H

#include <pthread.h>

#include "lib/replay/replay.h"
#include "lib/run/state.h"
#include "lib/symbols/symbols.h"
#include "profile/codec/codec.h"
#include "profile/format/reader.h"
#include "profile/format/records.h"

/* Buffers and tables for decompressing and decoding blocks. */
struct al_loader {
	struct al_loader *next; /* next idle loader */
	struct pf_unpacker *unpacker;
	struct pf_coder *coder;
};

/* A chunk of a stream that is being loaded or analysed. */
struct al_replay_chunk {
	struct al_replay *replay;
	const struct pf_entry *entry;
	uint64_t *words;
	size_t size; /* [bytes] allocated for words */
};

/* A stream of the profile, and how far it has been replayed. */
struct al_replay_stream {
	struct al_process *process;
	struct al_stream *stream; /* NULL: it was freed, because it has ended
				     and no stream will be forked from it */
	struct al_replay_chunk in_flight[AL_MAX_IN_FLIGHT];
	uint64_t n_begun;    /* number of chunks begun */
	uint64_t n_analysed; /* number of chunks analysed */
	uint64_t log_bytes;  /* [bytes] of log passed to the stream */
	bool is_fed;	     /* all log and chunks were passed to the stream, or
				it was stopped */
	bool is_merged;	     /* the stream has ended, and its results were added
				to those of the run */
};

struct al_replay {
	/* Constant from the end of al_replay_start_workers() until the workers
	   are joined. */
	const struct al_settings *settings;
	struct pf_reader *reader;
	const struct pf_entry *entry;
	size_t n_entries;
	struct al_symbols *symbols;
	struct al_run *run;
	unsigned n_workers;
	pthread_t *worker;
	uint64_t start_ns;

	/* Used by the worker that has set `feeding`, and before the workers
	   start. */
	struct al_loader feeder;

	pthread_mutex_t lock; /* guards the members below, and the stages of the
				 streams */
	pthread_cond_t changed;
	size_t next_entry;		  /* index of the block that is fed
					     next */
	bool feeding;			  /* a worker is feeding block
					     next_entry to its stream */
	struct al_replay_stream **stream; /* [n_streams] by number; NULL: the
					     stream was lost */
	uint32_t n_streams;
	/* [n_entries] by number of the stream: number of streams yet to be
	   forked from it */
	uint32_t *pending_forks;
	struct al_loader *idle;
	unsigned n_running; /* number of worker threads that have begun and not
			       ended, those that wait included */
	uint64_t busy_ns;   /* [ns] sum of the lifetimes of the workers that
			       have ended; includes idle_ns */
	uint64_t idle_ns;   /* time spent waiting, sum over workers */
	int error;	    /* error that stopped the replay: -ENOMEM; 0:
			       none */
	/* status of the profile, from record PF_STATUS in block PF_DONE, and
	   the reason why it is not complete, or NULL */
	enum al_status profile_status;
	const char *incomplete_reason;
};

/* Allocate the unpacker and the coder of a loader. Return: 0; -ENOMEM. */
int al_loader_alloc_unpacker_and_coder(struct al_loader *);
void al_loader_release(struct al_loader *);

/* Whether there is a next block, no worker is feeding, and the next block can
   be passed to its stream without waiting for jobs. Context: lock held. */
bool al_replay_can_feed_next_block(const struct al_replay *);

/* Feed a block: pass its contents to its stream. Return: 0; -ENOMEM. Context:
   this worker has set `feeding`; lock not held. */
int al_replay_feed_block(struct al_replay *, const struct pf_entry *);

/* Mark a stream so that no more blocks are passed to it, and mark its process
   as truncated. Does nothing if the stream has received all its blocks. @why:
   the reason, a string literal. Context: lock held. */
void al_replay_stream_mark_truncated(struct al_replay_stream *,
				     const char *why);

/* Load the payload of a block of records or log. @payload: receives its
   address, valid until the next call. Context: only the worker that has set
   `feeding`, or before the workers start. Return: 0; -EBADMSG: damaged;
   -ENOMEM; -errno. */
int al_replay_load_block_payload(struct al_replay *, const struct pf_entry *,
				 const void **payload);

/* Store the names of code in the profile, and forbid to read object files and
   source files, so that only the names of the profile are used. A damaged block
   is skipped from its first damaged record on. Return: 0; -ENOMEM. */
int al_replay_read_names_forbid_file_reading(struct al_replay *);

/* Set name and features of the processor in r->run to those that the profile's
   first block states. Does nothing if the block is damaged. */
void al_replay_read_processor(struct al_replay *);

/* Allocate `pending_forks`, and count in it the streams that are forked from
   each stream of the profile. Return: 0; -ENOMEM. */
int al_replay_init_pending_fork_counts(struct al_replay *);

/* Check whether the settings name valid output files for all windows that have
   reports of their own. Return: 0; -EINVAL with @message. */
int al_replay_check_window_output_paths(struct al_replay *, char *message);

/* Create the stream, and if necessary the process, of an exec image. The entry
   is of kind PF_IMAGE. Return: 0; -EBADMSG: the block is invalid, or the stream
   that the image was forked from is missing; -ENOMEM; -errno of a read. */
int al_replay_stream_begin(struct al_replay *, const struct pf_entry *);

/* Finish a stream of which all chunks are analysed: store how its exec image
   ended, and add its results to those of the run. The entry is of kind
   PF_END. */
void al_replay_stream_finish_and_merge(struct al_replay *,
				       struct al_replay_stream *,
				       const struct pf_entry *);

/* Finish a stream that has no PF_END: mark its process as truncated, and add
   its results to those of the run. @why: the reason, a string literal or
   interned. */
void al_replay_stream_finish_truncated(struct al_replay_stream *,
				       const char *why);

/* Store what the last block states: the wait statuses of processes, and the
   reason if the run is not complete. The entry is of kind PF_DONE. */
void al_replay_read_wait_and_profile_statuses(struct al_replay *,
					      const struct pf_entry *);

#endif
