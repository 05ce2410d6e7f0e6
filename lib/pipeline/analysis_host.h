/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_host.h - runs one analysis of an image, and serves its requests
 *
 * Threads: as the stages of stages.h. prepare(), spread(), part(), join() and
 *          tail() are a stage each; al_analyst_begin() and al_analyst_batch()
 *          belong to stage join.
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
struct al_host {
	const struct al_settings *settings;
	struct al_recovery *recovery;
	struct al_symbols *symbols;
	const struct al_perfmap *made; /* names of code made at run time */
	char label[AL_LABEL]; /* the image's part of output file names; "": the
				 sum of all images */
	char window[AL_MAX_NAME + 1]; /* the window's part of them; "": view 0,
					 which has the whole stream */
};

struct al_analyst {
	const struct al_host *host;
	const struct al_analysis *spec;
	struct an_env env;
	struct al_output output;
	void *state;
	void *code; /* memory that may be executed, or NULL */
	size_t code_bytes;
	size_t index;	   /* in the settings */
	unsigned parts;	   /* partitions; less than 2: not partitioned */
	int prepare_error; /* -errno that stopped it; for stage prepare */
	int error;	/* -errno that stopped it; for stage join and later */
	int tail_error; /* -errno of a tail; al_analyst_finish() copies it to
			   @error */
	bool unwritten; /* its output is missing or incomplete */
};

/* Open analysis @index of the settings. Return: 0, also if the analysis itself
   refuses, which is its error; -ENOMEM when there is no state. Call
   al_analyst_close() in all cases. */
int al_analyst_open(struct al_analyst *, const struct al_host *, size_t index);

/* Let the analysis divide its work into up to @parts partitions. Call before
   the first piece. */
void al_analyst_partition(struct al_analyst *, unsigned parts);

/* Prepare a piece: pass its new blocks and its batches to the analysis. An
   analysis without prepare() does nothing here. Return: how partitions go on
   with the piece. */
enum an_course al_analyst_prepare(struct al_analyst *, struct al_share *);

/* Do the partitioned stages of a piece; these do nothing if the analysis is not
   partitioned. al_analyst_part() returns 0 or the error of the part;
   al_analyst_join() also takes over errors of the parts. */
void al_analyst_spread(struct al_analyst *, struct al_share *);
int al_analyst_part(struct al_analyst *, const struct al_share *,
		    unsigned part);
void al_analyst_join(struct al_analyst *, struct al_share *);

/* Begin the join of a piece, then analyse each of its batches in order. */
void al_analyst_begin(struct al_analyst *, const struct al_share *);
void al_analyst_batch(struct al_analyst *, const struct al_share *,
		      const struct an_batch *);

/* Do the tail of a piece; does nothing if the analysis has none. */
void al_analyst_tail(struct al_analyst *, struct al_share *);

/* Finish the analysis, close its output and free its executable memory. */
void al_analyst_finish(struct al_analyst *);

/* Add the results of @from; both have finished. */
void al_analyst_merge(struct al_analyst *, const struct al_analyst *from);

/* Write the analysis's output of the sum over all images. If there are several
   cache files, the name of the output has the number of the cache file, from
   the second on. */
void al_analyst_save(struct al_analyst *);

/* Discard the output that is not flushed, and all later output; the file stays
   as it is. */
void al_analyst_close_output(struct al_analyst *);

void al_analyst_close(struct al_analyst *);

#endif
