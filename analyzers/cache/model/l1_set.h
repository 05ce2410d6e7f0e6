/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l1_set.h - searches a set of a first level with vector instructions */
#ifndef ANALYZERS_CACHE_MODEL_L1_SET_H
#define ANALYZERS_CACHE_MODEL_L1_SET_H

#include "analyzers/cache/model/l1.h"

enum {
	AN_VECTOR_ELEMENTS = 4,
	AN_USUAL_WAYS =
		8, /* [ways] the only stride, the distance from one set to the
		      next, that has specialised code */
};

/* Times or tags of adjacent ways. */
typedef int32_t an_vector __attribute__((
	vector_size(AN_VECTOR_ELEMENTS * sizeof(int32_t)), may_alias));

/* Return the lesser time of each pair of elements. */
static inline an_vector an_vector_min(an_vector a, an_vector b)
{
#ifdef __SSE2__
	typedef float floats __attribute__((vector_size(sizeof(an_vector))));

	return (an_vector)__builtin_ia32_minps((floats)a, (floats)b);
#else
	an_vector less = a < b;

	return (a & less) | (b & ~less);
#endif
}

/* Return a vector all of whose elements are the least element of @v. */
static inline an_vector an_vector_min_broadcast(an_vector v)
{
	v = an_vector_min(v, (an_vector){v[2], v[3], v[0], v[1]});
	return an_vector_min(v, (an_vector){v[1], v[0], v[3], v[2]});
}

/* Return a mask: bit n is set if element n of @truth is -1; it is 0 or -1. */
static inline unsigned an_vector_mask(an_vector truth)
{
#ifdef __SSE2__
	typedef float floats __attribute__((vector_size(sizeof(an_vector))));

	return (unsigned)__builtin_ia32_movmskps((floats)truth);
#else
	truth &= (an_vector){1, 2, 4, 8};
	return (unsigned)(truth[0] | truth[1] | truth[2] | truth[3]);
#endif
}

/* Return a mask: bit n is set if element n of @v equals element n of
   @number. */
static inline unsigned an_vector_equal_mask(an_vector v, an_vector number)
{
	return an_vector_mask(v == number);
}

/* Return a mask: bit n is set if way n of a set equals @number, whose elements
   are all equal. @set: times or tags of the set's ways. */
static inline __attribute__((always_inline)) uint64_t
an_l1_set_mask_of_equal_times_or_tags(const int32_t *set,
				      uint32_t padded_ways_per_set,
				      an_vector number)
{
	const an_vector *v = (const an_vector *)set;
	uint64_t found = 0;

	for (uint32_t n = 0; n < padded_ways_per_set / AN_VECTOR_ELEMENTS; n++)
		found |= (uint64_t)an_vector_equal_mask(v[n], number)
			 << n * AN_VECTOR_ELEMENTS;
	return found;
}

/* Return the way of a set that was used longest ago, or an empty way if there
   is one, counted from the set's first way. @used: last-use times of the set's
   @padded_ways_per_set ways. */
static inline __attribute__((always_inline)) uint32_t
an_l1_set_lru_way(const int32_t *used, uint32_t padded_ways_per_set)
{
	const an_vector *v = (const an_vector *)used;
	an_vector least = v[0];

	for (uint32_t n = 1; n < padded_ways_per_set / AN_VECTOR_ELEMENTS; n++)
		least = an_vector_min(least, v[n]);
	return (uint32_t)__builtin_ctzll(an_l1_set_mask_of_equal_times_or_tags(
		used, padded_ways_per_set, an_vector_min_broadcast(least)));
}

/* Return the way of @line, relative to the set's first way @set_start;
   AN_MAX_ARRAY_WAYS: the set does not hold the line. */
static inline __attribute__((always_inline)) uint32_t
an_l1_set_find_way_within_set(const struct an_l1 *f, uint32_t set_start,
			      uint64_t line, uint32_t padded_ways_per_set)
{
	an_vector tag = (an_vector){} + (int32_t)line;
	uint64_t equal = an_l1_set_mask_of_equal_times_or_tags(
		f->tag + set_start, padded_ways_per_set, tag);

	for (; equal != 0; equal &= equal - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(equal);

		if (f->way[set_start + i] == line)
			return i;
	}
	return AN_MAX_ARRAY_WAYS;
}

/* Record a use of the line in way @way_index at time @clock. @hint_index: index
   in f->hint of the line's hint (guess of its way), which is set to @way_index.
   */
static inline __attribute__((always_inline)) void
an_l1_set_record_hit(struct an_l1 *f, uint32_t way_index, bool write,
		     int32_t clock, uint64_t hint_index)
{
	f->hint[hint_index] = way_index;
	f->used[way_index] = clock;
	f->dirty[way_index] |= write;
}

/* Put @line, which is missing, into the least recently used way of the set
   whose first way is @set_start. If the line that it replaces is dirty, count
   its write-back and append it to f->log, unless that is NULL. @hint_index:
   index in f->hint of the line's hint (guess of its way), which is set to the
   way. */
static inline __attribute__((always_inline)) void
an_l1_set_replace_lru_way(struct an_l1 *f, uint64_t line, bool write,
			  int32_t clock, uint32_t set_start,
			  uint64_t hint_index, uint32_t padded_ways_per_set)
{
	uint32_t way_index = set_start + an_l1_set_lru_way(f->used + set_start,
							   padded_ways_per_set);

	f->hint[hint_index] = way_index;
	if (f->used[way_index] > f->listed_until)
		an_l1_append_line_of_way_to_used_lines(f, way_index);
	f->used[way_index] = clock;
	f->writebacks += f->dirty[way_index];
	if (f->log != NULL && f->dirty[way_index])
		an_write_back_log_append_or_set_failed(
			f->log, f->way[way_index] << f->shift,
			(uint32_t)*f->n_misses, 0);
	f->way[way_index] = line;
	f->tag[way_index] = (int32_t)line;
	f->dirty[way_index] = write;
}

/* Simulate a use of a line in the set at @set_start: a hit, or a miss, upon
   which the line replaces the least recently used one. Return: whether it was
   missing. */
static inline __attribute__((always_inline)) bool
an_l1_set_search_or_fill_is_miss(struct an_l1 *f, uint64_t line, bool write,
				 int32_t clock, uint32_t set_start,
				 uint64_t hint_index,
				 uint32_t padded_ways_per_set)
{
	uint32_t i = an_l1_set_find_way_within_set(f, set_start, line,
						   padded_ways_per_set);

	if (i == AN_MAX_ARRAY_WAYS)
		an_l1_set_replace_lru_way(f, line, write, clock, set_start,
					  hint_index, padded_ways_per_set);
	else
		an_l1_set_record_hit(f, set_start + i, write, clock,
				     hint_index);
	return i == AN_MAX_ARRAY_WAYS;
}

/* Return the index of the first way of the set of @line, in a level whose
   is_usual is set. */
static inline uint32_t an_l1_first_way_of_8_way_set(const struct an_l1 *f,
						    uint64_t line)
{
	return (uint32_t)(line & f->mask) * AN_USUAL_WAYS;
}

static inline __attribute__((always_inline)) bool
an_l1_touch_8_way_set_is_miss(struct an_l1 *f, uint64_t line, bool write,
			      int32_t clock)
{
	return an_l1_set_search_or_fill_is_miss(
		f, line, write, clock, an_l1_first_way_of_8_way_set(f, line),
		line & f->hint_mask, AN_USUAL_WAYS);
}

#endif
