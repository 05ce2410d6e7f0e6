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

/* Whether @wanted is @name, or @name without its first namespaces. */
static bool is_name_with_or_without_namespaces(const char *name,
					       const char *wanted)
{
	size_t n = strlen(name), n_wanted = strlen(wanted);
	size_t rest = n < n_wanted ? 0 : n - n_wanted;

	return !strcmp(name + rest, wanted) &&
	       (rest == 0 || (rest > 2 && !strncmp(name + rest - 2, "::", 2)));
}

/* Whether @wanted is the name @type, or this name without its keyword or its
   first namespaces. */
static bool is_full_or_short_name_of_type(const char *type, const char *wanted)
{
	const char *name = name_without_struct_class_or_union(type),
		   *wanted_name = name_without_struct_class_or_union(wanted);
	size_t keyword_bytes = (size_t)(name - type);
	bool has_keyword = wanted_name != wanted;

	return *wanted_name &&
	       (!has_keyword ||
		(keyword_bytes == (size_t)(wanted_name - wanted) &&
		 !strncmp(type, wanted, keyword_bytes))) &&
	       is_name_with_or_without_namespaces(name, wanted_name);
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

/* Return a copy of the name of a field of row @r, without the variable before
   the member; the caller frees it. NULL: memory is short. */
static char *copy_member_name_without_variable(const struct al_data_row *r,
					       const struct al_result_node *f)
{
	char *name = strdup(al_node_text_or_empty(f, "name"));

	if (name && (!strcmp(r->kind, "static") || !strcmp(r->kind, "tls")))
		cut_variable_before_dot_in_name_list(name);
	return name;
}

/* Return the member at @offset with @size bytes; it is added, without a name,
   if there is none. NULL: memory is short. */
static struct al_type_member *find_or_add_member(struct al_type_members *t,
						 uint64_t offset, uint64_t size)
{
	struct al_type_member *m;

	for (size_t i = 0; i < t->n; i++)
		if (t->member[i].offset == offset && t->member[i].size == size)
			return &t->member[i];
	if (al_array_reserve_zeroed(t->member, t->size_of_member, t->n + 1))
		return NULL;
	m = &t->member[t->n++];
	*m = (struct al_type_member){.offset = offset, .size = size};
	return m;
}

static int add_field_counts_to_its_member(struct al_type_members *t,
					  const struct al_data_row *r,
					  const struct al_result_node *field)
{
	const struct al_result_node *levels =
		al_model_find_member(field, "levels");
	uint64_t used_bytes = al_node_number_or_0(field, "used_bytes");
	struct al_type_member *m =
		find_or_add_member(t, al_node_number_or_0(field, "offset"),
				   al_node_number_or_0(field, "size"));

	if (m && !m->name)
		m->name = copy_member_name_without_variable(r, field);
	if (!m || !m->name)
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
	return is_full_or_short_name_of_type(r->type, type) && r->fields &&
	       r->fields->first &&
	       *al_node_text_or_empty(r->fields->first, "name");
}

/* Return the type's member at @offset with @size bytes and the name @name,
   which is not compared if the type's declaration is not known. NULL: the type
   has no such member. */
static const struct al_type_member *
find_member_or_null(const struct al_type_members *t, uint64_t offset,
		    uint64_t size, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->member[i].offset == offset &&
		    t->member[i].size == size &&
		    (!*t->declaration || !strcmp(t->member[i].name, name)))
			return &t->member[i];
	return NULL;
}

static bool
is_field_of_accesses_before_type_known(const struct al_result_node *field)
{
	return !strcmp(al_node_text_or_empty(field, "name"),
		       "(before the type was known)");
}

/* Whether each member and hole of a row is one of the type's; the field of the
   accesses before the type was known is skipped. Return: 1; 0; or -ENOMEM. */
static int
has_row_only_members_of_type_or_error(const struct al_type_members *t,
				      const struct al_data_row *r)
{
	for (const struct al_result_node *f = r->fields->first; f;
	     f = f->next) {
		char *name = copy_member_name_without_variable(r, f);
		bool has_member =
			name && (is_field_of_accesses_before_type_known(f) ||
				 find_member_or_null(
					 t, al_node_number_or_0(f, "offset"),
					 al_node_number_or_0(f, "size"), name));

		free(name);
		if (!has_member)
			return name ? 0 : -ENOMEM;
	}
	return 1;
}

/* Set *@type_out to the type of a row, which is added without members if no row
   had it. Types are the same if their names, sizes and members are. Return: 0;
   -ENOMEM. */
static int find_or_add_type_of_row(struct al_types_of_name *types,
				   const struct al_data_row *r,
				   struct al_type_members **type_out)
{
	int is_same = 0;

	for (size_t i = 0; i < types->n && !is_same; i++) {
		*type_out = &types->type[i];
		is_same = r->element == types->type[i].size &&
					  !strcmp(r->type, types->type[i].type)
				  ? has_row_only_members_of_type_or_error(
					    *type_out, r)
				  : 0;
	}
	if (is_same)
		return is_same < 0 ? is_same : 0;
	if (al_array_reserve_zeroed(types->type, types->size_of_type,
				    types->n + 1))
		return -ENOMEM;
	*type_out = &types->type[types->n++];
	**type_out = (struct al_type_members){
		.type = r->type,
		.size = r->element,
		.declaration = r->type_declaration,
	};
	return 0;
}

/* Add a row, and its counts to the members of its type. Return: 0; -ENOMEM. */
static int append_row_to_its_type(struct al_types_of_name *types,
				  const struct al_data_row *r)
{
	const struct al_result_node *f = r->fields->first;
	struct al_type_members *t;
	int err = find_or_add_type_of_row(types, r, &t);

	if (err ||
	    al_array_reserve_zeroed(t->row, t->size_of_row, t->n_rows + 1))
		return -ENOMEM;
	store_level_names(t, r->levels);
	t->row[t->n_rows++] = *r;
	t->objects += r->objects;
	t->bytes += r->bytes;
	for (; f && !err; f = f->next)
		err = add_field_counts_to_its_member(t, r, f);
	return err;
}

static int compare_members_by_offset_then_size(const void *va, const void *vb)
{
	const struct al_type_member *a = va, *b = vb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

int al_types_of_name_read(struct al_types_of_name *types,
			  const struct al_model *m, const char *name)
{
	const struct al_result_node *n = al_data_first_row_or_null(m);
	struct al_data_row row;
	int err = 0;

	for (; n && !err; n = n->next) {
		al_data_row_read_with_empty_defaults(&row, n);
		if (has_members_of_type(&row, name))
			err = append_row_to_its_type(types, &row);
	}
	for (size_t i = 0; i < types->n; i++) {
		types->type[i].line = al_node_number_or_0(&m->root, "line");
		if (types->type[i].n > 0)
			qsort(types->type[i].member, types->type[i].n,
			      sizeof(*types->type[i].member),
			      compare_members_by_offset_then_size);
	}
	return err ? err : types->n ? 0 : -ENOENT;
}

static void free_member_names_and_arrays(struct al_type_members *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->member[i].name);
	free(t->member);
	free(t->row);
}

void al_types_of_name_release(struct al_types_of_name *types)
{
	for (size_t i = 0; i < types->n; i++)
		free_member_names_and_arrays(&types->type[i]);
	free(types->type);
	*types = (struct al_types_of_name){0};
}

const char *al_data_first_accessed_row_label_of_type(const struct al_model *m,
						     const char *type)
{
	struct al_data_row row;

	for (const struct al_result_node *n = al_data_first_row_or_null(m); n;
	     n = n->next) {
		al_data_row_read_with_empty_defaults(&row, n);
		if (row.accesses > 0 &&
		    is_full_or_short_name_of_type(row.type, type))
			return row.label;
	}
	return NULL;
}

/* ---- suggestion ---- */

const char *al_types_suggest_name_or_null(const struct al_model *m,
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
