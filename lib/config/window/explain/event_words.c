/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_words.c - events of windows in words
 */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "lib/config/window/explain/explain.h"

/* What is being told, and to whom. */
struct telling {
	const struct al_windows *w;
	const struct pt_event *e;
	FILE *out;
};

static void tell_image(const struct telling *t)
{
	const char *image = t->w->string + t->e->image;

	if (!*image)
		fputs("the main executable", t->out);
	else
		fprintf(t->out, "%s '%s'",
			t->e->flags & PT_EVENT_BY_PATH ? "file" : "image",
			image);
}

static void tell_function(const struct telling *t)
{
	fprintf(t->out, "function '%s'%s in ", t->w->string + t->e->name,
		t->e->flags & PT_EVENT_DECORATED ? " (the linker's name)" : "");
	tell_image(t);
}

static const char *ending(uint64_t n)
{
	if (n % 100 / 10 == 1)
		return "th";
	return n % 10 == 1   ? "st"
	       : n % 10 == 2 ? "nd"
	       : n % 10 == 3 ? "rd"
			     : "th";
}

static void tell_where(const struct telling *t)
{
	if (t->e->thread)
		fprintf(t->out, " in thread %u", t->e->thread);
	if (t->e->process)
		fprintf(t->out, "%s process %u", t->e->thread ? " of" : " in",
			t->e->process);
}

static void tell_since(const struct telling *t)
{
	if (t->e->flags & PT_EVENT_SINCE_OPEN)
		fputs(" after the window opened", t->out);
}

static void tell_life(const struct telling *t)
{
	if (t->e->thread)
		fprintf(t->out, "thread %u of ", t->e->thread);
	fprintf(t->out, "process %u %s", t->e->process,
		t->e->kind == PT_EVENT_CREATION ? "begins" : "ends");
}

static void tell_load(const struct telling *t)
{
	tell_image(t);
	fputs(t->e->kind == PT_EVENT_LOAD ? " is loaded" : " is unloaded",
	      t->out);
	tell_where(t);
}

static void tell_call(const struct telling *t)
{
	tell_function(t);
	fputs(" is called", t->out);
	if (t->e->count > 1)
		fprintf(t->out, " for the %" PRIu64 "%s time", t->e->count,
			ending(t->e->count));
	tell_where(t);
	tell_since(t);
}

static void tell_return(const struct telling *t)
{
	if (t->e->count > 1)
		fprintf(t->out, "the %" PRIu64 "%s", t->e->count,
			ending(t->e->count));
	else
		fputs("the first", t->out);
	fputs(" call of ", t->out);
	tell_function(t);
	tell_where(t);
	tell_since(t);
	fputs(" returns", t->out);
}

static void tell_threads(const struct telling *t)
{
	const struct pt_event *e = t->e;

	if (e->most == PT_NO_LIMIT)
		fprintf(t->out, "at least %" PRIu64, e->count);
	else if (!e->count)
		fprintf(t->out, "at most %" PRIu64, e->most);
	else
		fprintf(t->out, "between %" PRIu64 " and %" PRIu64, e->count,
			e->most);
	fputs(e->most == 1 || (e->count == 1 && e->most == PT_NO_LIMIT)
		      ? " thread is alive"
		      : " threads are alive",
	      t->out);
	tell_where(t);
}

static void tell_time(const struct telling *t)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = {
		{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	int i = 0;

	while (t->e->count % units[i].ns)
		i++;
	fprintf(t->out, "%" PRIu64 " %s have passed", t->e->count / units[i].ns,
		units[i].name);
	tell_where(t);
	tell_since(t);
}

static void tell_count(const struct telling *t)
{
	static const char *const what[] = {
		[PT_EVENT_ACCESSES] = "reads and writes have been made",
		[PT_EVENT_READS] = "reads have been made",
		[PT_EVENT_WRITES] = "writes have been made",
		[PT_EVENT_INSTRUCTIONS] = "instructions have been executed",
	};

	fprintf(t->out, "%" PRIu64 " %s", t->e->count, what[t->e->kind]);
	if (!t->e->thread && !(t->e->flags & PT_EVENT_SUM))
		fputs(" by any one thread", t->out);
	tell_where(t);
	tell_since(t);
}

static void tell_request(const struct telling *t)
{
	fprintf(t->out, "the program asks for '%s'", t->w->string + t->e->name);
	tell_where(t);
}

static void tell_signal(const struct telling *t)
{
	const char *name = sigabbrev_np((int)t->e->count);

	fprintf(t->out, "signal %" PRIu64, t->e->count);
	if (name)
		fprintf(t->out, " (SIG%s)", name);
	fputs(" is delivered", t->out);
	tell_where(t);
}

static void tell_monitor(const struct telling *t)
{
	fputs("somebody outside asks for it", t->out);
	tell_where(t);
}

static void tell_group(const struct telling *t)
{
	const char *join = t->e->kind == PT_EVENT_ALL ? " and also " : " or ";

	for (uint32_t i = 0; i < t->e->n; i++) {
		const struct pt_event *e = &t->w->event[t->e->first + i];
		bool nested = t->e->n > 1 && e->n > 1;

		fprintf(t->out, "%s%s", i ? join : "", nested ? "(" : "");
		al_event_explain(t->w, t->e->first + i, t->out);
		if (nested)
			fputs(")", t->out);
	}
}

void al_event_explain(const struct al_windows *w, uint32_t event, FILE *out)
{
	static void (*const tell[])(const struct telling *) = {
		[PT_EVENT_ALL] = tell_group,
		[PT_EVENT_ANY] = tell_group,
		[PT_EVENT_CREATION] = tell_life,
		[PT_EVENT_TERMINATION] = tell_life,
		[PT_EVENT_LOAD] = tell_load,
		[PT_EVENT_UNLOAD] = tell_load,
		[PT_EVENT_CALL] = tell_call,
		[PT_EVENT_RETURN] = tell_return,
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
	struct telling t = {w, &w->event[event], out};

	tell[t.e->kind](&t);
}
