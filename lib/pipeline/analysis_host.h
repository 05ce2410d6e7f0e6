/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_host.h - runs one analysis of an image, and serves its requests
 *
 * Threads: as the stages of stages.h. prepare(), scatter(), run_partition(),
 * gather() and tail() of an analysis are a stage each;
 * al_analysis_host_pass_if_no_prepare() and
 * al_analysis_host_analyze_if_serial() belong to stage gather.
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

/* Environment of the analyses of a consumer (consumer.h), which must not
   outlive it. */
struct al_consumer_context {
	const struct al_settings *settings;
	struct al_recovery *recovery;
	struct al_symbols *symbols;
	const struct al_perfmap *jit_names; /* names of code made at run time */
	char label[AL_LABEL]; /* the image's part of the names of output files;
				 "": this is the sum of all images */
	char window[AL_MAX_NAME + 1]; /* the window's part of the names of
					 output files; "": consumer 0, which
					 receives the whole stream */
};

struct al_analysis_host {
	const struct al_consumer_context *context;
	const struct al_analysis *spec;
	struct an_env env;
	struct al_output output;
	void *state;
	void *code; /* memory for machine code of the analysis, or NULL */
	size_t code_bytes;
	size_t index;	       /* index of the analysis in the settings */
	unsigned n_partitions; /* number of partitions; less than 2: the
				  analysis is not partitioned */
	int prepare_error;     /* -errno that stopped the analysis, as stage
				  prepare knows it; else 0 */
	int error;	/* -errno that stopped the analysis, as stage gather and
			   later stages know it; else 0 */
	int tail_error; /* -errno of a tail stage, or 0;
			   al_analysis_host_finish_and_commit() copies
			   it to @error */
	bool is_unwritten; /* its output is missing or incomplete */
};

/* Open analysis @index of the settings. Return: 0; -ENOMEM if its state cannot
   be allocated. If the analysis itself fails to open, the result is 0 and
   @error is set. Call al_analysis_host_release() in all cases. */
int al_analysis_host_open_store_error(struct al_analysis_host *,
				      const struct al_consumer_context *,
				      size_t index);

/* Let the analysis divide its work into at most @n_partitions partitions. Call
   before the first chunk. */
void al_analysis_host_request_partitions(struct al_analysis_host *,
					 unsigned n_partitions);

/* Prepare a chunk: pass its new blocks and its batches to the analysis. If the
   analysis has no prepare(), nothing is done. Return: how the partitions
   process the chunk. */
enum an_chunk_mode al_analysis_host_prepare(struct al_analysis_host *,
					    struct al_consumer_chunk *);

/* Do the partitioned stages of a chunk; if the analysis is not partitioned,
   they do nothing. al_analysis_host_run_partition() returns 0 or the -errno of
   the partition; al_analysis_host_gather_partitions() also makes errors of
   partitions errors of the analysis. */
void al_analysis_host_scatter(struct al_analysis_host *,
			      struct al_consumer_chunk *);
int al_analysis_host_run_partition(struct al_analysis_host *,
				   const struct al_consumer_chunk *,
				   unsigned partition);
void al_analysis_host_gather_partitions(struct al_analysis_host *,
					struct al_consumer_chunk *);

/* Begin stage gather of a chunk, then pass each of its batches to the analysis,
   in order. Batches that other stages have processed, and warm batches that the
   analysis does not accept, are left out. */
void al_analysis_host_pass_if_no_prepare(struct al_analysis_host *,
					 const struct al_consumer_chunk *);
void al_analysis_host_analyze_if_serial(struct al_analysis_host *,
					const struct al_consumer_chunk *,
					const struct an_batch *);

/* Do stage tail of a chunk; nothing is done if the analysis has none. */
void al_analysis_host_run_last_stage(struct al_analysis_host *,
				     struct al_consumer_chunk *);

/* Finish the analysis, close its output and free its executable memory. */
void al_analysis_host_finish_and_commit(struct al_analysis_host *);

/* Add the results of @from, the same analysis of another image; both have
   finished. */
void al_analysis_host_merge(struct al_analysis_host *,
			    const struct al_analysis_host *from);

/* Have the analysis write its output, of the sum over all images. If there are
   several cache files, the name of the output contains the number of the cache
   file, from the second on. */
void al_analysis_host_save(struct al_analysis_host *);

/* Discard the output that is not yet flushed, and all later output; the file is
   not changed. */
void al_analysis_host_disable_output(struct al_analysis_host *);

void al_analysis_host_release(struct al_analysis_host *);

#endif
