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
		w->tag = calloc(w->sets * w->assoc, sizeof(*w->tag));
	return w->wide || w->tag ? 0 : -ENOMEM;
}

void an_ways_release(struct an_ways *w)
{
	free(w->tag);
	an_wide_free(w->wide);
	*w = (struct an_ways){0};
}

static bool touch_wide(struct an_ways *w, uint64_t line, bool write)
{
	bool writeback;
	bool missed = an_wide_touch(w->wide, an_ways_set(w, line) / w->assoc,
				    line, write, &writeback);

	w->writebacks += writeback;
	return missed;
}

/* Makes room at the front by moving the first @n ways back by one. */
static void move_back(uint64_t *set, uint32_t n)
{
	while (n-- > 0)
		set[n + 1] = set[n];
}

bool an_ways_touch(struct an_ways *w, uint64_t line, bool write)
{
	uint64_t *set, found, tag = line + 1, dirty = write ? AN_DIRTY : 0;
	uint32_t i;

	if (w->wide != NULL)
		return touch_wide(w, line, write);
	set = w->tag + an_ways_set(w, line);
	for (i = 0; i < w->assoc; i++)
		if ((set[i] & ~AN_DIRTY) == tag) {
			found = set[i];
			move_back(set, i);
			set[0] = found | dirty;
			return false;
		}
	w->writebacks += set[w->assoc - 1] >> 63;
	move_back(set, w->assoc - 1);
	set[0] = tag | dirty;
	return true;
}
