/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording.h - a run, kept in a profile while it is recorded
 *
 * A track is what a recording holds of one stream. When the profile takes
 * nothing more (the disk is full, say) all goes on without it, and
 * al_recording_error() returns the reason.
 *
 * Functions that begin and end images or recordings add blocks to the writer's
 * queue (profile/format/writer.h) and never wait for the file; so they may be called
 * under a lock that others need soon, such as the daemon's. The caller releases
 * that lock and then calls al_recording_write(). Functions that store log,
 * chunks and names write, too, and may wait as long as the file system does;
 * they are called without such a lock.
 *
 * Threads: any; a track's log and chunks are put in order by the caller, one at
 *          a time. Packing may be done by many at once. Locks inside.
 */
#ifndef LIB_RECORD_RECORDING_H
#define LIB_RECORD_RECORDING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/format/records.h"
#include "profile/format/writer.h"

struct al_executed;
struct al_packers;
struct al_touch;
struct al_perfmap;
struct al_piece;
struct al_recording;
struct al_symbols;
struct al_track;
struct al_window_counts;
struct pf_block;
struct pt_plan;

/* What packs, for all recordings of a run: tables of megabytes, as many as
   there are packed for at once. @level: of compression. NULL: no memory. */
struct al_packers *al_packers_new(int level);
void al_packers_free(struct al_packers *);

/**
 * al_recording_open() - Begin a profile.
 * @path: of the file, which is not there yet.
 * @packers: outlive it.
 * @message: [PF_MESSAGE] receives one line on error.
 *
 * Return: NULL with @message and errno.
 */
struct al_recording *
al_recording_open(const char *path, struct al_packers *packers, char *message);

/* Begin a profile whose file is created by the first al_recording_write(); an
   error of that is one of writing. @packers: outlive it. Return: NULL when memory
   is short. */
struct al_recording *al_recording_new(const char *path, struct al_packers *);

/**
 * al_recording_write() - Write what was added, unless another thread does so.
 *
 * Context: the calling thread may wait as long as the file system does.
 */
void al_recording_write(struct al_recording *);

/* Write what was added, and wait until all of it is written. Context: as above. */
void al_recording_sync(struct al_recording *);

/* An image begins. */
struct al_track_start {
	pid_t pid;
	unsigned tree;
	unsigned number; /* of the process in the tree */
	unsigned parent; /* number, or 0 */
	const char *const *argv;
	const char *directory;	    /* or NULL */
	const char *valgrind;	    /* version, or NULL */
	uint32_t fields;	    /* enum pt_fields */
	const struct pt_plan *plan; /* that it is recorded by, or NULL */
	struct al_track *fork_of;   /* whose blocks it inherits, or NULL */
	uint32_t n_blocks;	    /* so many */
	uint64_t log;		    /* [bytes] of that one's log then */
};

/* Begin an image. Never waits for the file. Return: its track, which
   al_track_free() frees before al_recording_free(); NULL when memory is short,
   which ends the recording. */
struct al_track *al_recording_image(struct al_recording *,
				    const struct al_track_start *);

/**
 * al_track_inherit() - The log that a forked child inherits, of a track of
 * another recording, becomes that of its own.
 * @bytes: of the parent's own log.
 *
 * Instead of fork_of, before anything has come. Waits until the parent's log is
 * written. Errors are the recording's.
 */
void al_track_inherit(struct al_track *, struct al_track *parent,
		      uint64_t bytes);

/* The recording that a track belongs to. */
struct al_recording *al_track_recording(const struct al_track *);

/* Log that the stream has taken, whole records. */
void al_track_log(struct al_track *, const void *log, size_t bytes);

/**
 * al_track_pack() - Code and pack a chunk.
 * @touch: of its image; NULL: memory is short.
 * @packing: receives what al_track_put() appends; NULL when there is nothing to
 *           append: no units, or no recording any more.
 *
 * Short memory ends the recording, see al_recording_error().
 * Return: 0; -EPROTO, -E2BIG: the units cannot be coded, and the caller ends
 *         this stream. Others are recorded as before.
 */
int al_track_pack(struct al_track *, struct al_touch *touch,
		  const struct al_piece *, struct pf_block **packing);

/**
 * al_track_put() - Append the next chunk of a stream, and its log before it.
 * @packing: of al_track_pack(), freed here; or NULL.
 *
 * Behind a chunk that has units and no @packing, nothing more of the stream's
 * chunks is appended: what the profile holds of a stream has no gaps.
 */
void al_track_put(struct al_track *, const struct al_piece *,
		  struct pf_block *packing);

/* How an image ended; what is not set is not said. */
struct al_track_end {
	unsigned ending; /* enum pf_ending, or 0 */
	uint64_t value;
	uint64_t lost; /* accesses */
	uint64_t lost_messages;
	const char *lossy;
	const char *truncated;
	const char *title;	       /* title that the program has set, or
					  NULL */
	const struct al_perfmap *made; /* names of code made at run time */
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;
	uint64_t threads;		       /* started */
	uint64_t signals;		       /* delivered */
	const struct al_window_counts *window; /* [n_windows] of the plan */
	size_t n_windows;
};

/* Names what was executed, as far as it was not before in this recording. */
void al_track_name(struct al_track *, const struct al_executed *,
		   struct al_symbols *);

/* Add the last block of a track. Never waits for the file. */
void al_track_end(struct al_track *, const struct al_track_end *);

void al_track_free(struct al_track *);

/* Add the end of the profile. @done: records of PF_DONE. Never waits for the
   file; al_recording_sync() does, and then the file is closed. */
void al_recording_finish(struct al_recording *, const struct pf_records *done);

/* Stop reading and writing, in a forked copy of the process. */
void al_recording_stop(struct al_recording *);

/* 0, or why not all could be written: -errno. */
int al_recording_error(struct al_recording *);

/* [bytes] written. */
uint64_t al_recording_bytes(struct al_recording *);

void al_recording_free(struct al_recording *);

#endif
