/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_control.c - commands that a daemon obeys; see dm_control.h
 *
 * Room:    daemon.
 *
 * The answer goes by a descriptor, so nobody who does not read it is waited
 * for.
 */
#include "daemon/dm_control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/dm_client.h"
#include "daemon/dm_orders.h"
#include "daemon/dm_tell.h"
#include "lib/al_number.h"
#include "lib/al_options.h"
#include "lib/al_windows.h"

enum { WRONG = 2, MOST_WORDS = 3 };

struct command {
	const char *word[MOST_WORDS + 1]; /* NULL ends them */
	unsigned n;
};

bool dm_control_is(const void *packet, size_t bytes)
{
	const struct pt_control *c = packet;

	return bytes >= sizeof(*c) && c->magic == PT_CONTROL_MAGIC;
}

/* 0; WRONG, with one line. */
static int read_command(const void *packet, size_t bytes, struct command *c,
			FILE *out)
{
	const struct pt_control *head = packet;
	const char *at = (const char *)(head + 1);
	const char *end = (const char *)packet + bytes;

	*c = (struct command){.n = head->n_strings};
	if (head->major != PT_MAJOR) {
		fprintf(out, "the daemon speaks protocol %d.%d, not %u.%u\n",
			PT_MAJOR, PT_MINOR, head->major, head->minor);
		return WRONG;
	}
	if (head->bytes != bytes || c->n == 0 || c->n > MOST_WORDS ||
	    at == end || end[-1] != '\0') {
		fputs("no such command\n", out);
		return WRONG;
	}
	for (unsigned i = 0; i < c->n; i++) {
		if (at == end) {
			fputs("the command lacks words\n", out);
			return WRONG;
		}
		c->word[i] = at;
		at += strlen(at) + 1;
	}
	return 0;
}

static int find_window(const struct al_windows *w, const char *name,
		       uint32_t *number, FILE *out)
{
	const char *names[PT_MAX_WINDOWS + 1] = {NULL}, *near;

	for (uint32_t i = 0; w && i < w->n[AL_WINDOWS]; i++) {
		names[i] = w->string + w->window[i].name;
		if (!strcmp(names[i], name)) {
			*number = i;
			return 0;
		}
	}
	near = al_nearest(name, names);
	fprintf(out, "there is no window '%s'%s%s%s\n", name,
		near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	return WRONG;
}

/* @pid: 0: any. */
static unsigned order_all(struct dm_daemon *d, uint32_t window, uint64_t pid,
			  bool open)
{
	unsigned n = 0;

	for (struct dm_client *c = d->clients; c; c = c->next)
		if (c->stage == DM_LIVE && !c->over &&
		    al_process_is_followed(c->process) &&
		    (pid == 0 || (uint64_t)c->pid == pid)) {
			dm_orders_window(c, window, open);
			n++;
		}
	return n;
}

static int order_window(struct dm_daemon *d, const struct command *c, FILE *out)
{
	bool open = !strcmp(c->word[0], "open");
	uint32_t window;
	uint64_t pid = 0;
	unsigned n;

	if (c->n < 2) {
		fprintf(out, "which window? %s WINDOW [PID]\n", c->word[0]);
		return WRONG;
	}
	if (c->n > 2 && (al_number_parse(c->word[2], &pid) || pid == 0)) {
		fprintf(out, "'%s' is no process id\n", c->word[2]);
		return WRONG;
	}
	if (find_window(d->settings->windows, c->word[1], &window, out))
		return WRONG;
	n = order_all(d, window, pid, open);
	if (n == 0) {
		fputs("no such program is being recorded\n", out);
		return WRONG;
	}
	fprintf(out, "'%s' %s in %u %s\n", c->word[1],
		open ? "opens" : "closes", n, n == 1 ? "program" : "programs");
	return 0;
}

static int obey(struct dm_daemon *d, const struct command *c, FILE *out)
{
	static const char *const words[] = {"close",  "open",	 "programs",
					    "status", "windows", NULL};
	const char *near;

	if (!strcmp(c->word[0], "open") || !strcmp(c->word[0], "close"))
		return order_window(d, c, out);
	if (c->n == 1 && !strcmp(c->word[0], "status"))
		return dm_tell_status(d, out);
	if (c->n == 1 && !strcmp(c->word[0], "programs"))
		return dm_tell_programs(d, out);
	if (c->n == 1 && !strcmp(c->word[0], "windows"))
		return dm_tell_windows(d, out);
	near = al_nearest(c->word[0], words);
	if (near && !strcmp(near, c->word[0]))
		fprintf(out, "'%s' takes no more words\n", near);
	else if (near)
		fprintf(out, "unknown command '%s'; did you mean '%s'?\n",
			c->word[0], near);
	else
		fprintf(out, "unknown command '%s'\n", c->word[0]);
	return WRONG;
}

static void answer(struct dm_client *c, int status, int text)
{
	struct pt_message m = {.type = PT_MSG_DONE, .value = (uint64_t)status};

	dm_client_send_fd(c, &m, sizeof(m), text);
}

void dm_control_serve(struct dm_client *c, const void *packet, size_t bytes)
{
	int text = memfd_create("alleria-answer", MFD_CLOEXEC);
	FILE *out = text < 0 ? NULL : fdopen(dup(text), "w");
	struct command command;
	int status = WRONG;

	if (out) {
		status = read_command(packet, bytes, &command, out);
		if (!status)
			status = obey(c->daemon, &command, out);
		fclose(out);
		answer(c, status, text);
	}
	if (text >= 0)
		close(text);
	dm_client_hang_up(c);
}
