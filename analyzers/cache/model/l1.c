/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l1.c - a first cache level; see l1.h */

#include "analyzers/cache/model/l1_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE = 64, /* [bytes] of this machine's caches */
};

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

static void *new (uint64_t n, size_t size)
{
	size_t bytes = (n * size + LINE - 1) / LINE * LINE;
	void *p = aligned_alloc(LINE, bytes);

	return p ? memset(p, 0, bytes) : NULL;
}

static int allocate(struct an_first *f, uint64_t ways)
{
	f->way = new (ways, sizeof(*f->way));
	f->tag = new (ways, sizeof(*f->tag));
	f->dirty = new (ways, sizeof(*f->dirty));
	f->used = new (ways, sizeof(*f->used));
	f->hint = new (f->hints + 1, sizeof(*f->hint));
	return f->way && f->tag && f->dirty && f->used && f->hint ? 0 : -ENOMEM;
}

static void release(struct an_first *f)
{
	free(f->way);
	free(f->dirty);
	free(f->used);
	free(f->hint);
	free(f->tag);
}

static uint32_t log2_of(uint64_t power)
{
	return (uint32_t)__builtin_ctzll(power);
}

/* Where the ways of a set begin. */
static uint32_t place(const struct an_first *f, uint64_t set)
{
	return (uint32_t)((set & f->group_mask) * f->pitch +
			  (set >> f->unrotate) * f->stride);
}

static void clear(struct an_first *f, uint64_t ways)
{
	for (uint64_t i = 0; i < ways; i++) {
		f->way[i] = AN_EMPTY;
		f->tag[i] = (int32_t)AN_EMPTY;
		f->used[i] = i % f->pitch % f->stride < f->assoc ? 0 : AN_LATE;
	}
	/* A hint leads to a set of its own group. */
	for (uint64_t i = 0; i <= f->hints; i++)
		f->hint[i] = (uint32_t)(i >> f->rotate) * f->pitch;
}

int an_first_group(struct an_first *f, uint32_t groups)
{
	uint64_t ways = f->sets / groups * f->stride;

	release(f);
	while ((f->hints + 1) / groups < LINE / sizeof(*f->hint))
		f->hints = 2 * f->hints + 1;
	f->group_mask = groups - 1;
	f->unrotate = log2_of(groups);
	f->rotate = log2_of(f->hints + 1) - f->unrotate;
	f->pitch = (uint32_t)((ways + LINE - 1) / LINE * LINE);
	f->is_usual = groups == 1 && f->mask && f->stride == AN_USUAL;
	if (allocate(f, (uint64_t)groups * f->pitch) != 0)
		return -ENOMEM;
	clear(f, (uint64_t)groups * f->pitch);
	return 0;
}

int an_first_init(struct an_first *f, const struct an_level *level)
{
	*f = (struct an_first){
		.hints = count_hints(level->sets * level->assoc) - 1,
		.sets = level->sets,
		.mask = level->sets & (level->sets - 1) ? 0 : level->sets - 1,
		.assoc = level->assoc,
		.stride =
			(level->assoc + AN_VECTOR - 1) / AN_VECTOR * AN_VECTOR,
		.shift = log2_of(level->line),
		.clock = AN_LATE - FIRST_TICKS,
	};
	return an_first_group(f, 1);
}

void an_first_release(struct an_first *f)
{
	release(f);
	*f = (struct an_first){0};
}

/* Replaces times by ranks: 1 for the way used longest ago. */
static void rank(int32_t *used, uint32_t assoc)
{
	int32_t ranks[AN_WIDE] = {0};

	for (uint32_t i = 0; i < assoc; i++)
		for (uint32_t j = 0; used[i] != 0 && j < assoc; j++)
			ranks[i] += used[j] != 0 && used[j] <= used[i];
	for (uint32_t i = 0; i < assoc; i++)
		used[i] = ranks[i] ? AN_EARLY + ranks[i] : 0;
}

void an_first_rank(struct an_first *f, uint64_t set, uint64_t step)
{
	for (; set < f->sets; set += step)
		rank(f->used + place(f, set), f->assoc);
}

void an_first_wind(struct an_first *f)
{
	if (AN_LATE - f->clock > AN_TICKS)
		return;
	an_first_rank(f, 0, 1);
	f->clock = an_first_last_rank(f);
}

uint32_t an_first_place(const struct an_first *f, uint64_t line)
{
	return place(f, f->mask ? line & f->mask : line % f->sets);
}

uint32_t an_first_oldest(const struct an_first *f, uint32_t place)
{
	const int32_t *used = f->used + place;

	return place + (f->stride == AN_USUAL
				? an_firstset_oldest(used, AN_USUAL)
				: an_firstset_oldest(used, f->stride));
}

bool an_first_search(struct an_first *f, uint64_t line, bool write,
		     int32_t clock)
{
	if (f->is_usual)
		return an_firstset_usual(f, line, write, clock);
	return an_firstset_use(f, line, write, clock, an_first_place(f, line),
			       an_first_hint(f, line), f->stride);
}
