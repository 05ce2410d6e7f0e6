/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private_daemon_test.c - the report that a private daemon sends
 */
#include <fcntl.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "tests/fixtures/fake_tool.h"

static void start_private(const char *json)
{
	struct dm_options o = {.socket = path, .private = true};
	char message[AL_MESSAGE];

	((struct al_settings *)settings)->json = json;
	d = dm_daemon_start(settings, &o, message);
}

/* Serve until no client is left. Return: false if that takes too long. */
static bool serve(void)
{
	int i;

	for (i = 0; i < 100; i++)
		if (!dm_private_daemon_send_reports_has_more(d, 100))
			return true;
	return false;
}

/* Read what a tool gets after its goodbye: @text receives the bytes of text for
   each descriptor. Return: the status of PT_MSG_DONE, or -1. */
static int hear_report(struct tool *t, size_t text[3])
{
	static char packet[PT_MAX_MESSAGE];
	const struct pt_message *m = (const struct pt_message *)packet;
	ssize_t n;

	text[1] = text[2] = 0;
	while ((n = recv(t->fd, packet, sizeof(packet), 0)) >=
	       (ssize_t)sizeof(*m)) {
		if (m->type == PT_MSG_DONE)
			return (int)m->value;
		if (m->type == PT_MSG_TEXT && m->value <= 2)
			text[m->value] += (size_t)n - sizeof(*m);
	}
	return -1;
}

/* Run a program in a process of its own, from hello to goodbye. Its exit
   status: 1 if it got text for descriptor 1, + 2 for descriptor 2; 8 on
   failure. */
static pid_t run_program(int linger_ms)
{
	struct packet hello = good_hello();
	struct tool t;
	size_t text[3];
	pid_t pid = fork();

	if (pid)
		return pid;
	join(&t, &hello);
	if (!t.map || !(t.welcome.wants & PT_WANT_GOODBYE))
		_exit(8);
	usleep((useconds_t)linger_ms * 1000);
	t.page->ending = PT_EXITED;
	say(&t, PT_MSG_BYE, 0);
	if (hear_report(&t, text) != 0)
		_exit(8);
	_exit((text[1] ? 1 : 0) + (text[2] ? 2 : 0));
}

static int status_of(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_one(void)
{
	pid_t pid;

	start_private("-");
	pid = run_program(0);
	ok(serve(), "a private daemon ends after its only program");
	is_u64((uint64_t)status_of(pid), 3,
	       "which got the report and the JSON text");
	dm_daemon_stop_and_free(d);
}

static void test_two(void)
{
	pid_t first, last;

	start_private(NULL);
	first = run_program(50);
	last = run_program(500);
	ok(serve(), "it ends after the last of two");
	is_u64((uint64_t)status_of(first), 0, "the first got no report");
	is_u64((uint64_t)status_of(last), 2, "the last did");
	dm_daemon_stop_and_free(d);
}

static void test_killed(void)
{
	struct packet hello = good_hello();
	char json[160];
	struct tool t;
	pid_t pid;

	snprintf(json, sizeof(json), "%s/x.json", base);
	start_private(json);
	pid = fork();
	if (pid == 0) {
		join(&t, &hello);
		kill(getpid(), SIGKILL);
	}
	ok(serve(), "it ends after a program that was killed");
	waitpid(pid, NULL, 0);
	ok(unlink(json) == 0, "and has written the JSON file");
	dm_daemon_stop_and_free(d);
}

int main(void)
{
	set_up();
	test_one();
	test_two();
	test_killed();
	return tear_down();
}
