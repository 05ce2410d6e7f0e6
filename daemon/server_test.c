/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server_test.c - tools that keep to the protocol, until they die
 */
#include <poll.h>

#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/client/state.h"
#include "tests/fixtures/fake_tool.h"

static void test_good(void)
{
	struct packet hello = good_hello();
	struct tool t;
	bool complete;

	start();
	join(&t, &hello);
	ok(t.map != NULL, "a hello is welcomed with a ring");
	is_u64(t.welcome.bytes,
	       2 * PT_PAGE + (512u << 10) +
		       (1 + settings->max_chunks) * settings->chunk_bytes,
	       "with room for all the buffers that it may get");
	t.chunk0[1] = PT_CHUNK_HEAD;
	publish(&t, 1);
	say(&t, PT_MSG_WAIT, 0);
	is_u64((uint64_t)hear(&t), PT_MSG_ROOM,
	       "who waits for room hears of it");
	is_u64(released(&t), 1, "when it is there");
	say(&t, PT_MSG_WAIT, UINT64_MAX);
	is_u64((uint64_t)hear(&t), PT_MSG_ROOM, "also for room in the log");
	t.page->ending = PT_EXITED;
	t.page->ending_value = 3;
	say(&t, PT_MSG_BYE, 0);
	leave(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS), "its end is noticed");
	complete = dm_daemon_is_run_complete(d);
	free(stop());
	ok(complete, "and the record is complete");
}

/* Publish chunks one by one, each when the one before it was released.
   Meanwhile the daemon has nothing else to do. */
static void test_turns(void)
{
	enum { ROUNDS = 300 };
	struct packet hello = good_hello();
	const struct pt_daemon_page *page;
	uint64_t n;
	struct tool t;

	start();
	join(&t, &hello);
	page = (const struct pt_daemon_page *)t.map;
	for (n = 0; n < ROUNDS; n++) {
		uint64_t *chunk =
			t.chunk0 + n % page->n_chunks * page->chunk_bytes / 8;

		chunk[0] = pt_control_unit_first_word(PT_CHUNK, (uint32_t)n,
						      PT_CHUNK_HEAD);
		chunk[1] = PT_CHUNK_HEAD;
		publish(&t, n + 1);
		say(&t, PT_MSG_WAIT, n);
		if (hear(&t) != PT_MSG_ROOM || released(&t) != n + 1)
			break;
	}
	is_u64(n, ROUNDS, "chunks are analysed however seldom they come");
	t.page->ending = PT_EXITED;
	say(&t, PT_MSG_BYE, 0);
	leave(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	free(stop());
}

static void test_silence(void)
{
	struct packet hello = good_hello();
	int silent[50], i;
	struct tool t;

	start();
	for (i = 0; i < 50; i++)
		silent[i] = dial();
	join(&t, &hello);
	ok(t.map != NULL, "connections that say nothing keep nobody waiting");
	t.page->ending = PT_EXITED;
	leave(&t);
	for (i = 0; i < 50; i++)
		close(silent[i]);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "and leave nothing behind");
	ok(dm_daemon_is_run_complete(d), "nor is the run the worse for it");
	free(stop());
}

/* Check a process that is killed, without a message. */
static void test_killed(void)
{
	struct packet hello = good_hello();
	struct tool t;
	pid_t pid;
	char *text;

	start();
	pid = fork();
	if (pid == 0) {
		join(&t, &hello);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	ok(!dm_daemon_is_run_complete(d), "a killed process is not complete");
	text = stop();
	ok(strstr(text, "killed by signal 9"), "the report says why");
	free(text);
}

static void test_closed(void)
{
	struct packet hello = good_hello();
	struct tool t;
	char *text;

	start();
	join(&t, &hello);
	leave(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "a closed connection is an end");
	text = stop();
	ok(strstr(text, "connection closed"), "the report says so");
	free(text);
}

/* Check an exec: the next connection of the process is its next image. */
static void test_exec(void)
{
	struct packet hello = good_hello();
	struct tool t;
	char *text;
	int i;

	start();
	for (i = 0; i < 3; i++) {
		join(&t, &hello);
		t.page->ending = i < 2 ? PT_EXEC : PT_EXITED;
		leave(&t);
	}
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS),
	   "images follow one another");
	ok(dm_daemon_is_run_complete(d), "and make one complete process");
	is_u64(dm_daemon_get_progress_figures(d).recorded, 3,
	       "of three images");
	text = stop();
	ok(strstr(text, " 1 process,"), "the report has one process");
	free(text);
}

/* Check a next image that connects before the end of the last one was
   noticed. */
static void test_early(void)
{
	struct packet hello = good_hello();
	struct tool old, new = {0};
	struct pollfd p = {.events = POLLIN};
	int fd;

	start();
	join(&old, &hello);
	new.fd = p.fd = dial();
	send(new.fd, &hello, hello.hello.bytes, MSG_NOSIGNAL);
	is_u64((uint64_t)poll(&p, 1, 100), 0,
	       "an image waits for the one before it");
	leave(&old);
	ok(get_welcome(&new, &fd) && fd >= 0, "and is welcomed after its end");
	close(fd);
	leave(&new);
	free(stop());
}

static struct dm_client *client_at(enum dm_stage stage)
{
	struct dm_client *c;

	dm_lock(d);
	for (c = d->clients; c && c->stage != stage; c = c->next)
		;
	dm_unlock(d);
	return c;
}

static bool is_over(struct dm_client *c)
{
	bool over;

	dm_lock(d);
	over = dm_is_no_more_input_accepted(c);
	dm_unlock(d);
	return over;
}

/* Check that a next image waits for the analysis of the last one longer than
   for anything else. */
static void test_slow(void)
{
	struct packet hello = good_hello();
	struct tool old, new = {0};
	struct pollfd p = {.events = POLLIN};
	struct dm_client *first, *second = NULL;
	int fd;

	start();
	join(&old, &hello);
	first = client_at(DM_LIVE);
	dm_workers_pause_task(&d->workers, &first->ring_reader);
	old.page->ending = PT_EXEC;
	leave(&old);
	new.fd = p.fd = dial();
	send(new.fd, &hello, hello.hello.bytes, MSG_NOSIGNAL);
	while (!is_over(first) || !(second = client_at(DM_WAITING)))
		usleep(1000);
	dm_lock(d);
	second->deadline_ns = 0;
	dm_unlock(d);
	is_u64((uint64_t)poll(&p, 1, 300), 0,
	       "an image waits for the one before it, past its deadline");
	dm_workers_resume_task_requeue_if_posted(&d->workers,
						 &first->ring_reader);
	ok(get_welcome(&new, &fd) && fd >= 0, "and is welcomed in the end");
	close(fd);
	leave(&new);
	free(stop());
}

/* Units that the tool did not publish are analysed by the intake alone: hands,
   which may still be posted, would read them at the same time. */
static void test_unpublished(void)
{
	struct packet hello = good_hello();
	struct dm_client *c;
	enum dm_feeding feeding;
	struct tool t;

	for (unsigned some = 0; some < 2; some++) {
		start();
		join(&t, &hello);
		c = client_at(DM_LIVE);
		dm_lock(d);
		c->joining_children++; /* it is not freed */
		dm_unlock(d);
		t.staging[2] = pt_control_unit_first_word(PT_THREAD, 1, 8);
		if (some)
			t.page->cursor += PT_CHUNK_HEAD;
		t.page->ending = PT_EXITED;
		leave(&t);
		while (client_at(DM_ENDED) != c)
			usleep(1000);
		dm_lock(d);
		feeding = c->machine.feeding;
		c->joining_children--;
		d->has_pending_clients = true;
		dm_unlock(d);
		dm_wake_server(d);
		ok(some == (feeding == DM_ALONE),
		   some ? "units that were not published are analysed alone"
			: "hands work while all units are published");
		ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
			   dm_daemon_is_run_complete(d),
		   "the image is complete");
		free(stop());
	}
}

static void test_fork(void)
{
	struct packet hello = good_hello();
	struct tool t, child;
	pid_t pid;
	int status;

	start();
	join(&t, &hello);
	pid = fork();
	if (pid == 0) {
		hello = forked_hello(&t);
		join(&child, &hello);
		if (!child.map)
			_exit(1);
		child.page->ending = PT_EXITED;
		_exit(0);
	}
	waitpid(pid, &status, 0);
	is_u64((uint64_t)status, 0, "a forked child gets a ring of its own");
	t.page->ending = PT_EXITED;
	leave(&t);
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
		   dm_daemon_is_run_complete(d),
	   "both are complete");
	free(stop());
}

/* Connect as a child that still has the connection of its parent, which has
   ended. */
static bool joins_late(const struct tool *parent, pid_t pid)
{
	struct packet hello = forked_hello(parent);
	struct tool t;

	while (getppid() == pid)
		usleep(1000);
	usleep(100000);
	join(&t, &hello);
	if (t.map)
		t.page->ending = PT_EXITED;
	return t.map;
}

static void test_late_fork(void)
{
	struct packet hello = good_hello();
	struct tool t;
	bool joined = false, forgotten = false;
	int tube[2];

	start();
	if (pipe(tube))
		abort();
	if (fork() == 0) {
		pid_t parent = getpid();

		join(&t, &hello);
		if (fork() == 0) {
			joined = joins_late(&t, parent);
			(void)!write(tube[1], &joined, sizeof(joined));
		}
		t.page->ending = PT_EXITED;
		_exit(0);
	}
	(void)!read(tube[0], &joined, sizeof(joined));
	wait(NULL);
	ok(joined, "a child joins after its parent's end, by the connection");
	ok(dm_daemon_wait_clients_end_saved(d, WAIT_MS) &&
		   dm_daemon_is_run_complete(d),
	   "and both are complete");
	hello.hello.flags = PT_HELLO_FORKED;
	for (int i = 0; i < 100 && !forgotten; i++) {
		forgotten = !strcmp(refusal(&hello, hello.hello.bytes),
				    "protocol error");
		usleep(20000);
	}
	ok(forgotten, "without it the parent is forgotten");
	free(stop());
	close(tube[0]);
	close(tube[1]);
}

/* Check a daemon that is stopped while a program runs. */
static void test_stop(void)
{
	struct packet hello = good_hello();
	struct tool t;
	char *text;

	start();
	join(&t, &hello);
	t.chunk0[1] = PT_CHUNK_HEAD;
	publish(&t, 1);
	text = stop();
	is_u64(released(&t), 1, "what is in the ring is taken first");
	is_u64((uint64_t)hear(&t), 0, "then the tool is left alone");
	ok(strstr(text, "daemon was stopped"), "the report says so");
	ok(access(path, F_OK) < 0, "the socket is gone");
	leave(&t);
	free(text);
}

int main(void)
{
	set_up();
	test_good();
	test_turns();
	test_silence();
	test_killed();
	test_closed();
	test_exec();
	test_early();
	test_slow();
	test_unpublished();
	test_fork();
	test_late_fork();
	test_stop();
	return tear_down();
}
