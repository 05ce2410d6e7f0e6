/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_run_test.c - processes that come and go, and the report about them
 *
 * Room:    lib.
 */
#include "lib/al_run.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/al_symbols.h"
#include "proto/pt_ring.h"
#include "tests/tap.h"

enum { CHUNK = PT_MIN_CHUNK };

/* ---- an analysis that counts batches' executions ---- */

static int count_batch(void *state, const struct an_batch *batch)
{
	*(uint64_t *)state += batch->n_execs;
	return 0;
}

static int count_merge(void *into, const void *from)
{
	*(uint64_t *)into += *(const uint64_t *)from;
	return 0;
}

static void count_totals(const void *state, struct an_sink *out)
{
	out->number(out, "execs", *(const uint64_t *)state);
}

static void count_report(const void *state, struct an_sink *out)
{
	out->number(out, "all", *(const uint64_t *)state);
}

static void count_print(const void *state, struct an_text *out)
{
	(void)state;
	out->heading(out, "executions");
}

static const struct an_class counter = {
	.name = "counter",
	.state_size = sizeof(uint64_t),
	.batch = count_batch,
	.merge = count_merge,
	.totals = count_totals,
	.report = count_report,
	.print = count_print,
};

static struct al_settings settings = {
	.analysis = {{.class = &counter}},
	.n_analyses = 1,
	.workers = 2,
	.geometry =
		{
			.level = {{"I1", AN_INSTRUCTION, 32768, 8, 64, 64, 2},
				  {"D1", AN_DATA, 49152, 12, 64, 64, 2},
				  {"LL", AN_UNIFIED, 1 << 25, 16, 64, 32768,
				   AN_MEMORY}},
			.n_levels = 3,
			.first_data = 1,
		},
	.geometry_is_host = true,
};

/* ---- a stream by hand ---- */

/* One block: two instructions, the second loads 8 bytes. */
static const struct {
	struct pt_log_block block;
	struct pt_instr instr[2];
	struct pt_access access;
	struct pt_exit exit;
	uint8_t code[8];
} block = {
	.block = {.head = {PT_LOG_BLOCK, sizeof(block)},
		  .n_instrs = 2,
		  .n_accesses = 1,
		  .n_exits = 1,
		  .n_code = 8,
		  .n_slots = 1},
	.instr = {{.addr = 0x1000, .len = 4}, {.addr = 0x1004, .len = 4}},
	.access = {.instr = 1, .size = 8, .kind = PT_LOAD},
	.exit = {.n_instrs = 2,
		 .n_accesses = 1,
		 .bytes = 16,
		 .jump = PT_JUMP_BORING},
};

static uint64_t chunk[CHUNK / 8];
static size_t n_words;

static void start_chunk(void)
{
	chunk[0] = pt_unit(PT_CHUNK, 0, 0, PT_CHUNK_HEAD);
	n_words = 2;
}

static void unit(enum pt_kind kind, uint32_t id, uint64_t word)
{
	chunk[n_words++] = pt_unit(kind, id, 0, 16);
	chunk[n_words++] = word;
}

static void feed(struct al_stream *s)
{
	chunk[1] = n_words * 8;
	al_stream_chunk(s, chunk, CHUNK, 0);
	al_stream_finish(s);
}

/* ---- processes ---- */

static struct al_symbols *symbols;
static struct al_run *run;

static void start_run(void)
{
	al_run_free(run);
	run = al_run_new(&settings, symbols);
}

static struct al_stream *start_image(struct al_process *p, const char *name)
{
	const char *argv[] = {name, "-x", NULL};
	struct al_image image = {argv, "3.19.0"};
	struct al_stream *s = al_process_image(p, &image, NULL, 0);

	al_stream_log(s, &block, sizeof(block));
	start_chunk();
	unit(PT_THREAD_START, 1, 0);
	return s;
}

/* A process that executes the block @n times. */
static struct al_process *process(pid_t pid, struct al_process *parent,
				  unsigned n)
{
	struct al_process *p = al_run_process(run, pid, parent);
	struct al_stream *s = start_image(p, "prog");

	while (n--)
		unit(PT_BLOCK, 0, 0x7000);
	feed(s);
	al_process_end(p, AL_EXITED, 0);
	return p;
}

static char *text;
static size_t size;

static const char *json(void)
{
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	al_run_write_json(run, f);
	fclose(f);
	return text;
}

static const char *report(bool colour)
{
	FILE *f;

	free(text);
	f = open_memstream(&text, &size);
	al_run_print(run, f, colour);
	fclose(f);
	return text;
}

static bool says(const char *where, const char *what)
{
	if (strstr(where, what))
		return true;
	printf("# no '%s' in:\n# %s\n", what, where);
	return false;
}

static const char whole[] = "  \"run\": {\n"
			    "    \"command\": [\n"
			    "      \"prog\",\n"
			    "      \"-x\"\n"
			    "    ],\n"
			    "    \"status\": \"complete\",\n"
			    "    \"lost\": 0,\n"
			    "    \"processes\": [\n"
			    "      {\n"
			    "        \"number\": 1,\n"
			    "        \"pid\": 4711,\n"
			    "        \"parent\": 0,\n"
			    "        \"tree\": 1,\n"
			    "        \"command\": [\n"
			    "          \"prog\",\n"
			    "          \"-x\"\n"
			    "        ],\n"
			    "        \"exit\": {\n"
			    "          \"code\": 0\n"
			    "        },\n"
			    "        \"images\": [\n"
			    "          {\n"
			    "            \"command\": [\n"
			    "              \"prog\",\n"
			    "              \"-x\"\n"
			    "            ]\n"
			    "          }\n"
			    "        ],\n"
			    "        \"status\": \"complete\",\n"
			    "        \"lost\": 0,\n"
			    "        \"instructions\": 6,\n"
			    "        \"reads\": 3,\n"
			    "        \"writes\": 0,\n"
			    "        \"modifies\": 0,\n"
			    "        \"threads\": 1,\n"
			    "        \"signals\": 0,\n"
			    "        \"execs\": 3\n"
			    "      }\n"
			    "    ],\n"
			    "    \"instructions\": 6,\n"
			    "    \"reads\": 3,\n"
			    "    \"writes\": 0,\n"
			    "    \"modifies\": 0,\n"
			    "    \"threads\": 1,\n"
			    "    \"signals\": 0,\n"
			    "    \"bytes\": {\n";

static void test_json(void)
{
	start_run();
	process(4711, NULL, 3);
	ok(says(json(), whole), "a run of one process has every key");
	ok(says(json(), "\"valgrind\": \"3.19.0\""), "Valgrind's version");
	ok(says(json(), "  \"analyses\": {\n"
			"    \"counter\": {\n"
			"      \"all\": 3\n"
			"    }\n"
			"  }\n"
			"}\n"),
	   "analyses stand apart from the run");
	ok(says(json(), "\"options\": \"--I1=32768,8,64 --D1=49152,12,64 "
			"--LL=33554432,16,64\""),
	   "the geometry is given as options");
}

static void test_sums(void)
{
	struct al_process *p;

	start_run();
	p = process(10, NULL, 3);
	process(11, p, 4);
	process(20, NULL, 5);
	process(12, p, 6);
	ok(says(json(), "      \"all\": 18\n"), "processes are added up");
	is_u64(al_run_counts(run).instructions, 36, "and so are their counts");
	ok(says(json(), "\"number\": 3,\n"
			"        \"pid\": 12,\n"
			"        \"parent\": 1,\n"
			"        \"tree\": 1,"),
	   "processes are numbered within their tree");
	ok(says(json(), "\"number\": 1,\n"
			"        \"pid\": 20,\n"
			"        \"parent\": 0,\n"
			"        \"tree\": 2,"),
	   "a program without parent begins another tree");
	ok(strstr(json(), "\"pid\": 12,") < strstr(text, "\"pid\": 20,"),
	   "trees stand together");
}

static void test_exec(void)
{
	struct al_process *p;

	start_run();
	p = process(10, NULL, 3);
	al_process_end(p, AL_EXECED, 0);
	ok(al_run_find(run, 10) == p, "a process is found after exec");
	feed(start_image(p, "next"));
	al_process_end(p, AL_EXITED, 7);
	ok(!al_run_find(run, 10), "and not after its end");
	ok(says(json(), "\"images\": [\n"
			"          {\n"
			"            \"command\": [\n"
			"              \"prog\",\n"
			"              \"-x\"\n"
			"            ]\n"
			"          },\n"
			"          {\n"
			"            \"command\": [\n"
			"              \"next\","),
	   "exec adds an image");
	ok(says(json(), "\"code\": 7"), "the last image's code is the exit");
	ok(al_run_is_complete(run), "exec loses nothing");
}

static void test_endings(void)
{
	struct al_process *p;
	struct al_stream *s;

	start_run();
	p = al_run_process(run, 10, NULL);
	s = start_image(p, "parent");
	unit(PT_CHILD_EXIT, 11, 5 << 8);
	unit(PT_CHILD_EXIT, 11, 6);
	feed(s);
	al_process_end(p, AL_EXITED, 0);
	al_process_end(process(11, p, 1), AL_SIGNALLED, 15);
	process(11, p, 1);
	ok(says(json(), "\"code\": 5"), "the waiting parent knows better");
	ok(says(json(), "\"signal\": 6"), "also when a pid comes again");
	ok(al_run_is_complete(run), "a signal loses nothing");
	al_process_wait_status(p, 9);
	ok(!al_run_is_complete(run), "but signal 9 does");
	ok(says(json(), "\"status\": \"truncated\",\n"
			"    \"reason\": \"killed by signal 9\""),
	   "and is the reason");
}

static void test_status(void)
{
	struct al_process *p;

	start_run();
	ok(!al_run_is_complete(run), "nothing recorded is not complete");
	ok(says(report(false), "truncated, nothing was recorded"),
	   "and the report says so");
	p = process(10, NULL, 1);
	ok(al_run_is_complete(run), "a process that ended well is complete");
	al_process_lost(p, 1234, "accesses that cannot be described");
	ok(says(json(), "\"status\": \"lossy\",\n"
			"    \"reason\": \"accesses that cannot be described\","
			"\n    \"lost\": 1234,"),
	   "a loss is told with its size");
	al_process_truncated(process(11, p, 1), "protocol error");
	ok(says(json(), "\"status\": \"truncated\",\n"
			"    \"reason\": \"protocol error\","),
	   "a truncated process truncates the run");
	al_run_process(run, 12, p);
	ok(says(json(), "\"still running\""), "as does one that goes on");
}

static size_t widest(const char *s)
{
	size_t widest = 0, n;

	for (; *s; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		widest = n > widest ? n : widest;
	}
	return widest;
}

static void test_print(void)
{
	char name[200];
	struct al_process *p;

	start_run();
	p = process(10, NULL, 1);
	al_run_times(run, 12300000000, 100, 300);
	al_process_waited(p, 2100000000, 12);
	ok(says(report(false), "alleria: complete: prog -x\n"
			       "exit 0; 1 process, 1 thread, 0 signals; "
			       "0 accesses lost; 12.30 s\n"),
	   "the first line is what ran and whether it is complete");
	ok(says(text, "tool 10.20 s (83 %), waiting for the daemon 2.10 s "
		      "(17 %, 12 times)\n"),
	   "the report says where time went");
	ok(says(text, "75 % busy"), "and how busy workers were");
	ok(says(text, "ring  48 bytes, 48.00 bytes per access"),
	   "and what an access cost in the ring");
	ok(says(text, "\nexecutions\n"), "analyses print their part");
	ok(!strstr(text, "\033"), "there is no colour unless asked for");
	ok(!strstr(text, "command"), "one process needs no table");
	ok(says(report(true), "\033[1;32mcomplete\033[0m"),
	   "complete is green");

	memset(name, 'n', sizeof(name));
	memcpy(name, "\033[2J", 4);
	name[199] = 0;
	start_run();
	p = al_run_process(run, 10, NULL);
	feed(start_image(p, name));
	for (int i = 0; i < 30; i++)
		feed(start_image(al_run_process(run, 11 + i, p), name));
	al_run_times(run, UINT64_MAX / 2, 0, 0);
	report(false);
	is_u64(widest(text), 80, "no line is wider than 80 columns");
	ok(!strstr(text, "\033"), "names do not control the terminal");
	ok(says(text, "12 more"), "a long table is cut");
}

static void test_save(void)
{
	char dir[] = "/tmp/al_run_test.XXXXXX", path[64];
	struct stat st;

	start_run();
	process(10, NULL, 1);
	if (!mkdtemp(dir))
		return;
	snprintf(path, sizeof(path), "%s/report.json", dir);
	settings.json = path;
	is_u64((uint64_t)al_run_save_json(run), 0, "the report is saved");
	ok(!stat(path, &st) && st.st_size > 100, "under its name");
	unlink(path);
	ok(!symlink("/dev/full", path), "there is a full device");
	ok(al_run_save_json(run) < 0, "a full device is an error");
	ok(!lstat(path, &st) && S_ISLNK(st.st_mode),
	   "a device is not replaced");
	unlink(path);
	ok(!rmdir(dir), "nothing else is left");
	ok(al_run_save_json(run) < 0, "a directory that is gone is an error");
}

int main(void)
{
	symbols = al_symbols_new();
	test_json();
	test_sums();
	test_exec();
	test_endings();
	test_status();
	test_print();
	test_save();
	al_run_free(run);
	al_symbols_free(symbols);
	free(text);
	return done_testing();
}
