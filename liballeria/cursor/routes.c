/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * routes.c - caches the exits of a stream's blocks by route (a block and one of
 * its exits), for each class of threads (lib/recover/thread_filter.h); see
 * cursor.h
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/cursor/cursor.h"

int ap_exits_switch_to_thread_class(struct alleria_cursor *c)
{
	const struct al_lanes *lanes = &c->stream->thread_filters;
	unsigned class = al_lanes_class_of_thread_or_0(lanes, c->thread);

	if (class == c->class)
		return 0;
	if (!c->class_routes)
		c->class_routes = calloc(lanes->n, sizeof(*c->class_routes));
	if (!c->class_routes)
		return -ENOMEM;
	c->class_routes[c->class] = (struct ap_routes){c->exit, c->n_exits};
	c->exit = c->class_routes[class].exit;
	c->n_exits = c->class_routes[class].n_exits;
	c->class = class;
	return 0;
}

void ap_routes_free_current_stream_exits(struct alleria_cursor *c)
{
	for (unsigned i = 0; c->class_routes && i < c->stream->thread_filters.n;
	     i++)
		if (i != c->class)
			free(c->class_routes[i].exit);
	free(c->class_routes);
	free(c->exit);
	c->class_routes = NULL;
	c->class = 0;
	c->exit = NULL;
	c->n_exits = 0;
}

void ap_routes_free_current_stream_caches(struct alleria_cursor *c)
{
	for (uint32_t i = 0; i < c->n_passes; i++)
		free(c->passes[i].instr);
	free(c->passes);
	c->passes = NULL;
	c->n_passes = 0;
	ap_routes_free_current_stream_exits(c);
}
