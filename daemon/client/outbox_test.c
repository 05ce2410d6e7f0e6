/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outbox_test.c - what a daemon tells tools of other processes
 */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include "lib/config/window/plan/process_plan.h"
#include "tests/fixtures/fake_window_tool.h"

static char intervals[80];

/* ---- events ---- */

/* Return the index of the plan's event of kind @kind; of a request, that of
   process @process. */
static uint32_t event_of(const struct pt_plan *p, enum pt_event_kind kind,
			 uint32_t process)
{
	const struct pt_event *e = pt_plan_events(p);
	uint32_t i = 0;

	while (i < p->events.n &&
	       (e[i].kind != kind || e[i].process != process))
		i++;
	return i;
}

static bool has_happened(const struct pt_plan *p, uint32_t event)
{
	return pt_plan_events(p)[event].flags & PT_EVENT_HAPPENED;
}

/* Wait until the daemon has read everything that the tool has sent. */
static void sync_with(struct tool *t)
{
	say(t, PT_MSG_WAIT, UINT64_MAX);
	if (hear(t) != PT_MSG_ROOM)
		abort();
}

/* Run process 2. Exit with the number of what was wrong. */
static void be_child(const struct tool *parent)
{
	struct packet hello = forked_hello(parent);
	struct pt_plan *p;
	struct tool t;

	join(&t, &hello);
	p = t.map ? get_plan(&t) : NULL;
	if (!p)
		_exit(1);
	if (!has_happened(p, event_of(p, PT_EVENT_REQUEST, 1)) ||
	    !has_happened(p, event_of(p, PT_EVENT_CREATION, 2)))
		_exit(2);
	if (has_happened(p, event_of(p, PT_EVENT_REQUEST, 2)))
		_exit(3);
	say(&t, PT_MSG_HAPPENED, event_of(p, PT_EVENT_REQUEST, 1));
	say(&t, PT_MSG_HAPPENED, p->events.n);
	say(&t, PT_MSG_HAPPENED, UINT64_MAX);
	say(&t, PT_MSG_HAPPENED, event_of(p, PT_EVENT_REQUEST, 2));
	say(&t, PT_MSG_HAPPENED, event_of(p, PT_EVENT_REQUEST, 2));
	t.page->ending = PT_EXITED;
	_exit(0);
}

static int status_of(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_events(void)
{
	struct packet hello = good_hello();
	struct pt_plan *p;
	struct tool t;
	pid_t pid;

	use_windows("windows:\n"
		    "  - on:\n"
		    "      any:\n"
		    "        - creation: {process: 2}\n"
		    "        - termination: {process: 2}\n"
		    "        - client_request: {name: a, process: 1}\n"
		    "        - client_request: {name: b, process: 2}\n"
		    "    profile: [{process: 0}]\n");
	start();
	join(&t, &hello);
	p = get_plan(&t);
	if (!p)
		abort();
	say(&t, PT_MSG_HAPPENED, event_of(p, PT_EVENT_REQUEST, 1));
	sync_with(&t);
	is_u64(orders_of(&t), 0, "a tool is not told of its own events");
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		be_child(&t);
	is_u64((uint64_t)status_of(pid), 0,
	       "what has happened before is in a child's plan");
	is_u64(told(&t, PT_MSG_HAPPENED), event_of(p, PT_EVENT_CREATION, 2),
	       "its parent is told that it has begun");
	is_u64(told(&t, PT_MSG_HAPPENED), event_of(p, PT_EVENT_REQUEST, 2),
	       "and of its event, but not of those that are not its own");
	is_u64(told(&t, PT_MSG_HAPPENED), event_of(p, PT_EVENT_REQUEST, 2),
	       "each time");
	is_u64(told(&t, PT_MSG_HAPPENED), event_of(p, PT_EVENT_TERMINATION, 2),
	       "and of its end");
	is_u64(orders_up_to(&t, 4), 4, "they are counted in its page");
	free(p);
	end_well(&t);
	free(stop());
}

/* Run process 2, which begins and ends. */
static void be_brief(const struct tool *parent)
{
	struct packet hello = forked_hello(parent);
	struct tool t;

	join(&t, &hello);
	if (t.map)
		t.page->ending = PT_EXITED;
	_exit(t.map == NULL);
}

/* Check a tool that reads no packets. */
static void test_too_many(void)
{
	struct packet hello = good_hello();
	char said[200], *report;
	struct tool t;
	pid_t pid;

	use_windows("windows:\n"
		    "  - on: {creation: {process: 2}}\n"
		    "    profile: [{process: 0}]\n");
	start();
	join(&t, &hello);
	free(get_plan(&t));
	while (!ask("open", "1", NULL, said))
		;
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		be_brief(&t);
	is_u64((uint64_t)status_of(pid), 0, "another process comes and goes");
	end_well(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	report = stop();
	ok(strstr(report, "too many orders wait for it") != NULL,
	   "what a tool could not be told is missing in its record");
	free(report);
}

/* Check that a command is sent after the plan, however long that takes. */
static void test_behind_plan(void)
{
	struct packet hello = good_hello();
	FILE *f = fopen(intervals, "w");
	char yaml[300], said[200];
	struct pt_plan *p;
	struct tool t;

	for (int i = 0; f && i < 200000; i++)
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
	ask("open", "parts", NULL, said);
	is_u64(orders_of(&t), 0, "while the plan is sent no order is");
	p = get_plan(&t);
	ok(p != NULL, "the plan comes whole");
	is_u64(told(&t, PT_MSG_ORDER), 1, "then the order");
	free(p);
	end_well(&t);
	free(stop());
}

int main(void)
{
	set_up();
	snprintf(intervals, sizeof(intervals), "%s/w.csv", base);
	test_events();
	test_too_many();
	test_behind_plan();
	unlink(intervals);
	remove_windows();
	return tear_down();
}
