/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows_test.c - tests valid window files
 */
#include "tests/tap.h"

#include "tests/fixtures/window_text.h"

static void test_example(void)
{
	struct al_windows *w =
		good("windows:\n"
		     "  - name: second-call\n"
		     "    on:   {call:   {function: hot, nth: 2}}\n"
		     "    till: {return: {function: hot, nth: 2}}\n"
		     "    profile:\n"
		     "      - process: 0\n"
		     "        threads:\n"
		     "          - thread: 0\n"
		     "            images:\n"
		     "              - main: true\n"
		     "                functions:\n"
		     "                  - name: hot\n"
		     "                    instructions:\n"
		     "                      - {category: any_mem, "
		     "record: [address, value]}\n");
	const struct pt_event *on = &w->event[w->window[0].on];
	const struct pt_event *till = &w->event[w->window[0].till];

	is_u64(w->n[AL_WINDOWS], 1, "one window");
	is_str(w->string + w->window[0].name, "second-call", "with its name");
	ok(on->kind == PT_EVENT_CALL && till->kind == PT_EVENT_RETURN,
	   "from a call to a return");
	ok(on->count == 2 && till->count == 2, "each the second");
	is_str(w->string + on->name, "hot", "of the function");
	is_str(w->string + on->image, "", "in the main executable");
	ok(on->flags == PT_EVENT_SUM && till->flags == PT_EVENT_SUM,
	   "counted over all threads, from the beginning");
	ok(w->n[AL_PROCESS_ENTRIES] == 1 && !w->process_entry[0].number &&
		   w->process_entry[0].n_lanes == 1 && !w->lane[0].thread,
	   "any process, any thread");
	ok(w->n[AL_IMAGES] == 1 && w->image[0].kind == PT_IMAGE_MAIN,
	   "one image");
	ok(w->n[AL_FUNCTIONS] == 1 && w->function[0].kind == PT_FUNCTION_NAME &&
		   !strcmp(w->string + w->function[0].name, "hot"),
	   "one function");
	ok(w->n[AL_SELECTS] == 1 && w->select[0].kind == PT_SELECT_ANY_MEM &&
		   w->select[0].record == (PT_RECORD_ADDRESS | PT_RECORD_VALUE),
	   "accesses, with addresses and values");
	al_windows_free(w);
}

static void test_left_out(void)
{
	struct al_windows *w = good("windows:\n- profile: [{}]\n"
				    "- profile: [process: 2]\n");

	is_str(w->string + w->window[0].name, "1", "names are numbers");
	is_str(w->string + w->window[1].name, "2", "in the file's order");
	ok(w->window[0].on == PT_NO_EVENT && w->window[0].till == PT_NO_EVENT,
	   "open from the start to the end");
	ok(w->n[AL_LANES] == 2 && !w->lane[0].thread && w->lane[1].window == 1,
	   "any thread, for each window");
	ok(w->image[0].kind == PT_IMAGE_ANY && w->image[0].n_functions == 1 &&
		   w->function[0].kind == PT_FUNCTION_ANY &&
		   w->select[0].kind == PT_SELECT_ANY,
	   "any image, function and instruction");
	is_u64(w->select[0].record,
	       PT_RECORD_ROUTINE | PT_RECORD_ADDRESS | PT_RECORD_BYTES,
	       "what is recorded without windows");
	ok(al_windows_have_entry_matching_process(w, 1) &&
		   al_windows_have_entry_matching_process(w, 7),
	   "any process is followed");
	ok(!al_windows_find_entry_for_process_or_any(w, 1, 1) &&
		   al_windows_find_entry_for_process_or_any(w, 1, 2),
	   "a numbered process is that one");
	al_windows_free(w);

	w = good("windows:\n- profile: [process: 2, process: 4]\n");
	ok(!al_windows_have_entry_matching_process(w, 1) &&
		   !al_windows_have_entry_matching_process(w, 3) &&
		   al_windows_have_entry_matching_process(w, 4),
	   "processes without an entry are not followed");
	al_windows_free(w);
}

static void test_nothing(void)
{
	struct al_windows *w = good(PROFILE(
		"{threads: []}, {process: 4}, {process: 5, threads: [{images: "
		"[{functions: []}]}]}, {process: 6, threads: [{images: []}]}"));

	is_u64(al_windows_find_entry_for_process_or_any(w, 0, 1)->n_lanes, 0,
	       "no threads: a process is followed and no more");
	is_u64(al_windows_find_entry_for_process_or_any(w, 0, 4)->n_lanes, 1,
	       "but for that with an entry of its own");
	is_u64(w->image[w->lane[al_windows_find_entry_for_process_or_any(w, 0,
									 5)
					->first_lane]
				.first_image]
		       .n_functions,
	       0, "no functions: an image is excluded");
	is_u64(w->lane[al_windows_find_entry_for_process_or_any(w, 0, 6)
			       ->first_lane]
		       .n_images,
	       0, "no images: a thread is");
	al_windows_free(w);
}

static void test_order(void)
{
	struct al_windows *w =
		good(THREADS("{thread: 0}, {thread: 7}, {thread: 1}"));

	ok(w->lane[0].thread == 1 && w->lane[1].thread == 7 &&
		   !w->lane[2].thread,
	   "numbered threads come before any");
	al_windows_free(w);
	w = good(IMAGES("{}, {any_but_system: true}, {main: true}, {name: b}, "
			"{name: a}, {path: /b}"));
	ok(w->image[0].kind == PT_IMAGE_PATH &&
		   w->image[1].kind == PT_IMAGE_NAME &&
		   w->image[3].kind == PT_IMAGE_MAIN &&
		   w->image[4].kind == PT_IMAGE_NO_SYSTEM &&
		   w->image[5].kind == PT_IMAGE_ANY,
	   "named images come before any but those of the system, then any");
	is_str(w->string + w->image[1].name, "a", "names in their order");
	is_u64(w->image[5].first_function, 0, "each with its functions");
	al_windows_free(w);
	w = good(FUNCTIONS("{}, {name: f}, {name: f, decorated: true}"));
	ok(w->function[0].kind == PT_FUNCTION_DECORATED &&
		   w->function[1].kind == PT_FUNCTION_NAME &&
		   w->function[2].kind == PT_FUNCTION_ANY,
	   "decorated names come before names, then any function");
	al_windows_free(w);
	w = good(INSTRUCTIONS("{category: any}, {category: any_mem}, "
			      "{category: SSE}, {ext: AVX}, {isa: AVX2}, "
			      "{class: MOV}, {form: MOV_GPR64_MEM64}"));
	for (uint32_t i = 0; i < 7; i++)
		if (w->select[i].kind != PT_SELECT_FORM + i)
			ok(false, "instructions in their order");
	is_u64(w->n[AL_SELECTS], 7,
	       "form, class, isa, extension, category, "
	       "any access, any instruction");
	al_windows_free(w);
}

static void test_record(void)
{
	struct al_windows *w = good(INSTRUCTIONS(
		"{record: [timestamp, routine, core, bytes, physical]}, "
		"{category: any_mem, record: [value]}, {class: MOV, record: "
		"[]}"));

	is_u64(w->select[2].record,
	       PT_RECORD_TIMESTAMP | PT_RECORD_ROUTINE | PT_RECORD_CORE |
		       PT_RECORD_BYTES | PT_RECORD_PHYSICAL,
	       "fields to record");
	is_u64(w->select[1].record, PT_RECORD_VALUE | PT_RECORD_ADDRESS,
	       "values need addresses");
	is_u64(w->select[0].record, 0, "no field at all");
	al_windows_free(w);
}

static void test_window_keys(void)
{
	struct al_windows *w = good(
		"alleria: 1\n"
		"windows:\n"
		"- {name: a, reopenable: true, on: {signal: 10}, warmup: 1K,\n"
		"   sample: {every: 1M, for: 2}, profile: [{}]}\n"
		"- {per_window_output: true, profile: [{}],\n"
		"   sample: {every: 20, for: 5, unit: ms}}\n"
		"- {sample: {every: 7, for: 7, unit: accesses},\n"
		"   profile: [{}], reopenable: false}\n");

	ok(w->window[0].flags == PT_WINDOW_REOPENS &&
		   !(w->window[1].flags & PT_WINDOW_REOPENS) &&
		   !w->window[2].flags,
	   "a window reopens if it is told to");
	is_u64(w->window[0].warmup, 1024, "instructions to warm up");
	ok(w->window[0].sample_every == 1 << 20 &&
		   w->window[0].sample_for == 2 &&
		   w->window[0].sample_unit == PT_COUNT_INSTRUCTIONS,
	   "samples of instructions");
	ok(w->window[1].sample_every == 20000000 &&
		   w->window[1].sample_for == 5000000 &&
		   w->window[1].sample_unit == PT_COUNT_NS,
	   "samples of time");
	ok(w->window[2].sample_for == 7 &&
		   w->window[2].sample_unit == PT_COUNT_ACCESSES,
	   "samples of accesses");
	ok(w->window[1].flags == PT_WINDOW_OWN_OUTPUT,
	   "a report of its own for one");
	al_windows_free(w);
}

/* ---- intervals ---- */

static char folder[] = "/tmp/al_windows_test.XXXXXX";
static char table[sizeof(folder) + 20];

static void write_file(const char *name, const char *text)
{
	char file[sizeof(folder) + 20];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	f = fopen(file, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		perror(file);
}

/* Return the message for a table of intervals. */
static const char *read_interval_table(const char *text)
{
	static char message[AL_MESSAGE];
	char file[sizeof(folder) + 20];
	struct al_windows *w;

	snprintf(file, sizeof(file), "%s/w.yaml", folder);
	write_file("t.csv", text);
	if (!al_windows_read(file, &w, message)) {
		al_windows_free(w);
		return "";
	}
	return strncmp(message, table, strlen(table))
		       ? message
		       : message + strlen(table) + 1;
}

static void test_bad_tables(void)
{
	is_str(read_interval_table("7\n"), "1:2: not 'start,duration'",
	       "one number");
	is_str(read_interval_table("# a\n1,2,3\n"),
	       "2:4: more than 'start,duration'", "three numbers");
	is_str(read_interval_table("1,x\n"), "1:3: not 'start,duration'",
	       "a word");
	is_str(read_interval_table("-1,2\n"), "1:1: not 'start,duration'",
	       "a number below 0");
	is_str(read_interval_table("1,0\n"), "1:1: a duration of 0",
	       "nothing at all");
	is_str(read_interval_table("5,2\n6,1\n"),
	       "2:1: begins before the one before it ends", "two overlap");
	is_str(read_interval_table("1,18446744073709551615\n"),
	       "1:1: ends beyond 64 bits", "an end that does not exist");
	is_str(read_interval_table("1,18446744073709551616\n"),
	       "1:3: not 'start,duration'", "a number beyond 64 bits");
	ok(strstr(read_interval_table("# none\n"),
		  "w.yaml:2:24: no intervals in '"),
	   "a table of none");
}

static void test_intervals(void)
{
	char file[sizeof(folder) + 20], message[AL_MESSAGE];
	struct al_windows *w = NULL;

	if (!mkdtemp(folder))
		perror(folder);
	snprintf(file, sizeof(file), "%s/w.yaml", folder);
	snprintf(table, sizeof(table), "%s/t.csv", folder);
	write_file("w.yaml", KEY("name: a, intervals: t.csv"));
	write_file("t.csv", "# start,duration\n\n 0, 10\n10,5\r\n100 ,1");
	ok(!al_windows_read(file, &w, message),
	   "a table is read beside the window file");
	if (w)
		ok(w->window[0].n_intervals == 3 &&
			   w->interval[1].start == 10 &&
			   w->interval[1].duration == 5 &&
			   w->interval[2].duration == 1,
		   "its intervals, with blanks, comments and other ends of "
		   "lines");
	al_windows_free(w);
	test_bad_tables();
	remove(table);
	ok(strstr(read_interval_table(""), "no intervals in") && !remove(table),
	   "an empty table");
	is_u64((uint64_t)al_windows_read(file, &w, message), (uint64_t)-EINVAL,
	       "no table");
	ok(strstr(message, "w.yaml:2:24: cannot read '") &&
		   strstr(message, "t.csv': No such file"),
	   "the message names it");
	remove(file);
	remove(folder);
}

/* ---- too much ---- */

/* Return the message for @head, then @n times @before, a number from 1 and
   @after, then @tail. */
static const char *read_repeated_text(const char *head, const char *before,
				      const char *after, int n,
				      const char *tail)
{
	size_t bytes = strlen(head) + strlen(tail) + 1 +
		       (strlen(before) + strlen(after) + 12) * (size_t)n;
	char *text = malloc(bytes), *end = text;
	const char *what;

	if (!text)
		exit(99);
	end += sprintf(end, "windows: [%s", head);
	for (int i = 1; i <= n; i++)
		end += sprintf(end, "%s%d%s,", before, i, after);
	sprintf(end, "%s]", tail);
	what = complaint(text);
	free(text);
	return strstr(what, ": ") ? strstr(what, ": ") + 2 : what;
}

static void test_limits(void)
{
	static const char window[] = "{name: ", rest[] = ", profile: [{}]}";
	static const char threads[] = "{profile: [{threads: [";
	static const char events[] = "{profile: [{}], on: {any: [";

	is_str(read_repeated_text("", window, rest, 64, ""), "", "64 windows");
	is_str(read_repeated_text("", window, rest, 65, ""),
	       "more than 64 windows", "65 windows");
	is_str(read_repeated_text(threads, "{thread: ", "}", 64, "]}]}"), "",
	       "64 threads");
	is_str(read_repeated_text(threads, "{thread: ", "}", 65, "]}]}"),
	       "more than 64 threads in the windows up to this one, where "
	       "those with a warmup count twice",
	       "65 threads");
	is_str(read_repeated_text("{warmup: 1, profile: [{threads: [",
				  "{thread: ", "}", 32, "]}]}"),
	       "", "32 threads that are warm");
	is_str(read_repeated_text("{warmup: 1, profile: [{threads: [",
				  "{thread: ", "}", 33, "]}]}"),
	       "more than 64 threads in the windows up to this one, where "
	       "those with a warmup count twice",
	       "33 threads that are warm");
	is_str(read_repeated_text(
		       threads, "{thread: ", "}", 63,
		       "]}, {process: 2, threads: [{thread: 1}, {}]}]}"),
	       "", "threads of several processes do not add up");
	is_str(read_repeated_text(events, "time: ", "", 1023, "]}}"), "",
	       "1024 events");
	is_str(read_repeated_text(events, "time: ", "", 1024, "]}}"),
	       "more than 1024 events", "1025 events");
	is_str(read_repeated_text(events, "accesses: {reads: 1, writes: ", "}",
				  512, "]}}"),
	       "more than 1024 events", "events of two parts");
	is_str(read_repeated_text(
		       "{profile: [{threads: [",
		       "{images: [{functions: [{instructions: [{class: MOV}]}"
		       "]}], thread: ",
		       "}", 64, "]}]}"),
	       "", "64 kinds of instructions");
	is_str(read_repeated_text(
		       "{profile: [{process: 1000, threads: [{images: "
		       "[{functions: [{instructions: [{class: ADD}]}]}]}]}, ",
		       "{threads: [{images: [{functions: [{instructions: "
		       "[{class: MOV}]}]}]}], process: ",
		       "}", 64, "]}"),
	       "more than 64 kinds of instructions",
	       "65 kinds of instructions");
	is_str(read_repeated_text("{profile: [", "{process: ", "}", 4097, "]}"),
	       "more than 4096 'profile'", "too long a list");
}

int main(void)
{
	test_example();
	test_left_out();
	test_nothing();
	test_order();
	test_record();
	test_window_keys();
	test_intervals();
	test_limits();
	return done_testing();
}
