/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_syntax_test.c - tests each kind of event, and groups of events
 */
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

/* Return the event that opens a window with @text as `on`. */
static struct pt_event parse_opening_event(const char *text, char *image,
					   char *name)
{
	char all[400];
	struct al_windows *w;
	struct pt_event e;

	snprintf(all, sizeof(all), KEY("on: {%s}"), text);
	w = good(all);
	e = w->event[w->window[0].on];
	if (image)
		strcpy(image, w->string + e.image);
	if (name)
		strcpy(name, w->string + e.name);
	al_windows_free(w);
	return e;
}

static void test_code(void)
{
	char image[100], name[100];
	struct pt_event e =
		parse_opening_event("call: {function: f, image_name: libx.so, "
				    "thread: 3, process: 2, decorated: true}",
				    image, name);

	ok(e.kind == PT_EVENT_CALL && e.thread == 3 && e.process == 2 &&
		   e.count == 1,
	   "the first call in a thread of a process");
	ok(e.flags == PT_EVENT_DECORATED, "by the linker's name");
	is_str(image, "libx.so", "in a library");
	is_str(name, "f", "of the function");
	e = parse_opening_event(
		"return: {function: 'g(int)', image_path: /a/b, nth: 0}", image,
		name);
	ok(e.kind == PT_EVENT_RETURN && e.count == 1 &&
		   e.flags == (PT_EVENT_SUM | PT_EVENT_BY_PATH),
	   "0 is any return, so the first");
	is_str(image, "/a/b", "in a file");
	is_str(name, "g(int)", "of a function with parameters");
	e = parse_opening_event("call: main", image, name);
	ok(e.kind == PT_EVENT_CALL && e.count == 1 && !*image,
	   "a word is a call's function");
	is_str(name, "main", "with that name");
	e = parse_opening_event("load: {path: /lib/x, process: 1}", image,
				NULL);
	ok(e.kind == PT_EVENT_LOAD && e.flags == PT_EVENT_BY_PATH &&
		   e.process == 1 && !strcmp(image, "/lib/x"),
	   "a file is mapped");
	e = parse_opening_event("unload: libm.so.6", image, NULL);
	ok(e.kind == PT_EVENT_UNLOAD && !e.flags && !strcmp(image, "libm.so.6"),
	   "a word is an image's name");
}

static void test_life(void)
{
	struct pt_event e =
		parse_opening_event("creation: {process: 3}", NULL, NULL);

	ok(e.kind == PT_EVENT_CREATION && e.process == 3 && !e.thread,
	   "a process is created, though nobody follows it");
	e = parse_opening_event("termination: {process: 1, thread: 2}", NULL,
				NULL);
	ok(e.kind == PT_EVENT_TERMINATION && e.process == 1 && e.thread == 2,
	   "a thread ends");
	e = parse_opening_event("creation: 2", NULL, NULL);
	is_u64(e.process, 2, "a word is the process");
	e = parse_opening_event("threads: {ge: 4}", NULL, NULL);
	ok(e.kind == PT_EVENT_THREADS && e.count == 4 && e.most == PT_NO_LIMIT,
	   "at least so many threads");
	e = parse_opening_event("threads: {le: 1, process: 1}", NULL, NULL);
	ok(!e.count && e.most == 1, "at most so many threads");
}

static void test_counts(void)
{
	struct pt_event e =
		parse_opening_event("instructions: {count: 3M}", NULL, NULL);

	ok(e.kind == PT_EVENT_INSTRUCTIONS && e.count == 3 << 20 &&
		   e.flags == PT_EVENT_SUM,
	   "so many instructions of all threads");
	e = parse_opening_event("instructions: {count: 9, thread: 2}", NULL,
				NULL);
	ok(!e.flags && e.thread == 2, "of one thread");
	e = parse_opening_event("instructions: {count: 9, any_thread: true}",
				NULL, NULL);
	ok(!e.flags && !e.thread, "of any one thread");
	e = parse_opening_event("accesses: 5", NULL, NULL);
	ok(e.kind == PT_EVENT_ACCESSES && e.count == 5, "so many accesses");
	e = parse_opening_event("accesses: {reads: 6}", NULL, NULL);
	ok(e.kind == PT_EVENT_READS && e.count == 6, "reads alone");
	e = parse_opening_event("accesses: {writes: 7}", NULL, NULL);
	ok(e.kind == PT_EVENT_WRITES && e.count == 7, "writes alone");
	e = parse_opening_event("time: {ms: 5}", NULL, NULL);
	ok(e.kind == PT_EVENT_TIME && e.count == 5000000, "milliseconds");
	ok(parse_opening_event("time: {us: 5}", NULL, NULL).count == 5000 &&
		   parse_opening_event("time: {s: 5}", NULL, NULL).count ==
			   5000000000 &&
		   parse_opening_event("time: {ms: 2s}", NULL, NULL).count ==
			   2000000000 &&
		   parse_opening_event("time: 7us", NULL, NULL).count == 7000 &&
		   parse_opening_event("time: 7ns", NULL, NULL).count == 7,
	   "other units of time");
}

static void test_outside(void)
{
	char name[100];
	struct pt_event e =
		parse_opening_event("client_request: {name: go}", NULL, name);

	ok(e.kind == PT_EVENT_REQUEST && !strcmp(name, "go"),
	   "the program asks for it");
	e = parse_opening_event("client_request: go", NULL, name);
	ok(e.kind == PT_EVENT_REQUEST && !strcmp(name, "go"),
	   "a word is the request's name");
	e = parse_opening_event("signal: 12", NULL, NULL);
	ok(e.kind == PT_EVENT_SIGNAL && e.count == 12, "a signal by number");
	ok(parse_opening_event("signal: SIGUSR1", NULL, NULL).count == 10 &&
		   parse_opening_event("signal: USR1", NULL, NULL).count ==
			   10 &&
		   parse_opening_event("signal: {number: INT, thread: 1}", NULL,
				       NULL)
				   .count == 2,
	   "a signal by name");
	e = parse_opening_event("monitor: true", NULL, NULL);
	is_u64(e.kind, PT_EVENT_MONITOR, "asked for from outside");
}

/* ---- combinations ---- */

static void format_event(const struct al_windows *w, uint32_t i, char *out)
{
	const struct pt_event *e = &w->event[i];

	if (e->kind > PT_EVENT_ANY) {
		sprintf(out + strlen(out), "%u.%u", e->kind,
			(unsigned)e->count);
		return;
	}
	strcat(out, e->kind == PT_EVENT_ALL ? "all(" : "any(");
	for (uint32_t k = 0; k < e->n; k++) {
		if (k)
			strcat(out, " ");
		format_event(w, e->first + k, out);
	}
	strcat(out, ")");
}

static const char *format_combined_events(const char *text)
{
	static char out[400];
	struct al_windows *w = good(text);

	*out = '\0';
	format_event(w, w->window[0].on, out);
	al_windows_free(w);
	return out;
}

static void test_trees(void)
{
	is_str(format_combined_events(ON("all: [signal: 3, signal: 4]")),
	       "all(16.3 16.4)", "all of two");
	is_str(format_combined_events(ON("any: [signal: 3, signal: 4]")),
	       "any(16.3 16.4)", "any of two");
	is_str(format_combined_events(ON("one: [signal: 3]")), "any(16.3)",
	       "one is any");
	is_str(format_combined_events(ON("signal: 3, time: 4ns")),
	       "any(16.3 10.4)", "several without a word are any");
	is_str(format_combined_events(KEY("on: [signal: 3, signal: 4]")),
	       "any(16.3 16.4)", "a list is, too");
	is_str(format_combined_events(
		       ON("all: [{signal: 3, time: 4ns}, signal: 5]")),
	       "all(any(16.3 10.4) 16.5)", "also within all");
	is_str(format_combined_events(
		       ON("all: [any: [signal: 1, all: [signal: 2, signal: "
			  "3]], signal: 4], any: [signal: 5]")),
	       "any(all(any(16.1 all(16.2 16.3)) 16.4) any(16.5))",
	       "any depth");
	is_str(format_combined_events(ON("accesses: {reads: 3, writes: 4}")),
	       "all(12.3 13.4)", "reads and writes are both");
}

static void test_since(void)
{
	struct al_windows *w =
		good(KEY("on: {signal: 1}, reopenable: true, till: {any: "
			 "[instructions: {count: 5, since: opening}, call: "
			 "{function: f, since: opening}, time: 1, accesses: "
			 "{reads: 1, writes: 2, since: opening}]}"));
	const struct pt_event *e = &w->event[w->event[w->window[0].till].first];

	ok(e[0].flags & PT_EVENT_SINCE_OPEN && e[1].flags & PT_EVENT_SINCE_OPEN,
	   "counts that begin when the window opens");
	ok(!(e[2].flags & PT_EVENT_SINCE_OPEN), "and one that does not");
	ok(w->event[e[3].first].flags & PT_EVENT_SINCE_OPEN &&
		   w->event[e[3].first + 1].flags & PT_EVENT_SINCE_OPEN,
	   "reads and writes each");
	al_windows_free(w);
}

int main(void)
{
	test_code();
	test_life();
	test_counts();
	test_outside();
	test_trees();
	test_since();
	return done_testing();
}
