/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image_summary.c - collects the counts, figures and errors of an image that
   has ended; see image_summary.h */

#include "lib/run/image_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Sink for report_totals() of an analysis: collects the names of figures. */
struct namer {
	/* first member, since append_figure_name() casts a pointer to it */
	struct an_sink sink;
	struct al_figures *figures;
	size_t analysis;
	bool failed;
};

static void append_figure_name(struct an_sink *sink, const char *key,
			       uint64_t unused_value)
{
	struct namer *n = (struct namer *)sink;
	struct al_figures *f = n->figures;
	void *more = realloc(f->item, (f->n + 1) * sizeof(*f->item));

	(void)unused_value;
	if (!more) {
		n->failed = true;
		return;
	}
	f->item = more;
	f->item[f->n++] = (struct al_figure){key, n->analysis};
}

/* Call report_totals() for each analysis of @consumer_number that was not
   stopped. If the settings list several analyses of one class (the cache
   analysis, once for each file with a cache hierarchy), only the first is
   called. @current_analysis_index: set to the analysis's index in the settings
   before each call. */
static void report_totals_of_all_analyses(const struct al_settings *settings,
					  const struct al_stream *s,
					  unsigned consumer_number,
					  struct an_sink *sink,
					  size_t *current_analysis_index)
{
	for (size_t i = 0; i < settings->n_analyses; i++) {
		const struct an_class *class = settings->analysis[i].class;
		const void *state;

		*current_analysis_index = i;
		if (class->report_totals &&
		    al_settings_is_first_of_its_class(settings, i) &&
		    al_stream_analysis_state_and_error(s, consumer_number, i,
						       &state) == 0)
			class->report_totals(state, sink);
	}
}

int al_figures_collect_names(struct al_figures *f,
			     const struct al_settings *settings,
			     const struct al_stream *empty_stream)
{
	struct namer n = {.sink.number = append_figure_name, .figures = f};

	*f = (struct al_figures){0};
	report_totals_of_all_analyses(settings, empty_stream, 0, &n.sink,
				      &n.analysis);
	return n.failed ? -ENOMEM : 0;
}

void al_figures_release(struct al_figures *f)
{
	free(f->item);
}

/* ---- values ---- */

/* Sink for report_totals() of an analysis: stores the values of figures. */
struct filler {
	/* first member, since store_next_figure() casts a pointer to it */
	struct an_sink sink;
	const struct al_figures *figures;
	uint64_t *figure; /* [figures->n] receives the values of the figures of
			     all analyses */
	size_t analysis;
	size_t next; /* index of the figure to set */
};

/* Store @value as the next figure of the current analysis. The figures of
   stopped analyses, for which report_totals() is not called, are skipped. */
static void store_next_figure(struct an_sink *sink, const char *unused_key,
			      uint64_t value)
{
	struct filler *f = (struct filler *)sink;
	const struct al_figure *item = f->figures->item;

	(void)unused_key;
	while (f->next < f->figures->n && item[f->next].analysis < f->analysis)
		f->next++;
	if (f->next < f->figures->n && item[f->next].analysis == f->analysis)
		f->figure[f->next++] = value;
}

struct al_image_summary *
al_image_summary_new(const struct al_settings *settings,
		     const struct al_figures *figures,
		     const struct al_stream *s, uint32_t n_windows)
{
	unsigned n_consumers = al_stream_max_consumer_number_plus_1(s);
	struct al_image_summary *e =
		calloc(1, sizeof(*e) + n_consumers * settings->n_analyses *
					       sizeof(*e->error));

	if (!e)
		return NULL;
	e->figure = calloc(n_consumers * figures->n + 1, sizeof(*e->figure));
	e->window_counts = calloc(n_windows + 1, sizeof(*e->window_counts));
	e->n_windows = n_windows;
	e->n_consumers = n_consumers;
	e->n_figures = figures->n;
	e->n_analyses = settings->n_analyses;
	if (e->figure && e->window_counts)
		return e;
	al_image_summary_free(e);
	return NULL;
}

static void fill_consumer_errors_and_figures(struct al_image_summary *e,
					     const struct al_settings *settings,
					     const struct al_figures *figures,
					     const struct al_stream *s,
					     unsigned consumer_number)
{
	struct filler f = {
		.sink.number = store_next_figure,
		.figures = figures,
		.figure = e->figure + consumer_number * e->n_figures,
	};
	const void *state;

	for (size_t i = 0; i < e->n_analyses; i++)
		e->error[consumer_number * e->n_analyses + i] =
			al_stream_analysis_state_and_error(s, consumer_number,
							   i, &state);
	report_totals_of_all_analyses(settings, s, consumer_number, &f.sink,
				      &f.analysis);
}

void al_image_summary_fill(struct al_image_summary *e,
			   const struct al_settings *settings,
			   const struct al_figures *figures,
			   const struct pt_plan *plan, struct al_stream *s)
{
	e->counts = al_stream_sum_latest_counts(s);
	e->child = al_stream_detach_child_exits(s, &e->n_children);
	memcpy(e->window_counts, al_stream_counts_by_window(s),
	       e->n_windows * sizeof(*e->window_counts));
	if (plan)
		e->outcomes = al_stream_detach_outcomes_and_suggest(s, plan);
	for (unsigned consumer = 0; consumer < e->n_consumers; consumer++)
		if (al_stream_has_consumer(s, consumer))
			fill_consumer_errors_and_figures(e, settings, figures,
							 s, consumer);
}

uint64_t al_image_summary_figure_or_0(const struct al_image_summary *e,
				      unsigned window_number_plus_1_or_0,
				      size_t figure_index)
{
	return window_number_plus_1_or_0 < e->n_consumers
		       ? e->figure[window_number_plus_1_or_0 * e->n_figures +
				   figure_index]
		       : 0;
}

int al_image_summary_error_or_0(const struct al_image_summary *e,
				unsigned window_number_plus_1_or_0,
				size_t analysis_index)
{
	return window_number_plus_1_or_0 < e->n_consumers
		       ? e->error[window_number_plus_1_or_0 * e->n_analyses +
				  analysis_index]
		       : 0;
}

void al_image_summary_free(struct al_image_summary *e)
{
	if (!e)
		return;
	al_plan_outcomes_release(&e->outcomes);
	free(e->child);
	free(e->window_counts);
	free(e->figure);
	free(e);
}
