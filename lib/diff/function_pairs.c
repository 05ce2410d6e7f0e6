/* SPDX-License-Identifier: GPL-2.0-or-later */
/* function_pairs.c - pairs functions by normalised names; see
   function_pairs.h */

#include "lib/diff/function_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/path.h"
#include "lib/diff/normal_name.h"

enum name_kind { FUNCTION, OBJECT };

/* Normalised object name that stands for the program's own file, which may have
   different names in A and B. */
static const char main_program[] = "";

void al_diff_names_free_tables(struct al_diff_names *n)
{
	al_key_table_release(&n->raw);
	al_key_table_release(&n->pairs);
	free(n->normal);
}

/* Return the normalised form of @name, interned; NULL or "???" if memory is
   short. */
static const char *intern_normalized_name(struct al_intern *strings,
					  const char *name, enum name_kind kind)
{
	char *copy = strdup(name);
	const char *normal = NULL;

	if (copy != NULL)
		normal = al_intern_question_marks_if_no_memory(
			strings,
			kind == OBJECT ? al_diff_drop_library_version(copy)
				       : al_diff_normalize_function_name(copy));
	free(copy);
	return normal;
}

/* Return the normalised form of the interned name @name, which is computed only
   the first time and stored in @n; NULL or "???" if memory is short. */
static const char *find_or_add_normalized_name(struct al_diff *d,
					       struct al_diff_names *n,
					       const char *name,
					       enum name_kind kind)
{
	uint32_t number;
	bool is_new;

	if (al_key_table_find_or_add_pair(&n->raw, (uintptr_t)name, kind,
					  &number, &is_new))
		return NULL;
	if (!is_new)
		return n->normal[number];
	if (al_array_reserve(n->normal, n->size, number + 1))
		return NULL;
	return n->normal[number] =
		       intern_normalized_name(d->strings, name, kind);
}

const char *al_diff_normalized_object(struct al_diff *d,
				      struct al_diff_names *n, int side,
				      const char *object)
{
	if (n->no_objects || object == n->main_object[side])
		return main_program;
	return find_or_add_normalized_name(d, n, object, OBJECT);
}

/* Append a zeroed entry to d->function, which may move. Return the entry; NULL
   if memory is short. */
static struct al_diff_function *append_zeroed_function(struct al_diff *d)
{
	struct al_diff_function *bigger;
	size_t n = d->n_functions;

	if (n == 0 || (n >= 512 && (n & (n - 1)) == 0)) {
		bigger = reallocarray(d->function, n ? 2 * n : 512,
				      sizeof(*bigger));
		if (bigger == NULL)
			return NULL;
		d->function = bigger;
	}
	d->function[n] = (struct al_diff_function){.name = NULL};
	return &d->function[d->n_functions++];
}

int al_diff_find_or_add_function(struct al_diff *d, struct al_diff_names *n,
				 int side, const struct al_diff_row *row,
				 uint32_t *function_index)
{
	const char *object = al_diff_normalized_object(d, n, side, row->object);
	const char *normal =
		find_or_add_normalized_name(d, n, row->function, FUNCTION);
	struct al_diff_function *f;
	bool is_new;

	if (object == NULL || normal == NULL ||
	    al_key_table_find_or_add_pair(&n->pairs, (uintptr_t)object,
					  (uintptr_t)normal, function_index,
					  &is_new))
		return -ENOMEM;
	if (!is_new)
		return 0;
	f = append_zeroed_function(d);
	if (f == NULL)
		return -ENOMEM;
	f->object = object;
	f->normal = normal;
	return 0;
}

static void store_first_name_count_rows_of_others(struct al_diff_function *f,
						  int side, const char *name)
{
	const char **known = side && f->is_in[0] ? &f->b_name : &f->name;

	if (!f->is_in[side])
		*known = name;
	if (!f->is_in[side] || *known != name)
		f->n_names[side]++;
}

static int find_or_add_function_and_add_row(struct al_diff *d,
					    struct al_diff_names *n, int side,
					    const struct al_diff_row *row)
{
	struct al_diff_function *f;
	uint32_t i;

	if (al_diff_find_or_add_function(d, n, side, row, &i))
		return -ENOMEM;
	f = &d->function[i];
	store_first_name_count_rows_of_others(f, side, row->function);
	if (!f->is_in[0] && !f->is_in[1])
		f->shown_object = row->object;
	f->is_in[side] = true;
	if (f->path == NULL || row->costs.event[0] > f->path_ir) {
		f->path = row->path;
		f->path_ir = row->costs.event[0];
	}
	al_diff_add_costs_of_each_event(&f->costs[side], &row->costs);
	return 0;
}

static void mark_new_gone_same_functions(struct al_diff *d)
{
	for (size_t i = 0; i < d->n_functions; i++) {
		struct al_diff_function *f = &d->function[i];

		f->match = al_diff_match_of_runs(f->is_in[0], f->is_in[1]);
		if (f->b_name == f->name)
			f->b_name = NULL;
	}
}

/* Return the file name of the input's program, without folders, interned as the
   object names of rows are; NULL if it is not known, "???" if memory is
   short. */
static const char *intern_program_base_name(struct al_diff *d,
					    const struct al_diff_input *in)
{
	return in->program ? al_intern_question_marks_if_no_memory(
				     d->strings, al_path_base_name(in->program))
			   : NULL;
}

int al_diff_pair_functions_by_name(struct al_diff *d, struct al_diff_names *n)
{
	int err = 0;

	for (int side = 0; side < 2; side++) {
		n->main_object[side] = intern_program_base_name(d, d->in[side]);
		n->no_objects |= d->in[side]->kind == AL_DIFF_CACHEGRIND;
	}
	for (int side = 0; side < 2; side++) {
		const struct al_diff_rows *rows = &d->in[side]->functions;

		for (size_t i = 0; !err && i < rows->n; i++)
			err = find_or_add_function_and_add_row(d, n, side,
							       &rows->row[i]);
	}
	mark_new_gone_same_functions(d);
	return err;
}
