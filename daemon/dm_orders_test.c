/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_orders_test.c - what a daemon tells tools of other processes, and of what
 * somebody outside wants
 *
 * Room:    daemon.
 */
#include "tests/tap.h"

#include "daemon/dm_control.h"
#include "daemon/dm_faketool.h"
#include "lib/al_planned.h"

enum { MANY = 1000 /* more than a socket holds */ };

static char file[80];
static char intervals[80];

static void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void use_windows(const char *yaml)
{
	static char option[100];
	char message[AL_MESSAGE];

	write_text(file, yaml);
	snprintf(option, sizeof(option), "--window=%s", file);
	al_options_free(options);
	options = al_options_new();
	settings = NULL;
	if (al_options_take(options, option, message) == 1)
		settings = al_options_finish(options, message);
	if (settings)
		return;
	printf("Bail out! %s\n", message);
	exit(1);
}

static void end_well(struct tool *t)
{
	t->page->ending = PT_EXITED;
	leave(t);
}

/* ---- events ---- */

/* The event of that kind in the plan; of a request, of that process. */
static uint32_t event_of(const struct pt_plan *p, enum pt_event_kind kind,
			 uint32_t process)
{
	const struct pt_event *e = al_plan_events(p);
	uint32_t i = 0;

	while (i < p->events.n &&
	       (e[i].kind != kind || e[i].process != process))
		i++;
	return i;
}

static bool has_happened(const struct pt_plan *p, uint32_t event)
{
	return al_plan_events(p)[event].flags & PT_EVENT_HAPPENED;
}

/* The daemon has taken what the tool has said. */
static void sync_with(struct tool *t)
{
	say(t, PT_MSG_WAIT, UINT64_MAX);
	if (hear(t) != PT_MSG_ROOM)
		abort();
}

/* Process 2. Exits with what it has found wrong. */
static void be_child(const struct tool *parent)
{
	struct packet hello = good_hello();
	struct pt_plan *p;
	struct tool t;

	hello.hello.parent_pid = (uint32_t)getppid();
	hello.hello.flags = PT_HELLO_FORKED;
	hello.hello.parent_stream = parent->welcome.stream;
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

/* What a tool is told next: its value; UINT64_MAX when it is something else. */
static uint64_t told(struct tool *t, uint32_t type)
{
	struct pt_message m;

	return recv(t->fd, &m, sizeof(m), 0) == sizeof(m) && m.type == type
		       ? m.value
		       : UINT64_MAX;
}

static uint64_t orders_of(const struct tool *t)
{
	/* Pairs with the store-release of orders in dm_ring_ordered(). */
	return pt_load_acquire(
		&((const struct pt_daemon_page *)t->map)->orders);
}

/* The count is written behind the message: waits for it a while. */
static uint64_t orders_up_to(const struct tool *t, uint64_t n)
{
	for (int i = 0; i < 2000 && orders_of(t) < n; i++)
		usleep(1000);
	return orders_of(t);
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

/* ---- from outside ---- */

/* Says it to the daemon. Return: the status; @said: [200] what it answers. */
static int ask(const char *first, const char *second, const char *third,
	       char *said)
{
	const char *const words[] = {first, second, third, NULL};
	FILE *f = fmemopen(said, 200, "w");
	char message[DM_MESSAGE];
	int rc;

	rc = dm_control_ask(path, words, f, f, message);
	fclose(f);
	return rc;
}

static void test_orders(void)
{
	struct packet hello = good_hello();
	char said[200];
	uint64_t right = 0;
	struct tool t;

	use_windows("windows:\n"
		    "  - name: one\n"
		    "    on: {monitor: true}\n"
		    "    profile: [{process: 0}]\n"
		    "  - name: two\n"
		    "    on: {monitor: true}\n"
		    "    profile: [{process: 0}]\n");
	start();
	ask("open", "one", NULL, said);
	is_str(said, "alleria: no such program is being recorded\n",
	       "an order needs a program");
	join(&t, &hello);
	free(get_plan(&t));
	is_u64((uint64_t)ask("open", "one", NULL, said), 0, "there is one");
	is_str(said, "'one' opens in 1 program\n", "so it opens a window");
	is_u64(told(&t, PT_MSG_ORDER), 1, "the tool is told to open it");
	ask("close", "two", NULL, said);
	is_u64(told(&t, PT_MSG_ORDER), 2, "or to close another");
	is_u64(orders_up_to(&t, 2), 2, "orders are counted");
	for (unsigned i = 0; i < MANY; i++)
		ask(i % 3 ? "open" : "close", "one", NULL, said);
	for (unsigned i = 0; i < MANY; i++)
		right += told(&t, PT_MSG_ORDER) == (i % 3 != 0);
	is_u64(right, MANY,
	       "more than the socket holds come all, and in order");
	is_u64(orders_up_to(&t, 2 + MANY), 2 + MANY,
	       "and are counted when they are sent");
	end_well(&t);
	ok(dm_daemon_wait(d, WAIT_MS) && dm_daemon_is_complete(d),
	   "the run is complete");
	free(stop());
}

/* An order comes behind the plan, however long that takes. */
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

/* ---- strangers ---- */

/* What a packet is answered: the status; -1: nothing. */
static int answer_to(const void *packet, size_t bytes)
{
	struct pt_message m;
	int fd = dial();
	ssize_t n;

	send(fd, packet, bytes, MSG_NOSIGNAL);
	n = recv(fd, &m, sizeof(m), 0);
	close(fd);
	return n == sizeof(m) && m.type == PT_MSG_DONE ? (int)m.value : -1;
}

static void test_strangers(void)
{
	struct {
		struct pt_control head;
		char strings[16];
	} good = {{PT_CONTROL_MAGIC, PT_MAJOR, PT_MINOR, sizeof(good), 2},
		  "windows\0xxxxxxx"},
	  bad;

	start();
	good.head.n_strings = 1;
	memcpy(good.strings, "windows", 8);
	good.head.bytes = sizeof(good.head) + 8;
	is_u64((uint64_t)answer_to(&good, good.head.bytes), 0,
	       "a command is answered");
	bad = good;
	bad.head.major++;
	is_u64((uint64_t)answer_to(&bad, bad.head.bytes), 2,
	       "that of another version is not obeyed");
	bad = good;
	bad.head.n_strings = 0;
	is_u64((uint64_t)answer_to(&bad, bad.head.bytes), 2, "nor none");
	bad.head.n_strings = UINT32_MAX;
	is_u64((uint64_t)answer_to(&bad, bad.head.bytes), 2, "nor too many");
	bad.head.n_strings = 3;
	is_u64((uint64_t)answer_to(&bad, bad.head.bytes), 2,
	       "nor words that are not there");
	bad = good;
	bad.strings[7] = 'x';
	is_u64((uint64_t)answer_to(&bad, bad.head.bytes), 2,
	       "nor one without an end");
	bad = good;
	bad.head.bytes++;
	is_u64((uint64_t)answer_to(&bad, good.head.bytes), 2,
	       "nor one of another length");
	is_u64((uint64_t)answer_to(&good, sizeof(good.head)), 2,
	       "nor one without words");
	is_u64((uint64_t)answer_to(&good, sizeof(good.head)), 2,
	       "and it goes on serving");
	free(stop());
}

int main(void)
{
	set_up();
	snprintf(file, sizeof(file), "%s/w.yaml", base);
	snprintf(intervals, sizeof(intervals), "%s/w.csv", base);
	test_events();
	test_orders();
	test_behind_plan();
	test_strangers();
	unlink(file);
	unlink(intervals);
	return tear_down();
}
