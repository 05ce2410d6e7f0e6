/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syntax_errors_test.c - tests every error of window files
 *
 * Each mistake has one line of output: where it is, the word, and the nearest
 * valid one.
 */
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static void test_files(void)
{
	static const struct bad bad[] = {
		{"- a\n", "1:1: the file is not 'key: value'", "a list"},
		{"windows: [", "2:1: did not find expected node content",
		 "no YAML"},
		{"window: []\n",
		 "1:1: unknown key 'window'; did you mean 'windows'?",
		 "a key that is almost right"},
		{"levels: []\n",
		 "1:1: unknown key 'levels'; valid: alleria, version, "
		 "types, windows",
		 "a key of another file"},
		{"{}\n", "1:1: the file has no 'windows'", "no windows"},
		{"windows: 3\n", "1:10: 'windows' is not a list", "a number"},
		{"windows: []\n", "1:10: no windows", "an empty list"},
		{"windows: &a []\n", "1:10: anchors are not supported: 'a'",
		 "an anchor"},
		{"alleria: 2\nwindows: []\n",
		 "1:10: the version of the file is not 1", "a later version"},
		{"alleria: 1\nversion: 1\n",
		 "2:1: 'alleria' and 'version' exclude each other",
		 "two versions"},
		{"windows: [a]\n", "1:11: a window is not 'key: value'",
		 "a word for a window"},
	};

	check(bad, N_OF(bad));
}

static void test_windows(void)
{
	static const struct bad bad[] = {
		{"windows: [{}]\n", "1:11: a window has no 'profile'",
		 "no profile"},
		{"windows:\n- {profil: []}\n",
		 "2:4: unknown key 'profil'; did you mean 'profile'?",
		 "a window's key that is almost right"},
		{"windows:\n- {warmup: 3,\n   warmup: 4}\n",
		 "3:4: 'warmup' is given twice, first in line 2",
		 "a key given twice"},
		{KEY("name: a b"),
		 "2:10: name 'a b' is not 1 to 63 letters, digits, '_', '.' or "
		 "'-'",
		 "a name with a blank"},
		{KEY("name: []"), "2:10: 'name' is not a word",
		 "a name that is none"},
		{"windows:\n- {name: a, profile: [{}]}\n"
		 "- {name: a, profile: [{}]}\n",
		 "3:10: two windows are named 'a'", "a name given twice"},
		{"windows:\n- {profile: [{}]}\n- {name: 1, profile: [{}]}\n",
		 "3:10: two windows are named '1'",
		 "a name that another has by its number"},
		{KEY("reopenable: yes"),
		 "2:16: unknown reopenable 'yes'; valid: false, true",
		 "a truth value of another kind"},
		{KEY("reopenable: true"),
		 "2:16: a window that is reopenable has no 'on'",
		 "reopenable without on"},
		{KEY("warmup: 3x"),
		 "2:12: warmup '3x' is not a number, with K, M or G or without",
		 "a count that is none"},
		{KEY("warmup: 1G"), "2:12: warmup '1G' is above 268435456",
		 "more than a daemon should keep"},
		{KEY("per_window_output: 1"),
		 "2:23: unknown per_window_output '1'; valid: false, true",
		 "a number for a truth value"},
	};

	check(bad, N_OF(bad));
}

static void test_parts(void)
{
	static const struct bad bad[] = {
		{KEY("sample: 3"), "2:12: a sample is not 'key: value'",
		 "a sample that is a number"},
		{KEY("sample: {every: 3}"), "2:12: a sample has no 'for'",
		 "a sample without its length"},
		{KEY("sample: {for: 3}"), "2:12: a sample has no 'every'",
		 "a sample without its period"},
		{KEY("sample: {every: 3, for: 0}"),
		 "2:28: for '0' is not a number above 0, with K, M or G or "
		 "without",
		 "a sample of nothing"},
		{KEY("sample: {every: 3, for: 4}"),
		 "2:28: 'for' is more than 'every'",
		 "a sample longer than its period"},
		{KEY("sample: {every: 3, for: 2, unit: instruction}"),
		 "2:37: unknown unit 'instruction'; did you mean "
		 "'instructions'?",
		 "an unknown unit"},
		{KEY("sample: {every: 3, for: 2, unit: []}"),
		 "2:37: 'unit' is not a word", "a unit that is none"},
		{KEY("sample: {every: 3, for: 2}, intervals: a"),
		 "2:32: 'sample' and 'intervals' exclude each other",
		 "a sample and a table"},
		{KEY("intervals: []"), "2:15: 'intervals' is not a file's name",
		 "a table that is a list"},
		{KEY("intervals: /dev/zero"),
		 "2:15: cannot read '/dev/zero': Invalid argument",
		 "a table that is no file"},
		{KEY("intervals: /none/x"),
		 "2:15: cannot read '/none/x': No such file or directory",
		 "a table that is nowhere"},
	};

	check(bad, N_OF(bad));
}

static void test_trees(void)
{
	static const struct bad bad[] = {
		{KEY("on: {}"), "2:8: no events", "no event"},
		{KEY("on: 3"), "2:8: an event is not 'key: value'",
		 "an event that is a number"},
		{ON("all: []"), "2:14: no events", "all of nothing"},
		{ON("any: {call: f}"), "2:14: 'any' is not a list",
		 "any of no list"},
		{ON("any: [call]"), "2:15: an event is not 'key: value'",
		 "a word in a list"},
		{ON("cal: f"), "2:9: unknown key 'cal'; did you mean 'call'?",
		 "an event that is almost right"},
		{ON("all: [any: [cal: f]]"),
		 "2:21: unknown key 'cal'; did you mean 'call'?",
		 "one that is deep in a tree"},
		{"windows: [{profile: [process: 2], on: "
		 "{call: {function: f, process: 3}}}]",
		 "1:69: process 3 is in no 'profile', so its events are not "
		 "detected",
		 "an event that is not detected"},
		{"windows: [{profile: [process: 2], on: {creation: 3}}]", "",
		 "but a process' creation is seen"},
	};

	check(bad, N_OF(bad));
}

static void test_code(void)
{
	static const struct bad bad[] = {
		{ON("call: {}"), "2:15: 'call' has no 'function'",
		 "a call of nothing"},
		{ON("return: []"), "2:17: 'return' is not 'key: value'",
		 "a return that is a list"},
		{ON("call: {fnction: f}"),
		 "2:16: unknown key 'fnction'; did you mean 'function'?",
		 "a key that is almost right"},
		{ON("call: {function: ''}"), "2:26: 'function' is empty",
		 "a function without name"},
		{ON("call: {function: f, nth: x}"),
		 "2:34: nth 'x' is not a number, with K, M or G or without",
		 "a word for a number"},
		{ON("call: {function: f, nth: 100..110}"),
		 "2:34: nth '100..110' is not one number; a window from one "
		 "call to another has 'till': on: {call: {function: f, nth: "
		 "100}}, till: {return: {function: f, nth: 110}}",
		 "a range of calls"},
		{ON("call: {function: f, nth: 100-110}"),
		 "2:34: nth '100-110' is not one number; a window from one "
		 "call to another has 'till': on: {call: {function: f, nth: "
		 "100}}, till: {return: {function: f, nth: 110}}",
		 "with a dash"},
		{ON("call: {function: f, nth: 99999999999G}"),
		 "2:34: nth '99999999999G' is above 18446744073709551615",
		 "a number beyond 64 bits"},
		{ON("call: {function: f, image_name: a, image_path: /b}"),
		 "2:29: 'image_path' and 'image_name' exclude each other",
		 "two images"},
		{ON("call: {function: f, image_name: /a}"),
		 "2:41: image_name '/a' is a path, not a file's name",
		 "a path for a name"},
		{ON("call: {function: f, image_path: a}"),
		 "2:41: image_path 'a' does not begin with '/'",
		 "a name for a path"},
		{ON("call: {function: f, decorated: 1}"),
		 "2:40: unknown decorated '1'; valid: false, true",
		 "a number for a truth value"},
		{ON("call: {function: f, since: opening}"),
		 "2:29: 'since' is only permitted in 'till'",
		 "what opens a window since it opened"},
		{TILL("call: {function: f, since: start}"),
		 "2:38: 'since' is not 'opening'", "since something else"},
		{ON("load: {}"), "2:15: 'load' has no 'path' or 'name'",
		 "a load of nothing"},
		{ON("load: {path: /a, name: b}"),
		 "2:26: 'path' and 'name' exclude each other",
		 "a load by path and name"},
		{ON("load: {name: b, thread: 2}"),
		 "2:25: unknown key 'thread'; valid: name, path, process",
		 "a load by a thread"},
	};

	check(bad, N_OF(bad));
}

static void test_life(void)
{
	static const struct bad bad[] = {
		{ON("creation: {}"),
		 "2:19: 'creation' has no 'process' above 0",
		 "the creation of nobody"},
		{ON("termination: {process: 0}"),
		 "2:22: 'termination' has no 'process' above 0",
		 "the end of anybody"},
		{ON("creation: {process: -1}"),
		 "2:29: process '-1' is not a number", "a number below 0"},
		{ON("creation: {process: 1073741825}"),
		 "2:29: process '1073741825' is above 1073741824",
		 "a process that cannot be"},
		{ON("threads: {}"), "2:18: 'threads' has no 'ge' or 'le'",
		 "any number of threads"},
		{ON("threads: {le: 2, ge: 3}"),
		 "2:23: le '2' is less than ge '3'",
		 "less than this and more than that"},
		{ON("threads: {le: 0}"),
		 "2:23: le '0' is not a number above 0, with K, M or G or "
		 "without",
		 "no thread"},
	};

	check(bad, N_OF(bad));
}

static void test_counts(void)
{
	static const struct bad bad[] = {
		{ON("time: {}"), "2:15: 'time' has no 'ms', 'us' or 's'",
		 "no time"},
		{ON("time: {ms: 3, s: 2}"),
		 "2:23: 'ms' and 's' exclude each other", "two times"},
		{ON("time: 3m"),
		 "2:15: ms '3m' is not a time above 0 such as 20, 20ms, 5us or "
		 "2s",
		 "a time in minutes"},
		{ON("time: 0"),
		 "2:15: ms '0' is not a time above 0 such as 20, 20ms, 5us or "
		 "2s",
		 "the time 0"},
		{ON("time: {s: 99999999999999}"),
		 "2:19: s '99999999999999' is too long",
		 "a time beyond 64 bits"},
		{ON("accesses: {}"),
		 "2:19: 'accesses' has no 'reads', 'writes' or 'total'",
		 "no accesses"},
		{ON("accesses: {total: 3, reads: 4}"),
		 "2:20: 'total' and 'reads' exclude each other",
		 "reads and their total"},
		{ON("accesses: {total: 3, thread: 4, any_thread: true}"),
		 "2:53: 'thread' and 'any_thread' exclude each other",
		 "one thread and any"},
		{ON("instructions: {}"), "2:23: 'instructions' has no 'count'",
		 "no instructions"},
		{ON("instructions: 0"),
		 "2:23: count '0' is not a number above 0, with K, M or G or "
		 "without",
		 "0 instructions"},
	};

	check(bad, N_OF(bad));
}

static void test_outside(void)
{
	static const struct bad bad[] = {
		{ON("signal: SIGUSR3"),
		 "2:17: unknown signal 'SIGUSR3'; did you mean 'SIGUSR1'?",
		 "a signal that is almost right"},
		{ON("signal: 65"), "2:17: number '65' is above 64",
		 "a signal that is too large"},
		{ON("signal: {}"), "2:17: 'signal' has no 'number'",
		 "no signal"},
		{ON("monitor: false"), "2:18: 'monitor' is not 'true'",
		 "not asked for"},
		{ON("monitor: {}"), "2:18: 'monitor' is not a word",
		 "asked for with keys"},
		{ON("client_request: {name: []}"), "2:32: 'name' is not a word",
		 "a request without name"},
	};

	check(bad, N_OF(bad));
}

static void test_profile(void)
{
	static const struct bad bad[] = {
		{PROFILE(""), "2:13: no processes", "no process"},
		{"windows: [{profile: {}}]", "1:21: 'profile' is not a list",
		 "a process that is in no list"},
		{PROFILE("{process: x}"), "2:24: process 'x' is not a number",
		 "a process by a word"},
		{PROFILE("{thread: 3}"),
		 "2:15: unknown key 'thread'; did you mean 'threads'?",
		 "a thread that is in no list"},
		{PROFILE("{threads: 3}"), "2:24: 'threads' is not a list",
		 "threads that are none"},
		{PROFILE("{process: 1}, {process: 01}"),
		 "2:28: a process is given twice", "a process given twice"},
		{PROFILE("{}, {process: 0}"), "2:18: a process is given twice",
		 "any process given twice"},
		{THREADS("{thread: 2}, {thread: 2}"),
		 "2:38: a thread is given twice", "a thread given twice"},
		{IMAGES("{main: true, name: b}"),
		 "2:36: 'name' and 'main' exclude each other",
		 "an image in two ways"},
		{IMAGES("{path: b}"), "2:42: path 'b' does not begin with '/'",
		 "an image's path that is none"},
		{IMAGES("{name: b}, {name: b}"),
		 "2:46: an image is given twice", "an image given twice"},
		{FUNCTIONS("{decorated: true}"),
		 "2:48: a function has no 'name'", "a linker's name of none"},
		{FUNCTIONS("{name: f}, {name: f}"),
		 "2:59: a function is given twice", "a function given twice"},
		{INSTRUCTIONS("{form: A, class: B}"),
		 "2:74: 'form' and 'class' exclude each other",
		 "instructions in two ways"},
		{INSTRUCTIONS("{ext: ''}"), "2:70: 'ext' is empty",
		 "an extension without name"},
		{INSTRUCTIONS("{category: any}, {}"),
		 "2:81: an instruction is given twice",
		 "any instruction given twice"},
		{INSTRUCTIONS("{record: [adress]}"),
		 "2:74: unknown field 'adress'; did you mean 'address'?",
		 "a field that is almost right"},
		{INSTRUCTIONS("{record: address}"),
		 "2:73: 'record' is not a list", "a field that is in no list"},
		{INSTRUCTIONS("{record: [[]]}"), "2:74: a field is not a word",
		 "a field that is none"},
		{INSTRUCTIONS("{record: [value, value]}"),
		 "2:81: 'value' is given twice", "a field given twice"},
	};

	check(bad, N_OF(bad));
}

int main(void)
{
	test_files();
	test_windows();
	test_parts();
	test_trees();
	test_code();
	test_life();
	test_counts();
	test_outside();
	test_profile();
	return done_testing();
}
