/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_strides.c - counts strides, and other values, that are not the most
   frequent one of their sequence; see access_strides.h */

#include "analyzers/loops/access_strides.h"

#include <stddef.h>
#include <string.h>

/* Return the first element of c->found with the value @value, which may be one
   without a count if the value is 0; NULL: none. All elements are compared,
   since a jump after each could not be predicted. */
static struct an_value_count *find_value_or_null(struct an_value_counts *c,
						 uint64_t value)
{
	unsigned equal = 0;

#pragma GCC unroll 8
	for (unsigned i = 0; i < AN_COUNTED_VALUES; i++)
		equal |= (unsigned)(c->found[i].value == value) << i;
	return equal == 0 ? NULL : &c->found[__builtin_ctz(equal)];
}

/* Return the first element of c->found without a count; NULL: none. */
static struct an_value_count *
find_empty_value_count_or_null(struct an_value_counts *c)
{
	for (int i = 0; i < AN_COUNTED_VALUES; i++)
		if (c->found[i].count == 0)
			return &c->found[i];
	return NULL;
}

static void set_filter_bits_but_clear_found_values(struct an_value_counts *c)
{
	c->filter = UINT64_MAX;
	for (int i = 0; i < AN_COUNTED_VALUES; i++)
		c->filter &= ~an_value_bloom_filter_mask(c->found[i].value);
}

/* Exchange @found with the first value of @c if it is more frequent, because
   the first one is counted fastest. */
static void move_to_front_if_most_frequent(struct an_value_counts *c,
					   struct an_value_count *found)
{
	struct an_value_count first = c->found[0];

	if (found->count <= first.count)
		return;
	c->found[0] = *found;
	*found = first;
}

void an_value_counts_count_unfiltered(struct an_value_counts *c, uint64_t value)
{
	struct an_value_count *found = find_value_or_null(c, value);

	if (found == NULL)
		found = find_empty_value_count_or_null(c);
	if (found == NULL) {
		c->others++;
		return;
	}
	found->value = value;
	if (found->count++ == 0 && found == &c->found[AN_COUNTED_VALUES - 1])
		set_filter_bits_but_clear_found_values(c);
	move_to_front_if_most_frequent(c, found);
}

/* ---- lanes ---- */

/* Make room for lanes up to @lane. Return: whether memory sufficed. */
static bool grow_lanes(struct an_strides *s, unsigned lane,
		       struct an_arena *arena)
{
	uint32_t n = 2 * s->n_others > lane ? 2 * s->n_others : lane;
	struct an_stride_lane *grown =
		an_arena_alloc(arena, n * sizeof(*grown));

	if (grown == NULL)
		return false;
	memset(grown, 0, n * sizeof(*grown));
	if (s->n_others > 0)
		memcpy(grown, s->other, s->n_others * sizeof(*grown));
	s->other = grown;
	s->n_others = n;
	return true;
}

struct an_stride_lane *an_strides_find_or_add_lane(struct an_strides *s,
						   unsigned lane,
						   struct an_arena *arena)
{
	if (lane == 0)
		return &s->first;
	if (lane > s->n_others && !grow_lanes(s, lane, arena))
		return NULL;
	return &s->other[lane - 1];
}

const struct an_stride_lane *an_strides_lane_or_null(const struct an_strides *s,
						     unsigned lane)
{
	if (lane == 0)
		return &s->first;
	return lane <= s->n_others ? &s->other[lane - 1] : NULL;
}

bool an_strides_has_execution(const struct an_strides *s)
{
	const struct an_stride_lane *lane;

	for (unsigned i = 0; (lane = an_strides_lane_or_null(s, i)); i++)
		if (lane->run != 0)
			return true;
	return false;
}

bool an_strides_has_last_address(const struct an_strides *s, uint64_t address)
{
	const struct an_stride_lane *lane;

	for (unsigned i = 0; (lane = an_strides_lane_or_null(s, i)); i++)
		if (lane->run != 0 && lane->address == address)
			return true;
	return false;
}
