/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis_report.c - reports why a window did not open, or recorded nothing
 */
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"
#include "lib/config/window/explain/explain.h"
#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/report/diagnose/diagnosis.h"

enum {
	DEEPEST = 8, /* depth of a group of events (0: the outermost) from which
			on JSON has no members of the group; text has them one
			level deeper */
	MAX_INDENT = 40,
	INDENT = 15, /* [columns] of the lines below that of a window */
};

/* ---- sentences ---- */

typedef void explain_fn(const void *what, FILE *);

/* Return the explanation as a string; the caller frees it. NULL if memory is
   short. */
static char *new_explanation_string(explain_fn *explain, const void *subject)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	explain(subject, f);
	fclose(f);
	return text;
}

struct about {
	const struct al_closest_image *w;
	uint32_t event;
};

static void write_event_description(const void *about_event, FILE *f)
{
	const struct about *a = about_event;
	struct al_windows view;

	al_plan_view_as_windows(a->w->process->plan, &view);
	al_event_print_in_words(&view, a->event, f);
}

static void write_why_event_missed(const void *about_event, FILE *f)
{
	const struct about *a = about_event;

	al_diagnosis_explain_missing_event(a->w, a->event, f);
}

static void write_why_planned_name_not_found(const void *missing_name, FILE *f)
{
	al_missing_name_write_explanation(missing_name, f);
}

static const struct pt_event *window_plan_event_of(const struct about *a)
{
	return pt_plan_events(a->w->process->plan) + a->event;
}

/* Find the exec image that came closest to opening the window, @closest_out,
   and the event that opens the window, @closest_and_opening_event_out. Return:
   false if no process with an image has the window in its plan, or no event
   opens it. */
static bool
find_image_closest_to_opening(const struct al_diagnosed_window *diagnosed,
			      struct al_closest_image *closest_out,
			      struct about *closest_and_opening_event_out)
{
	bool found = diagnosed->process
			     ? al_process_find_image_closest_to_opening(
				       diagnosed->process, diagnosed->window,
				       closest_out)
			     : al_run_find_image_closest_to_opening(
				       diagnosed->run, diagnosed->window,
				       closest_out);

	*closest_and_opening_event_out =
		(struct about){closest_out, PT_NO_EVENT};
	if (found)
		closest_and_opening_event_out->event =
			pt_plan_windows(
				closest_out->process->plan)[diagnosed->window]
				.on;
	return closest_and_opening_event_out->event != PT_NO_EVENT;
}

static struct al_missing_name *
find_missing_names_of_process_or_run(const struct al_diagnosed_window *whose,
				     size_t *name_count)
{
	return whose->process ? al_process_list_missing_names(whose->process,
							      whose->window,
							      name_count)
			      : al_run_list_plan_names_never_found(
					whose->run, whose->window, name_count);
}

/* ---- machine-readable ---- */
static void write_explanation(struct an_sink *out, const char *key,
			      explain_fn *explain, const void *subject)
{
	char *text = new_explanation_string(explain, subject);

	out->string(out, key, text ? text : "");
	free(text);
}

static const char *event_kind_word(const struct pt_event *e)
{
	static const char *const kinds[] = {
		[PT_EVENT_ALL] = "all",
		[PT_EVENT_ANY] = "any",
		[PT_EVENT_CREATION] = "creation",
		[PT_EVENT_TERMINATION] = "termination",
		[PT_EVENT_LOAD] = "load",
		[PT_EVENT_UNLOAD] = "unload",
		[PT_EVENT_CALL] = "call",
		[PT_EVENT_RETURN] = "return",
		[PT_EVENT_THREADS] = "threads",
		[PT_EVENT_TIME] = "time",
		[PT_EVENT_ACCESSES] = "accesses",
		[PT_EVENT_READS] = "reads",
		[PT_EVENT_WRITES] = "writes",
		[PT_EVENT_INSTRUCTIONS] = "instructions",
		[PT_EVENT_REQUEST] = "client_request",
		[PT_EVENT_SIGNAL] = "signal",
		[PT_EVENT_MONITOR] = "monitor",
	};

	return kinds[e->kind];
}

/* Write outcome @o of event @e as members of the open object: its count and, if
   the event has them, the wanted count, whether object file and function exist,
   and the most similar name. */
static void write_event_outcome_as_json_members(const struct pt_event *e,
						const struct al_plan_outcome *o,
						struct an_sink *out)
{
	out->number(out, "count", o->count);
	if (e->kind != PT_EVENT_SIGNAL && e->count)
		out->number(out, "wanted", e->count);
	if (e->kind == PT_EVENT_CALL || e->kind == PT_EVENT_RETURN) {
		al_json_write_bool(out, "mapped", o->flags & PT_OUTCOME_MAPPED);
		al_json_write_bool(out, "found", o->flags & PT_OUTCOME_FOUND);
	}
	if (o->suggestion)
		out->string(out, "nearest", o->suggestion);
}

/* Write an event as an object with its kind, text and status; a group also with
   the objects of its members, down to depth DEEPEST. @depth: 0 for the
   outermost event. */
static void write_event_object_and_members(const struct about *a,
					   const char *key, struct an_sink *out,
					   unsigned depth)
{
	const struct pt_event *e = window_plan_event_of(a);
	const struct al_plan_outcome *o;
	enum al_event_status came =
		al_diagnosis_event_status(a->w, a->event, &o);
	bool group = al_event_is_group(e);

	out->begin(out, key);
	out->string(out, "kind", event_kind_word(e));
	write_explanation(out, "text", write_event_description, a);
	al_json_write_bool(out, "happened", came == AL_EVENT_HAPPENED);
	if (!group) {
		al_json_write_bool(out, "known", came != AL_EVENT_UNKNOWN);
		if (came != AL_EVENT_HAPPENED)
			write_explanation(out, "why", write_why_event_missed,
					  a);
		if (o && came != AL_EVENT_UNKNOWN)
			write_event_outcome_as_json_members(e, o, out);
	} else if (depth < DEEPEST) {
		out->begin_list(out, "events");
		for (uint32_t i = 0; i < e->n; i++)
			write_event_object_and_members(
				&(struct about){a->w, e->first + i}, NULL, out,
				depth + 1);
		out->end(out);
	}
	out->end(out);
}

static void
write_why_window_unopened(const struct al_diagnosed_window *diagnosed,
			  struct an_sink *out)
{
	struct al_closest_image w;
	struct about a;

	if (!find_image_closest_to_opening(diagnosed, &w, &a))
		return;
	write_explanation(out, "awaited", write_event_description, &a);
	out->number(out, "furthest", w.process->number);
	out->number(out, "tree", w.process->tree);
	write_event_object_and_members(&a, "event", out, 0);
}

static void
write_missing_thread_image_or_function(const struct al_missing_name *m,
				       struct an_sink *out)
{
	static const char *const what[] = {
		[AL_NO_THREAD] = "thread",
		[AL_NO_IMAGE] = "image",
		[AL_NO_FUNCTION] = "function",
	};

	out->begin(out, NULL);
	out->string(out, "what", what[m->kind]);
	write_explanation(out, "text", write_why_planned_name_not_found, m);
	if (m->outcome && m->outcome->suggestion)
		out->string(out, "nearest", m->outcome->suggestion);
	out->end(out);
}

/* Write which names of the plan were not found or, for a whole run without
   recorded instructions, why there are none. */
static void
write_missing_names_or_reason(const struct al_diagnosed_window *diagnosed,
			      struct an_sink *out)
{
	size_t n;
	struct al_missing_name *m =
		find_missing_names_of_process_or_run(diagnosed, &n);
	const char *why = NULL;

	if (n) {
		out->begin_list(out, "missing");
		for (size_t i = 0; i < n; i++)
			write_missing_thread_image_or_function(&m[i], out);
		out->end(out);
	} else if (!diagnosed->process && !diagnosed->counts->instructions) {
		why = al_run_why_no_instrs_null_if_only_calls(
			diagnosed->run, diagnosed->window);
	}
	if (why)
		out->string(out, "nothing", why);
	free(m);
}

void al_diagnosis_write_window_problems(
	const struct al_diagnosed_window *diagnosed, struct an_sink *out)
{
	if (diagnosed->counts->openings)
		write_missing_names_or_reason(diagnosed, out);
	else
		write_why_window_unopened(diagnosed, out);
}

/* ---- for a terminal ---- */

/* Print @text in lines of whole words. The first is indented by @indent
   columns, at most MAX_INDENT, the others by @extra_indent more. */
static void print_wrapped(const char *text, unsigned indent,
			  unsigned extra_indent, struct al_text *out)
{
	char blanks[MAX_INDENT + 1];

	indent = indent < MAX_INDENT ? indent : MAX_INDENT;
	snprintf(blanks, sizeof(blanks), "%*s", (int)indent, "");
	al_text_print_wrapped(out, blanks, indent + extra_indent, text);
}

static void print_wrapped_explanation(explain_fn *explain, const void *subject,
				      struct al_text *out)
{
	char *text = new_explanation_string(explain, subject);

	if (text)
		print_wrapped(text, INDENT, 0, out);
	free(text);
}

static void explain_event_happened_or_why_missed(const void *about_event,
						 FILE *f)
{
	const struct al_plan_outcome *o;
	const struct about *a = about_event;

	fputs("- ", f);
	if (al_diagnosis_event_status(a->w, a->event, &o) == AL_EVENT_HAPPENED)
		fputs("it happened, but nothing was executed then", f);
	else
		write_why_event_missed(a, f);
}

static void explain_whether_member_event_happened(const void *about_event,
						  FILE *f)
{
	const struct al_plan_outcome *o;
	const struct about *a = about_event;
	const struct pt_event *e = window_plan_event_of(a);
	enum al_event_status came =
		al_diagnosis_event_status(a->w, a->event, &o);

	fputs(came == AL_EVENT_HAPPENED ? "- happened: " : "- not: ", f);
	if (al_event_is_group(e))
		fputs(e->kind == PT_EVENT_ALL ? "all of" : "any of", f);
	else
		write_event_description(a, f);
	if (came == AL_EVENT_HAPPENED || al_event_is_group(e))
		return;
	fputs("; ", f);
	write_why_event_missed(a, f);
}

static void print_whether_each_group_event_happened(const struct about *a,
						    unsigned depth,
						    struct al_text *out)
{
	const struct pt_event *e = window_plan_event_of(a);

	for (uint32_t i = 0; i < e->n; i++) {
		struct about one = {a->w, e->first + i};
		char *text = new_explanation_string(
			explain_whether_member_event_happened, &one);

		if (text)
			print_wrapped(text, INDENT + 2 * depth, 2, out);
		free(text);
		if (al_event_is_group(window_plan_event_of(&one)) &&
		    depth < DEEPEST)
			print_whether_each_group_event_happened(&one, depth + 1,
								out);
	}
}

static void
print_why_window_unopened(const struct al_diagnosed_window *diagnosed,
			  struct al_text *out)
{
	size_t n = al_run_count_processes_given_window(diagnosed->run,
						       diagnosed->window);
	struct al_closest_image w;
	struct about a;

	if (!find_image_closest_to_opening(diagnosed, &w, &a)) {
		print_wrapped("- no process has this window", INDENT, 2, out);
		return;
	}
	print_wrapped_explanation(write_event_description, &a, out);
	if (diagnosed->run->n_trees > 1)
		al_text_printf_line_cut_to_columns(
			out,
			"%*sof %zu processes, %u.%u came furthest:", INDENT, "",
			n, w.process->tree, w.process->number);
	else if (n > 1)
		al_text_printf_line_cut_to_columns(
			out, "%*sof %zu processes, %u came furthest:", INDENT,
			"", n, w.process->number);
	if (al_event_is_group(window_plan_event_of(&a)))
		print_whether_each_group_event_happened(&a, 0, out);
	else
		print_wrapped_explanation(explain_event_happened_or_why_missed,
					  &a, out);
}

/* Print which names of the plan were not found or, if all were but the window
   recorded no instructions, why. */
static void
print_missing_names_or_reason(const struct al_diagnosed_window *diagnosed,
			      struct al_text *out)
{
	size_t n;
	struct al_missing_name *m =
		find_missing_names_of_process_or_run(diagnosed, &n);
	const char *why = NULL;

	for (size_t i = 0; i < n; i++)
		print_wrapped_explanation(write_why_planned_name_not_found,
					  &m[i], out);
	if (!n && !diagnosed->counts->instructions)
		why = al_run_why_no_instrs_null_if_only_calls(
			diagnosed->run, diagnosed->window);
	if (why)
		print_wrapped(why, INDENT, 0, out);
	free(m);
}

void al_diagnosis_print_window_problems(
	const struct al_diagnosed_window *diagnosed, struct al_text *out)
{
	if (diagnosed->counts->openings)
		print_missing_names_or_reason(diagnosed, out);
	else
		print_why_window_unopened(diagnosed, out);
}
