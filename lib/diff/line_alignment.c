/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_alignment.c - pairs the lines of two texts; see line_alignment.h
 *
 * The search runs from both ends of a box of lines at once and divides the box
 * where they meet, so that memory is linear; E. W. Myers, "An O(ND) difference
 * algorithm and its variations", 1986. A diagonal is the index of a line of the
 * first text minus that of a line of the second one.
 */
#include "lib/diff/line_alignment.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/tables/array.h"
#include "proto/shared/hash.h"

enum {
	MAX_COST = 2000 /* number of steps of the search from which on a box is
			   divided at the furthest point reached */
};

struct point {
	int x, y;
};

/* State of the search for equal lines of two texts. */
struct search {
	const uint64_t *a, *b;
	int *forward,
		*backward; /* furthest x by diagonal; one pair of arrays, large
			      enough for the whole texts, for all boxes */
	struct al_line_pairing *pairing;
};

/* A box of lines: lines [x, x + n) of the first text, and [y, y + m) of the
   second. */
struct box {
	int x, y, n, m;
};

/* The diagonals [least, most] of a box that the search in one direction,
   forward or backward, has reached. */
struct front {
	int *furthest; /* furthest x in the box, by diagonal of the box */
	int least, most;
};

static bool is_point_in_box_or_on_edge(const struct box *box,
				       struct point offset_from_box_start)
{
	return offset_from_box_start.x >= 0 && offset_from_box_start.y >= 0 &&
	       offset_from_box_start.x <= box->n &&
	       offset_from_box_start.y <= box->m;
}

/* Add one diagonal at each end of the front's range. At an end where the box
   has no further diagonal, remove the last one instead. @x_stored_beyond_ends:
   stored beyond each new end, as x of a diagonal that was not reached. */
static void widen_or_shrink_diagonal_range(struct front *f,
					   const struct box *box,
					   int x_stored_beyond_ends)
{
	if (f->least > -box->m)
		f->furthest[--f->least - 1] = x_stored_beyond_ends;
	else
		f->least++;
	if (f->most < box->n)
		f->furthest[++f->most + 1] = x_stored_beyond_ends;
	else
		f->most--;
}

/* Return whether the two fronts meet or have passed each other on @diagonal, in
   a point inside the box; set @meeting_point to this point, relative to the
   box's beginning. */
static bool find_front_overlap_point(const struct box *box,
				     const struct front *forward,
				     const struct front *backward, int diagonal,
				     struct point *meeting_point)
{
	if (forward->furthest[diagonal] < backward->furthest[diagonal])
		return false;
	*meeting_point = (struct point){forward->furthest[diagonal],
					forward->furthest[diagonal] - diagonal};
	if (is_point_in_box_or_on_edge(box, *meeting_point))
		return true;
	*meeting_point =
		(struct point){backward->furthest[diagonal],
			       backward->furthest[diagonal] - diagonal};
	return is_point_in_box_or_on_edge(box, *meeting_point);
}

static bool step_forward_and_check_meeting(const struct search *s,
					   const struct box *box,
					   struct front *forward,
					   const struct front *backward,
					   bool is_delta_odd,
					   struct point *meeting_point)
{
	const uint64_t *one = s->a + box->x, *other = s->b + box->y;

	widen_or_shrink_diagonal_range(forward, box, -1);
	for (int d = forward->most; d >= forward->least; d -= 2) {
		int x = forward->furthest[d - 1] >= forward->furthest[d + 1]
				? forward->furthest[d - 1] + 1
				: forward->furthest[d + 1];

		while (x < box->n && x - d >= 0 && x - d < box->m &&
		       one[x] == other[x - d])
			x++;
		forward->furthest[d] = x;
		if (is_delta_odd && d >= backward->least &&
		    d <= backward->most &&
		    find_front_overlap_point(box, forward, backward, d,
					     meeting_point))
			return true;
	}
	return false;
}

static bool step_backward_and_check_meeting(const struct search *s,
					    const struct box *box,
					    const struct front *forward,
					    struct front *backward,
					    bool is_delta_odd,
					    struct point *meeting_point)
{
	const uint64_t *one = s->a + box->x, *other = s->b + box->y;

	widen_or_shrink_diagonal_range(backward, box, INT_MAX);
	for (int d = backward->most; d >= backward->least; d -= 2) {
		int x = backward->furthest[d - 1] < backward->furthest[d + 1]
				? backward->furthest[d - 1]
				: backward->furthest[d + 1] - 1;

		while (x > 0 && x - d > 0 && x - d <= box->m && x <= box->n &&
		       one[x - 1] == other[x - d - 1])
			x--;
		backward->furthest[d] = x;
		if (!is_delta_odd && d >= forward->least &&
		    d <= forward->most &&
		    find_front_overlap_point(box, forward, backward, d,
					     meeting_point))
			return true;
	}
	return false;
}

/* Return the point inside the box with the largest x + y that the search has
   reached on a diagonal of the front, relative to the box's beginning; (0, 0)
   if there is none. */
static struct point
furthest_front_point_inside_box(const struct box *box,
				const struct front *reached_front)
{
	struct point best = {0, 0}, p;

	for (int d = reached_front->most; d >= reached_front->least; d -= 2) {
		p = (struct point){reached_front->furthest[d],
				   reached_front->furthest[d] - d};
		if (is_point_in_box_or_on_edge(box, p) &&
		    p.x + p.y > best.x + best.y)
			best = p;
	}
	return best;
}

/* Return the point, relative to the box's beginning, at which the box is
   divided in two. The first lines of the box must not be equal, nor the last
   lines. */
static struct point
find_meeting_point_of_fronts_or_furthest(const struct search *s,
					 const struct box *box)
{
	/* Fronts are indexed by diagonal, which may be negative. */
	struct front f = {s->forward + box->m + 1, 0, 0};
	struct front b = {s->backward + box->m + 1, box->n - box->m,
			  box->n - box->m};
	bool odd = (box->n - box->m) & 1;
	struct point meet = {0, 0};

	f.furthest[0] = 0;
	b.furthest[b.least] = box->n;
	for (int cost = 1; cost < MAX_COST; cost++)
		if (step_forward_and_check_meeting(s, box, &f, &b, odd,
						   &meet) ||
		    step_backward_and_check_meeting(s, box, &f, &b, odd, &meet))
			return meet;
	return furthest_front_point_inside_box(box, &f);
}

static void pair_two_equal_lines(const struct search *s, int a_line_index,
				 int b_line_index)
{
	s->pairing[a_line_index] =
		(struct al_line_pairing){(uint32_t)b_line_index, false};
}

/* Pair the equal lines at both ends of a box, and cut them off. */
static void pair_and_trim_equal_ends(const struct search *s, struct box *box)
{
	while (box->n && box->m && s->a[box->x] == s->b[box->y]) {
		pair_two_equal_lines(s, box->x++, box->y++);
		box->n--;
		box->m--;
	}
	while (box->n && box->m &&
	       s->a[box->x + box->n - 1] == s->b[box->y + box->m - 1]) {
		box->n--;
		box->m--;
		pair_two_equal_lines(s, box->x + box->n, box->y + box->m);
	}
}

/* Pair the equal lines of a box. A box is divided until one side is empty; the
   smaller half is done by recursion, so the depth is at most 32. */
static void pair_equal_lines_of_box_by_dividing_it(const struct search *s,
						   struct box box)
{
	struct point split;
	struct box first, second;

	for (;;) {
		pair_and_trim_equal_ends(s, &box);
		if (!box.n || !box.m)
			return;
		split = find_meeting_point_of_fronts_or_furthest(s, &box);
		if (split.x + split.y == 0 ||
		    split.x + split.y == box.n + box.m)
			return;
		first = (struct box){box.x, box.y, split.x, split.y};
		second = (struct box){box.x + split.x, box.y + split.y,
				      box.n - split.x, box.m - split.y};
		if (first.n + first.m < second.n + second.m) {
			pair_equal_lines_of_box_by_dividing_it(s, first);
			box = second;
		} else {
			pair_equal_lines_of_box_by_dividing_it(s, second);
			box = first;
		}
	}
}

/* Pair the unpaired lines between two neighbouring pairs of equal lines, first
   with first, as long as both texts have one, and mark them as changed. */
static void pair_leftover_lines_as_changed(struct al_line_pairing *pairing,
					   uint32_t a_line_count,
					   uint32_t b_line_count)
{
	uint32_t next = 0, end;

	for (uint32_t i = 0, k; i < a_line_count; i = k) {
		if (pairing[i].other != AL_NO_LINE) {
			next = pairing[i].other + 1;
			k = i + 1;
			continue;
		}
		for (k = i; k < a_line_count && pairing[k].other == AL_NO_LINE;
		     k++)
			;
		end = k < a_line_count ? pairing[k].other : b_line_count;
		for (uint32_t j = i; j < k && next < end; j++)
			pairing[j] = (struct al_line_pairing){next++, true};
	}
}

int al_diff_align_lines(const struct al_diff_text *a,
			const struct al_diff_text *b,
			struct al_line_pairing *pairing)
{
	size_t diagonals = (size_t)a->n + b->n + 3;
	struct search s = {a->line, b->line, malloc(diagonals * sizeof(int)),
			   malloc(diagonals * sizeof(int)), pairing};
	int err = s.forward && s.backward ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < a->n; i++)
		pairing[i] = (struct al_line_pairing){AL_NO_LINE, false};
	if (!err) {
		pair_equal_lines_of_box_by_dividing_it(
			&s, (struct box){0, 0, (int)a->n, (int)b->n});
		pair_leftover_lines_as_changed(pairing, a->n, b->n);
	}
	free(s.forward);
	free(s.backward);
	return err;
}

/* Numbers of elements that are allocated in the arrays of a text, and the
   number of bytes of its lines. */
struct text_size {
	size_t lines_room, starts_room, bytes_room, n_bytes;
};

/* Append the line of @bytes bytes, without the blanks at its ends, and its
   hash. Return: 0; -ENOMEM. */
static int append_trimmed_line(struct al_diff_text *t, struct text_size *size,
			       const char *line, size_t bytes)
{
	while (bytes && isspace((unsigned char)line[bytes - 1]))
		bytes--;
	while (bytes && isspace((unsigned char)*line)) {
		line++;
		bytes--;
	}
	if (al_array_reserve(t->line, size->lines_room, t->n + 1) != 0 ||
	    al_array_reserve(t->start, size->starts_room, t->n + 1) != 0 ||
	    al_array_reserve(t->bytes, size->bytes_room,
			     size->n_bytes + bytes + 1) != 0)
		return -ENOMEM;
	memcpy(t->bytes + size->n_bytes, line, bytes);
	t->bytes[size->n_bytes + bytes] = '\0';
	t->start[t->n] = size->n_bytes;
	size->n_bytes += bytes + 1;
	t->line[t->n++] = pt_hash_update_with_bytes(PT_HASH_START, line, bytes);
	return 0;
}

int al_diff_read_text(const char *path, uint64_t expected_file_hash,
		      struct al_diff_text *text)
{
	FILE *file;
	struct stat st;
	uint64_t seen = PT_HASH_START;
	char *line = NULL;
	size_t room = 0;
	struct text_size size = {0};
	ssize_t bytes;
	int err = 0;

	*text = (struct al_diff_text){.n = 0};
	/* Opening a FIFO would wait for its writer. */
	if (stat(path, &st) != 0)
		return -errno;
	file = S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;
	if (file == NULL)
		return S_ISREG(st.st_mode) ? -errno : -EINVAL;
	while (!err && (bytes = getline(&line, &room, file)) > 0) {
		seen = pt_hash_update_with_bytes(seen, line, (size_t)bytes);
		err = text->n < INT_MAX / 4
			      ? append_trimmed_line(text, &size, line,
						    (size_t)bytes)
			      : -EFBIG;
	}
	free(line);
	fclose(file);
	if (!err && seen != expected_file_hash)
		err = -ESTALE;
	if (err)
		al_diff_free_text(text);
	return err;
}

void al_diff_free_text(struct al_diff_text *t)
{
	free(t->line);
	free(t->bytes);
	free(t->start);
	*t = (struct al_diff_text){.n = 0};
}

static bool is_identifier_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c < 0;
}

uint64_t al_diff_line_hash_without_name(const struct al_diff_text *t,
					uint32_t line_index, const char *name,
					size_t name_length)
{
	const char *rest = t->bytes + t->start[line_index];
	uint64_t hash = PT_HASH_START;

	for (size_t n; *rest; rest += n) {
		for (n = 0; is_identifier_byte(rest[n]); n++)
			;
		if (n > 0 && n == name_length && !memcmp(rest, name, n))
			hash = pt_hash_update_with_bytes(hash, "", 1);
		else
			hash = pt_hash_update_with_bytes(hash, rest, n += !n);
	}
	return hash;
}
