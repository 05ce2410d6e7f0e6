/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack.c - finds lines in LRU stacks of sets; see stack.h */

#include "analyzers/lru/stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_SEARCHED = 256, /* [lines] stacks with more lines are stored as
			       struct an_segmented_stack */
	SCALAR_ROWS =
		8, /* [lines] at the top of a stack that are searched, and moved
		      down, one by one; the lines below, in the same array, are
		      searched WIDE at a time by vector instructions, but the
		      last ones, fewer than WIDE, one by one */
	MAX_ABOVE = 1, /* [lines] if the caller itself stores more lines of each
			  set than this (those used most recently, which lie
			  above the stack), the stack has no SCALAR_ROWS lines
			  at its top that are searched one by one */
	WIDE = 16,     /* [lines] compared at a time below the SCALAR_ROWS
			  lines */
};

typedef uint32_t vector4 __attribute__((vector_size(16)));

/* Allocate s->line and s->rank, and set s->rank[i] to the number of
   associativities of at most @lines_above_stored_by_caller + i. */
static int alloc_lines_and_ranks(struct an_lru_stack *s, uint64_t sets,
				 uint32_t lines_above_stored_by_caller,
				 const uint32_t *ascending_assocs)
{
	uint16_t rank = 0;

	s->line = calloc(sets * s->rows, sizeof(*s->line));
	s->rank = calloc(s->rows + 1, sizeof(*s->rank));
	if (s->line == NULL || s->rank == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i <= s->rows; i++) {
		while (rank < s->n_assocs &&
		       ascending_assocs[rank] <=
			       lines_above_stored_by_caller + i)
			rank++;
		s->rank[i] = rank;
	}
	return 0;
}

static int fill_segment_ends_and_alloc_stacks(struct an_lru_stack *s,
					      uint64_t sets,
					      uint32_t lines_above,
					      const uint32_t *ascending_assocs)
{
	s->first_rank = ascending_assocs[0] == lines_above;
	s->segment_end = calloc(s->n_assocs, sizeof(*s->segment_end));
	if (s->segment_end == NULL)
		return -ENOMEM;
	for (unsigned i = s->first_rank; i < s->n_assocs; i++)
		s->segment_end[i - s->first_rank] =
			ascending_assocs[i] - lines_above;
	s->segmented = an_segmented_stack_new(sets, s->segment_end,
					      s->n_assocs - s->first_rank);
	return s->segmented ? 0 : -ENOMEM;
}

int an_lru_stack_init(struct an_lru_stack *s, uint64_t sets,
		      uint32_t lines_above_stored_by_caller,
		      const uint32_t *ascending_assocs, unsigned assoc_count)
{
	*s = (struct an_lru_stack){
		.rows = ascending_assocs[assoc_count - 1] -
			lines_above_stored_by_caller,
		.lines_above = lines_above_stored_by_caller,
		.n_assocs = assoc_count,
	};
	s->scalar_rows = lines_above_stored_by_caller > MAX_ABOVE ? 0
			 : s->rows < SCALAR_ROWS		  ? s->rows
								  : SCALAR_ROWS;
	if (s->rows == 0)
		return 0;
	if (s->rows <= MAX_SEARCHED)
		return alloc_lines_and_ranks(s, sets,
					     lines_above_stored_by_caller,
					     ascending_assocs);
	return fill_segment_ends_and_alloc_stacks(
		s, sets, lines_above_stored_by_caller, ascending_assocs);
}

void an_lru_stack_release(struct an_lru_stack *s)
{
	free(s->line);
	free(s->rank);
	an_segmented_stack_free(s->segmented);
	free(s->segment_end);
	*s = (struct an_lru_stack){0};
}

/* Return the position, from 1, of the line @sought (in all four elements) in
   the WIDE lines at @row; 0: it is not there. */
static inline uint32_t position_plus_1_in_16_lines_or_0(const uint32_t *row,
							vector4 sought)
{
	static const vector4 number[WIDE / 4] = {
		{1, 2, 3, 4},
		{5, 6, 7, 8},
		{9, 10, 11, 12},
		{13, 14, 15, 16},
	};
	vector4 line[WIDE / 4], found = {0};
	uint64_t half[2];

	memcpy(line, row, sizeof(line));
	for (int i = 0; i < WIDE / 4; i++)
		found |= (vector4)(line[i] == sought) & number[i];
	memcpy(half, &found, sizeof(half));
	half[0] |= half[1];
	return (uint32_t)(half[0] | half[0] >> 32);
}

/* Return the index of @sought_line in @row, searched from index @start_index to
   @end_index - 1; @end_index if it is not there. */
static uint32_t find_line_in_row_or_end_index(const uint32_t *row,
					      uint32_t start_index,
					      uint32_t end_index,
					      uint32_t sought_line)
{
	const vector4 sought = {sought_line, sought_line, sought_line,
				sought_line};

	for (; start_index + WIDE <= end_index; start_index += WIDE) {
		uint32_t n = position_plus_1_in_16_lines_or_0(row + start_index,
							      sought);

		if (n != 0)
			return start_index + n - 1;
	}
	while (start_index < end_index && row[start_index] != sought_line)
		start_index++;
	return start_index;
}

static struct an_stack_depth
rank_and_depth_at_row_index(const struct an_lru_stack *s, uint32_t row_index)
{
	return (struct an_stack_depth){s->rank[row_index],
				       s->lines_above + row_index};
}

/* Remove @removed_line from the part of @row, the lines of a set, below the
   first s->scalar_rows lines, and push @pushed_line on top of that part.
   Return: as an_lru_stack_push_and_remove(). */
static struct an_stack_depth push_on_lower_row_part_and_remove_line(
	struct an_lru_stack *s, uint32_t *row, uint32_t pushed_line,
	uint32_t removed_line, uint32_t min_lines_above)
{
	uint32_t scalar = s->scalar_rows, from = scalar, row_index, moved;

	if (min_lines_above > s->lines_above + scalar)
		from = min_lines_above - s->lines_above < s->rows
			       ? min_lines_above - s->lines_above
			       : s->rows;
	row_index =
		find_line_in_row_or_end_index(row, from, s->rows, removed_line);
	moved = (row_index < s->rows ? row_index : row_index - 1) - scalar;
	memmove(row + scalar + 1, row + scalar, moved * sizeof(*row));
	row[scalar] = pushed_line;
	return rank_and_depth_at_row_index(s, row_index);
}

static struct an_stack_depth push_and_remove_in_segments(struct an_lru_stack *s,
							 uint64_t set,
							 uint32_t pushed,
							 uint32_t removed)
{
	unsigned segment = an_segmented_stack_push_and_remove(s->segmented, set,
							      pushed, removed);

	return (struct an_stack_depth){
		.rank = s->first_rank + segment,
		.min_depth = s->lines_above +
			     (segment ? s->segment_end[segment - 1] : 0),
	};
}

struct an_stack_depth
an_lru_stack_push_and_remove(struct an_lru_stack *s, uint64_t set,
			     uint32_t pushed_line, uint32_t removed_line,
			     uint32_t known_min_lines_above_removed)
{
	uint32_t *row;

	if (s->rows == 0)
		return (struct an_stack_depth){s->n_assocs, s->lines_above};
	if (s->segmented != NULL)
		return push_and_remove_in_segments(s, set, pushed_line,
						   removed_line);
	row = s->line + set * s->rows;
	for (uint32_t i = 0; i < s->scalar_rows; i++) {
		uint32_t old = row[i];

		row[i] = pushed_line;
		if (old == removed_line)
			return rank_and_depth_at_row_index(s, i);
		if (old == 0)
			return rank_and_depth_at_row_index(s, s->rows);
		pushed_line = old;
	}
	if (s->rows == s->scalar_rows)
		return rank_and_depth_at_row_index(s, s->rows);
	return push_on_lower_row_part_and_remove_line(
		s, row, pushed_line, removed_line,
		known_min_lines_above_removed);
}
