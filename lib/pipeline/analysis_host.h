/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_host.h - runs one analysis of an image, and serves its requests
 *
 * Threads: as the stages of stages.h. prepare(), spread(), part(), join() and
 *          tail() are a stage each; al_analysis_host_begin() and
 *          al_analysis_host_batch() belong to stage join.
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

/* Environment shared by the analyses of a view; outlives them. */
struct al_consumer_context {
	const struct al_settings *settings;
	struct al_recovery *recovery;
	struct al_symbols *symbols;
	const struct al_perfmap *jit_names; /* names of code made at run time */
	char label[AL_LABEL]; /* the image's part of output file names; "": the
				 sum of all images */
	char window[AL_MAX_NAME + 1]; /* the window's part of them; "": view 0,
					 which has the whole stream */
};

struct al_analysis_host {
	const struct al_consumer_context *context;
	const struct al_analysis *spec;
	struct an_env env;
	struct al_output output;
	void *state;
	void *code; /* memory that may be executed, or NULL */
	size_t code_bytes;
	size_t index;	       /* in the settings */
	unsigned n_partitions; /* partitions; less than 2: not partitioned */
	int prepare_error;     /* -errno that stopped it; for stage prepare */
	int error;	/* -errno that stopped it; for stage join and later */
	int tail_error; /* -errno of a tail; al_analysis_host_finish() copies it
			   to @error */
	bool is_unwritten; /* its output is missing or incomplete */
};

/* Open analysis @index of the settings. Return: 0, also if the analysis itself
   refuses, which is its error; -ENOMEM when there is no state. Call
   al_analysis_host_close() in all cases. */
int al_analysis_host_open(struct al_analysis_host *,
			  const struct al_consumer_context *, size_t index);

/* Let the analysis divide its work into up to @parts partitions. Call before
   the first piece. */
void al_analysis_host_divide(struct al_analysis_host *, unsigned parts);

/* Prepare a piece: pass its new blocks and its batches to the analysis. An
   analysis without prepare() does nothing here. Return: how partitions go on
   with the piece. */
enum an_chunk_mode al_analysis_host_prepare(struct al_analysis_host *,
					    struct al_consumer_chunk *);

/* Do the partitioned stages of a piece; these do nothing if the analysis is not
   partitioned. al_analysis_host_partition() returns 0 or the error of the part;
   al_analysis_host_gather() also takes over errors of the parts. */
void al_analysis_host_scatter(struct al_analysis_host *,
			      struct al_consumer_chunk *);
int al_analysis_host_partition(struct al_analysis_host *,
			       const struct al_consumer_chunk *, unsigned part);
void al_analysis_host_gather(struct al_analysis_host *,
			     struct al_consumer_chunk *);

/* Begin the join of a piece, then analyse each of its batches in order. */
void al_analysis_host_begin(struct al_analysis_host *,
			    const struct al_consumer_chunk *);
void al_analysis_host_batch(struct al_analysis_host *,
			    const struct al_consumer_chunk *,
			    const struct an_batch *);

/* Do the tail of a piece; does nothing if the analysis has none. */
void al_analysis_host_tail(struct al_analysis_host *,
			   struct al_consumer_chunk *);

/* Finish the analysis, close its output and free its executable memory. */
void al_analysis_host_finish(struct al_analysis_host *);

/* Add the results of @from; both have finished. */
void al_analysis_host_merge(struct al_analysis_host *,
			    const struct al_analysis_host *from);

/* Write the analysis's output of the sum over all images. If there are several
   cache files, the name of the output has the number of the cache file, from
   the second on. */
void al_analysis_host_save(struct al_analysis_host *);

/* Discard the output that is not flushed, and all later output; the file stays
   as it is. */
void al_analysis_host_stop_output(struct al_analysis_host *);

void al_analysis_host_close(struct al_analysis_host *);

#endif
