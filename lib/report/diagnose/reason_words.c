/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason_words.c - why an event did not happen, in words
 */
#include <inttypes.h>

#include "lib/config/window/plan/process_plan.h"
#include "lib/report/diagnose/diagnosis.h"

/* An event whose outcome is explained, and where the text goes. */
struct telling {
	const struct pt_plan *plan;
	const struct pt_event *e;
	const struct al_outcome *o;	  /* NULL: its process did not tell */
	const struct al_process *process; /* that it is of */
	uint32_t threads;		  /* that that one has had */
	FILE *out;
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void tell_near(const char *near, FILE *out)
{
	if (near)
		fprintf(out, "; did you mean '%s'?", near);
}

static void tell_image(const char *name, bool by_path, FILE *out)
{
	if (*name)
		fprintf(out, "%s '%s'", by_path ? "file" : "image", name);
	else
		fputs("the main executable", out);
}

/* ---- functions ---- */

static void tell_unfound(const struct al_outcome *o, FILE *out)
{
	if (o->count == 0)
		fputs(", which names no function (was it stripped?)", out);
	else
		tell_near(o->suggestion, out);
}

static void tell_calls(const struct telling *t)
{
	const char *image = al_plan_string(t->plan, t->e->image);
	bool by_path = t->e->flags & PT_EVENT_BY_PATH;
	char n[AL_NUMBER_BYTES], of[AL_NUMBER_BYTES];

	if (!(t->o->flags & PT_OUTCOME_MAPPED)) {
		tell_image(image, by_path, t->out);
		fputs(" was never mapped", t->out);
		tell_near(t->o->suggestion, t->out);
	} else if (!(t->o->flags & PT_OUTCOME_FOUND)) {
		fprintf(t->out, "there is no function '%s' in ",
			al_plan_string(t->plan, t->e->name));
		tell_image(image, by_path, t->out);
		tell_unfound(t->o, t->out);
	} else if (t->o->count >= t->e->count) {
		fputs("it was called, but did not return", t->out);
	} else if (t->o->count == 0) {
		fputs("it was never called", t->out);
	} else {
		fprintf(t->out, "it was called only %s time%s of %s",
			al_number_format(n, t->o->count), plural(t->o->count),
			al_number_format(of, t->e->count));
	}
}

/* ---- others ---- */

static void tell_images(const struct telling *t)
{
	if (t->o->flags & PT_OUTCOME_MAPPED) {
		fputs("it was never unmapped", t->out);
	} else {
		fputs("it was never mapped", t->out);
		tell_near(t->o->suggestion, t->out);
	}
}

static void tell_life(const struct telling *t)
{
	if (t->e->kind == PT_EVENT_TERMINATION)
		fputs("it did not end", t->out);
	else
		fputs("it never began", t->out);
}

static void tell_threads(const struct telling *t)
{
	fprintf(t->out, "%" PRIu64 " thread%s %s alive at once, at most",
		t->o->count, plural(t->o->count),
		t->o->count == 1 ? "was" : "were");
}

static void tell_time(const struct telling *t)
{
	fprintf(t->out, "only %.6g ms of %.6g passed",
		(double)t->o->count / 1e6, (double)t->e->count / 1e6);
}

static void tell_count(const struct telling *t)
{
	char n[AL_NUMBER_BYTES], of[AL_NUMBER_BYTES];

	fprintf(t->out, "only %s of %s%s", al_number_format(n, t->o->count),
		al_number_format(of, t->e->count),
		t->e->thread || (t->e->flags & PT_EVENT_SUM)
			? ""
			: " by the thread that came furthest");
}

static void tell_request(const struct telling *t)
{
	if (t->o->count) {
		fputs("other threads asked for it", t->out);
		return;
	}
	fputs("it never did", t->out);
	tell_near(t->o->suggestion, t->out);
}

static void tell_signal(const struct telling *t)
{
	fputs(t->o->count ? "it was delivered to other threads"
			  : "it was never delivered",
	      t->out);
}

static void tell_monitor(const struct telling *t)
{
	fputs("nobody did", t->out);
}

/* ---- whoever it is of ---- */

static unsigned processes(const struct al_process *of)
{
	unsigned n = 0;

	for (size_t i = 0; i < of->run->n_processes; i++)
		n += of->run->process[i]->tree == of->tree &&
		     of->run->process[i]->number;
	return n;
}

/* Print that the event's process or thread did not exist. Return: whether that was
   so. */
static bool tell_nobody(const struct telling *t,
			const struct al_closest_image *w)
{
	unsigned n = processes(w->process);

	if (!t->process)
		fprintf(t->out, "process %u never began: there %s only %u",
			t->e->process, n == 1 ? "was" : "were", n);
	else if (!al_process_is_followed(t->process))
		fprintf(t->out, "process %u was not followed", t->e->process);
	else if (t->o && t->e->thread > t->threads)
		fprintf(t->out,
			"thread %u never began: process %u had %u thread%s",
			t->e->thread, t->process->number, t->threads,
			plural(t->threads));
	else
		return false;
	return true;
}

static void tell_unknown(const struct telling *t,
			 const struct al_closest_image *w)
{
	const struct al_process *p = t->o ? w->process : t->process;
	const char *why;

	fputs("how far it came is not known: ", t->out);
	if (al_process_status(p, &why) == AL_COMPLETE || !why)
		fprintf(t->out, "process %u did not tell", p->number);
	else
		fprintf(t->out, "process %u: %s", p->number, why);
}

static void tell_why(const struct telling *t)
{
	static void (*const tell[])(const struct telling *) = {
		[PT_EVENT_CREATION] = tell_life,
		[PT_EVENT_TERMINATION] = tell_life,
		[PT_EVENT_LOAD] = tell_images,
		[PT_EVENT_UNLOAD] = tell_images,
		[PT_EVENT_CALL] = tell_calls,
		[PT_EVENT_RETURN] = tell_calls,
		[PT_EVENT_THREADS] = tell_threads,
		[PT_EVENT_TIME] = tell_time,
		[PT_EVENT_ACCESSES] = tell_count,
		[PT_EVENT_READS] = tell_count,
		[PT_EVENT_WRITES] = tell_count,
		[PT_EVENT_INSTRUCTIONS] = tell_count,
		[PT_EVENT_REQUEST] = tell_request,
		[PT_EVENT_SIGNAL] = tell_signal,
		[PT_EVENT_MONITOR] = tell_monitor,
	};

	tell[t->e->kind](t);
}

/* Threads of its images, at most: their numbers begin anew with each. */
static uint32_t threads_of(const struct al_process *p)
{
	uint64_t n = 0;

	for (size_t i = 0; p && i < p->n_images; i++)
		if (p->image[i].has_ended &&
		    p->image[i].summary->counts.threads > n)
			n = p->image[i].summary->counts.threads;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

void al_diagnosis_explain_event(const struct al_closest_image *w,
				uint32_t event, FILE *out)
{
	struct telling t = {
		.plan = w->process->plan,
		.e = al_plan_events(w->process->plan) + event,
		.out = out,
	};
	enum al_event_status came = al_diagnosis_event_status(w, event, &t.o);

	t.process = al_diagnosis_find_process(w, t.e);
	t.threads = threads_of(t.process);
	if (tell_nobody(&t, w))
		return;
	if (came == AL_EVENT_UNKNOWN)
		tell_unknown(&t, w);
	else if (t.o->flags & PT_OUTCOME_HAPPENED)
		fprintf(out, "it happened when process %u was over",
			w->process->number);
	else
		tell_why(&t);
}

/* ---- what a profile names ---- */

static void tell_profiled(const struct pt_plan *plan, uint32_t image, FILE *out)
{
	const struct pt_image *im = al_plan_images(plan) + image;

	switch (im->kind) {
	case PT_IMAGE_NO_SYSTEM:
		fputs("any image but the system's", out);
		break;
	case PT_IMAGE_ANY:
		fputs("any image", out);
		break;
	default:
		tell_image(al_plan_string(plan, im->name),
			   im->kind == PT_IMAGE_PATH, out);
	}
}

void al_missing_name_explain(const struct al_missing_name *m, FILE *out)
{
	const struct pt_plan *plan = m->process->plan;
	uint32_t n = threads_of(m->process);
	const char *name;

	switch (m->kind) {
	case AL_NO_THREAD:
		fprintf(out,
			"thread %u never began: process %u had %u thread%s",
			m->number, m->process->number, n, plural(n));
		break;
	case AL_NO_IMAGE:
		tell_profiled(plan, m->number, out);
		fputs(" was never mapped", out);
		tell_near(m->outcome->suggestion, out);
		break;
	case AL_NO_FUNCTION:
		name = al_plan_string(plan,
				      al_plan_functions(plan)[m->number].name);
		fprintf(out, "there is no function '%s' in ", name);
		tell_profiled(plan, m->image, out);
		tell_unfound(m->outcome, out);
		break;
	}
}
