/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_words.c - describes in English the events that open and close windows
 */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "lib/config/window/explain/explain.h"

/* An event, its windows, and the output file that its description is printed
   to. */
struct description {
	const struct al_windows *w;
	const struct pt_event *e;
	FILE *out;
};

static void print_object_file_of_event(const struct description *t)
{
	const char *image = t->w->string + t->e->image;

	if (!*image)
		fputs("the main executable", t->out);
	else
		fprintf(t->out, "%s '%s'",
			t->e->flags & PT_EVENT_BY_PATH ? "file" : "image",
			image);
}

static void print_function_and_image_of_event(const struct description *t)
{
	fprintf(t->out, "function '%s'%s in ", t->w->string + t->e->name,
		t->e->flags & PT_EVENT_DECORATED ? " (the linker's name)" : "");
	print_object_file_of_event(t);
}

static const char *ordinal_suffix(uint64_t number)
{
	if (number % 100 / 10 == 1)
		return "th";
	return number % 10 == 1	  ? "st"
	       : number % 10 == 2 ? "nd"
	       : number % 10 == 3 ? "rd"
				  : "th";
}

static void print_thread_and_process_if_set(const struct description *t)
{
	if (t->e->thread)
		fprintf(t->out, " in thread %u", t->e->thread);
	if (t->e->process)
		fprintf(t->out, "%s process %u", t->e->thread ? " of" : " in",
			t->e->process);
}

static void print_if_counted_since_window_opened(const struct description *t)
{
	if (t->e->flags & PT_EVENT_SINCE_OPEN)
		fputs(" after the window opened", t->out);
}

static void print_creation_or_termination(const struct description *t)
{
	if (t->e->thread)
		fprintf(t->out, "thread %u of ", t->e->thread);
	fprintf(t->out, "process %u %s", t->e->process,
		t->e->kind == PT_EVENT_CREATION ? "begins" : "ends");
}

static void print_image_load_or_unload(const struct description *t)
{
	print_object_file_of_event(t);
	fputs(t->e->kind == PT_EVENT_LOAD ? " is loaded" : " is unloaded",
	      t->out);
	print_thread_and_process_if_set(t);
}

static void print_nth_function_call_event(const struct description *t)
{
	print_function_and_image_of_event(t);
	fputs(" is called", t->out);
	if (t->e->count > 1)
		fprintf(t->out, " for the %" PRIu64 "%s time", t->e->count,
			ordinal_suffix(t->e->count));
	print_thread_and_process_if_set(t);
	print_if_counted_since_window_opened(t);
}

static void print_return_of_nth_call_event(const struct description *t)
{
	if (t->e->count > 1)
		fprintf(t->out, "the %" PRIu64 "%s", t->e->count,
			ordinal_suffix(t->e->count));
	else
		fputs("the first", t->out);
	fputs(" call of ", t->out);
	print_function_and_image_of_event(t);
	print_thread_and_process_if_set(t);
	print_if_counted_since_window_opened(t);
	fputs(" returns", t->out);
}

static void print_thread_count_event(const struct description *t)
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
	print_thread_and_process_if_set(t);
}

static void print_elapsed_time_event(const struct description *t)
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
	print_thread_and_process_if_set(t);
	print_if_counted_since_window_opened(t);
}

static void print_access_or_instr_count_event(const struct description *t)
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
	print_thread_and_process_if_set(t);
	print_if_counted_since_window_opened(t);
}

static void print_client_request_event(const struct description *t)
{
	fprintf(t->out, "the program asks for '%s'", t->w->string + t->e->name);
	print_thread_and_process_if_set(t);
}

static void print_signal_event(const struct description *t)
{
	const char *name = sigabbrev_np((int)t->e->count);

	fprintf(t->out, "signal %" PRIu64, t->e->count);
	if (name)
		fprintf(t->out, " (SIG%s)", name);
	fputs(" is delivered", t->out);
	print_thread_and_process_if_set(t);
}

static void print_event_of_request_from_outside(const struct description *t)
{
	fputs("somebody outside asks for it", t->out);
	print_thread_and_process_if_set(t);
}

static void print_events_joined_by_and_or(const struct description *t)
{
	const char *join = t->e->kind == PT_EVENT_ALL ? " and also " : " or ";

	for (uint32_t i = 0; i < t->e->n; i++) {
		const struct pt_event *e = &t->w->event[t->e->first + i];
		bool nested = t->e->n > 1 && e->n > 1;

		fprintf(t->out, "%s%s", i ? join : "", nested ? "(" : "");
		al_event_print_in_words(t->w, t->e->first + i, t->out);
		if (nested)
			fputs(")", t->out);
	}
}

void al_event_print_in_words(const struct al_windows *w, uint32_t event_index,
			     FILE *out)
{
	static void (*const print[])(const struct description *) = {
		[PT_EVENT_ALL] = print_events_joined_by_and_or,
		[PT_EVENT_ANY] = print_events_joined_by_and_or,
		[PT_EVENT_CREATION] = print_creation_or_termination,
		[PT_EVENT_TERMINATION] = print_creation_or_termination,
		[PT_EVENT_LOAD] = print_image_load_or_unload,
		[PT_EVENT_UNLOAD] = print_image_load_or_unload,
		[PT_EVENT_CALL] = print_nth_function_call_event,
		[PT_EVENT_RETURN] = print_return_of_nth_call_event,
		[PT_EVENT_THREADS] = print_thread_count_event,
		[PT_EVENT_TIME] = print_elapsed_time_event,
		[PT_EVENT_ACCESSES] = print_access_or_instr_count_event,
		[PT_EVENT_READS] = print_access_or_instr_count_event,
		[PT_EVENT_WRITES] = print_access_or_instr_count_event,
		[PT_EVENT_INSTRUCTIONS] = print_access_or_instr_count_event,
		[PT_EVENT_REQUEST] = print_client_request_event,
		[PT_EVENT_SIGNAL] = print_signal_event,
		[PT_EVENT_MONITOR] = print_event_of_request_from_outside,
	};
	struct description t = {w, &w->event[event_index], out};

	print[t.e->kind](&t);
}
