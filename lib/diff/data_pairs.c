/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_pairs.c - pairs the rows of data objects of two runs; see compare.h
 *
 * Rows are paired by their names, such as "heap make_list, list.c:18" or
 * "static table [list]". In a name of A, the line is replaced by the line of B
 * that is paired with it; in both, the file name of the program by a fixed one.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/key_table.h"
#include "base/text/path.h"
#include "lib/diff/compare.h"

enum { LONGEST_NAME = 1024 /* [bytes]; longer names are not changed */ };

struct data_matcher {
	struct al_diff *d;
	struct al_key_table lines; /* keys: interned name of a source file
				      without folders, line in A; number: index
				      in b_line */
	uint32_t *b_line;	   /* by number in `lines`: the paired line in
				      B */
	struct al_key_table names; /* keys: interned name of a row as in B;
				      number: index in d->data */
};

static const char *intern_base_name(const struct data_matcher *m,
				    const char *path)
{
	return al_intern_question_marks_if_no_memory(m->d->strings,
						     al_path_base_name(path));
}

/* Fill m->lines with the lines of A that are paired with another line number in
   B. Return: 0; -ENOMEM. */
static int map_moved_line_numbers_from_a_to_b(struct data_matcher *m)
{
	uint32_t number;
	bool is_new;

	m->b_line = calloc(m->d->n_lines + 1, sizeof(*m->b_line));
	if (m->b_line == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->d->n_lines; i++) {
		const struct al_diff_line *l = &m->d->line[i];

		if (!l->line[0] || !l->line[1] || l->line[0] == l->line[1])
			continue;
		if (al_key_table_find_or_add_pair(
			    &m->lines, (uintptr_t)intern_base_name(m, l->path),
			    l->line[0], &number, &is_new))
			return -ENOMEM;
		if (is_new)
			m->b_line[number] = l->line[1];
	}
	return 0;
}

/* Replace the first @old in @name by @new, unless a letter or digit follows it,
   or the name with its NUL would not fit into LONGEST_NAME bytes. */
static void replace_first(char name[LONGEST_NAME], const char *old,
			  const char *new)
{
	char *found = strstr(name, old), rest[LONGEST_NAME];

	if (found == NULL || isalnum((unsigned char)found[strlen(old)]) ||
	    strlen(name) - strlen(old) + strlen(new) >= LONGEST_NAME)
		return;
	strcpy(rest, found + strlen(old));
	strcpy(stpcpy(found, new), rest);
}

/* Return the name by which a row of run @side is paired, interned. */
static const char *intern_name_as_in_b(const struct data_matcher *m, int side,
				       const struct al_diff_data_row *row)
{
	const struct al_diff_input *in = m->d->in[side];
	char name[LONGEST_NAME], old[LONGEST_NAME], new[LONGEST_NAME];
	uint32_t number;

	if (strlen(row->name) >= LONGEST_NAME)
		return row->name;
	strcpy(name, row->name);
	if (in->program != NULL) {
		snprintf(old, sizeof(old), " [%s]",
			 al_path_base_name(in->program));
		replace_first(name, old, " []");
		snprintf(old, sizeof(old), "mapping %s",
			 al_path_base_name(in->program));
		replace_first(name, old, "mapping []");
	}
	if (side == 0 && row->file != NULL &&
	    al_key_table_find_pair(&m->lines,
				   (uintptr_t)intern_base_name(m, row->file),
				   row->line, &number)) {
		snprintf(old, sizeof(old), "%s:%u",
			 al_path_base_name(row->file), row->line);
		snprintf(new, sizeof(new), "%s:%u",
			 al_path_base_name(row->file), m->b_line[number]);
		replace_first(name, old, new);
	}
	return al_intern_question_marks_if_no_memory(m->d->strings, name);
}

static int add_row_to_pair(struct data_matcher *m, int side,
			   const struct al_diff_data_row *row)
{
	const char *name = intern_name_as_in_b(m, side, row);
	struct al_diff_data *pair;
	uint32_t number;
	bool is_new;

	if (al_key_table_find_or_add_pair(&m->names, (uintptr_t)name, 0,
					  &number, &is_new))
		return -ENOMEM;
	pair = &m->d->data[number];
	if (is_new)
		m->d->n_data++;
	if (pair->n_rows[side]++ == 0)
		*(side && pair->name ? &pair->b_name : &pair->name) = row->name;
	for (int i = 0; i < AL_DIFF_DATA_COUNTS; i++)
		pair->count[side][i] += row->count[i];
	return 0;
}

static void mark_new_gone_same_data_rows(struct al_diff *d)
{
	for (size_t i = 0; i < d->n_data; i++) {
		struct al_diff_data *pair = &d->data[i];

		pair->match = al_diff_match_of_runs(pair->n_rows[0] > 0,
						    pair->n_rows[1] > 0);
		if (pair->b_name == pair->name)
			pair->b_name = NULL;
	}
}

int al_diff_pair_data_rows(struct al_diff *d)
{
	struct data_matcher m = {.d = d};
	int err;

	if (!d->in[0]->n_data_rows || !d->in[1]->n_data_rows)
		return 0;
	d->data = calloc(d->in[0]->n_data_rows + d->in[1]->n_data_rows,
			 sizeof(*d->data));
	err = d->data ? map_moved_line_numbers_from_a_to_b(&m) : -ENOMEM;
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; !err && i < d->in[side]->n_data_rows; i++)
			err = add_row_to_pair(&m, side,
					      &d->in[side]->data_row[i]);
	mark_new_gone_same_data_rows(d);
	al_key_table_release(&m.lines);
	al_key_table_release(&m.names);
	free(m.b_line);
	return err;
}
