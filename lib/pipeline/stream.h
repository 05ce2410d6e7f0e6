/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - turns the chunks of one exec image into batches for its analyses
 *
 * Threads: any number of threads may call al_stream_run_and_time_job() at once.
 *          While they do, any thread may call al_stream_sum_latest_counts(),
 *          al_stream_update_latest_counts(), al_stream_max_chunks_in_flight()
 *          and al_stream_profile_writer_or_null(), one thread may call
 *          al_stream_begin_chunk(), al_stream_parse_and_store_log() and
 *          al_stream_new_forked_child() with this stream as the parent, and
 *          functions whose context is the caller's lock may be called with it.
 *          All other functions require that no job is being done.
 *
 * One stream is one process image: it starts at exec or fork and ends at exec
 * or exit. Every word comes from another process and is checked here. After
 * the first invalid word the stream is broken: nothing more is analysed.
 *
 *   words --recover--> chunk --prepare--> [--scatter--> partitions] --gather-->
 *                                |                                    ^
 *                                +--store--> packed for a profile ----+
 *
 * If an analysis has a tail, stage "tail" follows "gather".
 *
 * Recovery checks the units and finds out which blocks were executed; its
 * result is a struct al_recovered_chunk. The analyses do the stages prepare,
 * scatter, gather and tail, and the partitions; these take most of the time and
 * read the slots in the words again. stages.h lists which stages may run at
 * once.
 */
#ifndef LIB_PIPELINE_STREAM_H
#define LIB_PIPELINE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "analyzers/analyzer.h"
#include "lib/config/output_file.h"
#include "lib/config/settings.h"
#include "lib/pipeline/stages.h"
#include "lib/recover/counts.h"
#include "lib/recover/plan_outcome.h"
#include "lib/recover/recovered_chunk.h"

struct al_stream;
struct al_symbols;
struct al_perfmap;
struct al_stream_writer;
struct pt_plan;

/**
 * al_stream_new() - Create the stream of an exec image, and open the analyses
 *                   of @settings.
 * @settings: outlives the stream.
 * @symbols: outlives the stream; shared by all streams.
 * @image_label: label of the image in the names of output files;
 *               AL_FIRST_LABEL for the first image of a run. Copied.
 *
 * Return: the stream, or NULL with errno set.
 */
struct al_stream *al_stream_new(const struct al_settings *settings,
				struct al_symbols *symbols,
				const char *image_label);

/* A fork, with the state of the parent at that moment.
   al_stream_parse_and_store_log() must have received at least as many bytes of
   the parent's log as member `log` states; more is allowed. */
struct al_fork {
	struct al_stream *parent;
	uint32_t n_blocks; /* number of the parent's blocks at the fork */
	uint64_t log;	   /* [bytes] length of the parent's log at the fork */
};

/**
 * al_stream_new_forked_child() - Create the stream of the exec image of a
 * forked child.
 *
 * The child borrows the parent's blocks, which stay allocated as long as the
 * child. It starts with cold caches and counts of zero.
 *
 * Context: of the streams that descend from one stream, only one at a time is
 *          forked or freed.
 * Return: the stream, or NULL with errno set.
 */
struct al_stream *al_stream_new_forked_child(const struct al_fork *,
					     const char *image_label);

/* Store the stream in a profile, too, by the given writer, which the stream
   then owns and frees. Call before the first log record or chunk. */
void al_stream_set_owned_profile_writer(struct al_stream *,
					struct al_stream_writer *);

/* Set the plan that the stream is recorded by, and add a consumer for each
   window that has a report of its own, by
   al_stream_add_consumer_per_window_output(). The plan has been checked and
   outlives the stream. Call before the first log record or chunk. Return: 0;
   -ENOMEM. */
int al_stream_set_plan_add_window_consumers(struct al_stream *,
					    const struct pt_plan *);

/* Add a consumer (consumer.h) for each window of the plan that has a report of
   its own and no consumer yet; add none if the settings exclude reports of
   windows (no_per_window). al_stream_set_plan_add_window_consumers() calls
   this. Return: 0; -ENOMEM. */
int al_stream_add_consumer_per_window_output(struct al_stream *,
					     const struct pt_plan *);

/* Return 1 + the highest number of a consumer of the stream, which is a set of
   analyses for the whole stream or for one window (consumer.h). Some lower
   numbers may have no consumer. */
unsigned al_stream_max_consumer_number_plus_1(const struct al_stream *);

bool al_stream_has_consumer(const struct al_stream *, unsigned consumer_number);

/* Return the name of the window of consumer @existing_consumer_number as the
   names of its output files contain it; "" for consumer 0, which receives the
   whole stream. The consumer must exist. */
const char *
al_stream_consumer_window_name_or_number(const struct al_stream *,
					 unsigned existing_consumer_number);

/* Return the stream's counts by number of the window in the plan,
   [PT_MAX_WINDOWS]. Call after al_stream_finish_counts_and_analyses(). */
const struct al_window_counts *
al_stream_counts_by_window(const struct al_stream *);

/* Return the writer that stores the stream in a profile; NULL if it is not
   stored. */
struct al_stream_writer *
al_stream_profile_writer_or_null(const struct al_stream *);

/**
 * al_stream_parse_and_store_log() - Read log records, store the descriptors in
 * them and, if the stream is stored in a profile, append them to the profile.
 * @log: whole records, @bytes long, in private memory.
 *
 * Return: 0; -EPROTO at an invalid record; -ENOMEM; -AL_E_STORED_LOG. After an
 *         error nothing more is read, and the same error is returned.
 */
int al_stream_parse_and_store_log(struct al_stream *, const void *log,
				  size_t bytes);

/* Greatest number of chunks in flight (begun and not ended). */
enum { AL_MAX_IN_FLIGHT = AN_INFLIGHT_SLOTS };

/* Return the greatest number of chunks that may be in flight in this stream, at
   most AL_MAX_IN_FLIGHT: fewer if no analysis is partitioned. Constant from the
   first chunk on. */
unsigned al_stream_max_chunks_in_flight(const struct al_stream *);

/**
 * al_stream_begin_chunk() - Queue a chunk for recovery and analysis.
 * @chunk_words: the chunk, which another process may still be writing.
 * @bytes: its size as the daemon laid it out; the committed length inside is
 *         checked against it.
 * @dead_process_committed_bytes_or_0: [bytes] end of the units in the last
 *                        chunk of a dead process, else 0.
 *
 * The caller leaves @chunk_words mapped until
 * al_stream_finish_job_return_chunk_ended() returns true for the chunk, has
 * passed the log up to the chunk to al_stream_parse_and_store_log(), and never
 * has more than al_stream_max_chunks_in_flight() chunks in flight.
 *
 * Context: the caller's lock of the stream is held.
 */
void al_stream_begin_chunk(struct al_stream *, const uint64_t *chunk_words,
			   size_t bytes,
			   size_t dead_process_committed_bytes_or_0);

/* Function that loads the words of a chunk into memory. Return: 0; -errno: they
   cannot be loaded; the stream then ends before this chunk with the error. */
typedef int al_load_fn(void *arg);

/* Add stage load, the first one of a chunk: it calls the chunk's function of
   type al_load_fn, which stores the chunk's words in memory. All chunks must
   then be begun by al_stream_begin_chunk_to_load(). Call before the first
   chunk. */
void al_stream_enable_load_stage(struct al_stream *);

/* Queue a complete chunk, to which nothing more is written, that is not in
   memory yet: its first job calls @load(@arg), which stores the chunk at
   @load_target_words. Apart from that, like al_stream_begin_chunk(). */
void al_stream_begin_chunk_to_load(struct al_stream *,
				   const uint64_t *load_target_words,
				   size_t bytes, al_load_fn *load, void *arg);

/* Set the job (a stage of a chunk) to one that can begin now, and mark it as
   begun. @worker: number, from 1, of the worker that passes the job to
   al_stream_run_and_time_job() and then to
   al_stream_finish_job_return_chunk_ended(). Return: false if there is no job
   now. Context: the caller's lock is held. */
bool al_stream_choose_job_for_worker(struct al_stream *, struct al_job *,
				     unsigned worker);

/* Do a job, and add the time that it took to the stream's counts. Any number of
   jobs may be done at once. Context: the caller's lock is not held. */
void al_stream_run_and_time_job(struct al_stream *, struct al_job *);

/* Mark a job as done. Return: whether the last stage of its chunk is done, so
   that the words are no longer needed. Context: the caller's lock is held. */
bool al_stream_finish_job_return_chunk_ended(struct al_stream *,
					     const struct al_job *);

/* Return the number of jobs that could begin now. Context: the caller's lock is
   held. */
unsigned al_stream_count_runnable_jobs(const struct al_stream *);

/* Return the stream's error: 0; -EPROTO if a unit contradicts the descriptors
   (everything before that unit is analysed, nothing after it); -EPROTO or
   -E2BIG if units cannot be encoded for the profile, which then ends before
   their chunk; -ENOMEM; an error of the log, of loading, or of a bound
   (memory_bounds.h).
   Context: the caller's lock is held. */
int al_stream_error(const struct al_stream *);

/* Begin a chunk and do all its jobs in the calling thread. Return: as
   al_stream_error(). */
int al_stream_process_chunk_in_this_thread(
	struct al_stream *, const uint64_t *chunk_words, size_t bytes,
	size_t dead_process_committed_bytes_or_0);

/* Read the names of code made at run time from the perf map or jitdump file
   @path, unless the stream has such names already. Call before
   al_stream_finish_counts_and_analyses(). A file that is missing or fails the
   checks of al_perfmap_read_and_sort() is ignored. */
void al_stream_read_perfmap_if_empty(struct al_stream *, const char *path);

/* Return the stream's table of names of code made at run time, sorted; it may
   be empty. It must not change after the stream has finished. */
struct al_perfmap *al_stream_jit_names(struct al_stream *);

/**
 * al_stream_finish_counts_and_analyses() - Complete the counts, the names in
 * the profile and the analyses of an exec image that has ended.
 *
 * Also frees the memory that was only needed to process chunks. Counts and
 * results stay readable. Call when no chunk is in flight.
 */
void al_stream_finish_counts_and_analyses(struct al_stream *);

/* Add the counts of @from to @into, and the results of each consumer of @from
   to the consumer of @into with the same number, if there is one. @from has
   finished; @into has no exec image (al_stream_new_without_symbols()). */
void al_stream_merge_counts_and_results(struct al_stream *into,
					const struct al_stream *from);

/* Return a stream with the analyses of @settings but no exec image, into which
   al_stream_merge_counts_and_results() adds other streams; NULL with errno
   set. */
struct al_stream *
al_stream_new_without_symbols(const struct al_settings *settings);

/* Return the sum of the stream's counts. Context: any thread may call this
   while others work on the stream; the counts are then those of their last
   update, usually less than a second before the last chunk was recovered. */
struct al_counts al_stream_sum_latest_counts(const struct al_stream *);

/* Update the counts to those of all chunks that have been recovered, except
   those of recoverers that a job uses. Context: as
   al_stream_sum_latest_counts(). */
void al_stream_update_latest_counts(struct al_stream *);

/* Return the number of the signal that the exit of the last executed block
   raises; 0 if it raises none or no block was executed. This is the likely
   cause of death of a process that ended without reporting its status. */
int al_stream_signal_of_last_block_exit_or_0(const struct al_stream *);

/* Return the array of the exits of children that this exec image has waited
   for, in order; the caller frees it. @exit_count: receives its length. Call
   once, after al_stream_finish_counts_and_analyses(). */
struct al_child_exit *al_stream_detach_child_exits(struct al_stream *,
						   size_t *exit_count);

/* Return which events and names of the plan were found in this exec image, with
   a similar existing name for each name that was not found, if there is one.
   The caller releases the result with al_plan_outcomes_release(). Call once,
   after al_stream_finish_counts_and_analyses(). */
struct al_plan_outcomes
al_stream_detach_outcomes_and_suggest(struct al_stream *,
				      const struct pt_plan *);

/* Set @state to the state of analysis number @analysis_index of the settings in
   consumer @existing_consumer_number, which must exist. Return: 0; -errno that
   stopped the analysis. */
int al_stream_analysis_state_and_error(const struct al_stream *,
				       unsigned existing_consumer_number,
				       size_t analysis_index,
				       const void **state);

/* Return the result of analysis number @analysis_index in consumer
   @existing_consumer_number, as al_analysis_host_get_or_build_result(). */
struct al_model *
al_stream_get_or_build_analysis_result(struct al_stream *,
				       unsigned existing_consumer_number,
				       size_t analysis_index, bool *is_new_out);

/* Have each analysis of a stream for totals (al_stream_new_without_symbols())
   write its output about the sum. @command_argv: arguments of the run's first
   exec image, or NULL. An analysis whose output cannot be written is
   stopped. */
void al_stream_save_consumer_outputs(struct al_stream *,
				     char *const *command_argv);

/* Discard the output that the analyses have not flushed, and all later output;
   leave their files as they are. For a forked copy of this process, which must
   not write them. Context: no job is being done. */
void al_stream_drop_output(struct al_stream *);

/* Whether output of analysis @analysis_index in consumer @consumer_number is
   missing or incomplete because it could not be written. */
bool al_stream_has_output_write_failed(const struct al_stream *,
				       unsigned consumer_number,
				       size_t analysis_index);

/* Return the number of partitions of the analysis that has most of them; 1 if
   no analysis is partitioned. */
unsigned al_stream_largest_partition_count(const struct al_stream *);

/* Free the stream; do nothing for NULL. Its blocks stay allocated until the
   last forked child that borrows them is freed. Context: as for
   al_stream_new_forked_child(). */
void al_stream_free(struct al_stream *);

#endif
