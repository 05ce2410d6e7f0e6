/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_sender_test.c - plans behind the welcome, processes that are not
 * followed
 */
#include <fcntl.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "lib/config/window/plan/plan.h"
#include "lib/config/window/plan/process_plan.h"
#include "tests/fixtures/fake_tool.h"

static char file[80];
static char intervals[80];
static char json[80];

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Use settings with a window file. */
static void use_windows(const char *yaml)
{
	static char option[100];
	char message[AL_MESSAGE];
	static char json_option[100];

	write_text(file, yaml);
	snprintf(option, sizeof(option), "--window=%s", file);
	al_options_free(options);
	options = al_options_new();
	snprintf(json_option, sizeof(json_option), "--json=%s", json);
	if (al_options_try_parse_argument(options, option, message) == 1 &&
	    al_options_try_parse_argument(options, json_option, message) == 1)
		settings = al_options_finish(options, message);
	if (settings)
		return;
	printf("# %s\n", message);
	exit(1);
}

static void end_well(struct tool *t)
{
	t->page->ending = PT_EXITED;
	leave(t);
}

static void test_plan(void)
{
	struct packet hello = good_hello();
	struct pt_plan *plan;
	struct tool t;

	use_windows("windows:\n"
		    "  - name: work\n"
		    "    on: {call: {function: hot, nth: 2}}\n"
		    "    profile: [{process: 0}]\n");
	start();
	join(&t, &hello);
	ok(t.welcome.plan_bytes > 0, "a welcome announces the plan");
	plan = get_plan(&t);
	if (ok(plan && !al_plan_check(plan, t.welcome.plan_bytes),
	       "which follows it, and is sound")) {
		is_u64(plan->process, 1, "it is for process 1");
		is_u64(plan->windows.n, 1, "it has the window");
		is_str(pt_plan_string(plan, pt_plan_windows(plan)->name),
		       "work", "by its name");
	}
	free(plan);
	end_well(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
		   dm_daemon_is_run_complete(d),
	   "and the run is complete");
	free(stop());
}

/* Check a plan that is longer than a socket holds, for a tool that does not
   read for a while. */
static void test_long_plan(void)
{
	enum { N = 200000 };
	struct packet hello = good_hello();
	struct pt_plan *plan;
	struct tool t;
	FILE *f = fopen(intervals, "w");
	char yaml[300];

	for (int i = 0; f && i < N; i++)
		fprintf(f, "%d,5\n", 10 * i);
	if (!f || fclose(f))
		abort();
	snprintf(yaml, sizeof(yaml),
		 "windows:\n"
		 "  - name: parts\n"
		 "    intervals: %s\n"
		 "    profile: [{process: 0}]\n",
		 intervals);
	use_windows(yaml);
	start();
	join(&t, &hello);
	usleep(50000);
	plan = get_plan(&t);
	if (ok(plan && !al_plan_check(plan, t.welcome.plan_bytes),
	       "a plan longer than a socket's buffer comes whole"))
		is_u64(plan->intervals.n, N, "with all its intervals");
	free(plan);
	say(&t, PT_MSG_WAIT, UINT64_MAX);
	is_u64((uint64_t)hear(&t), PT_MSG_ROOM, "then the daemon answers");
	end_well(&t);
	free(stop());
}

/* Check a tool that ends in the middle of its plan. */
static void test_gone(void)
{
	struct packet hello = good_hello();
	struct tool t;

	start();
	join(&t, &hello);
	leave(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "a tool may go before it has its plan");
	free(stop());
}

/* Facts that a forked child writes about its plan. */
struct plan_summary {
	uint32_t number;
	uint32_t windows;
	uint32_t lanes;
};

/* Connect as a forked child, and fork @depth descendants, each from the one
   before; write to @pipe what their plans contain, the last one last. */
static void have_children(const struct tool *parent, int depth, int pipe)
{
	struct packet hello;
	struct pt_plan *plan;
	struct plan_summary summary;
	struct tool t;
	pid_t pid;

	if (!depth)
		return;
	pid = fork();
	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	hello = forked_hello(parent);
	join(&t, &hello);
	plan = t.map ? get_plan(&t) : NULL;
	if (!plan)
		_exit(1);
	summary = (struct plan_summary){plan->process, plan->windows.n,
					plan->lanes.n};
	(void)!write(pipe, &summary, sizeof(summary));
	have_children(&t, depth - 1, pipe);
	t.page->ending = PT_EXITED;
	_exit(0);
}

/* Return how often the JSON report has the line @line. */
static unsigned count_lines(const char *line)
{
	FILE *f = fopen(json, "r");
	char got[200];
	unsigned n = 0;

	while (f && fgets(got, sizeof(got), f))
		n += strstr(got, line) != NULL;
	if (f)
		fclose(f);
	return n;
}

/* process 1 is followed, 2 is not, 3 is the child of 1, and the children of 2
   have no number */
static void test_tree(void)
{
	struct packet hello = good_hello();
	struct plan_summary summary[4] = {{0}};
	struct tool t;
	int tube[2];
	char *text;

	use_windows("windows:\n"
		    "  - name: one\n"
		    "    profile: [{process: 1}]\n"
		    "  - name: three\n"
		    "    profile: [{process: 3}]\n");
	start();
	join(&t, &hello);
	free(get_plan(&t));
	if (pipe(tube))
		abort();
	have_children(&t, 3, tube[1]);
	have_children(&t, 1, tube[1]);
	(void)!read(tube[0], summary, sizeof(summary));
	is_u64(summary[0].number, 2, "a child has the next number");
	is_u64(summary[0].windows, 0,
	       "and, not followed, a plan of no windows");
	is_u64(summary[1].number + summary[2].number, 0,
	       "its children have no numbers");
	is_u64(summary[1].windows + summary[2].windows, 0, "nor windows");
	is_u64(summary[3].number, 3, "the next child has the next number");
	is_u64(summary[3].lanes, 1, "and the one lane of its own");
	end_well(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	ok(dm_daemon_is_run_complete(d), "all that was to be recorded is");
	text = stop();
	ok(strstr(text, " 3 processes,"), "those without number are not told");
	ok(strstr(text, "not followed"), "the one that is not followed is");
	free(text);
	is_u64(count_lines("\"followed\": true"), 2, "two are followed");
	is_u64(count_lines("\"followed\": false"), 1,
	       "and one is not, which has nothing else");
	is_u64(count_lines("\"threads\""), 3, "but two have counts");
	close(tube[0]);
	close(tube[1]);
}

int main(void)
{
	set_up();
	snprintf(file, sizeof(file), "%s/w.yaml", base);
	snprintf(json, sizeof(json), "%s/j.json", base);
	snprintf(intervals, sizeof(intervals), "%s/i.csv", base);
	test_plan();
	test_long_plan();
	test_gone();
	test_tree();
	unlink(file);
	unlink(intervals);
	unlink(json);
	return tear_down();
}
