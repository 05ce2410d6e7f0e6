/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_test.c - the report as JSON, as text and as a file
 */
#include <sys/stat.h>
#include <unistd.h>

#include "lib/report/report.h"
#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

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
			    "        \"followed\": true,\n"
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
			    "        \"unrecorded_exec\": 0,\n"
			    "        \"status\": \"complete\",\n"
			    "        \"lost\": 0,\n"
			    "        \"lost_messages\": 0,\n"
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
	struct al_process *p;

	start_run();
	p = process(4711, NULL, 3);
	ok(says(json(), whole), "a run of one process has every key");
	ok(says(json(), "{\n  \"schema\": 1,\n"), "the schema stands first");
	ok(says(json(), "\"valgrind\": \"3.19.0\""), "Valgrind's version");
	ok(!says(json(), "\"environment\""),
	   "an environment that is not known is left out");
	al_process_set_environment_once(p,
					&(struct al_environment){3, 40, 0xabc});
	ok(says(json(), "    \"environment\": {\n"
			"      \"variables\": 3,\n"
			"      \"bytes\": 40,\n"
			"      \"hash\": \"0000000000000abc\"\n"
			"    },\n"
			"    \"machine\": {\n"
			"      \"cpu\": "),
	   "environment and machine");
	ok(says(json(), "  \"analyses\": {\n"
			"    \"counter\": {\n"
			"      \"all\": 3\n"
			"    }\n"
			"  },\n"
			"  \"findings\": [],\n"
			"  \"verdict\": [],\n"
			"  \"objects\": ["),
	   "analyses stand apart from the run");
	ok(says(json(), "\"options\": \"--I1=32768,8,64 --D1=49152,12,64 "
			"--LL=33554432,16,64\""),
	   "the geometry is given as options");
	ok(!says(json(), "\"note\""), "without a note");
	snprintf(settings.geometry_note, sizeof(settings.geometry_note),
		 "no such cache");
	ok(says(json(), "\"note\": \"no such cache\""),
	   "why the caches are not this machine's is noted");
	*settings.geometry_note = '\0';
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
	al_run_set_times(run, 12300000000, 100, 300);
	al_process_add_waits(p, 2100000000, 12);
	ok(says(report(false), "alleria: complete: prog -x\n"
			       "exit 0; 1 process, 1 thread, 0 signals; "
			       "0 accesses lost; 12.30 s\n"),
	   "the first line is what ran and whether it is complete");
	ok(says(text, "tool 10.20 s (83 %), waiting for the daemon 2.10 s "
		      "(17 %, 12 times)\n"),
	   "the report says where time went");
	ok(says(text, "75 % busy"), "and how busy workers were");
	ok(says(text, "ring  44 bytes, 44.00 bytes per access"),
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
	p = al_run_add_process(run, 10, NULL);
	end_image(p, start_image(p, name));
	for (int i = 0; i < 30; i++) {
		struct al_process *child = al_run_add_process(run, 11 + i, p);

		end_image(child, start_image(child, name));
	}
	al_run_set_times(run, UINT64_MAX / 2, 0, 0);
	report(false);
	is_u64(widest(text), 80, "no line is wider than 80 columns");
	ok(!strstr(text, "\033"), "names do not control the terminal");
	ok(says(text, "27 more; --full prints all"), "a long table is cut");
}

static void test_killed(void)
{
	struct al_process *p;

	start_run();
	p = process(10, NULL, 1);
	al_process_set_ending(process(11, p, 1), AL_SIGNALLED, 9);
	ok(says(report(false),
		"alleria: truncated, killed by signal 9 (process 2): prog -x"),
	   "the first line says which process was killed");
	ok(says(json(), "\"reason\": \"killed by signal 9\",\n    \"lost\""),
	   "the reason is the same whoever it was");
	start_run();
	process(10, NULL, 1);
	al_process_set_ending(process(11, NULL, 1), AL_SIGNALLED, 9);
	ok(says(report(false), "signal 9 (process 2.1): prog -x\n"),
	   "also among several programs");
	start_run();
	al_process_set_ending(process(10, NULL, 1), AL_SIGNALLED, 9);
	ok(says(report(false), "truncated, killed by signal 9: prog -x\n"),
	   "the only process needs no number");
}

/* Record a program named @name that executes the block @n times. */
static struct al_process *program(pid_t pid, const char *name, unsigned n)
{
	struct al_process *p = al_run_add_process(run, pid, NULL);
	struct al_stream *stream = start_image(p, name);

	while (n--)
		execute(0x7000);
	end_image(p, stream);
	al_process_set_ending(p, AL_EXITED, 0);
	return p;
}

static void test_several(void)
{
	struct al_process *lost;

	start_run();
	program(10, "small", 1);
	program(11, "large", 9);
	program(12, "middle", 2);
	ok(says(report(false), "alleria: complete (largest: 2.1): large -x\n"),
	   "of several programs the first line names the largest");
	lost = program(13, "unlucky", 1);
	al_process_add_lost_accesses(lost, 1,
				     "accesses that cannot be described");
	ok(says(report(false), "alleria: lossy, accesses that cannot be "
			       "described (process 4.1): unlucky -x\n"),
	   "or the one that was lost");
}

static void test_exec(void)
{
	struct al_process *p;

	start_run();
	p = process(10, NULL, 1);
	ok(!strstr(report(false), "became"), "who ended became nothing else");
	al_process_set_ending(p, AL_EXECED, 0);
	al_process_set_wait_status_if_final(p, 0);
	ok(says(report(false), "1 process became another program, unrecorded; "
			       "--trace-children=yes follows\n"),
	   "what it became, unrecorded, is hinted at");
	ok(says(json(), "\"unrecorded_exec\": 1,\n        \"status\": "
			"\"complete\",\n"),
	   "and has a key, though it is complete");
	al_process_set_ending(process(11, p, 1), AL_EXECED, 0);
	ok(says(report(false), "2 processes became other programs, "),
	   "they are counted");
	end_image(p, start_image(p, "next"));
	al_process_set_ending(p, AL_EXITED, 0);
	ok(says(report(false), "\n1 process became "),
	   "an image that is recorded is not meant");
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
	is_u64((uint64_t)al_report_save_json(run), 0, "the report is saved");
	ok(!stat(path, &st) && st.st_size > 100, "under its name");
	unlink(path);
	ok(!symlink("/dev/full", path), "there is a full device");
	ok(al_report_save_json(run) < 0, "a full device is an error");
	ok(!lstat(path, &st) && S_ISLNK(st.st_mode),
	   "a device is not replaced");
	unlink(path);
	ok(!rmdir(dir), "nothing else is left");
	ok(al_report_save_json(run) < 0,
	   "a directory that is gone is an error");
}

/* Check a reason as long as a profile may hold. */
static void test_long_reason(void)
{
	static char reason[161];
	char want[160];

	memset(reason, 'x', sizeof(reason) - 1);
	start_run();
	al_process_set_truncated_once(process(10, NULL, 1), reason);
	process(11, NULL, 1);
	snprintf(want, sizeof(want), "alleria: truncated, %.116s\n", reason);
	ok(says(report(false), want), "a long reason is cut");
}

int main(void)
{
	start_test();
	test_json();
	test_print();
	test_killed();
	test_several();
	test_exec();
	test_save();
	test_long_reason();
	end_test();
	return done_testing();
}
