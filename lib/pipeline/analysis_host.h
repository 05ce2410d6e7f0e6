/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_host.h - one analysis of an image, and the host that it sees
 *
 * Threads: as the stages of stages.h, which they are, each on another;
 *          al_analyst_begin() and al_analyst_batch() belong to the join.
 *
 * An analysis that fails is stopped and keeps its error; the others go on.
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

/* Where an image's analyses get what they ask for. Outlives them. */
struct al_host {
	const struct al_settings *settings;
	struct al_recovery *recovery;
	struct al_symbols *symbols;
	const struct al_perfmap *made; /* names of code made at run time */
	char label[AL_LABEL]; /* of the image, for output file names; "": the
				 sum of all */
	char window[AL_MAX_NAME + 1]; /* whose view it is, for these, too; "":
					 of all */
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
	unsigned parts;	   /* that it works in; less than 2: none */
	int prepare_error; /* stopped: -errno */
	int error;	   /* the same, later */
	int tail_error;	   /* the same, in tails; then in `error`, too */
	bool unwritten;	   /* it has no output, or not all of it */
};

/* Opens analysis @index of the settings. 0, or -ENOMEM when it has no state;
   al_analyst_close() in both cases. */
int al_analyst_open(struct al_analyst *, const struct al_host *, size_t index);

/* Before the first piece: it may work in parts. */
void al_analyst_partition(struct al_analyst *, unsigned parts);

/* Does ahead what the analysis does ahead of a piece. Return: how it goes on
   with it. */
enum an_course al_analyst_prepare(struct al_analyst *, struct al_share *);

/* Nothing where it does not work in parts. */
void al_analyst_spread(struct al_analyst *, struct al_share *);
int al_analyst_part(struct al_analyst *, const struct al_share *,
		    unsigned part);
void al_analyst_join(struct al_analyst *, struct al_share *);

/* Before the batches of a piece. */
void al_analyst_begin(struct al_analyst *, const struct al_share *);
void al_analyst_batch(struct al_analyst *, const struct al_share *,
		      const struct an_batch *);

/* What is left of a piece; nothing where the analysis has no tail. */
void al_analyst_tail(struct al_analyst *, struct al_share *);

void al_analyst_finish(struct al_analyst *);

/* Adds the results of @from; both finished. */
void al_analyst_merge(struct al_analyst *, const struct al_analyst *from);

/* Has the analysis write what it writes of the sum over all; the output of the
   second cache file and later ones has its number in its name. */
void al_analyst_save(struct al_analyst *);

/* Discard the output that is not flushed, and all later output; the file stays
   as it is. */
void al_analyst_close_output(struct al_analyst *);

void al_analyst_close(struct al_analyst *);

#endif
