/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ancestry_test.c - claims of a client about other processes */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/client/ancestry.h"
#include "daemon/client/state.h"
#include "lib/report/report.h"
#include "tests/fixtures/fake_tool.h"

/* A recorded program in a process of its own, which runs until end_victim(). */
struct victim {
	pid_t pid;
	int exit_pipe;	  /* pipe: a write ends the process */
	struct tool tool; /* only its welcome is valid */
};

static struct victim start_victim(void)
{
	struct packet hello = good_hello();
	struct victim v;
	int said[2], ends[2];
	char byte;

	if (pipe(said) || pipe(ends))
		abort();
	fflush(stdout);
	v.pid = fork();
	if (v.pid == 0) {
		join(&v.tool, &hello);
		(void)!write(said[1], &v.tool, sizeof(v.tool));
		close(ends[1]);
		(void)!read(ends[0], &byte, 1);
		v.tool.page->ending = PT_EXITED;
		_exit(0);
	}
	if (read(said[0], &v.tool, sizeof(v.tool)) != sizeof(v.tool))
		abort();
	close(said[0]);
	close(said[1]);
	close(ends[0]);
	v.exit_pipe = ends[1];
	return v;
}

static void end_victim(struct victim *v)
{
	close(v->exit_pipe);
	waitpid(v->pid, NULL, 0);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
}

static void end_normally(struct tool *t)
{
	t->page->ending = PT_EXITED;
	leave(t);
}

/* Wait until the daemon has read everything that the tool has sent. */
static void sync_with(struct tool *t)
{
	say(t, PT_MSG_WAIT, UINT64_MAX);
	if (hear(t) != PT_MSG_ROOM)
		abort();
}

/* Return the report's line of a process; "" when there is none. */
static const char *row_of(const char *report, pid_t pid)
{
	static char row[200];
	char word[40];
	const char *found;

	snprintf(word, sizeof(word), " %d  ", (int)pid);
	found = strstr(report, word);
	while (found && found > report && found[-1] != '\n')
		found--;
	snprintf(row, sizeof(row), "%.*s",
		 found ? (int)strcspn(found, "\n") : 0, found ? found : "");
	return row;
}

static void has(const char *where, const char *what, const char *fact)
{
	bool found = strstr(where, what);

	ok(found, fact);
	if (!found)
		printf("# no '%s' in '%s'\n", what, where);
}

static void test_lost_stranger(void)
{
	struct packet hello = good_hello();
	struct victim v;
	struct tool t;
	char *text;

	start();
	v = start_victim();
	join(&t, &hello);
	say(&t, PT_MSG_LOST, (uint64_t)v.pid);
	sync_with(&t);
	end_normally(&t);
	end_victim(&v);
	ok(!dm_daemon_is_run_complete(d), "what a program has lost is told");
	text = stop();
	has(row_of(text, v.pid), "exit 0", "but no other program is lossy");
	free(text);
}

/* Check that the JSON report of the run has a process that is not known to have
   ended, and none that is said to have called exec. */
static void ending_is_not_known(const char *fact)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	al_report_write_json(d->run, f);
	fclose(f);
	ok(strstr(text, "\"running\": 1") && !strstr(text, "\"exec\""), fact);
	free(text);
}

/* Check that the loss of a reaped child, which is not in /proc, is reported. */
static void test_lost_child(void)
{
	struct packet hello = good_hello();
	struct tool t;
	pid_t pid = fork();
	char *text;

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	start();
	join(&t, &hello);
	say(&t, PT_MSG_LOST, (uint64_t)pid);
	say(&t, PT_MSG_LOST, (uint64_t)pid);
	sync_with(&t);
	end_normally(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	ending_is_not_known("how a lost child ended is not known");
	text = stop();
	has(text, "2 processes", "a reaped child that was lost is one process");
	has(row_of(text, pid), " 2      1", "the second of its parent's tree");
	has(row_of(text, pid), "lossy", "which is lossy");
	free(text);
}

static void test_lost_many(void)
{
	struct packet hello = good_hello();
	struct tool t;
	char *text, word[40];

	start();
	join(&t, &hello);
	for (uint64_t i = 0; i < 3 * DM_MAX_LOST; i++)
		say(&t, PT_MSG_LOST, 100000 + i);
	sync_with(&t);
	end_normally(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	text = stop();
	snprintf(word, sizeof(word), " %d processes", DM_MAX_LOST + 1);
	has(text, word, "a client adds so many lost children, and no more");
	has(row_of(text, getpid()), "lossy", "then it is lossy itself");
	free(text);
}

static void test_forged_token(void)
{
	struct packet hello;
	struct victim v;

	start();
	v = start_victim();
	hello = forked_hello(&v.tool);
	hello.rest[0] ^= 1;
	is_str(refusal(&hello, hello.hello.bytes), "protocol error",
	       "a child with another token is refused");
	hello.hello.flags &= ~(uint32_t)PT_HELLO_TOKEN;
	hello.hello.bytes -= sizeof(struct pt_token);
	memmove(hello.rest, hello.rest + sizeof(struct pt_token), 16);
	is_str(refusal(&hello, hello.hello.bytes), "protocol error",
	       "so is one without");
	hello = forked_hello(&v.tool);
	ok(*refusal(&hello, sizeof(hello.hello) + 8),
	   "a token that is cut short is refused");
	end_victim(&v);
	ok(dm_daemon_is_run_complete(d), "the parent's tree is complete");
	free(stop());
}

/* Check a hello that is no fork and names a wrong parent. */
static void test_forged_parent(void)
{
	struct packet hello = good_hello();
	struct victim v;
	struct tool t;
	char *text;

	start();
	v = start_victim();
	hello.hello.parent_pid = (uint32_t)v.pid;
	join(&t, &hello);
	end_normally(&t);
	end_victim(&v);
	text = stop();
	has(row_of(text, getpid()), "2.1      -",
	    "a program is in no tree for its own word");
	free(text);
}

/* Check a program started by a recorded one. */
static void test_true_parent(void)
{
	struct packet hello = good_hello();
	struct tool t, child;
	int status;
	pid_t pid;
	char *text;

	start();
	join(&t, &hello);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		hello.hello.parent_pid = 1;
		join(&child, &hello);
		if (child.map)
			child.page->ending = PT_EXITED;
		_exit(!child.map);
	}
	waitpid(pid, &status, 0);
	end_normally(&t);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	text = stop();
	has(row_of(text, pid), " 2      1",
	    "a program is in the tree of its parent, whatever it says");
	free(text);
}

int main(void)
{
	set_up();
	test_lost_stranger();
	test_lost_child();
	test_lost_many();
	test_forged_token();
	test_forged_parent();
	test_true_parent();
	return tear_down();
}
