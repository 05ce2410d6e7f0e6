/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image_summary.h - what is kept of an image that has ended
 *
 * Threads: one at a time.
 *
 * A daemon may serve any number of programs, so an image leaves a few hundred
 * bytes: its results are in the sum over the run by then. What the report says
 * of each process, the totals of its analyses, are figures here.
 */
#ifndef LIB_RUN_IMAGE_SUMMARY_H
#define LIB_RUN_IMAGE_SUMMARY_H

#include "lib/config/settings.h"
#include "lib/pipeline/stream.h"

/* Figures that are kept of every image, in the order of the report. Zeroed:
   none. */
struct al_figures {
	struct al_figure {
		const char *key;
		size_t analysis; /* of the settings */
	} * item;
	size_t n;
};

struct al_ended {
	struct al_counts counts;
	struct al_child_exit *child; /* exits that it has waited for */
	size_t n_children;
	struct al_window_counts *window; /* by number */
	uint32_t n_windows;
	struct al_outcomes outcomes;
	unsigned n_views; /* [0] is of all */
	size_t n_figures;
	size_t n_analyses;
	uint64_t *figure; /* [n_views * n_figures] */
	int error[]; /* [n_views * n_analyses] -errno when it was stopped */
};

/* Those that @empty has, which nothing was recorded of. 0; -ENOMEM. */
int al_figures_init(struct al_figures *, const struct al_settings *,
		    const struct al_stream *empty);
void al_figures_release(struct al_figures *);

/* Of an image that is that stream. All zero; NULL when memory is short.
   @n_windows: of its plan. */
struct al_ended *al_ended_new(const struct al_settings *,
			      const struct al_figures *,
			      const struct al_stream *, uint32_t n_windows);

/* Of a view; 0 where the image has not that view. */
uint64_t al_ended_figure(const struct al_ended *, unsigned view, size_t i);
int al_ended_error(const struct al_ended *, unsigned view, size_t i);

/* The stream has finished. Once. @plan: of the image, or NULL. */
void al_ended_fill(struct al_ended *, const struct al_settings *,
		   const struct al_figures *, const struct pt_plan *plan,
		   struct al_stream *);

void al_ended_free(struct al_ended *);

#endif
