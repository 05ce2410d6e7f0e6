/* SPDX-License-Identifier: GPL-2.0-or-later */
/* l1_set.h - searches a set of a first level with vector instructions */
#ifndef ANALYZERS_CACHE_MODEL_L1_SET_H
#define ANALYZERS_CACHE_MODEL_L1_SET_H

#include "analyzers/cache/model/l1.h"

enum {
	AN_VECTOR_ELEMENTS = 4,
	AN_USUAL_WAYS =
		8, /* [ways] stride of the usual level, which has specialised
			 code */
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

/* Return a vector whose elements all are the least time of @v. */
static inline an_vector an_vector_min_broadcast(an_vector v)
{
	v = an_vector_min(v, (an_vector){v[2], v[3], v[0], v[1]});
	return an_vector_min(v, (an_vector){v[1], v[0], v[3], v[2]});
}

/* Return a mask: bit n is set if element n of @v equals that of @number. */
static inline unsigned an_vector_equal_mask(an_vector v, an_vector number)
{
	an_vector like = v == number;
#ifdef __SSE2__
	typedef float floats __attribute__((vector_size(sizeof(an_vector))));

	return (unsigned)__builtin_ia32_movmskps((floats)like);
#else
	like &= (an_vector){1, 2, 4, 8};
	return (unsigned)(like[0] | like[1] | like[2] | like[3]);
#endif
}

/* Return a mask: bit n is set if way n of a set equals @number, whose elements
   are all equal. @set: times or tags of the set's ways. */
static inline __attribute__((always_inline)) uint64_t
an_l1_set_equal_mask(const int32_t *set, uint32_t stride, an_vector number)
{
	const an_vector *v = (const an_vector *)set;
	uint64_t found = 0;

	for (uint32_t n = 0; n < stride / AN_VECTOR_ELEMENTS; n++)
		found |= (uint64_t)an_vector_equal_mask(v[n], number)
			 << n * AN_VECTOR_ELEMENTS;
	return found;
}

/* Return the way of a set that was used longest ago, or an empty one if there
   is any. @used: times of the set. */
static inline __attribute__((always_inline)) uint32_t
an_l1_set_lru_way(const int32_t *used, uint32_t stride)
{
	const an_vector *v = (const an_vector *)used;
	an_vector least = v[0];

	for (uint32_t n = 1; n < stride / AN_VECTOR_ELEMENTS; n++)
		least = an_vector_min(least, v[n]);
	return (uint32_t)__builtin_ctzll(an_l1_set_equal_mask(
		used, stride, an_vector_min_broadcast(least)));
}

/* Return the way of @line in the set whose first way is @place; AN_MAX_ARRAY_WAYS: the
   set does not hold it. */
static inline __attribute__((always_inline)) uint32_t
an_l1_set_find(const struct an_l1 *f, uint32_t place, uint64_t line,
	       uint32_t stride)
{
	an_vector tag = (an_vector){} + (int32_t)line;
	uint64_t like = an_l1_set_equal_mask(f->tag + place, stride, tag);

	for (; like != 0; like &= like - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(like);

		if (f->way[place + i] == line)
			return i;
	}
	return AN_MAX_ARRAY_WAYS;
}

/* Use the line in way @at. @hint: index of its hint. */
static inline __attribute__((always_inline)) void
an_l1_set_hit(struct an_l1 *f, uint32_t at, bool write, int32_t clock,
	      uint64_t hint)
{
	f->hint[hint] = at;
	f->used[at] = clock;
	f->dirty[at] |= write;
}

/* Use a line that is missing: it replaces the least recently used way of the
   set at @place. */
static inline __attribute__((always_inline)) void
an_l1_set_fill(struct an_l1 *f, uint64_t line, bool write, int32_t clock,
	       uint32_t place, uint64_t hint, uint32_t stride)
{
	uint32_t at = place + an_l1_set_lru_way(f->used + place, stride);

	f->hint[hint] = at;
	f->used[at] = clock;
	f->writebacks += f->dirty[at];
	f->way[at] = line;
	f->tag[at] = (int32_t)line;
	f->dirty[at] = write;
}

/* Use a line. Return: whether it was missing. */
static inline __attribute__((always_inline)) bool
an_l1_set_use(struct an_l1 *f, uint64_t line, bool write, int32_t clock,
	      uint32_t place, uint64_t hint, uint32_t stride)
{
	uint32_t i = an_l1_set_find(f, place, line, stride);

	if (i == AN_MAX_ARRAY_WAYS)
		an_l1_set_fill(f, line, write, clock, place, hint, stride);
	else
		an_l1_set_hit(f, place + i, write, clock, hint);
	return i == AN_MAX_ARRAY_WAYS;
}

/* Return the index of the first way of a line's set, in a usual level. */
static inline uint32_t an_l1_set_first_way(const struct an_l1 *f, uint64_t line)
{
	return (uint32_t)(line & f->mask) * AN_USUAL_WAYS;
}

static inline __attribute__((always_inline)) bool
an_l1_set_use_usual(struct an_l1 *f, uint64_t line, bool write, int32_t clock)
{
	return an_l1_set_use(f, line, write, clock,
			     an_l1_set_first_way(f, line), line & f->hint_mask,
			     AN_USUAL_WAYS);
}

#endif
