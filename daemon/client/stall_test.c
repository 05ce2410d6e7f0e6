/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stall_test.c - a daemon whose profile is on a file system that hangs
 *
 * The daemon writes profiles by the pwritev() and creates them by the flock()
 * below, which wait while the test says so, as on a dead NFS server.
 */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "lib/replay/replay.h"
#include "lib/report/report.h"
#include "lib/verify/verify.h"
#include "tests/fixtures/fake_window_tool.h"

enum {
	SHORT_MS = 300, /* [ms] wait for what must not happen */
	LONG_MS = 1500, /* after which a turn of a worker is a long one */
	NAME = 96
};

/* ---- the file system ---- */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool hangs; /* the next call hangs, one at a time */
	bool hung;  /* one hangs now */
} disk = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};

static void pass_disk(void)
{
	pthread_mutex_lock(&disk.lock);
	if (disk.hangs && !disk.hung) {
		disk.hung = true;
		pthread_cond_broadcast(&disk.changed);
		while (disk.hangs)
			pthread_cond_wait(&disk.changed, &disk.lock);
		disk.hung = false;
	}
	pthread_mutex_unlock(&disk.lock);
}

static void set_hanging(bool hangs)
{
	pthread_mutex_lock(&disk.lock);
	disk.hangs = hangs;
	pthread_cond_broadcast(&disk.changed);
	pthread_mutex_unlock(&disk.lock);
}

/* Wait until a call hangs. */
static void wait_for_hang(void)
{
	pthread_mutex_lock(&disk.lock);
	while (!disk.hung)
		pthread_cond_wait(&disk.changed, &disk.lock);
	pthread_mutex_unlock(&disk.lock);
}

ssize_t pwritev(int fd, const struct iovec *iov, int n, off_t offset)
{
	pass_disk();
	return syscall(SYS_pwritev, fd, iov, n, offset, 0);
}

int flock(int fd, int operation)
{
	pass_disk();
	return (int)syscall(SYS_flock, fd, operation);
}

/* ---- programs ---- */

/* A program in a process of its own, made before the daemon so that it has none
   of the daemon's descriptors. */
struct program {
	pid_t pid;
	int status_pipe;  /* pipe: a byte when it is welcomed, another when the
			    daemon hangs up */
	int command_pipe; /* pipe: a byte has it connect, another has it end */
};

static void run_program(int said, int order)
{
	struct packet hello = good_hello();
	struct pollfd p[2];
	struct tool t;

	join(&t, &hello);
	if (!t.map)
		_exit(1);
	(void)!write(said, "w", 1);
	p[0] = (struct pollfd){.fd = order, .events = POLLIN};
	p[1] = (struct pollfd){.fd = t.fd, .events = POLLIN};
	while (poll(p, 2, -1) < 0)
		;
	if (p[1].revents)
		(void)!write(said, "h", 1);
	t.page->ending = PT_EXITED;
	_exit(0);
}

/* Create a process that waits for connect_program() and then calls @run, which
   does not return. */
static struct program make_process(void (*run)(int said, int order))
{
	struct program p;
	int said[2], order[2];

	if (pipe(said) || pipe(order))
		abort();
	fflush(stdout);
	p.pid = fork();
	if (p.pid == 0) {
		char byte;

		close(order[1]);
		if (read(order[0], &byte, 1) != 1)
			_exit(1);
		run(said[1], order[0]);
	}
	close(said[1]);
	close(order[0]);
	p.status_pipe = said[0];
	p.command_pipe = order[1];
	return p;
}

static struct program make_program(void)
{
	return make_process(run_program);
}

static void connect_program(struct program *p)
{
	(void)!write(p->command_pipe, "j", 1);
}

/* Whether the program writes @byte within @ms. */
static bool says(const struct program *p, char byte, int ms)
{
	struct pollfd f = {.fd = p->status_pipe, .events = POLLIN};
	char c = 0;

	return poll(&f, 1, ms) > 0 && read(p->status_pipe, &c, 1) == 1 &&
	       c == byte;
}

static void end_program(struct program *p)
{
	(void)!write(p->command_pipe, "e", 1);
	waitpid(p->pid, NULL, 0);
	close(p->command_pipe);
	close(p->status_pipe);
}

/* ---- the daemon ---- */

static char profile[NAME]; /* pattern of the profiles' names */

static void start_recording(const char *pattern)
{
	static char option[NAME + 16];
	char message[AL_MESSAGE];

	snprintf(profile, sizeof(profile), "%s/%s", base, pattern);
	snprintf(option, sizeof(option), "--profile=%s", profile);
	al_options_free(options);
	options = al_options_new();
	if (al_options_try_parse_argument(options, option, message) != 1 ||
	    al_options_try_parse_argument(options, "--workers=2", message) != 1)
		abort();
	settings = al_options_finish(options, message);
	start();
}

/* Whether the daemon answers `alleria control status`. */
static bool answers(void)
{
	char said[200];

	return ask("status", NULL, NULL, said) == 0;
}

/* Whether the daemon finishes a program within WAIT_MS and meanwhile answers
   `alleria control programs`. */
static bool is_over(const struct program *p)
{
	char said[200], word[32];

	snprintf(word, sizeof(word), "%d ", (int)p->pid);
	for (int i = 0; i < WAIT_MS / 10; i++) {
		said[0] = '\0'; /* an empty answer is not written */
		if (ask("programs", NULL, NULL, said) != 0)
			return false;
		if (strstr(said, word) == NULL)
			return true;
		usleep(10000);
	}
	printf("# %s", said);
	return false;
}

/* Replay a profile. Return: its report, for free(). */
static char *replay(const char *file)
{
	struct al_settings reading = *settings; /* without a profile to write */
	char message[AL_MESSAGE] = "";
	struct al_replay *r;
	struct al_replay_progress progress;
	char *text = NULL;
	size_t size;
	FILE *f;

	reading.profile = NULL;
	r = al_replay_open(file, &reading, message);
	f = open_memstream(&text, &size);
	fputs(message, f);
	if (r && al_replay_start_workers(r) == 0) {
		while (!al_replay_wait_until_ended_or_timeout(r, WAIT_MS,
							      &progress))
			;
		al_report_print(al_replay_finish_and_borrow_run(r), f, 0);
	}
	fclose(f);
	if (r)
		al_replay_free(r);
	return text;
}

/* Whether the profile @file is undamaged and complete, and its report contains
   @words. The file is removed. */
static bool is_whole(const char *file, const char *words)
{
	char message[AL_MESSAGE];
	bool whole =
		al_verify_print_and_count_faults(file, stdout, message) == 0;
	char *text = replay(file);

	whole = whole && strstr(text, "complete") && strstr(text, words);
	if (!whole)
		printf("# %s:\n# %s\n", file, text);
	free(text);
	unlink(file);
	return whole;
}

/* ---- tests ---- */

static void test_start(void)
{
	struct program b = make_program(), a = make_program();

	start_recording("shared");
	set_hanging(true);
	connect_program(&a);
	wait_for_hang();
	ok(answers(), "while the profile hangs the daemon can be asked");
	connect_program(&b);
	ok(says(&b, 'w', WAIT_MS), "another program is welcomed");
	end_program(&b);
	ok(is_over(&b), "and comes to its end");
	set_hanging(false);
	ok(says(&a, 'w', WAIT_MS), "so does the first, once it hangs no more");
	end_program(&a);
	ok(is_over(&a) && dm_daemon_is_run_complete(d), "the run is complete");
	free(stop());
	ok(is_whole(profile, "2 processes"), "and so is the profile");
}

static void test_end(void)
{
	struct program b = make_program(), a = make_program();

	start_recording("shared");
	connect_program(&a);
	ok(says(&a, 'w', WAIT_MS), "a program is recorded");
	set_hanging(true);
	end_program(&a);
	wait_for_hang();
	ok(answers(), "while its end hangs the daemon can be asked");
	connect_program(&b);
	ok(says(&b, 'w', WAIT_MS), "another program is welcomed");
	end_program(&b);
	ok(is_over(&b), "and comes to its end");
	set_hanging(false);
	free(stop());
	ok(is_whole(profile, "2 processes"), "the profile has both");
}

/* Return the name of a program's own profile. */
static const char *own(const struct program *p)
{
	static char name[NAME];

	snprintf(name, sizeof(name), "%s/own-%d", base, (int)p->pid);
	return name;
}

static void test_own(void)
{
	struct program b = make_program(), a = make_program();

	start_recording("own-%p");
	set_hanging(true);
	connect_program(&a);
	wait_for_hang();
	ok(answers(), "while a profile is created the daemon can be asked");
	connect_program(&b);
	ok(says(&b, 'w', WAIT_MS), "another program has a profile of its own");
	end_program(&b);
	ok(is_over(&b), "and comes to its end");
	ok(is_whole(own(&b), "prog"), "that profile is complete by then");
	set_hanging(false);
	ok(says(&a, 'w', WAIT_MS), "the first is welcomed, too");
	end_program(&a);
	ok(is_over(&a), "and comes to its end");
	free(stop());
	ok(is_whole(own(&a), "prog"), "and its profile is complete");
}

/* Request a report, and write 'r' when it arrives. */
static void run_reader(int said, int order)
{
	char text[200];

	(void)order;
	if (ask("report", "text", NULL, text) == 0)
		(void)!write(said, "r", 1);
	_exit(0);
}

static void test_report(void)
{
	struct program b = make_program(), a = make_program();
	struct program reader = make_process(run_reader);

	start_recording("shared");
	set_hanging(true);
	connect_program(&a);
	wait_for_hang();
	usleep(LONG_MS * 1000);
	connect_program(&reader);
	ok(!says(&reader, 'r', SHORT_MS), "a report waits for the profile");
	connect_program(&b);
	ok(says(&b, 'w', WAIT_MS), "another program is welcomed meanwhile");
	end_program(&b);
	ok(is_over(&b), "and comes to its end");
	set_hanging(false);
	ok(says(&reader, 'r', WAIT_MS), "then the report comes");
	end_program(&a);
	ok(is_over(&a), "and the first program ends");
	end_program(&reader);
	free(stop());
	ok(is_whole(profile, "2 processes"), "the profile has both");
}

static void test_stop(void)
{
	struct program b = make_program(), a = make_program();

	start_recording("shared");
	connect_program(&b);
	ok(says(&b, 'w', WAIT_MS), "a program is recorded");
	set_hanging(true);
	connect_program(&a);
	wait_for_hang();
	dm_daemon_request_recording_stop(d, true);
	ok(says(&b, 'h', WAIT_MS), "a daemon that hangs can be stopped");
	end_program(&b);
	ok(!dm_daemon_wait_clients_end_saved(d, SHORT_MS),
	   "it waits for the profile");
	set_hanging(false);
	end_program(&a);
	free(stop());
	unlink(profile);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	set_up();
	test_start();
	test_end();
	test_own();
	test_report();
	test_stop();
	return tear_down();
}
