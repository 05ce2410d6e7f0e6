/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strides.c - counts the strides of each site, and the walks that they form
 *
 * A step is two accesses of a site, one after the other by the same thread
 * without another thread between them; its stride is the difference of their
 * addresses. A walk is a sequence of steps of one stride: it begins at the
 * first access, again at each access after another thread ran, and at each
 * access whose stride differs from that of the walk.
 *
 * Each site holds STRIDES strides. If a further one appears, it replaces the
 * least frequent and begins with its count, which is stored as `error` ("Space
 * Saving"; Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and
 * Top-k Elements in Data Streams, 2005). So at least `count` - `error` steps
 * have the stride. `error` is 0, so that the number is exact, for each of the
 * first STRIDES different strides of a site, until it is replaced.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/cache/evidence/collectors.h"
#include "base/tables/array.h"

enum { STRIDES = AN_MAX_SITE_STRIDES };

struct stride {
	int64_t bytes;
	uint64_t count; /* number of steps with the stride, or an upper bound
			   of it; 0: the entry is unused */
	uint64_t error;
};

struct site_strides {
	uint64_t last_addr;
	uint64_t walk_start; /* address of the walk's first access */
	int64_t walk_stride; /* valid if has_stride */
	uint32_t turn;	     /* an_observed_access.turn of the last access */
	uint8_t latest;	     /* index of the stride that was counted last */
	bool has_access;
	bool has_stride; /* the walk has at least two accesses */
	struct stride stride[STRIDES];
	uint64_t walks, neighbour_walks;
};

struct stride_counter {
	struct site_strides *site; /* [size] */
	uint32_t size;
	uint32_t line; /* [bytes] line size of the first level of data */
};

static int set_line_size_to_that_of_level(void *state,
					  const struct an_level *level)
{
	((struct stride_counter *)state)->line = level->line;
	return 0;
}

/* Count a step (two successive accesses of a site) whose stride is not the one
   that the site counted last. If the site does not store the stride, it
   replaces the least frequent one. */
static void count_stride_replace_least_if_new(struct site_strides *s,
					      int64_t bytes)
{
	unsigned least = 0;

	for (unsigned i = 0; i < STRIDES; i++) {
		if (s->stride[i].count > 0 && s->stride[i].bytes == bytes) {
			s->stride[i].count++;
			s->latest = (uint8_t)i;
			return;
		}
		if (s->stride[i].count < s->stride[least].count)
			least = i;
	}
	s->stride[least] = (struct stride){bytes, s->stride[least].count + 1,
					   s->stride[least].count};
	s->latest = (uint8_t)least;
}

static void begin_and_count_walk(struct site_strides *s, uint64_t addr)
{
	s->walk_start = addr;
	s->has_stride = false;
	s->walks++;
}

/* Begin a walk (sequence of accesses with one stride) at @addr, and count it.
   If the distance of @addr from the start of the walk before, upwards or
   downwards, is more than 0 and less than @neighbour_limit_bytes, also count it
   as a neighbour. */
static void begin_walk_count_neighbour(struct site_strides *s, uint64_t addr,
				       uint32_t neighbour_limit_bytes)
{
	uint64_t distance = addr > s->walk_start ? addr - s->walk_start
						 : s->walk_start - addr;

	s->neighbour_walks += distance > 0 && distance < neighbour_limit_bytes;
	begin_and_count_walk(s, addr);
}

static void count_step_begin_walk_if_stride_changed(
	struct site_strides *s, uint64_t addr,
	uint32_t neighbour_walk_distance_limit_bytes)
{
	int64_t bytes = (int64_t)(addr - s->last_addr);
	struct stride *latest = &s->stride[s->latest];

	if (latest->bytes == bytes && latest->count > 0)
		latest->count++;
	else
		count_stride_replace_least_if_new(s, bytes);
	if (!s->has_stride) {
		s->walk_stride = bytes;
		s->has_stride = true;
	} else if (bytes != s->walk_stride) {
		begin_walk_count_neighbour(s, addr,
					   neighbour_walk_distance_limit_bytes);
	}
}

static void
count_step_or_begin_walk_after_switch(struct site_strides *s,
				      const struct an_observed_access *a,
				      uint32_t neighbour_limit_bytes)
{
	if (s->has_access && s->turn == a->turn)
		count_step_begin_walk_if_stride_changed(s, a->addr,
							neighbour_limit_bytes);
	else
		begin_and_count_walk(s, a->addr);
	s->last_addr = a->addr;
	s->turn = a->turn;
	s->has_access = true;
}

static int
count_strides_and_constant_stride_walks(void *state,
					const struct an_observed_access *access,
					size_t access_count, uint32_t n_sites)
{
	struct stride_counter *c = state;

	if (al_array_reserve_zeroed(c->site, c->size, n_sites) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < access_count; i++)
		if (access[i].site != AN_NO_SITE)
			count_step_or_begin_walk_after_switch(
				&c->site[access[i].site], &access[i], c->line);
	return 0;
}

static void add_stride_counts(const void *state, uint32_t site,
			      struct an_site_counts *out)
{
	const struct stride_counter *c = state;
	const struct site_strides *s = site < c->size ? &c->site[site] : NULL;

	if (s == NULL)
		return;
	for (unsigned i = 0; i < STRIDES; i++) {
		const struct stride *t = &s->stride[i];

		out->count[AN_SITE_STEPS] += t->count;
		out->stride[i] =
			(struct an_stride_count){t->bytes, t->count - t->error};
	}
	out->count[AN_SITE_WALKS] += s->walks;
	out->count[AN_SITE_NEIGHBOUR_WALKS] += s->neighbour_walks;
}

static void free_site_array_of_counter(void *stride_counter)
{
	free(((struct stride_counter *)stride_counter)->site);
}

const struct an_collector an_collect_strides = {
	.state_size = sizeof(struct stride_counter),
	.init = set_line_size_to_that_of_level,
	.collect = count_strides_and_constant_stride_walks,
	.add_counts = add_stride_counts,
	.release = free_site_array_of_counter,
};
