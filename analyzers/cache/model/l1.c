/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l1.c - simulates a first cache level; see l1.h */

#include "analyzers/cache/model/l1_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum {
	HOST_LINE = 64, /* [bytes] of a line of the host's caches */
};

enum {
	HINTS_PER_LINE = 8, /* least number of hints for each line of the level,
			       up to MAX_HINTS in all, so that lines rarely
			       share a hint */
	MAX_HINTS = 1 << 20,
	FIRST_TICKS = AN_MAX_TICKS + (1 << 16), /* clock ticks from the start
						   to AN_MAX_TIME: few, so that
						   every longer simulation, in
						   tests too, renumbers its
						   timestamps */
};

static uint64_t choose_power_of_two_hint_count(uint64_t level_line_count)
{
	uint64_t n = 1;

	while (n < HINTS_PER_LINE * level_line_count && n < MAX_HINTS)
		n *= 2;
	return n;
}

static void *allocate_zeroed_host_line_aligned(uint64_t count,
					       size_t element_size)
{
	size_t bytes =
		(count * element_size + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
	void *p = aligned_alloc(HOST_LINE, bytes);

	return p ? memset(p, 0, bytes) : NULL;
}

static int allocate_arrays_unfreed_on_error(struct an_l1 *f, uint64_t way_count)
{
	f->way = allocate_zeroed_host_line_aligned(2 * way_count,
						   sizeof(*f->way));
	f->tag = allocate_zeroed_host_line_aligned(way_count, sizeof(*f->tag));
	f->dirty =
		allocate_zeroed_host_line_aligned(way_count, sizeof(*f->dirty));
	f->used =
		allocate_zeroed_host_line_aligned(way_count, sizeof(*f->used));
	f->hint = allocate_zeroed_host_line_aligned(f->hint_mask + 1,
						    sizeof(*f->hint));
	return f->way && f->tag && f->dirty && f->used && f->hint ? 0 : -ENOMEM;
}

static void free_l1_arrays(struct an_l1 *f)
{
	free(f->way);
	free(f->dirty);
	free(f->used);
	free(f->hint);
	free(f->tag);
}

static uint32_t log2_of_power_of_two(uint64_t power)
{
	return (uint32_t)__builtin_ctzll(power);
}

/* Return the index of a set's first way. */
static uint32_t first_way_index_of_set(const struct an_l1 *f, uint64_t set)
{
	return (uint32_t)((set & f->group_mask) * f->pitch +
			  (set >> f->unrotate) * f->stride);
}

static void reset_ways_and_hints(struct an_l1 *f, uint64_t way_count)
{
	for (uint64_t i = 0; i < way_count; i++) {
		f->way[i] = AN_EMPTY_WAY;
		f->tag[i] = (int32_t)AN_EMPTY_WAY;
		f->used[i] =
			i % f->pitch % f->stride < f->assoc ? 0 : AN_MAX_TIME;
	}
	/* A hint (guess of a line's way) initially names a way of the line's
	   own set group. */
	for (uint64_t i = 0; i <= f->hint_mask; i++)
		f->hint[i] = (uint32_t)(i >> f->rotate) * f->pitch;
}

static uint64_t count_allocated_ways(const struct an_l1 *f)
{
	return ((uint64_t)f->group_mask + 1) * f->pitch;
}

int an_l1_empty_and_lay_out_by_groups(struct an_l1 *f, uint32_t group_count)
{
	uint64_t ways = f->sets / group_count * f->stride;

	free_l1_arrays(f);
	while ((f->hint_mask + 1) / group_count < HOST_LINE / sizeof(*f->hint))
		f->hint_mask = 2 * f->hint_mask + 1;
	f->group_mask = group_count - 1;
	f->unrotate = log2_of_power_of_two(group_count);
	f->rotate = log2_of_power_of_two(f->hint_mask + 1) - f->unrotate;
	f->pitch = (uint32_t)((ways + HOST_LINE - 1) / HOST_LINE * HOST_LINE);
	f->is_usual = group_count == 1 && f->mask && f->stride == AN_USUAL_WAYS;
	if (allocate_arrays_unfreed_on_error(f, count_allocated_ways(f)) != 0)
		return -ENOMEM;
	reset_ways_and_hints(f, count_allocated_ways(f));
	return 0;
}

int an_l1_init_empty_level(struct an_l1 *f, const struct an_level *level)
{
	*f = (struct an_l1){
		.hint_mask = choose_power_of_two_hint_count(level->sets *
							    level->assoc) -
			     1,
		.sets = level->sets,
		.mask = level->sets & (level->sets - 1) ? 0 : level->sets - 1,
		.assoc = level->assoc,
		.stride = (level->assoc + AN_VECTOR_ELEMENTS - 1) /
			  AN_VECTOR_ELEMENTS * AN_VECTOR_ELEMENTS,
		.shift = log2_of_power_of_two(level->line),
		.clock = AN_MAX_TIME - FIRST_TICKS,
		.listed_until = AN_MAX_TIME,
	};
	return an_l1_empty_and_lay_out_by_groups(f, 1);
}

void an_l1_release(struct an_l1 *f)
{
	free_l1_arrays(f);
	*f = (struct an_l1){0};
}

/* Replace each last-use time of a set by AN_MIN_TIME + its rank: 1 for the way
   used longest ago, up to @assoc. The time of an empty way stays 0. */
static void replace_set_times_by_ranks(int32_t *last_use_times, uint32_t assoc)
{
	int32_t ranks[AN_MAX_ARRAY_WAYS] = {0};

	for (uint32_t i = 0; i < assoc; i++)
		for (uint32_t j = 0; last_use_times[i] != 0 && j < assoc; j++)
			ranks[i] += last_use_times[j] != 0 &&
				    last_use_times[j] <= last_use_times[i];
	for (uint32_t i = 0; i < assoc; i++)
		last_use_times[i] = ranks[i] ? AN_MIN_TIME + ranks[i] : 0;
}

void an_l1_replace_times_by_ranks(struct an_l1 *f, uint64_t first_set,
				  uint64_t set_step)
{
	for (; first_set < f->sets; first_set += set_step)
		replace_set_times_by_ranks(
			f->used + first_way_index_of_set(f, first_set),
			f->assoc);
}

void an_l1_renumber_times_if_due(struct an_l1 *f)
{
	if (AN_MAX_TIME - f->clock > AN_MAX_TICKS)
		return;
	if (f->used_lines != NULL)
		an_l1_append_lines_used_since_last_list(f);
	an_l1_replace_times_by_ranks(f, 0, 1);
	f->clock = an_l1_max_time_after_ranking(f);
	if (f->used_lines != NULL)
		f->listed_until = f->clock;
}

void an_used_lines_release(struct an_used_lines *l)
{
	free(l->item);
	*l = (struct an_used_lines){0};
}

void an_l1_begin_to_list_used_lines(struct an_l1 *f, struct an_used_lines *l,
				    bool count_accesses)
{
	f->used_lines = l;
	f->listed_until = f->clock;
	if (count_accesses)
		f->n_accesses = f->way + count_allocated_ways(f);
}

static inline __attribute__((always_inline)) void
append_used_line_of_way_and_access_count(struct an_l1 *f, uint32_t way_index)
{
	struct an_used_lines *l = f->used_lines;

	if (l->n == l->size &&
	    al_array_reserve(l->item, l->size, l->n + 1) != 0) {
		l->failed = true;
		return;
	}
	l->item[l->n++] = (struct an_used_line){
		f->way[way_index],
		f->n_accesses ? f->n_accesses[way_index] : 0};
	if (f->n_accesses != NULL)
		f->n_accesses[way_index] = 0;
}

void an_l1_append_line_of_way_to_used_lines(struct an_l1 *f, uint32_t way_index)
{
	append_used_line_of_way_and_access_count(f, way_index);
}

void an_l1_append_lines_used_since_last_list(struct an_l1 *f)
{
	uint32_t n = (uint32_t)count_allocated_ways(f);
	an_vector listed_until = (an_vector){} + f->listed_until,
		  now = (an_vector){} + (f->clock + 1);

	for (uint32_t i = 0; i < n; i += AN_VECTOR_ELEMENTS) {
		an_vector time = *(const an_vector *)(f->used + i);
		unsigned recent =
			an_vector_mask((time > listed_until) & (time < now));

		for (; recent != 0; recent &= recent - 1)
			append_used_line_of_way_and_access_count(
				f, i + (uint32_t)__builtin_ctz(recent));
	}
	f->listed_until = f->clock;
}

uint32_t an_l1_first_way_of_line_set(const struct an_l1 *f, uint64_t line)
{
	return first_way_index_of_set(f, f->mask ? line & f->mask
						 : line % f->sets);
}

uint32_t an_l1_lru_way_index(const struct an_l1 *f, uint32_t first_way_index)
{
	const int32_t *used = f->used + first_way_index;

	return first_way_index +
	       (f->stride == AN_USUAL_WAYS
			? an_l1_set_lru_way(used, AN_USUAL_WAYS)
			: an_l1_set_lru_way(used, f->stride));
}

bool an_l1_search_or_fill_is_miss(struct an_l1 *f, uint64_t line, bool write,
				  int32_t clock)
{
	if (f->is_usual)
		return an_l1_touch_8_way_set_is_miss(f, line, write, clock);
	return an_l1_set_search_or_fill_is_miss(
		f, line, write, clock, an_l1_first_way_of_line_set(f, line),
		an_l1_hint_index(f, line), f->stride);
}
