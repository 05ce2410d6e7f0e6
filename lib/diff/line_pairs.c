/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_pairs.c - pairs lines by the texts of their files; see compare.h
 *
 * The key of a line of B is its file, number and object; a line of A has the
 * key of the line of B that it is paired with, or one that no line of B has.
 * For files of method AL_DIFF_BY_OFFSET, the key of both is the file, object,
 * function and the distance from the lowest line that the function executes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/diff/function_pairs.h"
#include "lib/diff/source_pairs.h"

struct matcher {
	struct al_diff *d;
	struct al_diff_names *names;
	struct al_diff_sources sources;
	struct al_key_table keys; /* number: index in d->line */
	uint32_t *first[2]; /* [n_first] for A, for B: lowest line executed of
			       each function, by its index, in files of method
			       BY_OFFSET; UINT32_MAX: none */
	size_t n_first;
};

/* A row of input @side (0: A, 1: B) with its source file, function and
   normalised object, which determine its pair. */
struct place {
	const struct al_diff_row *row;
	int side;
	uint32_t source;
	uint32_t function;
	const char *object;
};

/* Set @p to source file, function and normalised object of a row of input
   @side. The function is added if it is new. Return: 0; -ENOMEM. */
static int fill_source_function_object_of_row(struct matcher *m, int side,
					      const struct al_diff_row *row,
					      struct place *p)
{
	*p = (struct place){.row = row, .side = side};
	p->source = al_diff_find_source_index(&m->sources, side, row->path);
	p->object =
		al_diff_normalized_object(m->d, m->names, side, row->object);
	if (p->object == NULL)
		return -ENOMEM;
	return al_diff_find_or_add_function(m->d, m->names, side, row,
					    &p->function);
}

/* Return the number of the line in the other text that line @line_number of
   input @side is paired with; 0: none. @is_changed: receives whether the texts
   of the two lines differ. */
static uint32_t paired_line_number_in_other_text(const struct al_diff_source *s,
						 int side, uint32_t line_number,
						 bool *is_changed)
{
	const struct al_line_pairing *p;

	*is_changed = false;
	if (s->method == AL_DIFF_IDENTICAL)
		return line_number;
	if (s->method != AL_DIFF_ALIGNED || line_number == 0 ||
	    line_number > s->text[side].n)
		return 0;
	p = &s->to[side][line_number - 1];
	*is_changed = p->is_changed;
	return p->other == AL_NO_LINE ? 0 : p->other + 1;
}

/* Append a zeroed line, which no function executes yet, to d->line, which may
   move. Return the line; NULL if memory is short. */
static struct al_diff_line *append_zeroed_line_of_no_function(struct al_diff *d)
{
	struct al_diff_line *bigger;
	size_t n = d->n_lines;

	if (n == 0 || (n >= 1024 && (n & (n - 1)) == 0)) {
		bigger = reallocarray(d->line, n ? 2 * n : 1024,
				      sizeof(*bigger));
		if (bigger == NULL)
			return NULL;
		d->line = bigger;
	}
	d->line[n] = (struct al_diff_line){.path = NULL,
					   .in = {UINT32_MAX, UINT32_MAX}};
	return &d->line[d->n_lines++];
}

/* Return the line with the key (@key_a, @key_b), which is appended if it is
   new; NULL if memory is short. */
static struct al_diff_line *
find_or_add_line_by_key(struct matcher *m, uint64_t key_a, uint64_t key_b)
{
	uint32_t number;
	bool is_new;

	if (al_key_table_find_or_add_pair(&m->keys, key_a, key_b, &number,
					  &is_new))
		return NULL;
	return is_new ? append_zeroed_line_of_no_function(m->d)
		      : &m->d->line[number];
}

/* Return the line that a row belongs to, added if it is new; NULL if memory is
   short. If the other text has the line, set its number there and its `match`.
   With AL_DIFF_BY_OFFSET, which pairs lines by their distance from the first
   executed line of their function, only set `match` to AL_DIFF_GUESSED. */
static struct al_diff_line *find_or_add_line_of_row(struct matcher *m,
						    const struct place *p)
{
	const struct al_diff_source *s = &m->sources.source[p->source];
	uint32_t line = p->row->line, other, number;
	uint64_t file = (uint64_t)p->source << 32, object;
	struct al_diff_line *l;
	bool is_changed;

	object = (uintptr_t)p->object;
	if (s->method == AL_DIFF_BY_OFFSET) {
		line -= m->first[p->side][p->function];
		l = find_or_add_line_by_key(
			m, (uint64_t)p->function << 32 | line,
			(object + p->source) | UINT64_C(1) << 63);
		if (l != NULL)
			l->match = AL_DIFF_GUESSED;
		return l;
	}
	other = paired_line_number_in_other_text(s, p->side, line, &is_changed);
	/* The key of a line is its number in B; of a line only in A, that in A
	   with bit 31 set, which no number in B has. */
	number = p->side ? line : other;
	if (p->side == 0 && (other == 0 && s->method != AL_DIFF_IDENTICAL))
		number = line | UINT32_C(1) << 31;
	l = find_or_add_line_by_key(m, file | number, object);
	if (l == NULL)
		return NULL;
	if (other || s->method == AL_DIFF_IDENTICAL) {
		l->line[!p->side] = other;
		l->has[!p->side] = true;
		l->match = is_changed ? AL_DIFF_CHANGED : AL_DIFF_SAME;
	}
	return l;
}

static int find_or_add_line_and_add_row(struct matcher *m, int side,
					const struct al_diff_row *row)
{
	struct al_diff_line *l;
	struct place p;

	if (fill_source_function_object_of_row(m, side, row, &p))
		return -ENOMEM;
	l = find_or_add_line_of_row(m, &p);
	if (l == NULL)
		return -ENOMEM;
	if (l->path == NULL || (side == 0 && l->in[0] == UINT32_MAX)) {
		l->path = row->path;
		l->function = row->function;
		l->object = row->object;
	}
	if (l->b_path == NULL)
		l->b_path = m->sources.source[p.source].path[1];
	l->has[side] = true;
	l->line[side] = row->line;
	if (l->in[side] == UINT32_MAX ||
	    row->costs.event[0] > l->costs[side].event[0])
		l->in[side] = p.function;
	al_diff_add_costs_of_each_event(&l->costs[side], &row->costs);
	return 0;
}

/* Set m->first[@side] to the lowest line executed of each function, in files
   whose texts are not known. Return: 0; -ENOMEM. */
static int store_function_first_lines_if_no_text(struct matcher *m, int side)
{
	const struct al_diff_rows *rows = &m->d->in[side]->lines;
	uint32_t *first = m->first[side];
	struct place p;

	for (size_t i = 0; i < m->n_first; i++)
		first[i] = UINT32_MAX;
	for (size_t i = 0; i < rows->n; i++) {
		if (fill_source_function_object_of_row(m, side, &rows->row[i],
						       &p))
			return -ENOMEM;
		if (m->sources.source[p.source].method != AL_DIFF_BY_OFFSET ||
		    p.function >= m->n_first)
			continue;
		if (rows->row[i].line < first[p.function])
			first[p.function] = rows->row[i].line;
	}
	return 0;
}

/* Return an upper bound of the number of functions, should each row of a line
   add one. */
static size_t function_count_bound_adding_one_per_line(const struct al_diff *d)
{
	return d->n_functions + d->in[0]->lines.n + d->in[1]->lines.n + 1;
}

static void mark_new_and_gone_lines(struct al_diff *d)
{
	for (size_t i = 0; i < d->n_lines; i++) {
		struct al_diff_line *l = &d->line[i];

		if (!l->has[0])
			l->match = AL_DIFF_NEW;
		else if (!l->has[1])
			l->match = AL_DIFF_GONE;
	}
}

static int pair_lines_of_both_inputs(struct matcher *m)
{
	int err = al_diff_sources_pair_and_align(&m->sources, m->d);

	m->n_first = function_count_bound_adding_one_per_line(m->d);
	for (int side = 0; !err && side < 2; side++) {
		m->first[side] = malloc(m->n_first * sizeof(uint32_t));
		err = m->first[side]
			      ? store_function_first_lines_if_no_text(m, side)
			      : -ENOMEM;
	}
	/* Rows of B are added first, so that a row of A finds its pair. */
	for (int side = 1; side >= 0; side--)
		for (size_t i = 0; !err && i < m->d->in[side]->lines.n; i++)
			err = find_or_add_line_and_add_row(
				m, side, &m->d->in[side]->lines.row[i]);
	if (!err)
		mark_new_and_gone_lines(m->d);
	return err;
}

int al_diff_pair_lines(struct al_diff *d, struct al_diff_names *names)
{
	struct matcher m = {.d = d, .names = names};
	int err = pair_lines_of_both_inputs(&m);

	if (!err)
		err = al_diff_find_renamed_or_inlined_function(d, &m.sources);
	free(m.first[0]);
	free(m.first[1]);
	al_key_table_release(&m.keys);
	al_diff_sources_release(&m.sources);
	return err;
}
