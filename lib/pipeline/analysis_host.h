/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_host.h - runs one analysis of an exec image, and serves its requests
 *
 * Threads: as the stages of stages.h. prepare(), scatter(), run_partition(),
 * gather() and tail() of an analysis are a stage each;
 * al_analysis_host_pass_new_blocks() and
 * al_analysis_host_pass_batch_if_accepted() belong to stage
 * gather.
 *
 * An analysis that fails is stopped and its error stored; the others go on.
 */
#ifndef LIB_PIPELINE_ANALYSIS_HOST_H
#define LIB_PIPELINE_ANALYSIS_HOST_H

#include "analyzers/analyzer.h"
#include "lib/config/output_file.h"
#include "lib/config/settings.h"
#include "lib/config/window/windows.h"
#include "lib/pipeline/consumer_chunk.h"
#include "lib/recover/recover.h"

struct al_symbols;

/* Settings, code and names that all analyses of one consumer (consumer.h) use.
   It must live longer than the analyses. */
struct al_consumer_context {
	const struct al_settings *settings;
	struct al_recovery *recovery;
	struct al_symbols *symbols;
	const struct al_perfmap *jit_names; /* names of code made at run time */
	char label[AL_LABEL]; /* label of the exec image in the names of output
				 files; "": the analyses hold the sum over all
				 images */
	char window[AL_MAX_NAME + 1]; /* name of the consumer's window in the
					 names of output files; "": consumer 0,
					 which receives the whole stream */
};

struct al_analysis_host {
	const struct al_consumer_context *context;
	const struct al_analysis *spec;
	struct an_env env;
	struct al_output output;
	void *state;
	void *code; /* memory for machine code of the analysis, or NULL */
	size_t code_bytes;
	struct al_model *result;      /* NULL until it is built */
	const void *offered_observer; /* observer that the analysis offered by
					 an_env.offer_observer(), to be called
					 by an analysis that simulates the same
					 caches; or NULL */
	size_t index;	       /* index of the analysis in the settings */
	unsigned n_partitions; /* number of partitions; less than 2: the
				  analysis is not partitioned */
	int prepare_error;     /* -errno that stopped the analysis, as stage
				  prepare knows it; else 0 */
	int error;	/* -errno that stopped the analysis, as stage gather and
			   later stages know it; else 0 */
	int tail_error; /* -errno of a tail stage, or 0;
			   al_analysis_host_finish_analysis() copies it
			   to `error` */
	bool is_unwritten; /* output of the analysis is missing or incomplete,
			      because it could not be written */
};

/* Initialise the host, allocate the state of analysis number @analysis_index of
   the settings, and call its open(). Return: 0; -ENOMEM if the state cannot be
   allocated. If open() fails, the result is 0 and member `error` is set. Call
   al_analysis_host_release() in all cases. */
int al_analysis_host_init_and_open(struct al_analysis_host *,
				   const struct al_consumer_context *,
				   size_t analysis_index);

/* If the analysis can be partitioned, have it divide its work into at most as
   many partitions as the settings or their number of workers allow, and store
   the number that it chose. Call before the first chunk. */
void al_analysis_host_init_partitions(struct al_analysis_host *);

/* Do stage prepare of a chunk, unless the analysis was stopped: if it has
   prepare() or is partitioned, pass the chunk's new blocks to block() of the
   analysis, and its batches to prepare(). Return: the mode in which the
   partitions process the chunk; AN_CHUNK_CONTINUE if the analysis is not
   partitioned. */
enum an_chunk_mode al_analysis_host_prepare_chunk(struct al_analysis_host *,
						  struct al_consumer_chunk *);

/* Do one stage of a chunk each: scatter, the work of one partition, and gather.
   They do nothing if the analysis is not partitioned.
   al_analysis_host_run_partition() returns 0 or the -errno of the partition;
   al_analysis_host_gather_if_partitioned() also stops the analysis if a
   partition has failed. */
void al_analysis_host_scatter_if_partitioned(struct al_analysis_host *,
					     struct al_consumer_chunk *);
int al_analysis_host_run_partition(struct al_analysis_host *,
				   const struct al_consumer_chunk *,
				   unsigned partition_index);
void al_analysis_host_gather_if_partitioned(struct al_analysis_host *,
					    struct al_consumer_chunk *);

/* In stage gather, call al_analysis_host_pass_new_blocks() once for each chunk:
   it takes over the error of the earlier stages and, if stage prepare has not
   done so, passes the chunk's new blocks to the analysis. Then call
   al_analysis_host_pass_batch_if_accepted() for each batch, in order: it passes
   the batch to batch() of the analysis, unless partitions process the chunk, or
   the batch is warm and the analysis does not accept warm batches. */
void al_analysis_host_pass_new_blocks(struct al_analysis_host *,
				      const struct al_consumer_chunk *);
void al_analysis_host_pass_batch_if_accepted(struct al_analysis_host *,
					     const struct al_consumer_chunk *,
					     const struct an_batch *);

/* Do stage tail of a chunk: call tail() of the analysis, unless it has none or
   was stopped. */
void al_analysis_host_run_tail_stage(struct al_analysis_host *,
				     struct al_consumer_chunk *);

/* Call finish() of the analysis unless it was stopped, free its executable
   memory, and close its output file under its final name (or remove the file if
   it is incomplete). */
void al_analysis_host_finish_analysis(struct al_analysis_host *);

/* Add the results and errors of @from, the same analysis of another exec image,
   to those of the first host, and free the first host's model, which does not
   have them. @from has finished. */
void al_analysis_host_merge_results(struct al_analysis_host *,
				    const struct al_analysis_host *from);

/* Return the result of the analysis as a model, an empty one if the class has
   none; NULL if memory is short. It is built by the first call after
   al_analysis_host_finish_analysis() or al_analysis_host_merge_results().
   @is_built_now: receives whether this call built it; the caller may then add
   to it. */
struct al_model *al_analysis_host_get_or_build_result(struct al_analysis_host *,
						      bool *is_built_now);

/* Have the analysis write its output, which is about the sum over all exec
   images, and close the output file. The file's name contains the number of the
   cache hierarchy that the analysis simulates, in the order in which --cache
   and --what-if list them; for the first only if option "file" has "%n". */
void al_analysis_host_save_and_commit_output(struct al_analysis_host *);

/* Discard the output that is not yet flushed, and all later output. The output
   file is neither written nor closed nor removed. */
void al_analysis_host_drop_and_ignore_output(struct al_analysis_host *);

void al_analysis_host_release(struct al_analysis_host *);

#endif
