/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason_words.c - explains in words why an event did not happen, or a name was
 *                  not found
 */
#include <inttypes.h>

#include "lib/config/window/plan/process_plan.h"
#include "lib/report/diagnose/diagnosis.h"

/* An event whose outcome is explained, and where the text goes. */
struct explanation {
	const struct pt_plan *plan;
	const struct pt_event *e;
	/* outcome of the event; NULL: the event's process did not report it */
	const struct al_plan_outcome *o;
	const struct al_process *process; /* process of the event */
	uint32_t threads; /* greatest number of threads in an image of
			     @process */
	FILE *out;
};

static const char *plural_suffix(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void write_did_you_mean_if_suggestion(const char *suggestion, FILE *out)
{
	if (suggestion)
		fprintf(out, "; did you mean '%s'?", suggestion);
}

static void write_image_kind_and_name(const char *name_or_empty_if_main,
				      bool is_name_a_path, FILE *out)
{
	if (*name_or_empty_if_main)
		fprintf(out, "%s '%s'", is_name_a_path ? "file" : "image",
			name_or_empty_if_main);
	else
		fputs("the main executable", out);
}

/* ---- functions ---- */

static void write_no_symbols_or_suggestion(const struct al_plan_outcome *o,
					   FILE *out)
{
	if (o->count == 0)
		fputs(", which names no function (was it stripped?)", out);
	else
		write_did_you_mean_if_suggestion(o->suggestion, out);
}

static void explain_why_no_call_or_return_event(const struct explanation *t)
{
	const char *image = pt_plan_string(t->plan, t->e->image);
	bool by_path = t->e->flags & PT_EVENT_BY_PATH;
	char n[AL_NUMBER_BYTES], wanted[AL_NUMBER_BYTES];

	if (!(t->o->flags & PT_OUTCOME_MAPPED)) {
		write_image_kind_and_name(image, by_path, t->out);
		fputs(" was never mapped", t->out);
		write_did_you_mean_if_suggestion(t->o->suggestion, t->out);
	} else if (!(t->o->flags & PT_OUTCOME_FOUND)) {
		fprintf(t->out, "there is no function '%s' in ",
			pt_plan_string(t->plan, t->e->name));
		write_image_kind_and_name(image, by_path, t->out);
		write_no_symbols_or_suggestion(t->o, t->out);
	} else if (t->o->count >= t->e->count) {
		fputs("it was called, but did not return", t->out);
	} else if (t->o->count == 0) {
		fputs("it was never called", t->out);
	} else {
		fprintf(t->out, "it was called only %s time%s of %s",
			al_number_format_grouped(n, t->o->count),
			plural_suffix(t->o->count),
			al_number_format_grouped(wanted, t->e->count));
	}
}

/* ---- other events ---- */

static void explain_why_no_load_or_unload_event(const struct explanation *t)
{
	if (t->o->flags & PT_OUTCOME_MAPPED) {
		fputs("it was never unmapped", t->out);
	} else {
		fputs("it was never mapped", t->out);
		write_did_you_mean_if_suggestion(t->o->suggestion, t->out);
	}
}

static void explain_why_no_creation_or_termination(const struct explanation *t)
{
	if (t->e->kind == PT_EVENT_TERMINATION)
		fputs("it did not end", t->out);
	else
		fputs("it never began", t->out);
}

static void explain_why_thread_count_not_reached(const struct explanation *t)
{
	fprintf(t->out, "%" PRIu64 " thread%s %s alive at once, at most",
		t->o->count, plural_suffix(t->o->count),
		t->o->count == 1 ? "was" : "were");
}

static void explain_why_time_not_reached(const struct explanation *t)
{
	fprintf(t->out, "only %.6g ms of %.6g passed",
		(double)t->o->count / 1e6, (double)t->e->count / 1e6);
}

/* Write how far the event's count of instructions or accesses came. */
static void explain_why_count_not_reached(const struct explanation *t)
{
	char n[AL_NUMBER_BYTES], wanted[AL_NUMBER_BYTES];

	fprintf(t->out, "only %s of %s%s",
		al_number_format_grouped(n, t->o->count),
		al_number_format_grouped(wanted, t->e->count),
		t->e->thread || (t->e->flags & PT_EVENT_SUM)
			? ""
			: " by the thread that came furthest");
}

static void explain_why_no_client_request(const struct explanation *t)
{
	if (t->o->count) {
		fputs("other threads asked for it", t->out);
		return;
	}
	fputs("it never did", t->out);
	write_did_you_mean_if_suggestion(t->o->suggestion, t->out);
}

static void explain_why_no_signal(const struct explanation *t)
{
	fputs(t->o->count ? "it was delivered to other threads"
			  : "it was never delivered",
	      t->out);
}

static void explain_monitor_command_never_given(const struct explanation *t)
{
	fputs("no such command was given", t->out);
}

/* ---- events of any kind ---- */

static unsigned count_numbered_processes_of_whole_tree(
	const struct al_process *any_process_of_tree)
{
	unsigned n = 0;

	for (size_t i = 0; i < any_process_of_tree->run->n_processes; i++)
		n += any_process_of_tree->run->process[i]->tree ==
			     any_process_of_tree->tree &&
		     any_process_of_tree->run->process[i]->number;
	return n;
}

/* Write why the event could not happen, if its process or thread never began or
   nothing of its process may be recorded. Return: whether one of these is so;
   else nothing is written. */
static bool explain_absent_process_or_thread(const struct explanation *t,
					     const struct al_closest_image *w)
{
	unsigned n = count_numbered_processes_of_whole_tree(w->process);

	if (!t->process)
		fprintf(t->out, "process %u never began: there %s only %u",
			t->e->process, n == 1 ? "was" : "were", n);
	else if (!al_process_is_followed(t->process))
		fprintf(t->out, "process %u was not followed", t->e->process);
	else if (t->o && t->e->thread > t->threads)
		fprintf(t->out,
			"thread %u never began: process %u had %u thread%s",
			t->e->thread, t->process->number, t->threads,
			plural_suffix(t->threads));
	else
		return false;
	return true;
}

static void
explain_why_event_outcome_is_unknown(const struct explanation *t,
				     const struct al_closest_image *w)
{
	const struct al_process *p = t->o ? w->process : t->process;
	const char *why;

	fputs("how far it came is not known: ", t->out);
	if (al_process_completeness_and_reason(p, &why) == AL_COMPLETE || !why)
		fprintf(t->out, "process %u did not report its events",
			p->number);
	else
		fprintf(t->out, "process %u: %s", p->number, why);
}

static void
explain_by_kind_why_event_did_not_happen(const struct explanation *t)
{
	static void (*const tell[])(const struct explanation *) = {
		[PT_EVENT_CREATION] = explain_why_no_creation_or_termination,
		[PT_EVENT_TERMINATION] = explain_why_no_creation_or_termination,
		[PT_EVENT_LOAD] = explain_why_no_load_or_unload_event,
		[PT_EVENT_UNLOAD] = explain_why_no_load_or_unload_event,
		[PT_EVENT_CALL] = explain_why_no_call_or_return_event,
		[PT_EVENT_RETURN] = explain_why_no_call_or_return_event,
		[PT_EVENT_THREADS] = explain_why_thread_count_not_reached,
		[PT_EVENT_TIME] = explain_why_time_not_reached,
		[PT_EVENT_ACCESSES] = explain_why_count_not_reached,
		[PT_EVENT_READS] = explain_why_count_not_reached,
		[PT_EVENT_WRITES] = explain_why_count_not_reached,
		[PT_EVENT_INSTRUCTIONS] = explain_why_count_not_reached,
		[PT_EVENT_REQUEST] = explain_why_no_client_request,
		[PT_EVENT_SIGNAL] = explain_why_no_signal,
		[PT_EVENT_MONITOR] = explain_monitor_command_never_given,
	};

	tell[t->e->kind](t);
}

/* Return the greatest number of threads in an ended exec image of the process;
   0 if @p is NULL. Threads are numbered anew in each image. */
static uint32_t max_thread_count_of_images(const struct al_process *p)
{
	uint64_t n = 0;

	for (size_t i = 0; p && i < p->n_images; i++)
		if (p->image[i].has_ended &&
		    p->image[i].summary->counts.threads > n)
			n = p->image[i].summary->counts.threads;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

void al_diagnosis_explain_missing_event(const struct al_closest_image *w,
					uint32_t event_index, FILE *out)
{
	struct explanation t = {
		.plan = w->process->plan,
		.e = pt_plan_events(w->process->plan) + event_index,
		.out = out,
	};
	enum al_event_status came =
		al_diagnosis_event_status(w, event_index, &t.o);

	t.process = al_diagnosis_find_event_process(w, t.e);
	t.threads = max_thread_count_of_images(t.process);
	if (explain_absent_process_or_thread(&t, w))
		return;
	if (came == AL_EVENT_UNKNOWN)
		explain_why_event_outcome_is_unknown(&t, w);
	else if (t.o->flags & PT_OUTCOME_HAPPENED)
		fprintf(out, "it happened when process %u was over",
			w->process->number);
	else
		explain_by_kind_why_event_did_not_happen(&t);
}

/* ---- names in a recording plan ---- */

static void write_object_file_choice_in_words(const struct pt_plan *plan,
					      uint32_t image_index, FILE *out)
{
	const struct pt_image *im = pt_plan_images(plan) + image_index;

	switch (im->kind) {
	case PT_IMAGE_NO_SYSTEM:
		fputs("any image but the system's", out);
		break;
	case PT_IMAGE_ANY:
		fputs("any image", out);
		break;
	default:
		write_image_kind_and_name(pt_plan_string(plan, im->name),
					  im->kind == PT_IMAGE_PATH, out);
	}
}

void al_missing_name_write_explanation(const struct al_missing_name *m,
				       FILE *out)
{
	const struct pt_plan *plan = m->process->plan;
	uint32_t n = max_thread_count_of_images(m->process);
	const char *name;

	switch (m->kind) {
	case AL_NO_THREAD:
		fprintf(out,
			"thread %u never began: process %u had %u thread%s",
			m->number, m->process->number, n, plural_suffix(n));
		break;
	case AL_NO_IMAGE:
		write_object_file_choice_in_words(plan, m->number, out);
		fputs(" was never mapped", out);
		write_did_you_mean_if_suggestion(m->outcome->suggestion, out);
		break;
	case AL_NO_FUNCTION:
		name = pt_plan_string(plan,
				      pt_plan_functions(plan)[m->number].name);
		fprintf(out, "there is no function '%s' in ", name);
		write_object_file_choice_in_words(plan, m->image, out);
		write_no_symbols_or_suggestion(m->outcome, out);
		break;
	}
}
