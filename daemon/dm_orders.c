/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm_orders.c - what windows of a tool wait for; see dm_orders.h
 *
 * Room:    daemon.
 */
#include "daemon/dm_orders.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "daemon/dm_plan.h"
#include "lib/al_windows.h"

/* ---- to one ---- */

/* False: there is no room. A peer that is gone takes everything. */
static bool send_one(struct dm_client *c, const struct pt_message *m)
{
	if (send(c->fd, m, sizeof(*m), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return errno != EAGAIN && errno != EINTR;
	dm_ring_ordered(&c->ring);
	return true;
}

bool dm_orders_flush(struct dm_client *c)
{
	while (c->fd >= 0 && c->orders_sent < c->n_orders &&
	       send_one(c, &c->order[c->orders_sent]))
		c->orders_sent++;
	if (c->orders_sent < c->n_orders && c->fd >= 0)
		return false;
	c->orders_sent = c->n_orders = 0;
	return true;
}

void dm_orders_release(struct dm_client *c)
{
	free(c->order);
}

static bool make_room(struct dm_client *c)
{
	uint32_t size = c->orders_size ? 2 * c->orders_size : 8;
	void *bigger;

	if (c->n_orders < c->orders_size)
		return true;
	bigger = reallocarray(c->order, size, sizeof(*c->order));
	if (!bigger)
		return false;
	c->order = bigger;
	c->orders_size = size;
	return true;
}

/* One that there is no memory for is lost, and the record with it. */
static void order(struct dm_client *c, enum pt_message_type type,
		  uint64_t value)
{
	if (c->stage != DM_LIVE || c->over || c->fd < 0)
		return;
	if (!make_room(c)) {
		al_process_truncated(c->process, "out of memory");
		return;
	}
	c->order[c->n_orders++] =
		(struct pt_message){.type = type, .value = value};
	dm_plan_send(c);
}

void dm_orders_window(struct dm_client *c, uint32_t window, bool open)
{
	order(c, PT_MSG_ORDER, 2 * (uint64_t)window + open);
}

/* ---- to a tree ---- */

static bool waits_for(const struct dm_client *c, const struct dm_client *from)
{
	return c != from && c->process &&
	       al_process_tree(c->process) == al_process_tree(from->process) &&
	       al_process_is_followed(c->process);
}

/* @again: it may have happened before. */
static void tell(struct dm_client *from, uint32_t event, bool again)
{
	struct dm_client *c;

	if (!al_process_happened(from->process, event) && !again)
		return;
	for (c = from->daemon->clients; c; c = c->next)
		if (waits_for(c, from))
			order(c, PT_MSG_HAPPENED, event);
}

void dm_orders_happened(struct dm_client *from, uint64_t event)
{
	const struct al_windows *w = from->daemon->settings->windows;

	if (from->process && w && event < w->n[AL_EVENTS] &&
	    w->event[event].process == al_process_number(from->process))
		tell(from, (uint32_t)event, true);
}

void dm_orders_life(struct dm_client *c, enum pt_event_kind kind)
{
	const struct al_windows *w = c->daemon->settings->windows;
	unsigned number = c->process ? al_process_number(c->process) : 0;

	for (uint32_t i = 0; w && number && i < w->n[AL_EVENTS]; i++)
		if (w->event[i].kind == kind && w->event[i].thread == 0 &&
		    w->event[i].process == number)
			tell(c, i, false);
}
