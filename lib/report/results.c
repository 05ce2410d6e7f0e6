/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results.c - what analyses have found out; see results.h */

#include "lib/report/results.h"

#include "base/system/replaceable.h"

/* ---- machine-readable ---- */

static void write_analysis(struct an_sink *out, const struct al_run *run,
			   unsigned view, size_t i)
{
	const struct an_class *class = run->settings->analysis[i].class;
	const void *state = NULL;
	int err = al_run_analysis_state(run, view, i, &state);

	out->begin(out, class->name);
	if (err)
		out->string(out, "stopped", al_replace_error(err));
	else if (class->report)
		class->report(state, out);
	out->end(out);
}

/* Every cache file with its analyses. */
static void write_files(struct an_sink *out, const struct al_run *run,
			unsigned view)
{
	const struct al_settings *s = run->settings;

	out->begin_list(out, "files");
	for (unsigned cache = 0; cache < s->n_caches; cache++) {
		out->begin(out, NULL);
		out->string(out, "file", s->cache[cache].file);
		for (size_t i = 0; i < s->n_analyses; i++)
			if (s->analysis[i].class->uses_caches &&
			    s->analysis[i].cache == cache)
				write_analysis(out, run, view, i);
		out->end(out);
	}
	out->end(out);
}

void al_results_write(const struct al_run *run, unsigned view,
		      struct an_sink *out)
{
	out->begin(out, "analyses");
	for (size_t i = 0; i < run->settings->n_analyses; i++)
		if (al_settings_is_first_of_class(run->settings, i))
			write_analysis(out, run, view, i);
	if (run->settings->n_caches > 1)
		write_files(out, run, view);
	out->end(out);
}

void al_results_write_totals(const struct al_process *p, unsigned view,
			     struct an_sink *out)
{
	const struct al_figures *figures = &p->run->figures;

	for (size_t i = 0; i < figures->n; i++) {
		uint64_t sum = 0;

		for (size_t k = 0; k < p->n_images; k++)
			sum += al_image_summary_figure(p->image[k].summary,
						       view, i);
		if (!al_process_analysis_error(p, view,
					       figures->item[i].analysis))
			out->number(out, figures->item[i].key, sum);
	}
}

/* ---- for a terminal ---- */

/* Print the cache file of analysis @i as a heading if there are several files. */
static void print_file(const struct al_settings *settings, size_t i,
		       struct al_text *out)
{
	const struct al_analysis *a = &settings->analysis[i];

	if (a->class->uses_caches && settings->n_caches > 1)
		out->text.heading(&out->text, settings->cache[a->cache].file);
}

static void print_analysis(const struct al_run *run, unsigned view, size_t i,
			   struct al_text *out)
{
	const struct an_class *class = run->settings->analysis[i].class;
	const void *state = NULL;
	int err = al_run_analysis_state(run, view, i, &state);

	if (err || class->print)
		print_file(run->settings, i, out);
	if (err) {
		out->text.heading(&out->text, class->name);
		al_text_printf(out, "stopped: %s", al_replace_error(err));
	} else if (class->print) {
		class->print(state, &out->text);
	}
}

static void print_details(const struct al_run *run, unsigned view, size_t i,
			  struct al_text *out)
{
	const struct an_class *class = run->settings->analysis[i].class;
	const void *state = NULL;

	if (al_run_analysis_state(run, view, i, &state) ||
	    !class->print_details)
		return;
	print_file(run->settings, i, out);
	class->print_details(state, &out->text);
}

/* Print all analyses first, then the details that they have in common. */
void al_results_print(const struct al_run *run, unsigned view,
		      struct al_text *out)
{
	size_t n = run->settings->n_analyses;

	for (size_t i = 0; i < n; i++)
		print_analysis(run, view, i, out);
	for (size_t i = 0; i < n; i++)
		print_details(run, view, i, out);
}
