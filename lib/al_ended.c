/* SPDX-License-Identifier: GPL-2.0-or-later */
/* al_ended.c - what is kept of an image that has ended; see al_ended.h */

#include "lib/al_ended.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Takes totals() of one analysis. */
struct namer {
	struct an_sink sink; /* first */
	struct al_figures *figures;
	size_t analysis;
	bool failed;
};

static void name(struct an_sink *sink, const char *key, uint64_t value)
{
	struct namer *n = (struct namer *)sink;
	struct al_figures *f = n->figures;
	void *more = realloc(f->item, (f->n + 1) * sizeof(*f->item));

	(void)value;
	if (!more) {
		n->failed = true;
		return;
	}
	f->item = more;
	f->item[f->n++] = (struct al_figure){key, n->analysis};
}

/* Of each class the first one. */
static void each_totals(const struct al_settings *settings,
			const struct al_stream *s, struct an_sink *sink,
			size_t *analysis)
{
	for (size_t i = 0; i < settings->n_analyses; i++) {
		const struct an_class *class = settings->analysis[i].class;
		const void *state;

		*analysis = i;
		if (class->totals && al_settings_is_first(settings, i) &&
		    al_stream_state(s, i, &state) == 0)
			class->totals(state, sink);
	}
}

int al_figures_init(struct al_figures *f, const struct al_settings *settings,
		    const struct al_stream *empty)
{
	struct namer n = {.sink.number = name, .figures = f};

	*f = (struct al_figures){0};
	each_totals(settings, empty, &n.sink, &n.analysis);
	return n.failed ? -ENOMEM : 0;
}

void al_figures_release(struct al_figures *f)
{
	free(f->item);
}

/* ---- values ---- */

struct filler {
	struct an_sink sink; /* first */
	const struct al_figures *figures;
	struct al_ended *ended;
	size_t analysis;
	size_t at;
};

/* An analysis that has stopped leaves its own out. */
static void fill(struct an_sink *sink, const char *key, uint64_t value)
{
	struct filler *f = (struct filler *)sink;
	const struct al_figure *item = f->figures->item;

	(void)key;
	while (f->at < f->figures->n && item[f->at].analysis < f->analysis)
		f->at++;
	if (f->at < f->figures->n && item[f->at].analysis == f->analysis)
		f->ended->figure[f->at++] = value;
}

struct al_ended *al_ended_new(const struct al_settings *settings,
			      const struct al_figures *figures,
			      uint32_t n_windows)
{
	struct al_ended *e = calloc(1, sizeof(*e) + settings->n_analyses *
							    sizeof(*e->error));

	if (!e)
		return NULL;
	e->figure = calloc(figures->n + 1, sizeof(*e->figure));
	e->window = calloc(n_windows + 1, sizeof(*e->window));
	e->n_windows = n_windows;
	if (e->figure && e->window)
		return e;
	al_ended_free(e);
	return NULL;
}

void al_ended_fill(struct al_ended *e, const struct al_settings *settings,
		   const struct al_figures *figures, const struct pt_plan *plan,
		   struct al_stream *s)
{
	struct filler f = {
		.sink.number = fill,
		.figures = figures,
		.ended = e,
	};
	const void *state;

	e->counts = al_stream_counts(s);
	e->child = al_stream_take_exits(s, &e->n_children);
	memcpy(e->window, al_stream_windows(s),
	       e->n_windows * sizeof(*e->window));
	if (plan)
		e->outcomes = al_stream_take_outcomes(s, plan);
	for (size_t i = 0; i < settings->n_analyses; i++)
		e->error[i] = al_stream_state(s, i, &state);
	each_totals(settings, s, &f.sink, &f.analysis);
}

void al_ended_free(struct al_ended *e)
{
	if (!e)
		return;
	al_outcomes_release(&e->outcomes);
	free(e->child);
	free(e->window);
	free(e->figure);
	free(e);
}
