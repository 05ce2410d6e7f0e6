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
	uint32_t first;		       /* index of its first type */
	uint32_t align[PT_MAX_TYPES];  /* alignment of each type [bytes]; 0: not
					  computed yet */
	uint32_t nested[PT_MAX_TYPES]; /* for each type: depth of nested
					  structs, including the type itself */
};

/* Return the YAML node that defines type @i. */
static const struct al_node *yaml_node_of_type(const struct layout *l,
					       uint32_t i)
{
	const struct al_node *node = l->map->child;

	for (i -= l->first; i; i--)
		node = node->next;
	return node;
}

static int set_type_layout(struct layout *l, uint32_t i);

/* Set the offset of field @f of struct @i, and add the field's size to @size,
   the size of the struct so far. */
static int set_field_offset(struct layout *l, uint32_t i, struct pt_field *f,
			    uint64_t *size)
{
	int rc = set_type_layout(l, f->type);
	uint32_t align = l->align[f->type];

	if (rc)
		return rc;
	if (l->nested[i] <= l->nested[f->type])
		l->nested[i] = l->nested[f->type] + 1;
	*size = (*size + align - 1) / align * align;
	f->offset = (uint32_t)*size;
	*size += l->r->windows->type[f->type].size;
	return 0;
}

static int set_struct_layout(struct layout *l, uint32_t i)
{
	struct al_windows *w = l->r->windows;
	struct pt_type *t = &w->type[i];
	uint32_t largest_align = 1;
	uint64_t size = 0;
	int rc = 0;

	l->align[i] = BUSY;
	l->nested[i] = 1;
	for (uint32_t k = t->first; k < t->first + t->n && !rc; k++) {
		rc = set_field_offset(l, i, &w->field[k], &size);
		if (!rc && l->align[w->field[k].type] > largest_align)
			largest_align = l->align[w->field[k].type];
		if (!rc && size > PT_MAX_TYPE - largest_align)
			rc = al_yaml_error(yaml_node_of_type(l, i)->key,
					   l->r->message,
					   "'%.60s' has more than %d bytes",
					   w->string + t->name, PT_MAX_TYPE);
	}
	if (!rc && l->nested[i] > PT_MAX_NESTED)
		rc = al_yaml_error(yaml_node_of_type(l, i)->key, l->r->message,
				   "'%.60s' has more than %d structs in each "
				   "other",
				   w->string + t->name, PT_MAX_NESTED);
	t->size = (uint32_t)((size + largest_align - 1) / largest_align *
			     largest_align);
	l->align[i] = largest_align;
	return rc;
}

static int set_type_layout(struct layout *l, uint32_t i)
{
	struct al_windows *w = l->r->windows;

	if (l->align[i] == BUSY)
		return al_yaml_error(yaml_node_of_type(l, i)->key,
				     l->r->message, "'%.60s' contains itself",
				     w->string + w->type[i].name);
	if (l->align[i])
		return 0;
	if (w->type[i].kind == PT_TYPE_STRUCT)
		return set_struct_layout(l, i);
	l->align[i] = w->type[i].size;
	return 0;
}

int al_layout_make(struct al_window_reader *r, const struct al_node *map,
		   uint32_t first)
{
	struct layout l = {.r = r, .map = map, .first = first};
	int rc = 0;

	for (uint32_t i = 0; i < r->windows->n[AL_TYPES] && !rc; i++)
		rc = set_type_layout(&l, i);
	return rc;
}
