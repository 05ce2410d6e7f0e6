/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_test.c - tests processes that begin and end, and whether the run is
 * complete
 */
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/fixtures/toy_run.h"
#include "tests/tap.h"

/* ---- an analysis that fails with the address that is read ---- */

static int fail_batch(void *state, const struct an_batch *batch)
{
	(void)state;
	return batch->n_execs
		       ? -(int)an_exec_slot_value(batch, batch->exec[0], 0)
		       : 0;
}

static const struct an_class failing = {
	.name = "failing",
	.state_size = 1,
	.batch = fail_batch,
};

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
	al_process_set_ending(p, AL_EXECED, 0);
	ok(al_run_find_alive_process(run, 10, 0) == p,
	   "a process is found after exec");
	end_image(p, start_image(p, "next"));
	al_process_set_ending(p, AL_EXITED, 7);
	ok(!al_run_find_alive_process(run, 10, 0), "and not after its end");
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
	is_u64(al_run_counts(run).threads, 1, "its thread goes on");
	ok(al_run_is_fully_recorded_and_analysed(run), "exec loses nothing");
}

static void test_find(void)
{
	struct al_process *p, *child, *stranger;

	start_run();
	p = al_run_add_process(run, 10, NULL);
	al_process_set_start_time(p, 1000);
	ok(al_run_find_alive_process(run, 10, 1000) == p,
	   "a process is found by its birth");
	ok(!al_run_find_alive_process(run, 10, 1001),
	   "another one with its pid is not it");
	child = al_run_add_process(run, 11, p);
	stranger = al_run_add_process(run, 11, NULL);
	ok(al_process_find_alive_child(p, 11) == child,
	   "a child is its parent's");
	ok(!al_process_find_alive_child(child, 11), "and nobody else's");
	ok(al_run_find_alive_process(run, 11, 0) == stranger,
	   "the last with a pid is found");
	al_process_set_ending(stranger, AL_EXITED, 0);
	ok(al_run_find_alive_process(run, 11, 0) == child, "that lives");
}

enum { MANY = 100000, MOST_SECONDS = 8 };

/* Check that many processes are found fast. Processor time is compared, so that
   the machine's load does not count; a search through every process takes a
   hundred times as long. */
static void test_many(void)
{
	unsigned right = 0;
	clock_t begin;

	start_run();
	begin = clock();
	for (pid_t i = 1; i <= MANY; i++) {
		struct al_process *p = al_run_add_process(
			run, i,
			al_run_find_alive_process(run, i == 2 ? 1 : i - MANY,
						  0));

		al_process_set_ending(p, AL_EXITED, 0);
		right += !al_run_find_alive_process(run, i, 0);
		al_run_set_wait_status_of_oldest_process(run, i / 2, 0);
	}
	is_u64(right, MANY, "a hundred thousand processes come and end");
	ok((clock() - begin) / CLOCKS_PER_SEC < MOST_SECONDS,
	   "each in the same time");
}

static void test_order(void)
{
	struct al_process *first, *second;
	struct al_stream *a, *b;

	settings.analysis[0].class = &failing;
	start_run();
	first = al_run_add_process(run, 10, NULL);
	a = start_image(first, "prog");
	second = al_run_add_process(run, 20, NULL);
	b = start_image(second, "prog");
	execute(EIO);
	end_image(second, b);
	ok(says(json(), "\"stopped\": \"Input/output error\""),
	   "an analysis that has failed for a process is stopped");
	start_chunk();
	execute(ENOSPC);
	end_image(first, a);
	ok(says(json(), "\"stopped\": \"No space left on device\""),
	   "by the first in the report, not by the first to end");
	settings.analysis[0].class = &counter;
}

static void test_fork(void)
{
	struct al_process *p, *q;
	struct al_stream *parent, *child;
	const char *argv[] = {"prog", NULL};
	struct al_image image = {.argv = argv};
	struct al_fork fork = {.n_blocks = 1, .log = sizeof(block)};

	start_run();
	p = al_run_add_process(run, 10, NULL);
	parent = start_image(p, "prog");
	fork.parent = parent;
	q = al_run_add_process(run, 11, p);
	child = al_process_add_and_record_image(q, &image, &fork);
	ok(child != NULL, "a child is forked");
	end_image(p, parent);
	start_chunk();
	execute(0x7000);
	end_image(q, child);
	is_u64(al_run_counts(run).reads, 1,
	       "a child goes on with the blocks of a parent that is gone");
}

/* Return the size of the profile of process @n in @dir. [bytes] */
static uint64_t profile_bytes(const char *dir, int n)
{
	char path[64];
	struct stat s = {.st_size = 0};

	snprintf(path, sizeof(path), "%s/p.%d", dir, n);
	return stat(path, &s) ? 0 : (uint64_t)s.st_size;
}

static void remove_profiles(const char *dir)
{
	char path[64];

	for (int n = 1; n <= 2; n++) {
		snprintf(path, sizeof(path), "%s/p.%d", dir, n);
		unlink(path);
	}
	rmdir(dir);
}

/* Check that al_fork_copy_parent_log_if_own_profile(), which needs no lock,
   copies the parent's log. */
static void test_inherit(void)
{
	char dir[] = "/tmp/al-run-test-XXXXXX", each[64];
	const char *argv[] = {"prog", NULL};
	struct al_image image = {.argv = argv};
	struct al_fork fork = {.n_blocks = 1, .log = sizeof(block)};
	struct al_process *p, *q;
	struct al_stream *child;
	uint64_t before, after;

	if (!mkdtemp(dir))
		abort();
	snprintf(each, sizeof(each), "%s/p.%%n", dir);
	settings.profile = each;
	settings.compress = 1;
	start_run();
	p = al_run_add_process(run, 10, NULL);
	fork.parent = start_image(p, "prog");
	q = al_run_add_process(run, 11, p);
	child = al_process_add_and_record_image(q, &image, &fork);
	al_process_write_profile_queue(q);
	before = profile_bytes(dir, 2);
	al_fork_copy_parent_log_if_own_profile(&fork, child);
	after = profile_bytes(dir, 2);
	ok(before > 0 && after > before + 100,
	   "a child's profile gets its parent's log when it inherits it");
	start_chunk();
	execute(0x7000);
	end_image(q, child);
	feed(fork.parent);
	al_process_end_image(p, fork.parent);
	al_process_free_stream(p, fork.parent);
	settings.profile = NULL;
	remove_profiles(dir);
}

static void test_endings(void)
{
	struct al_process *p;
	struct al_stream *s;

	start_run();
	p = al_run_add_process(run, 10, NULL);
	s = start_image(p, "parent");
	unit(PT_CHILD_EXIT, 11, 5 << 8);
	unit(PT_CHILD_EXIT, 11, 6);
	end_image(p, s);
	al_process_set_ending(p, AL_EXITED, 0);
	al_process_set_ending(process(11, p, 1), AL_SIGNALLED, 15);
	process(11, p, 1);
	ok(says(json(), "\"code\": 5"), "the waiting parent knows better");
	ok(says(json(), "\"signal\": 6"), "also when a pid comes again");
	ok(al_run_is_fully_recorded_and_analysed(run),
	   "a signal loses nothing");
	al_process_set_wait_status_if_final(p, 9);
	ok(!al_run_is_fully_recorded_and_analysed(run), "but signal 9 does");
	ok(says(json(), "\"status\": \"truncated\",\n"
			"    \"reason\": \"killed by signal 9\""),
	   "and is the reason");
}

static void test_status(void)
{
	struct al_process *p;

	start_run();
	ok(!al_run_is_fully_recorded_and_analysed(run),
	   "nothing recorded is not complete");
	ok(says(report(false), "truncated, nothing was recorded"),
	   "and the report says so");
	p = process(10, NULL, 1);
	ok(al_run_is_fully_recorded_and_analysed(run),
	   "a process that ended well is complete");
	al_process_add_lost_accesses(p, 1234,
				     "accesses that cannot be described");
	ok(says(json(), "\"status\": \"lossy\",\n"
			"    \"reason\": \"accesses that cannot be described\","
			"\n    \"lost\": 1234,"),
	   "a loss is told with its size");
	al_process_set_truncated_once(process(11, p, 1), "protocol error");
	ok(says(json(), "\"status\": \"truncated\",\n"
			"    \"reason\": \"protocol error\","),
	   "a truncated process truncates the run");
	al_run_add_process(run, 12, p);
	ok(says(json(), "\"still running\""), "as does one that goes on");
}

int main(void)
{
	start_test();
	test_sums();
	test_exec();
	test_find();
	test_many();
	test_order();
	test_fork();
	test_inherit();
	test_endings();
	test_status();
	end_test();
	return done_testing();
}
