/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain_test.c - tests descriptions of window files in words
 */
#include "tests/tap.h"

#include "lib/config/window/explain/explain.h"
#include "tests/fixtures/window_text.h"

/* Return the description of the event that opens the window of ON(@text). */
static const char *describe_event(const char *text)
{
	static char words[400];
	struct al_windows *w = good(text);
	FILE *f = fmemopen(words, sizeof(words), "w");

	al_event_print_in_words(w, w->window[0].on, f);
	fclose(f);
	al_windows_free(w);
	return words;
}

static const char *describe_profile(const char *text)
{
	static char words[2000];
	struct al_windows *w = good(text);
	FILE *f = fmemopen(words, sizeof(words), "w");

	al_window_explain_recorded_code(w, 0, f);
	fclose(f);
	al_windows_free(w);
	return words;
}

static void test_events(void)
{
	is_str(describe_event(ON("creation: {process: 2, thread: 3}")),
	       "thread 3 of process 2 begins", "a thread begins");
	is_str(describe_event(ON("termination: 1")), "process 1 ends",
	       "a process ends");
	is_str(describe_event(ON("load: {path: /x, process: 2}")),
	       "file '/x' is loaded in process 2", "a file is mapped");
	is_str(describe_event(ON("unload: x")), "image 'x' is unloaded",
	       "a file is unmapped");
	is_str(describe_event(ON(
		       "call: {function: f, nth: 22, thread: 1, process: 3}")),
	       "function 'f' in the main executable is called for the 22nd "
	       "time in thread 1 of process 3",
	       "a call in a thread of a process");
	is_str(describe_event(
		       ON("return: {function: f, nth: 113, image_name: a, "
			  "decorated: true}")),
	       "the 113th call of function 'f' (the linker's name) in image "
	       "'a' returns",
	       "a return in a library");
	is_str(describe_event(ON("threads: {ge: 1}")),
	       "at least 1 thread is alive", "one thread");
	is_str(describe_event(ON("threads: {ge: 2, le: 4}")),
	       "between 2 and 4 threads are alive", "some threads");
	is_str(describe_event(ON("time: {ms: 1500}")), "1500 ms have passed",
	       "a time");
	is_str(describe_event(ON("time: {ms: 2000, thread: 2}")),
	       "2 s have passed in thread 2", "a thread's time");
	is_str(describe_event(ON("accesses: {total: 3, any_thread: true}")),
	       "3 reads and writes have been made by any one thread",
	       "accesses of a thread");
	is_str(describe_event(ON("accesses: {reads: 1, writes: 2}")),
	       "1 reads have been made and also 2 writes have been made",
	       "reads and writes");
	is_str(describe_event(ON("instructions: 7")),
	       "7 instructions have been executed", "instructions");
	is_str(describe_event(ON("client_request: go")),
	       "the program asks for 'go'", "a request");
	is_str(describe_event(ON("signal: 9")),
	       "signal 9 (SIGKILL) is delivered", "a signal that has a name");
	is_str(describe_event(ON("signal: 40")), "signal 40 is delivered",
	       "a signal that has none");
	is_str(describe_event(ON("monitor: true")),
	       "somebody outside asks for it", "asked for");
	is_str(describe_event(ON("signal: 40, all: [signal: 41, signal: 42]")),
	       "signal 40 is delivered or (signal 41 is delivered and also "
	       "signal 42 is delivered)",
	       "a tree of events");
}

static void test_profiles(void)
{
	is_str(describe_profile(PROFILE("{threads: []}, {process: 2}")),
	       "- process 2: any instruction (routine, address and size, "
	       "bytes)\n"
	       "- any other process: followed, but not recorded\n",
	       "one process of a tree");
	is_str(describe_profile(THREADS("{thread: 2}, {images: []}")),
	       "- any process, thread 2: any instruction (routine, address and "
	       "size, bytes)\n"
	       "- any process, any other thread: nothing\n",
	       "one thread of each");
	is_str(describe_profile(
		       IMAGES("{name: a, functions: []}, {path: /b, "
			      "functions: []}, {main: true, functions: []}, "
			      "{any_but_system: true, functions: []}, "
			      "{functions: []}")),
	       "- any process, file '/b': nothing\n"
	       "- any process, image 'a': nothing\n"
	       "- any process, the main executable: nothing\n"
	       "- any process, any other image that is not the system's: "
	       "nothing\n"
	       "- any process, any other image: nothing\n",
	       "each image");
	is_str(describe_profile(
		       FUNCTIONS("{instructions: []}, {name: f, instructions: "
				 "[]}, {name: g, decorated: true, "
				 "instructions: []}")),
	       "- any process, the linker's function 'g': nothing\n"
	       "- any process, function 'f': nothing\n"
	       "- any process, any other function: nothing\n",
	       "each function");
	is_str(describe_profile(INSTRUCTIONS(
		       "{category: any, record: []}, {category: any_mem, "
		       "record: [value]}, {class: MOV, record: [timestamp, "
		       "core, physical]}")),
	       "- any process: instructions of class 'MOV' (timestamp, core, "
	       "physical address (not recorded yet)); other instructions that "
	       "access memory (address and size, value); any other "
	       "instruction (no fields)\n",
	       "each instruction");
}

static void test_calls(void)
{
	static char words[2000];
	struct al_windows *w = good(
		"types: {a: {pointer: {element: u1, count: 3}}, b: {pointer: "
		"{element: a, sentinel: 9}}, c: {pointer: {element: f4, "
		"count_var: n, direction: dec}}, d: {pointer: {element: u1, "
		"end_var: p}}, e: {pointer: {element: s, start_var: p, "
		"end_valid: true}}, s: {fields: [{name: x, type: u2}, {name: "
		"y, type: u4}]}}\n"
		"windows: [{profile: [{threads: [{images: [{functions: [{name: "
		"f, intercept: {return: s4, pure: true, params: [{name: n, "
		"index: 0, type: s4}, {index: 2, type: c, out: true}, {name: "
		"p, index: 3, type: u8, in: true, out: true}]}}]}]}]}]}]\n");
	FILE *f = fmemopen(words, sizeof(words), "w");

	al_windows_explain(w, "w", f);
	fclose(f);
	al_windows_free(w);
	is_str(words,
	       "w: 1 window. All processes are followed.\n"
	       "\n"
	       "Window '1' is open from the beginning to the end. It records\n"
	       "- any process, function 'f': its calls, with n (s4), parameter "
	       "2 (c, at the\n"
	       "  return), p (u8, at the call and the return), and the result "
	       "(s4), and its\n"
	       "  code; no instructions\n"
	       "\n"
	       "Types\n"
	       "- 'a': a pointer to 'u1', 3 of them\n"
	       "- 'b': a pointer to 'a', up to one that is 9\n"
	       "- 'c': a pointer to 'f4', as many as the value of n, each "
	       "below the "
	       "one before\n"
	       "- 'd': a pointer to 'u1', up to that before p\n"
	       "- 'e': a pointer to 's', from the one at p up to the one at "
	       "the "
	       "pointer\n"
	       "- 's': a struct of 8 bytes: x (u2), y (u4)\n",
	       "calls and types");
}

static void test_lines(void)
{
	static char words[4000];
	struct al_windows *w = good(
		"windows: [{name: a, on: {call: "
		"a_name_that_is_so_long_that_it_needs_a_line_of_its_own_"
		"because_it_has_more_than_80_characters}, till: {instructions: "
		"{count: 3, since: opening}}, reopenable: true, "
		"per_window_output: true, warmup: 9, sample: {every: 3, for: "
		"1}, profile: [process: 2, process: 3]}]");
	FILE *f = fmemopen(words, sizeof(words), "w");

	al_windows_explain(w, "w.yaml", f);
	fclose(f);
	al_windows_free(w);
	is_str(words,
	       "w.yaml: 1 window. Of each tree only these processes are "
	       "followed: 2, 3; children\n"
	       "of others get no number.\n"
	       "Process 1 is not one of them, so nothing will be recorded.\n"
	       "\n"
	       "Window 'a' opens when function\n"
	       "'a_name_that_is_so_long_that_it_needs_a_line_of_its_own_"
	       "because_it_has_more_than_80_characters'\n"
	       "in the main executable is called, and closes when 3 "
	       "instructions have been\n"
	       "executed after the window opened. Then it opens anew when its "
	       "event happens\n"
	       "again: counts begin anew when it is closed. While it is open, "
	       "1 of each 3\n"
	       "instructions are recorded. The 9 instructions before it opens "
	       "are simulated, but\n"
	       "not counted. It has a report of its own. It records\n"
	       "- process 2: any instruction (routine, address and size, "
	       "bytes)\n"
	       "- process 3: any instruction (routine, address and size, "
	       "bytes)\n",
	       "a file as paragraphs");
}

int main(void)
{
	test_events();
	test_profiles();
	test_calls();
	test_lines();
	return done_testing();
}
