/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control_test.c - what somebody outside wants of a daemon, and what its
 * tools are told then
 */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include <sys/resource.h>

#include "daemon/client/outbox.h"
#include "tests/fixtures/fake_window_tool.h"

enum { MANY = 1000 /* more than a socket holds */, REPORTS = 50 };

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
	is_str(said, "alleria: no program is being recorded\n",
	       "an order needs a program");
	ask("open", "one", "1", said);
	is_str(said,
	       "alleria: no program with process id 1 is being recorded\n",
	       "which is named if the order names it");
	ask("report", NULL, NULL, said);
	is_str(said, "alleria: missing report format: report text|json [PID]\n",
	       "a report needs a format");
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
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
		   dm_daemon_is_run_complete(d),
	   "the run is complete");
	free(stop());
}

/* Return the name in a packet of a mark; "" for a flush; NULL for another
   packet. */
static const char *marked(struct tool *t)
{
	static struct {
		struct pt_message m;
		char name[PT_MAX_NAME + 1];
	} p;
	ssize_t n = recv(t->fd, &p, sizeof(p), 0);

	if (n == sizeof(p.m) && p.m.type == PT_MSG_FLUSH)
		return "(flush)";
	return n > (ssize_t)sizeof(p.m) && p.m.type == PT_MSG_MARK &&
			       memchr(p.name, 0, (size_t)n - sizeof(p.m))
		       ? p.name
		       : NULL;
}

static void test_marks(void)
{
	struct packet hello = good_hello();
	char said[200];
	struct tool t;

	use_windows("windows: [{profile: [{process: 0}]}]\n");
	start();
	join(&t, &hello);
	free(get_plan(&t));
	ask("mark", "here", NULL, said);
	is_str(marked(&t), "here", "a tool is told to leave a mark");
	ask("flush", NULL, NULL, said);
	is_str(marked(&t), "(flush)", "and to publish what there is");
	is_u64(orders_up_to(&t, 2), 2, "both are counted");
	t.page->windows.value = 1;
	ask("programs", NULL, NULL, said);
	ok(strstr(said, "recorded '1':") != NULL,
	   "the windows that it has open are told");
	t.page->windows.value = UINT64_MAX;
	ask("programs", NULL, NULL, said);
	ok(strstr(said, "recorded '1':") != NULL, "but no others");
	end_well(&t);
	free(stop());
}

/* Check a tool that reads no packets. */
static void test_too_many(void)
{
	struct packet hello = good_hello();
	unsigned n = 0, come = 0;
	char said[200];
	struct tool t;

	use_windows("windows: [{profile: [{process: 0}]}]\n");
	start();
	join(&t, &hello);
	free(get_plan(&t));
	while (n < 3 * DM_MAX_COMMANDS && !ask("open", "1", NULL, said))
		n++;
	is_str(said, "alleria: too many commands are queued for the program\n",
	       "there is an end to what waits for a tool");
	ok(n >= DM_MAX_COMMANDS, "but there may be many");
	while (come < n && told(&t, PT_MSG_ORDER) == 1)
		come++;
	is_u64(come, n, "what was taken comes");
	is_u64((uint64_t)ask("open", "1", NULL, said), 0,
	       "then there is room again");
	end_well(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
		   dm_daemon_is_run_complete(d),
	   "the run is complete");
	free(stop());
}

/* Check a client that sends several commands before it reads an answer. */
static void test_answers(void)
{
	struct packet hello = good_hello();
	const struct {
		struct pt_message m;
		uint8_t code[2];
	} nop = {{.type = PT_MSG_DECODE, .value = 1}, {1, 0x90}};
	struct {
		struct pt_message m;
		uint64_t taken;
	} a;
	unsigned right = 0;
	struct tool t;

	use_windows("windows:\n"
		    "  - profile:\n"
		    "      - threads:\n"
		    "          - images:\n"
		    "              - functions:\n"
		    "                  - instructions: [{class: nop}]\n");
	start();
	join(&t, &hello);
	free(get_plan(&t));
	for (unsigned i = 0; i < MANY; i++)
		send(t.fd, &nop, sizeof(nop.m) + sizeof(nop.code),
		     MSG_NOSIGNAL);
	while (right < MANY && recv(t.fd, &a, sizeof(a), 0) == sizeof(a) &&
	       a.m.type == PT_MSG_DECODED && a.taken == 1)
		right++;
	is_u64(right, MANY, "no answer is lost when the socket is full");
	is_u64(orders_of(&t), 0, "answers are no orders");
	end_well(&t);
	free(stop());
}

/* ---- strangers ---- */

/* Return the status with which a packet is answered; -1: no answer. */
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

static void test_reports(void)
{
	struct packet hello = good_hello();
	unsigned made = 0;
	char said[200];
	struct tool t;

	start();
	join(&t, &hello);
	for (unsigned i = 0; i < REPORTS; i++)
		made += ask("report", "text", NULL, said) == 0;
	if (made < REPORTS)
		printf("# %s\n", said);
	is_u64(made, REPORTS, "reports one after another are all made");
	end_well(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	free(stop());
}

/* A limit on file size also ends the report, which is a file in memory. */
static void test_report_too_large(void)
{
	struct packet hello = good_hello();
	struct rlimit old, tight;
	char said[200];
	struct tool t;

	start();
	join(&t, &hello);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	tight = (struct rlimit){100, old.rlim_max};
	for (unsigned i = 0; i < 2; i++) {
		setrlimit(RLIMIT_FSIZE, &tight);
		is_u64((uint64_t)ask("report", i ? "json" : "text", NULL, said),
		       2, "a report that cannot be written is none");
		setrlimit(RLIMIT_FSIZE, &old);
		is_str(said, "alleria: no report: File too large\n",
		       "and the daemon answers why");
	}
	is_u64((uint64_t)ask("report", "text", NULL, said), 0,
	       "the next one is made");
	end_well(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	free(stop());
}

int main(void)
{
	set_up();
	test_orders();
	test_marks();
	test_too_many();
	test_answers();
	test_strangers();
	test_reports();
	test_report_too_large();
	remove_windows();
	return tear_down();
}
