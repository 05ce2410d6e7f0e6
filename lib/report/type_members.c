/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type_members.c - sums the counts of the members of a type; see
   type_members.h */

#include "lib/report/type_members.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/suggest.h"

/* ---- names of types ---- */

/* Return the part of @type after a leading "struct ", "class " or "union ";
   @type if it begins with none of these. */
static const char *name_without_struct_class_or_union(const char *type)
{
	static const char *const keywords[] = {"struct ", "class ", "union "};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (!strncmp(type, keywords[i], strlen(keywords[i])))
			return type + strlen(keywords[i]);
	return type;
}

/* Whether @wanted is the name @type, or this name without its keyword. */
static bool is_name_of_type(const char *type, const char *wanted)
{
	return *type &&
	       (strcmp(type, wanted) == 0 ||
		strcmp(name_without_struct_class_or_union(type), wanted) == 0);
}

/* ---- members ---- */

/* Remove, in a list of names such as "table[].a, table[].b", the variable from
   each: "a, b". A name without a member remains. */
static void cut_variable_before_dot_in_name_list(char *names)
{
	char *to = names, *from = names;

	while (*from) {
		size_t n = strcspn(from, ",");
		char *dot = memchr(from, '.', n);

		if (dot) {
			n -= (size_t)(dot + 1 - from);
			from = dot + 1;
		}
		memmove(to, from, n);
		to += n;
		from += n;
		while (*from == ',' || *from == ' ')
			*to++ = *from++;
	}
	*to = 0;
}

/* Return the member at @offset with @size bytes; it is added with the name
   @name if there is none. NULL: memory is short. */
static struct al_type_member *find_or_add_member(struct al_type_members *t,
						 uint64_t offset, uint64_t size,
						 const char *name,
						 bool has_variable)
{
	struct al_type_member *m;

	for (size_t i = 0; i < t->n; i++)
		if (t->member[i].offset == offset && t->member[i].size == size)
			return &t->member[i];
	if (al_array_reserve_zeroed(t->member, t->size_of_member, t->n + 1))
		return NULL;
	m = &t->member[t->n];
	*m = (struct al_type_member){.offset = offset, .size = size};
	m->name = strdup(name);
	if (!m->name)
		return NULL;
	if (has_variable)
		cut_variable_before_dot_in_name_list(m->name);
	t->n++;
	return m;
}

static int add_field_counts_to_its_member(struct al_type_members *t,
					  const struct al_result_node *field,
					  bool has_variable)
{
	const struct al_result_node *levels =
		al_model_find_member(field, "levels");
	uint64_t used_bytes = al_node_number_or_0(field, "used_bytes");
	struct al_type_member *m = find_or_add_member(
		t, al_node_number_or_0(field, "offset"),
		al_node_number_or_0(field, "size"),
		al_node_text_or_empty(field, "name"), has_variable);

	if (!m)
		return -ENOMEM;
	m->reads += al_node_number_or_0(field, "reads");
	m->writes += al_node_number_or_0(field, "writes");
	if (used_bytes > m->used_bytes)
		m->used_bytes = used_bytes;
	for (unsigned i = 0; i < t->n_levels; i++)
		m->misses[i] += al_data_level_misses_or_0(levels, i);
	return 0;
}

/* ---- rows ---- */

static void store_level_names(struct al_type_members *t,
			      const struct al_result_node *levels)
{
	const struct al_result_node *l = levels ? levels->first : NULL;

	for (t->n_levels = 0; l && t->n_levels < AL_MAX_MEMBER_LEVELS;
	     l = l->next)
		t->level[t->n_levels++] = al_node_text_or_empty(l, "name");
}

/* Whether a row has the type and is divided into its members. */
static bool has_members_of_type(const struct al_data_row *r, const char *type)
{
	return is_name_of_type(r->type, type) && r->fields &&
	       r->fields->first &&
	       *al_node_text_or_empty(r->fields->first, "name");
}

/* Add a row and the counts of its members. Types of one name and different
   sizes are different types; those of the size of the first row are added. */
static int add_row_and_members_if_same_type(struct al_type_members *t,
					    const struct al_data_row *r)
{
	const struct al_result_node *f = r->fields->first;
	int err = 0;

	if (t->n_rows > 0 &&
	    (r->element != t->size || strcmp(r->type, t->type) != 0))
		return 0;
	if (al_array_reserve_zeroed(t->row, t->size_of_row, t->n_rows + 1))
		return -ENOMEM;
	t->type = r->type;
	t->size = r->element;
	store_level_names(t, r->levels);
	t->row[t->n_rows++] = *r;
	t->objects += r->objects;
	t->bytes += r->bytes;
	for (; f && !err; f = f->next)
		err = add_field_counts_to_its_member(
			t, f,
			!strcmp(r->kind, "static") || !strcmp(r->kind, "tls"));
	return err;
}

static int compare_members_by_offset_then_size(const void *va, const void *vb)
{
	const struct al_type_member *a = va, *b = vb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

int al_type_members_read(struct al_type_members *t, const struct al_model *m,
			 const char *type)
{
	const struct al_result_node *n = al_data_first_row_or_null(m);
	struct al_data_row row;
	int err = 0;

	t->line = al_node_number_or_0(&m->root, "line");
	for (; n && !err; n = n->next) {
		al_data_row_read_with_empty_defaults(&row, n);
		if (has_members_of_type(&row, type))
			err = add_row_and_members_if_same_type(t, &row);
	}
	if (t->n > 0)
		qsort(t->member, t->n, sizeof(*t->member),
		      compare_members_by_offset_then_size);
	return err ? err : t->n_rows ? 0 : -ENOENT;
}

void al_type_members_release(struct al_type_members *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->member[i].name);
	free(t->member);
	free(t->row);
	*t = (struct al_type_members){0};
}

const char *al_type_members_accessed_row_label_or_null(const struct al_model *m,
						       const char *type)
{
	struct al_data_row row;

	for (const struct al_result_node *n = al_data_first_row_or_null(m); n;
	     n = n->next) {
		al_data_row_read_with_empty_defaults(&row, n);
		if (row.accesses > 0 && is_name_of_type(row.type, type))
			return row.label;
	}
	return NULL;
}

/* ---- suggestion ---- */

const char *al_type_members_suggest_or_null(const struct al_model *m,
					    const char *type)
{
	const struct al_result_node *first = al_data_first_row_or_null(m);
	const char **words, *near = NULL;
	size_t n = 0;

	for (const struct al_result_node *g = first; g; g = g->next)
		n++;
	words = calloc(n + 1, sizeof(*words));
	n = 0;
	for (const struct al_result_node *g = first; g && words; g = g->next) {
		const char *name = al_node_text_or_empty(g, "type");

		if (*name)
			words[n++] = name;
	}
	if (words)
		near = al_suggest_word(type, words);
	for (size_t i = 0; !near && i < n; i++)
		words[i] = name_without_struct_class_or_union(words[i]);
	if (words && !near)
		near = al_suggest_word(type, words);
	free(words);
	return near;
}
