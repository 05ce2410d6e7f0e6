/* SPDX-License-Identifier: GPL-2.0-or-later */
/* field_uses.c - finds the field that an access uses; see field_uses.h */

#include "analyzers/data/field_uses.h"

#include <errno.h>

/* Look up the type of the variable of group @g and store it in g->type; NULL if
   it is unknown or larger than the variable. Set the group's element size to
   the size of the type, or if that is unknown or has a flexible member, to that
   of the variable. */
static void store_variable_type_and_element_size(struct an_field_uses *u,
						 struct an_data_group *g)
{
	const struct an_env *env = u->types.env;
	const struct an_data_file *f = &u->owners->file[g->file - 1];
	uint64_t bytes = g->counts.bytes / g->counts.objects;

	g->has_type_lookup = true;
	g->type = g->kind == AN_DATA_TLS
			  ? env->thread_variable_type(env->host, f->path,
						      g->start)
			  : env->variable_type(env->host, f->path,
					       f->code_start, g->start);
	if (g->type != NULL && g->type->size > bytes)
		g->type = NULL;
	an_group_fields_set_or_mix_element_size(
		&g->fields, g->type && g->type->flexible_member == NULL
				    ? g->type->size
				    : bytes);
}

const struct an_type *an_field_uses_dividing_type(struct an_field_uses *u,
						  const struct an_data_group *g,
						  const struct an_block *block,
						  unsigned access)
{
	const struct an_type *type =
		an_data_kind_is_heap_or_pool_block(g->kind) &&
				an_group_fields_has_long_untyped_element(
					&g->fields)
			? an_access_types_find_or_infer_structure(&u->types,
								  block, access)
			: NULL;

	return type && an_group_fields_can_divide_sizes_by_type(&g->fields,
								type)
		       ? type
		       : NULL;
}

void an_field_uses_prepare_group_for_access(struct an_field_uses *u,
					    struct an_data_group *g,
					    const struct an_block *block,
					    unsigned access)
{
	const struct an_type *type =
		an_field_uses_dividing_type(u, g, block, access);

	if (an_data_kind_is_static_or_tls_variable(g->kind) &&
	    !g->has_type_lookup)
		store_variable_type_and_element_size(u, g);
	if (type != NULL && an_group_fields_set_element_size_to_type(
				    &u->owners->fields, &g->fields, type) != 0)
		u->error = -ENOMEM;
}

void an_field_uses_add_votes_for_type(struct an_field_uses *u,
				      struct an_data_group *g,
				      const struct an_block *block,
				      unsigned access, uint64_t vote_count)
{
	const struct an_type *type =
		an_data_kind_is_heap_or_pool_block(g->kind)
			? an_access_types_find_or_infer_structure(&u->types,
								  block, access)
			: NULL;

	if (type != NULL)
		an_group_fields_add_votes_for_type(&g->fields, type,
						   vote_count);
}

struct an_field_counts *
an_field_uses_find_or_add_counts(struct an_field_uses *u,
				 struct an_data_group *g, uint64_t offset)
{
	return an_group_fields_find_or_add_counts(&u->owners->fields,
						  &g->fields, offset);
}
