/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack.c - finds lines in LRU stacks of sets; see stack.h */

#include "analyzers/lru/stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEEP = 256, /* [lines] deeper stacks are not searched */
	NEAR = 8,   /* [lines] moved down while they are searched, ... */
	FEW = 1,    /* ... unless `from` exceeds this: then lines used so
		       recently are above this stack */
	WIDE = 16,  /* [lines] compared at a time below the near ones */
};

typedef uint32_t four __attribute__((vector_size(16)));

static int init_line(struct an_lru_stack *s, uint64_t sets, uint32_t from,
		     const uint32_t *assoc)
{
	uint16_t rank = 0;

	s->line = calloc(sets * s->rows, sizeof(*s->line));
	s->rank = calloc(s->rows + 1, sizeof(*s->rank));
	if (s->line == NULL || s->rank == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i <= s->rows; i++) {
		while (rank < s->n_assocs && assoc[rank] <= from + i)
			rank++;
		s->rank[i] = rank;
	}
	return 0;
}

static int init_deep(struct an_lru_stack *s, uint64_t sets, uint32_t from,
		     const uint32_t *assoc)
{
	s->first_rank = assoc[0] == from;
	s->segment_end = calloc(s->n_assocs, sizeof(*s->segment_end));
	if (s->segment_end == NULL)
		return -ENOMEM;
	for (unsigned i = s->first_rank; i < s->n_assocs; i++)
		s->segment_end[i - s->first_rank] = assoc[i] - from;
	s->segmented = an_segmented_stack_new(sets, s->segment_end,
					      s->n_assocs - s->first_rank);
	return s->segmented ? 0 : -ENOMEM;
}

int an_lru_stack_init(struct an_lru_stack *s, uint64_t sets, uint32_t from,
		      const uint32_t *assoc, unsigned n)
{
	*s = (struct an_lru_stack){
		.rows = assoc[n - 1] - from,
		.lines_above = from,
		.n_assocs = n,
	};
	s->scalar_rows = from > FEW ? 0 : s->rows < NEAR ? s->rows : NEAR;
	if (s->rows == 0)
		return 0;
	if (s->rows <= DEEP)
		return init_line(s, sets, from, assoc);
	return init_deep(s, sets, from, assoc);
}

void an_lru_stack_release(struct an_lru_stack *s)
{
	free(s->line);
	free(s->rank);
	an_segmented_stack_free(s->segmented);
	free(s->segment_end);
	*s = (struct an_lru_stack){0};
}

/* Return the position of @wanted among WIDE lines, from 1; 0: none. */
static inline uint32_t find_in_vector(const uint32_t *row, four wanted)
{
	static const four number[WIDE / 4] = {
		{1, 2, 3, 4},
		{5, 6, 7, 8},
		{9, 10, 11, 12},
		{13, 14, 15, 16},
	};
	four line[WIDE / 4], found = {0};
	uint64_t half[2];

	memcpy(line, row, sizeof(line));
	for (int i = 0; i < WIDE / 4; i++)
		found |= (four)(line[i] == wanted) & number[i];
	memcpy(half, &found, sizeof(half));
	half[0] |= half[1];
	return (uint32_t)(half[0] | half[0] >> 32);
}

/* Return the index of @want in @row, from @i on; @end: it is not there. */
static uint32_t find(const uint32_t *row, uint32_t i, uint32_t end,
		     uint32_t want)
{
	const four wanted = {want, want, want, want};

	for (; i + WIDE <= end; i += WIDE) {
		uint32_t n = find_in_vector(row + i, wanted);

		if (n != 0)
			return i + n - 1;
	}
	while (i < end && row[i] != want)
		i++;
	return i;
}

static struct an_stack_depth depth_at(const struct an_lru_stack *s, uint32_t at)
{
	return (struct an_stack_depth){s->rank[at], s->lines_above + at};
}

/* Exchange below the near lines, see an_lru_stack_exchange(). */
static struct an_stack_depth exchange_below_near(struct an_lru_stack *s,
						 uint32_t *row, uint32_t in,
						 uint32_t want, uint32_t least)
{
	uint32_t near = s->scalar_rows, from = near, at, moved;

	if (least > s->lines_above + near)
		from = least - s->lines_above < s->rows ? least - s->lines_above
							: s->rows;
	at = find(row, from, s->rows, want);
	moved = (at < s->rows ? at : at - 1) - near;
	memmove(row + near + 1, row + near, moved * sizeof(*row));
	row[near] = in;
	return depth_at(s, at);
}

static struct an_stack_depth exchange_deep(struct an_lru_stack *s, uint64_t set,
					   uint32_t in, uint32_t want)
{
	unsigned segment =
		an_segmented_stack_exchange(s->segmented, set, in, want);

	return (struct an_stack_depth){
		.rank = s->first_rank + segment,
		.min_depth = s->lines_above +
			     (segment ? s->segment_end[segment - 1] : 0),
	};
}

struct an_stack_depth an_lru_stack_exchange(struct an_lru_stack *s,
					    uint64_t set, uint32_t in,
					    uint32_t want, uint32_t least)
{
	uint32_t *row;

	if (s->rows == 0)
		return (struct an_stack_depth){s->n_assocs, s->lines_above};
	if (s->segmented != NULL)
		return exchange_deep(s, set, in, want);
	row = s->line + set * s->rows;
	for (uint32_t i = 0; i < s->scalar_rows; i++) {
		uint32_t old = row[i];

		row[i] = in;
		if (old == want)
			return depth_at(s, i);
		if (old == 0)
			return depth_at(s, s->rows);
		in = old;
	}
	if (s->rows == s->scalar_rows)
		return depth_at(s, s->rows);
	return exchange_below_near(s, row, in, want, least);
}
