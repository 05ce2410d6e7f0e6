/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image_summary.h - stores the summary of an image that has ended
 *
 * Threads: one at a time.
 *
 * An image is what a process runs between fork or exec and exec or exit. A
 * daemon may serve any number of programs, so only a few hundred bytes are
 * stored for an image; its results have been added to the run's sum. A figure
 * is one of the totals of an analysis, which the report prints for each
 * process. A consumer (lib/pipeline/consumer.h) is what receives the whole
 * stream, or one window of it.
 */
#ifndef LIB_RUN_IMAGE_SUMMARY_H
#define LIB_RUN_IMAGE_SUMMARY_H

#include "lib/config/settings.h"
#include "lib/pipeline/stream.h"

/* Names of the figures (totals of analyses) that are stored for an image, in
   the order of the report. They are the same for all images. Initialise with
   zeros. */
struct al_figures {
	struct al_figure {
		const char *key;
		size_t analysis; /* index of the analysis in the settings */
	} * item;
	size_t n;
};

struct al_image_summary {
	struct al_counts counts;
	struct al_child_exit *child; /* [n_children] exits of children that the
					image has waited for */
	size_t n_children;
	struct al_window_counts *window_counts; /* [n_windows] counts by index
						   of the window in the image's
						   plan */
	uint32_t n_windows;
	struct al_plan_outcomes outcomes;
	unsigned n_consumers; /* 1 + highest number of a consumer */
	size_t n_figures;
	size_t n_analyses;
	uint64_t *figure; /* [n_consumers * n_figures] figures of consumer 0,
			     then of consumer 1, and so on */
	int error[];	  /* [n_consumers * n_analyses] -errno that stopped the
			     analysis, or 0 */
};

/* Collect the names of the figures from @empty_stream, a stream that has
   recorded nothing. Return: 0; -ENOMEM. Call al_figures_release() in both
   cases. */
int al_figures_collect_names(struct al_figures *, const struct al_settings *,
			     const struct al_stream *empty_stream);
void al_figures_release(struct al_figures *);

/* Return a summary of zeros for the image of a stream; NULL when memory is
   short. It is allocated when the image starts, so that al_image_summary_fill()
   cannot fail. @n_windows: number of windows of its plan. */
struct al_image_summary *al_image_summary_new(const struct al_settings *,
					      const struct al_figures *,
					      const struct al_stream *,
					      uint32_t n_windows);

/* Return figure @figure_index of the consumer with number
   @window_number_plus_1_or_0: 0 for the whole stream, or 1 + number of a
   window. al_image_summary_error_or_0(): return the error (0 or -errno) of the
   analysis with index @analysis_index in the settings. Both return 0 if the
   image does not have this consumer. */
uint64_t al_image_summary_figure_or_0(const struct al_image_summary *,
				      unsigned window_number_plus_1_or_0,
				      size_t figure_index);
int al_image_summary_error_or_0(const struct al_image_summary *,
				unsigned window_number_plus_1_or_0,
				size_t analysis_index);

/* Fill the summary from a stream that has finished. The stream's list of child
   exits, and the outcomes of @plan that the tool reported, are moved from the
   stream to the summary, so call once. @plan: the image's plan, or NULL. */
void al_image_summary_fill(struct al_image_summary *,
			   const struct al_settings *,
			   const struct al_figures *,
			   const struct pt_plan *plan, struct al_stream *);

void al_image_summary_free(struct al_image_summary *);

#endif
