/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_faketool.h - tools written by hand, for tests of the daemon
 *
 * Threads: one.
 *
 * They all run in the test's process, so for the daemon each is an image of
 * the same process, and one must have ended before the next is welcomed.
 * Include tests/tap.h first.
 */
#ifndef DM_FAKETOOL_H
#define DM_FAKETOOL_H

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "daemon/dm_daemon.h"
#include "daemon/dm_toolside.h"
#include "lib/al_options.h"

static char base[64];
static char path[DM_PATH];
static struct al_options *options;
static const struct al_settings *settings;
static struct dm_daemon *d;

static inline int dial(void)
{
	int fd = dial_at(path);

	if (fd < 0)
		abort();
	return fd;
}

static inline void join(struct tool *t, const struct packet *hello)
{
	join_on(t, dial(), hello);
}

static inline void start(void)
{
	struct dm_options o = {.socket = path};
	char message[DM_MESSAGE];

	d = dm_daemon_start(settings, &o, message);
	if (!d)
		printf("# %s\n", message);
}

/* Ends the daemon; the report so far. The caller frees it. */
static inline char *stop(void)
{
	char *text = NULL;
	size_t len;
	FILE *f;

	dm_daemon_stop(d, 1000);
	ok(dm_daemon_wait(d, WAIT_MS), "the daemon comes to an end");
	f = open_memstream(&text, &len);
	dm_daemon_report(d, "alleriad", f, false);
	fclose(f);
	dm_daemon_free(d);
	return text;
}

/* What becomes of a hello: the reason of the refusal. */
static inline const char *refusal(const void *packet, size_t bytes)
{
	static struct tool t;
	int fd;

	t = (struct tool){.fd = dial()};
	send(t.fd, packet, bytes, MSG_NOSIGNAL);
	if (!get_welcome(&t, &fd) || t.welcome.bytes)
		t.welcome.reason[0] = '\0';
	close(t.fd);
	return t.welcome.reason;
}

/* A runtime directory and settings for all of a test. */
static inline void set_up(void)
{
	char message[AL_MESSAGE];

	snprintf(base, sizeof(base), "/tmp/dm-test-XXXXXX");
	if (!mkdtemp(base))
		abort();
	setenv("XDG_RUNTIME_DIR", base, 1);
	snprintf(path, sizeof(path), "%s/alleria/x.sock", base);
	options = al_options_new();
	settings = al_options_finish(options, message);
}

static inline int tear_down(void)
{
	char dir[80];

	al_options_free(options);
	snprintf(dir, sizeof(dir), "%s/alleria", base);
	ok(rmdir(dir) == 0 && rmdir(base) == 0, "nothing is left behind");
	return done_testing();
}

#endif
