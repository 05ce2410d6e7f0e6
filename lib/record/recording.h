/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording.h - writes a run into a profile while it is recorded
 *
 * A stream writer stores one stream in a recording. When the profile cannot be
 * written any more (the disk is full, for example), the run goes on without it,
 * and al_recording_error() returns the reason.
 *
 * Functions that begin and end images or recordings, except
 * al_recording_new_and_create_file() and al_recording_flush_close_free(), add
 * blocks to the writer's queue (profile/format/writer.h) and never wait for the
 * file, so they may be called under a lock that others need soon, such as the
 * daemon's. The caller releases that lock and then calls
 * al_recording_write_queue_down_to_max(). The two exceptions and functions that
 * store log, chunks and names write, too, and may wait as long as the file
 * system does; they are called without such a lock.
 *
 * Threads: any; functions lock as needed. The caller adds a stream's log and
 *          chunks in order, one at a time. Any number of threads may pack.
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
struct al_page_index;
struct al_perfmap;
struct al_recovered_chunk;
struct al_recording;
struct al_site_code;
struct al_symbols;
struct al_stream_writer;
struct al_window_counts;
struct pf_block;
struct pt_plan;

/* Return a new pool of packers, empty at first, which all recordings of a run
   share. A packer encodes and compresses blocks with megabytes of tables; the
   pool grows to the greatest number of threads that pack at once.
   @zstd_level: compression level. Return NULL when memory is short. */
struct al_packers *al_packers_new_empty_pool(int zstd_level);
void al_packers_free(struct al_packers *);

/**
 * al_recording_new_and_create_file() - Create the file of a profile, and write
 * the facts about the run and the machine.
 * @path: path of the file; an existing file is treated as by
 *        pf_writer_new_and_create_file().
 * @packers: must outlive the recording.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: the recording; NULL with errno set and, unless memory is short,
 *         @message.
 */
struct al_recording *
al_recording_new_and_create_file(const char *path, struct al_packers *packers,
				 char *message);

/* Begin a profile whose file is created when its first block is written. If
   this fails, the error is like that of a failed write. @packers: must outlive
   the recording. Return: NULL when memory is short. */
struct al_recording *
al_recording_new_create_file_later(const char *path,
				   struct al_packers *packers);

/**
 * al_recording_write_queue_down_to_max() - Write the queued blocks to the file.
 * If another thread is writing them, return, or wait while more than
 * PF_MAX_QUEUED bytes are queued.
 *
 * Context: the calling thread may wait as long as the file system does.
 */
void al_recording_write_queue_down_to_max(struct al_recording *);

/* Write all blocks that were added, and wait until they are written. Context:
   as al_recording_write_queue_down_to_max(). */
void al_recording_write_whole_queue(struct al_recording *);

/* Description of an exec image that begins, for the first block of its
   stream. */
struct al_stream_writer_start {
	pid_t pid;
	unsigned tree;
	unsigned number; /* number of the process in its tree */
	unsigned parent; /* number of the parent process, or 0 */
	const char *const *argv;
	const char *directory;	    /* working directory, or NULL */
	const char *valgrind;	    /* version of the Valgrind that runs the
				       image, or NULL */
	uint32_t fields;	    /* fields that the tool records, bits of
				       enum pt_fields */
	const struct pt_plan *plan; /* plan that the image is recorded by, or
				       NULL */
	struct al_stream_writer
		*fork_parent;	 /* writer of the forking parent if it is in
				    this recording, or NULL */
	uint32_t n_blocks;	 /* number of blocks that fork_parent had at the
				    fork */
	uint64_t fork_log_bytes; /* [bytes] of log that fork_parent had at the
				    fork */
};

/* Begin the stream of an exec image in the profile: add its first block to the
   queue, without waiting for the file. Return: a new stream writer, which must
   be freed by al_stream_writer_free() before al_recording_flush_close_free();
   NULL when memory is short, which ends the recording. */
struct al_stream_writer *
al_recording_start_image_stream(struct al_recording *,
				const struct al_stream_writer_start *);

/**
 * al_stream_writer_copy_parent_log() - Copy the log that a forked child
 * inherits from its parent's stream in another recording.
 * @parent_own_log_bytes: length of the parent's log at the fork, without log
 *         that the parent had inherited.
 *
 * Used instead of al_stream_writer_start.fork_parent; call before the child's
 * first log or chunk. Waits until the parent's log is written. Errors become
 * the child's recording's.
 */
void al_stream_writer_copy_parent_log(struct al_stream_writer *,
				      struct al_stream_writer *parent,
				      uint64_t parent_own_log_bytes);

/* Return the recording that a stream writer belongs to. */
struct al_recording *
al_stream_writer_recording(const struct al_stream_writer *);

/* Append log that the stream has accepted; it is written before the next chunk.
   @log: whole records, @bytes long, copied. If more than 1 MiB of log would
   wait, first add the waiting log to the queue, and then write the queue to the
   file. */
void al_stream_writer_add_log(struct al_stream_writer *, const void *log,
			      size_t bytes);

/**
 * al_stream_writer_pack_chunk() - Encode and compress a chunk.
 * @page_list_cache: page index of the recoverer; NULL: memory is short.
 * @block_or_null: receives the block for
 *                 al_stream_writer_queue_block_of_chunk();
 *                 NULL if nothing is to be appended, because the chunk has no
 *                 units (entries) or the recording has failed.
 *
 * Short memory ends the recording, see al_recording_error().
 * Return: 0; -EPROTO, -E2BIG: the units cannot be encoded, and the caller ends
 *         this stream. Other streams are recorded as before.
 */
int al_stream_writer_pack_chunk(struct al_stream_writer *,
				struct al_page_index *page_list_cache,
				const struct al_recovered_chunk *,
				struct pf_block **block_or_null);

/**
 * al_stream_writer_queue_block_of_chunk() - Append the next
 * chunk of a stream, and its log before it.
 * @block_null_if_empty_or_failed: result of al_stream_writer_pack_chunk(),
 *                                 freed here; NULL: the chunk has no units or
 *                                 could not be packed, and only the log is
 *                                 appended.
 *
 * After a chunk that has units but no @block_null_if_empty_or_failed, no chunk
 * of the stream is appended any more, so that a stream in a profile has no
 * gaps.
 */
void al_stream_writer_queue_block_of_chunk(
	struct al_stream_writer *, const struct al_recovered_chunk *,
	struct pf_block *block_null_if_empty_or_failed);

/* The end of an exec image. The profile gets no record of the ending, the lost
   messages or the environment if `ending`, `lost_messages` or
   `environment_hash` is 0, none of lost accesses if `lossy` is NULL, and none
   for other pointers that are NULL. */
struct al_stream_writer_end {
	unsigned ending; /* enum pf_ending, or 0 */
	uint64_t value;
	uint64_t lost_accesses; /* accesses that could not be recorded */
	uint64_t lost_messages;
	uint64_t variables; /* number of environment variables */
	uint64_t environment_bytes;
	uint64_t environment_hash; /* hash of the environment variables; 0: not
				      known */
	const char *lossy;
	const char *truncated;
	const char *title; /* title that the program gave its process, as by
			      setproctitle(), or NULL */
	const struct al_perfmap *jit_names; /* names of code made at run time */
	uint64_t wait_ns;
	uint64_t waits;
	uint64_t buffers;
	uint64_t buffer_bytes;
	uint64_t threads;		       /* number of threads started */
	uint64_t signals;		       /* number of signals delivered */
	const struct al_window_counts *window; /* [n_windows] counts of the
						  plan's windows */
	size_t n_windows;
};

/* Append names for those executed instructions, and that code in call stacks of
   allocations, that the profile does not name yet, and write them. */
void al_stream_writer_add_missing_names(struct al_stream_writer *,
					const struct al_executed *,
					const struct al_site_code *,
					struct al_symbols *);

/* Add the waiting log and then the last block of the stream, which describes
   the end of the exec image, to the queue. Never waits for the file. */
void al_stream_writer_append_image_end(struct al_stream_writer *,
				       const struct al_stream_writer_end *);

void al_stream_writer_free(struct al_stream_writer *);

/* Add the block of kind PF_DONE, which ends the profile, to the queue, without
   waiting for the file. @last_records: content of the block.
   al_recording_write_whole_queue() then writes the block and closes the file.
   */
void al_recording_queue_end_block(struct al_recording *,
				  const struct pf_records *last_records);

/* Drop all later blocks and write nothing more, not even the end of the
   profile; al_recording_error() is then -ESTALE. For a forked copy of this
   process, which must not write to the file. */
void al_recording_ignore_further_writes(struct al_recording *);

/* Return the error that ended the recording: -errno, or 0 if it goes on. */
int al_recording_error(struct al_recording *);

/* Return the number of bytes that have been written to the profile's file. */
uint64_t al_recording_bytes_written(struct al_recording *);

void al_recording_flush_close_free(struct al_recording *);

#endif
