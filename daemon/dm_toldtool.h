/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_toldtool.h - tools that are recorded by windows, and told what to do
 *
 * Threads: one.
 */
#ifndef DM_TOLDTOOL_H
#define DM_TOLDTOOL_H

#include "daemon/dm_control.h"
#include "daemon/dm_faketool.h"

static inline void write_text(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static inline void use_windows(const char *yaml)
{
	static char option[100];
	char file[80], message[AL_MESSAGE];

	snprintf(file, sizeof(file), "%s/w.yaml", base);
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

static inline void remove_windows(void)
{
	char file[80];

	snprintf(file, sizeof(file), "%s/w.yaml", base);
	unlink(file);
}

static inline void end_well(struct tool *t)
{
	t->page->ending = PT_EXITED;
	leave(t);
}

/* What a tool is told next: its value; UINT64_MAX when it is something else. */
static inline uint64_t told(struct tool *t, uint32_t type)
{
	struct pt_message m;

	return recv(t->fd, &m, sizeof(m), 0) == sizeof(m) && m.type == type
		       ? m.value
		       : UINT64_MAX;
}

static inline uint64_t orders_of(const struct tool *t)
{
	/* Pairs with the store-release of orders in dm_ring_ordered(). */
	return pt_load_acquire(
		&((const struct pt_daemon_page *)t->map)->orders);
}

/* The count is written behind the message: waits for it a while. */
static inline uint64_t orders_up_to(const struct tool *t, uint64_t n)
{
	for (int i = 0; i < 2000 && orders_of(t) < n; i++)
		usleep(1000);
	return orders_of(t);
}

/* Says it to the daemon. Return: the status; @said: [200] what it answers. */
static inline int ask(const char *first, const char *second, const char *third,
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

#endif
