/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * routes.c - caches the exits of a stream by route, for each class of threads
 * (lib/recover/thread_filter.h); see cursor.h
 */
#include <errno.h>
#include <stdlib.h>

#include "liballeria/cursor/cursor.h"

int ap_routes_switch(struct alleria_cursor *c)
{
	const struct al_lanes *lanes = &c->stream->lanes;
	unsigned class = al_lanes_class(lanes, c->thread);

	if (class == c->class)
		return 0;
	if (!c->others)
		c->others = calloc(lanes->n, sizeof(*c->others));
	if (!c->others)
		return -ENOMEM;
	c->others[c->class] = (struct ap_routes){c->exit, c->n_exits};
	c->exit = c->others[class].exit;
	c->n_exits = c->others[class].n_exits;
	c->class = class;
	return 0;
}

void ap_routes_forget(struct alleria_cursor *c)
{
	for (uint32_t i = 0; i < c->n_passes; i++)
		free(c->passes[i].instr);
	free(c->passes);
	for (unsigned i = 0; c->others && i < c->stream->lanes.n; i++)
		if (i != c->class)
			free(c->others[i].exit);
	free(c->others);
	free(c->exit);
	c->passes = NULL;
	c->others = NULL;
	c->class = 0;
	c->exit = NULL;
	c->n_passes = c->n_exits = 0;
}
