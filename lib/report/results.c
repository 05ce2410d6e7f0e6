/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results.c - writes and prints the results of the analyses; see results.h */

#include "lib/report/results.h"

#include <errno.h>
#include <string.h>

#include "base/result/result_json.h"
#include "base/result/result_text.h"
#include "base/system/replaceable.h"
#include "lib/report/what_if_report.h"

/* Add the floating-point operations per byte that misses each cache level to
   @mix, the result of the analysis "mix". Nothing is added without a cache
   analysis. */
static void add_flops_per_missed_byte_if_caches(const struct al_run *run,
						unsigned consumer_number,
						struct al_model *mix)
{
	const struct al_settings *s = run->settings;

	for (size_t i = 0; i < s->n_analyses; i++) {
		const struct al_model *cache;

		if (strcmp(s->analysis[i].class->name, "cache") != 0)
			continue;
		if (al_result_of_analysis(run, consumer_number, i, &cache) == 0)
			al_flops_per_missed_byte_add_to_mix(mix, cache);
		return;
	}
}

int al_result_of_analysis(const struct al_run *run, unsigned consumer_number,
			  size_t analysis_index,
			  const struct al_model **result_out)
{
	const struct an_class *class =
		run->settings->analysis[analysis_index].class;
	const void *state = NULL;
	int err = al_run_analysis_state_and_error(run, consumer_number,
						  analysis_index, &state);
	bool is_new;
	struct al_model *m = err ? NULL
				 : al_stream_get_or_build_analysis_result(
					   run->total, consumer_number,
					   analysis_index, &is_new);

	if (!err && m == NULL)
		err = -ENOMEM;
	if (!err && is_new && strcmp(class->name, "mix") == 0)
		add_flops_per_missed_byte_if_caches(run, consumer_number, m);
	if (!err)
		err = m->error;
	*result_out = err ? NULL : m;
	return err;
}

const struct al_model *al_result_of_class_or_null(const struct al_run *run,
						  const char *class_name)
{
	const struct al_settings *s = run->settings;
	const struct al_model *result;

	for (size_t i = 0; i < s->n_analyses; i++)
		if (strcmp(s->analysis[i].class->name, class_name) == 0 &&
		    al_result_of_analysis(run, 0, i, &result) == 0)
			return result;
	return NULL;
}

/* ---- machine-readable ---- */

/* Write the member "what_if" of analysis @plain_analysis_index: its comparisons
   with the changed cache hierarchies of --what-if. Nothing is written if there
   are none or the class of the analysis does not compare caches. */
static void write_what_ifs(struct an_sink *out, const struct al_run *run,
			   unsigned consumer_number,
			   size_t plain_analysis_index)
{
	const struct al_settings *s = run->settings;

	if (!s->n_what_ifs ||
	    !s->analysis[plain_analysis_index].class->compares_caches)
		return;
	out->begin_list(out, "what_if");
	for (size_t i = 0; i < s->n_analyses; i++)
		if (al_settings_is_what_if_analysis(s, i))
			al_what_if_write_run_comparison(run, consumer_number,
							plain_analysis_index, i,
							out);
	out->end(out);
}

static void write_analysis_result_object(struct an_sink *out,
					 const struct al_run *run,
					 unsigned consumer_number,
					 size_t analysis_index)
{
	const struct al_model *m;
	int err =
		al_result_of_analysis(run, consumer_number, analysis_index, &m);

	out->begin(out, run->settings->analysis[analysis_index].class->name);
	if (err)
		out->string(out, "stopped",
			    al_replace_output_file_error_text(err));
	else
		al_model_write_to_sink(m, out);
	write_what_ifs(out, run, consumer_number, analysis_index);
	out->end(out);
}

/* Write the member "files": a list with the results of the cache analyses for
   each cache file. */
static void write_cache_results_per_config_file(struct an_sink *out,
						const struct al_run *run,
						unsigned consumer_number)
{
	const struct al_settings *s = run->settings;

	out->begin_list(out, "files");
	for (unsigned cache = 0; cache < s->n_caches; cache++) {
		out->begin(out, NULL);
		out->string(out, "file", s->cache[cache].file);
		for (size_t i = 0; i < s->n_analyses; i++)
			if (s->analysis[i].class->uses_caches &&
			    s->analysis[i].cache == cache)
				write_analysis_result_object(
					out, run, consumer_number, i);
		out->end(out);
	}
	out->end(out);
}

void al_results_write(const struct al_run *run, unsigned consumer_number,
		      struct an_sink *out)
{
	out->begin(out, "analyses");
	for (size_t i = 0; i < run->settings->n_analyses; i++)
		if (al_settings_is_first_of_its_class(run->settings, i))
			write_analysis_result_object(out, run, consumer_number,
						     i);
	if (run->settings->n_caches > 1)
		write_cache_results_per_config_file(out, run, consumer_number);
	out->end(out);
}

void al_results_write_process_totals(const struct al_process *p,
				     unsigned consumer_number,
				     struct an_sink *out)
{
	const struct al_figures *figures = &p->run->figures;

	for (size_t i = 0; i < figures->n; i++) {
		uint64_t sum = 0;

		for (size_t k = 0; k < p->n_images; k++)
			sum += al_image_summary_figure_or_0(p->image[k].summary,
							    consumer_number, i);
		if (!al_process_first_analysis_error_or_0(
			    p, consumer_number, figures->item[i].analysis))
			out->number(out, figures->item[i].key, sum);
	}
}

/* ---- for a terminal ---- */

/* Print the path of the analysis's cache file as a heading, if the analysis
   uses caches and there are several files. */
static void
print_cache_file_heading_if_several(const struct al_settings *settings,
				    size_t analysis_index, struct al_text *out)
{
	const struct al_analysis *a = &settings->analysis[analysis_index];

	if (a->class->uses_caches && settings->n_caches > 1)
		out->text.heading(&out->text, settings->cache[a->cache].file);
}

/* Whether the model has a view to print among the detail views, if
   @only_detail_views, or among the others. Extra views count only if
   @includes_extra_views. A model with a title always has something to print
   besides the detail views. */
static bool has_views_to_print(const struct al_model *m, bool only_detail_views,
			       bool includes_extra_views)
{
	const struct al_view *v = m->view;

	while (v && (v->is_detail != only_detail_views ||
		     (v->is_extra && !includes_extra_views)))
		v = v->next;
	return v || (!only_detail_views && m->title);
}

static void print_stopped_analysis(const char *name, int err,
				   struct al_text *out)
{
	out->text.heading(&out->text, name);
	al_text_printf_line_cut_to_columns(
		out, "stopped: %s", al_replace_output_file_error_text(err));
}

/* Return the limit on the rows of the tables that al_shown.max applies to: few
   if the report also has a table of processes or windows, so that it fits on a
   page; 0, for no limit, if it has neither or the option --full is given. */
static size_t max_table_rows_or_0_for_all(const struct al_run *run)
{
	bool has_processes = al_run_count_numbered_processes(run) > 1;
	bool has_windows = run->settings->windows != NULL;

	if (run->settings->full || (!has_processes && !has_windows))
		return 0;
	return has_processes ? 1 : 2;
}

/* Print the numbers and main views of an analysis, or only its detail views. If
   the analysis was stopped, print a line with the error instead of the numbers,
   and nothing instead of the detail views. */
static void print_numbers_or_detail_views(const struct al_run *run,
					  unsigned consumer_number,
					  size_t analysis_index,
					  bool only_detail_views,
					  struct al_text *out)
{
	const struct al_shown shown = {.top = run->settings->top,
				       .full = run->settings->full,
				       .max = max_table_rows_or_0_for_all(run),
				       .max_is_for_all_views =
					       consumer_number > 0};
	const struct al_model *m;
	int err =
		al_result_of_analysis(run, consumer_number, analysis_index, &m);

	if ((err && !only_detail_views) ||
	    (!err && has_views_to_print(m, only_detail_views, shown.full)))
		print_cache_file_heading_if_several(run->settings,
						    analysis_index, out);
	if (!err && only_detail_views)
		err = al_model_print_detail_views(m, &shown, &out->text);
	else if (!err)
		err = al_model_print_numbers_and_main_views(m, &shown,
							    &out->text);
	else if (only_detail_views)
		err = 0; /* was printed with the numbers */
	if (err)
		print_stopped_analysis(
			run->settings->analysis[analysis_index].class->name,
			err, out);
}

/* The detail views of all analyses follow after the other views of all. */
void al_results_print(const struct al_run *run, unsigned consumer_number,
		      struct al_text *out)
{
	size_t n = run->settings->n_analyses;

	for (size_t i = 0; i < n; i++)
		if (!al_settings_is_what_if_analysis(run->settings, i))
			print_numbers_or_detail_views(run, consumer_number, i,
						      false, out);
	al_what_if_print_all_comparisons(run, consumer_number, out);
	for (size_t i = 0; i < n; i++)
		if (!al_settings_is_what_if_analysis(run->settings, i))
			print_numbers_or_detail_views(run, consumer_number, i,
						      true, out);
}
