/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window_counts.c - reports what was recorded for each window; see
   window_counts.h */

#include "lib/report/window_counts.h"

#include "lib/config/window/plan/process_plan.h"
#include "lib/config/window/windows.h"
#include "lib/report/diagnose/diagnosis.h"
#include "lib/report/results.h"

static const char *window_name(const struct pt_plan *plan,
			       uint32_t window_index)
{
	return pt_plan_string(plan, pt_plan_windows(plan)[window_index].name);
}

/* Reason reported for every window if no process has a plan with windows, which
   means that process 1 was not followed. */
static const char unfollowed[] = "no window has an entry for process 1, so "
				 "that nothing is recorded";

static uint32_t count_configured_windows(const struct al_run *run)
{
	const struct al_windows *w = run->settings->windows;

	return w ? w->n[AL_WINDOWS] : 0;
}

/* Return the name of the window with index @window_index in the run's settings,
   which own it; never NULL. The run must have that window. */
static const char *
configured_window_name_empty_if_unnamed(const struct al_run *run,
					uint32_t window_index)
{
	const struct al_windows *w = run->settings->windows;

	return w->string + w->window[window_index].name;
}

/* Return the number of the consumer of a window that has a report of its own,
   which is 1 + the window's index; 0 if it has none. */
static unsigned consumer_number_of_window_or_0(const struct al_run *run,
					       uint32_t window_index)
{
	return al_stream_has_consumer(run->total, 1 + window_index)
		       ? 1 + window_index
		       : 0;
}

/* ---- machine-readable ---- */

static void begin_window_object_write_counts(const char *name,
					     const struct al_window_counts *c,
					     struct an_sink *out)
{
	out->begin(out, NULL);
	out->string(out, "name", name);
	out->number(out, "openings", c->openings);
	out->number(out, "instructions", c->instructions);
	out->number(out, "reads", c->reads);
	out->number(out, "writes", c->writes);
	out->number(out, "modifies", c->modifies);
}

static void write_all_windows_as_unrecorded(const struct al_run *run,
					    struct an_sink *out)
{
	const struct al_window_counts none = {0};

	if (!count_configured_windows(run))
		return;
	out->begin_list(out, "windows");
	for (uint32_t w = 0; w < count_configured_windows(run); w++) {
		begin_window_object_write_counts(
			configured_window_name_empty_if_unnamed(run, w), &none,
			out);
		out->string(out, "nothing", unfollowed);
		out->end(out);
	}
	out->end(out);
}

void al_run_windows_write_counts_and_results(const struct al_run *run,
					     struct an_sink *out)
{
	const struct pt_plan *plan = al_run_find_first_plan_with_windows(run);

	if (!plan) {
		write_all_windows_as_unrecorded(run, out);
		return;
	}
	out->begin_list(out, "windows");
	for (uint32_t w = 0; w < plan->windows.n; w++) {
		struct al_window_counts c = al_run_window_counts(run, w);
		const struct al_diagnosed_window whose = {run, NULL, w, &c};

		begin_window_object_write_counts(window_name(plan, w), &c, out);
		al_diagnosis_write_window_problems(&whose, out);
		if (consumer_number_of_window_or_0(run, w))
			al_results_write(run,
					 consumer_number_of_window_or_0(run, w),
					 out);
		out->end(out);
	}
	out->end(out);
}

void al_process_windows_write_with_totals(const struct al_process *p,
					  struct an_sink *out)
{
	if (!p->plan)
		return;
	out->begin_list(out, "windows");
	for (uint32_t w = 0; w < p->plan->windows.n; w++) {
		struct al_window_counts c = al_process_window_counts(p, w);
		const struct al_diagnosed_window whose = {p->run, p, w, &c};

		begin_window_object_write_counts(window_name(p->plan, w), &c,
						 out);
		al_diagnosis_write_window_problems(&whose, out);
		if (consumer_number_of_window_or_0(p->run, w))
			al_results_write_process_totals(
				p, consumer_number_of_window_or_0(p->run, w),
				out);
		out->end(out);
	}
	out->end(out);
}

/* ---- for a terminal ---- */

static void print_opened_window_row(const char *name,
				    const struct al_window_counts *c,
				    struct al_text *out)
{
	char openings[AL_NUMBER_BYTES], instructions[AL_NUMBER_BYTES],
		accesses[AL_NUMBER_BYTES];

	al_text_printf_line_cut_to_columns(
		out, "%13s %19s %19s  %s",
		al_number_format_grouped(openings, c->openings),
		al_number_format_grouped(instructions, c->instructions),
		al_number_format_grouped(accesses,
					 c->reads + c->writes - c->modifies),
		name);
}

static void print_unopened_window(const char *name, bool waits_for_event,
				  struct al_text *out)
{
	al_text_printf_line_cut_to_columns(
		out, "%13s %*s  %s%s", "never", 39, "", name,
		waits_for_event ? ", which waits until" : "");
}

static void print_window_table_heading(struct al_text *out)
{
	out->text.heading(&out->text, "       opened        instructions"
				      "            accesses  window");
}

static void print_all_windows_as_unrecorded(const struct al_run *run,
					    struct al_text *out)
{
	if (!count_configured_windows(run))
		return;
	print_window_table_heading(out);
	for (uint32_t w = 0; w < count_configured_windows(run); w++)
		print_unopened_window(
			configured_window_name_empty_if_unnamed(run, w), false,
			out);
	al_text_printf_line_cut_to_columns(out, "%15s%s", "", unfollowed);
}

void al_run_windows_print_table(const struct al_run *run, struct al_text *out)
{
	const struct pt_plan *plan = al_run_find_first_plan_with_windows(run);

	if (!plan) {
		print_all_windows_as_unrecorded(run, out);
		return;
	}
	print_window_table_heading(out);
	for (uint32_t w = 0; w < plan->windows.n; w++) {
		struct al_window_counts c = al_run_window_counts(run, w);
		const struct al_diagnosed_window whose = {run, NULL, w, &c};
		uint32_t on = pt_plan_windows(plan)[w].on;

		if (c.openings)
			print_opened_window_row(window_name(plan, w), &c, out);
		else
			print_unopened_window(window_name(plan, w),
					      on != PT_NO_EVENT, out);
		al_diagnosis_print_window_problems(&whose, out);
	}
}

void al_run_windows_print_analysis_results(const struct al_run *run,
					   struct al_text *out)
{
	const struct pt_plan *plan = al_run_find_first_plan_with_windows(run);
	char line[AL_COLUMNS + 1];

	for (uint32_t w = 0; plan && w < plan->windows.n; w++) {
		if (!consumer_number_of_window_or_0(run, w))
			continue;
		snprintf(line, sizeof(line), "Window '%s'",
			 window_name(plan, w));
		out->text.heading(&out->text, line);
		al_results_print(run, consumer_number_of_window_or_0(run, w),
				 out);
	}
}
