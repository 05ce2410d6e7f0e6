/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lost_test.c - the count of messages that a tool has lost, in reports */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/client/state.h"
#include "lib/replay/replay.h"
#include "lib/report/report.h"
#include "tests/fixtures/fake_tool.h"

static char profile[80];

static void start_recording(void)
{
	static char option[100];
	char message[AL_MESSAGE];

	snprintf(profile, sizeof(profile), "%s/profile", base);
	snprintf(option, sizeof(option), "--profile=%s", profile);
	al_options_free(options);
	options = al_options_new();
	if (al_options_try_parse_argument(options, option, message) != 1)
		abort();
	settings = al_options_finish(options, message);
	start();
}

/* Whether the JSON report of a run contains @words. */
static bool has(struct al_run *run, const char *words)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool found;

	al_report_write_json(run, f);
	fclose(f);
	found = strstr(text, words);
	free(text);
	return found;
}

/* Record a process of two images, each of which has lost messages. */
static void record(uint64_t first, uint64_t second)
{
	struct packet hello = good_hello();
	struct tool t;

	join(&t, &hello);
	pt_store_relaxed(&t.page->lost_messages, first);
	t.page->ending = PT_EXEC;
	leave(&t);
	join(&t, &hello);
	pt_store_relaxed(&t.page->lost_messages, second);
	t.page->ending = PT_EXITED;
	leave(&t);
}

static void test_profile(const char *words)
{
	struct al_settings reading = *settings; /* without a profile to write */
	struct al_replay_progress progress;
	char message[AL_MESSAGE];
	struct al_replay *r;

	reading.profile = NULL;
	r = al_replay_open(profile, &reading, message);
	al_replay_start_workers(r);
	while (!al_replay_wait_until_ended_or_timeout(r, WAIT_MS, &progress))
		;
	ok(has(al_replay_finish_and_borrow_run(r), words),
	   "so does that of the replay");
	al_replay_free(r);
	unlink(profile);
}

int main(void)
{
	static const char words[] = "\"lost_messages\": 7,";

	set_up();
	start_recording();
	record(3, 4);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "a process of two images is recorded");
	ok(has(d->run, words), "the report has the messages that both lost");
	ok(dm_daemon_is_run_complete(d), "the run is complete");
	free(stop());
	test_profile(words);
	return tear_down();
}
