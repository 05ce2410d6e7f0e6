/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data_rows.c - reads the rows of the analysis "data"; see data_rows.h */

#include "lib/report/findings/data_rows.h"

uint64_t al_node_number_or_0(const struct al_result_node *object,
			     const char *key)
{
	const struct al_result_node *n = al_model_find_member(object, key);

	return n ? n->value.number : 0;
}

const char *al_node_text_or_empty(const struct al_result_node *object,
				  const char *key)
{
	const struct al_result_node *n = al_model_find_member(object, key);

	return n && n->value.text ? n->value.text : "";
}

const struct al_result_node *al_data_first_row_or_null(const struct al_model *m)
{
	const struct al_result_node *groups =
		al_model_find_member(&m->root, "groups");

	return groups ? groups->first : NULL;
}

/* Set function, file and line to those of the line of the user's own code (no
   library) that allocated the data. */
static void
read_allocation_place_in_own_code(struct al_data_row *r,
				  const struct al_result_node *group)
{
	const struct al_result_node *place =
		al_model_find_member(group, "place");

	r->function = place ? al_node_text_or_empty(place, "function") : "";
	r->file = place ? al_node_text_or_empty(place, "file") : "";
	r->line = place ? al_node_number_or_0(place, "line") : 0;
}

void al_data_row_read_with_empty_defaults(struct al_data_row *r,
					  const struct al_result_node *group)
{
	*r = (struct al_data_row){
		.kind = al_node_text_or_empty(group, "kind"),
		.label = al_node_text_or_empty(group, "label"),
		.type = al_node_text_or_empty(group, "type"),
		.type_declaration =
			al_node_text_or_empty(group, "type_declaration"),
		.element = al_node_number_or_0(group, "element"),
		.used_bytes = al_node_number_or_0(group, "used_bytes"),
		.fetched_bytes = al_node_number_or_0(group, "fetched_bytes"),
		.objects = al_node_number_or_0(group, "objects"),
		.bytes = al_node_number_or_0(group, "bytes"),
		.accesses = al_node_number_or_0(group, "reads") +
			    al_node_number_or_0(group, "writes"),
		.levels = al_model_find_member(group, "levels"),
		.fields = al_model_find_member(group, "fields"),
	};
	read_allocation_place_in_own_code(r, group);
}

uint64_t al_data_level_misses_or_0(const struct al_result_node *levels,
				   unsigned level_index)
{
	const struct al_result_node *l = levels ? levels->first : NULL;

	while (l && level_index-- > 0)
		l = l->next;
	return l ? al_node_number_or_0(l, "read_misses") +
			       al_node_number_or_0(l, "write_misses")
		 : 0;
}

uint64_t al_data_sum_first_level_misses(const struct al_model *m)
{
	const struct al_result_node *group = al_data_first_row_or_null(m);
	uint64_t sum = 0;

	for (; group; group = group->next)
		sum += al_data_level_misses_or_0(
			al_model_find_member(group, "levels"), 0);
	return sum;
}
