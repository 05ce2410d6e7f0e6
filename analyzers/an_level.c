/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_level.c - one cache level; see an_level.h */

#include "analyzers/an_level.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzers/an_wide.h"

int an_ways_init(struct an_ways *w, const struct an_level *level)
{
	*w = (struct an_ways){
		.sets = level->sets,
		.assoc = level->assoc,
	};
	while ((1u << w->shift) < level->line)
		w->shift++;
	if ((w->sets & (w->sets - 1)) == 0)
		w->mask = w->sets - 1;
	if (w->assoc > AN_WIDE)
		w->wide = an_wide_new(w->sets, w->assoc);
	else
		w->mru = calloc(w->sets * w->assoc, sizeof(*w->mru));
	if (w->mru != NULL)
		w->rest = w->mru + w->sets;
	return w->wide || w->mru ? 0 : -ENOMEM;
}

void an_ways_release(struct an_ways *w)
{
	free(w->mru);
	an_wide_free(w->wide);
	*w = (struct an_ways){0};
}

static bool touch_wide(struct an_ways *w, uint64_t line, bool write)
{
	bool missed = an_wide_touch(w->wide, an_ways_set(w, line), line, write,
				    &w->thrown);

	if (missed)
		w->writebacks += w->thrown >> 63;
	return missed;
}

/* Every way moves back by one, until the line's own place is free or the
   oldest falls out. */
bool an_ways_touch_older(struct an_ways *w, uint64_t line, bool write)
{
	uint64_t set, *rest, moving, dirty = (uint64_t)write << 63;

	if (w->wide != NULL)
		return touch_wide(w, line, write);
	set = an_ways_set(w, line);
	rest = w->rest + set * (w->assoc - 1);
	moving = w->mru[set];
	for (uint32_t i = 0; i < w->assoc - 1; i++) {
		uint64_t way = rest[i];

		rest[i] = moving;
		if ((way ^ (line + 1)) << 1 == 0) {
			w->mru[set] = way | dirty;
			return false;
		}
		moving = way;
	}
	w->thrown = moving;
	w->writebacks += moving >> 63;
	w->mru[set] = (line + 1) | dirty;
	return true;
}
