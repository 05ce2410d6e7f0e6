/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct_layout.c - computes offsets of fields and sizes of structs
 *
 * As in C, each field starts at a multiple of its alignment. A struct has the
 * largest alignment of its fields, and its size is a multiple of that.
 */
#include <errno.h>

#include "lib/config/window/read_state.h"

enum { BUSY = UINT32_MAX }; /* alignment of a struct that is being computed */

struct layout {
	struct al_window_reader *r;
	const struct al_node *map;     /* value of key `types` of the file */
	uint32_t first;		       /* index of the first type in `map` */
	uint32_t align[PT_MAX_TYPES];  /* alignment of each type [bytes]; 0: not
					  computed yet */
	uint32_t nested[PT_MAX_TYPES]; /* for each type: depth of structs nested
					  by value; 1: a struct without structs;
					  0: no struct */
};

/* Return the YAML node that defines type @type_index, which must not be
   primitive. */
static const struct al_node *yaml_node_of_type(const struct layout *l,
					       uint32_t type_index)
{
	const struct al_node *node = l->map->child;

	for (type_index -= l->first; type_index; type_index--)
		node = node->next;
	return node;
}

static int compute_type_layout_if_needed(struct layout *l, uint32_t type_index);

/* Set the offset of field @f of struct @struct_index, after computing the
   layout of the field's type. Add the field's size and the padding before it to
   @struct_size, the size of the struct so far [bytes]. Update the struct's
   depth of nesting. Return: 0; -EINVAL with a message. */
static int set_field_offset_and_grow_struct(struct layout *l,
					    uint32_t struct_index,
					    struct pt_field *f,
					    uint64_t *struct_size)
{
	int rc = compute_type_layout_if_needed(l, f->type);
	uint32_t align = l->align[f->type];

	if (rc)
		return rc;
	if (l->nested[struct_index] <= l->nested[f->type])
		l->nested[struct_index] = l->nested[f->type] + 1;
	*struct_size = (*struct_size + align - 1) / align * align;
	f->offset = (uint32_t)*struct_size;
	*struct_size += l->r->windows->type[f->type].size;
	return 0;
}

static int compute_struct_layout(struct layout *l, uint32_t struct_index)
{
	struct al_windows *w = l->r->windows;
	struct pt_type *t = &w->type[struct_index];
	uint32_t largest_align = 1;
	uint64_t size = 0;
	int rc = 0;

	l->align[struct_index] = BUSY;
	l->nested[struct_index] = 1;
	for (uint32_t k = t->first; k < t->first + t->n && !rc; k++) {
		rc = set_field_offset_and_grow_struct(l, struct_index,
						      &w->field[k], &size);
		if (!rc && l->align[w->field[k].type] > largest_align)
			largest_align = l->align[w->field[k].type];
		if (!rc && size > PT_MAX_TYPE - largest_align)
			rc = al_yaml_error_at_node(
				yaml_node_of_type(l, struct_index)->key,
				l->r->message, "'%.60s' has more than %d bytes",
				w->string + t->name, PT_MAX_TYPE);
	}
	if (!rc && l->nested[struct_index] > PT_MAX_NESTED)
		rc = al_yaml_error_at_node(
			yaml_node_of_type(l, struct_index)->key, l->r->message,
			"'%.60s' has more than %d structs in each "
			"other",
			w->string + t->name, PT_MAX_NESTED);
	t->size = (uint32_t)((size + largest_align - 1) / largest_align *
			     largest_align);
	l->align[struct_index] = largest_align;
	return rc;
}

static int compute_type_layout_if_needed(struct layout *l, uint32_t type_index)
{
	struct al_windows *w = l->r->windows;

	if (l->align[type_index] == BUSY)
		return al_yaml_error_at_node(
			yaml_node_of_type(l, type_index)->key, l->r->message,
			"'%.60s' contains itself",
			w->string + w->type[type_index].name);
	if (l->align[type_index])
		return 0;
	if (w->type[type_index].kind == PT_TYPE_STRUCT)
		return compute_struct_layout(l, type_index);
	l->align[type_index] = w->type[type_index].size;
	return 0;
}

int al_layout_set_sizes_and_offsets(struct al_window_reader *r,
				    const struct al_node *map,
				    uint32_t type_index_of_first_key)
{
	struct layout l = {
		.r = r, .map = map, .first = type_index_of_first_key};
	int rc = 0;

	for (uint32_t i = 0; i < r->windows->n[AL_TYPES] && !rc; i++)
		rc = compute_type_layout_if_needed(&l, i);
	return rc;
}
