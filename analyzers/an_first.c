/* SPDX-License-Identifier: GPL-2.0-or-later */
/* an_first.c - a first cache level; see an_first.h */

#include "analyzers/an_first.h"

#include <errno.h>
#include <stdlib.h>

enum {
	HINTS_PER_LINE = 8, /* so that lines seldom share one */
	MOST_HINTS = 1 << 20,
	FIRST_TICKS = AN_TICKS + (1 << 16), /* few: every simulation of some
					       length, in tests too, winds its
					       clocks */
};

static uint64_t count_hints(uint64_t lines)
{
	uint64_t n = 1;

	while (n < HINTS_PER_LINE * lines && n < MOST_HINTS)
		n *= 2;
	return n;
}

int an_first_init(struct an_first *f, const struct an_level *level)
{
	uint64_t lines = level->sets * level->assoc;

	*f = (struct an_first){
		.hints = count_hints(lines) - 1,
		.sets = level->sets,
		.assoc = level->assoc,
		.clock = UINT32_MAX - FIRST_TICKS,
	};
	while ((1u << f->shift) < level->line)
		f->shift++;
	f->way = malloc(lines * sizeof(*f->way));
	f->dirty = calloc(lines, sizeof(*f->dirty));
	f->used = calloc(lines, sizeof(*f->used));
	f->hint = calloc(f->hints + 1, sizeof(*f->hint));
	if (!f->way || !f->dirty || !f->used || !f->hint)
		return -ENOMEM;
	for (uint64_t i = 0; i < lines; i++)
		f->way[i] = AN_EMPTY;
	return 0;
}

void an_first_release(struct an_first *f)
{
	free(f->way);
	free(f->dirty);
	free(f->used);
	free(f->hint);
	*f = (struct an_first){0};
}

/* Replaces times by ranks: 1 for the way used longest ago. */
static void rank(uint32_t *used, uint32_t assoc)
{
	uint32_t ranks[AN_WIDE] = {0};

	for (uint32_t i = 0; i < assoc; i++)
		for (uint32_t j = 0; used[i] != 0 && j < assoc; j++)
			ranks[i] += used[j] != 0 && used[j] <= used[i];
	for (uint32_t i = 0; i < assoc; i++)
		used[i] = ranks[i];
}

void an_first_wind(struct an_first *f)
{
	if (UINT32_MAX - f->clock >= AN_TICKS)
		return;
	for (uint64_t set = 0; set < f->sets; set++)
		rank(f->used + set * f->assoc, f->assoc);
	f->clock = f->assoc;
}

/* Where in its set a line is; the associativity when it is not. */
static uint32_t find(const uint64_t *way, uint32_t assoc, uint64_t line)
{
	uint32_t i = 0;

	while (i < assoc && way[i] != line)
		i++;
	return i;
}

/* The way used longest ago; an empty one if there is any. */
static uint32_t oldest(const uint32_t *used, uint32_t assoc)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < assoc; i++) {
		uint64_t at = (uint64_t)used[i] << 32 | i;

		first = at < first ? at : first;
	}
	return (uint32_t)first;
}

bool an_first_search(struct an_first *f, uint64_t line, bool write)
{
	uint32_t set = (uint32_t)(line % f->sets) * f->assoc;
	uint32_t at = set + find(f->way + set, f->assoc, line);
	bool missing = at == set + f->assoc;

	if (missing) {
		at = set + oldest(f->used + set, f->assoc);
		f->writebacks += f->dirty[at];
		f->way[at] = line;
		f->dirty[at] = false;
	}
	f->dirty[at] |= write;
	f->used[at] = ++f->clock;
	f->hint[line & f->hints] = at;
	return missing;
}
