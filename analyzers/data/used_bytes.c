/* SPDX-License-Identifier: GPL-2.0-or-later */
/* used_bytes.c - counts the bytes of an element that are accessed; see
   field_list.h */

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyzers/data/field_list.h"

/* Return the size of a structure of the row: of its type if an element is an
   array of these, else of an element; 0 if elements have different sizes that
   no type divides. */
static uint64_t structure_size_or_0(const struct an_data_row *r)
{
	const struct an_type *type = an_data_row_type_with_member_fields(r);

	if (an_data_row_has_no_common_element_size(r))
		return 0;
	return type ? an_type_size_or_element_size_if_flexible(
			      type, r->fields.element)
		    : r->fields.element;
}

/* Set used[i] for each byte i of a structure that was accessed in any element.
   @used: [@size] initially false. */
static void mark_bytes_used_in_any_element(bool *used, uint64_t size,
					   const struct an_field_pool *p,
					   const struct an_group_fields *g)
{
	for (uint32_t i = 0; i < g->n_cells; i++) {
		uint64_t longest =
			g->cell[i] ? p->counts[g->cell[i]].longest : 0;

		for (uint64_t k = 0; k < longest && k < size; k++)
			used[(i + k) % size] = true;
	}
}

/* Add to the model how many bytes of a structure are used, and how many of the
   structure's bytes are in the same lines as used ones, on the assumption that
   the structure begins at a line border. Bytes after its end do not count. */
static void add_used_and_fetched_bytes(struct al_model *m, const bool *used,
				       uint64_t size, unsigned line_bytes)
{
	uint64_t used_bytes = 0, fetched = 0;

	for (uint64_t start = 0; start < size; start += line_bytes) {
		uint64_t end =
			size - start < line_bytes ? size : start + line_bytes;
		uint64_t before = used_bytes;

		for (uint64_t i = start; i < end; i++)
			used_bytes += used[i];
		if (used_bytes > before)
			fetched += end - start;
	}
	al_model_add_number(m, "used_bytes", NULL, "bytes", used_bytes);
	al_model_add_number(m, "fetched_bytes", NULL, "bytes", fetched);
}

bool *an_data_row_calloc_used_bytes(const struct an_data_rows *t,
				    const struct an_data_row *r,
				    bool has_accesses,
				    struct al_model *model_for_error,
				    uint64_t *size)
{
	bool *used;

	*size = 0;
	if (!has_accesses || r->fields.cell_bytes != 1 ||
	    r->fields.cell == NULL || structure_size_or_0(r) == 0)
		return NULL;
	used = calloc(structure_size_or_0(r), sizeof(*used));
	if (used == NULL) {
		model_for_error->error = -ENOMEM;
		return NULL;
	}
	*size = structure_size_or_0(r);
	mark_bytes_used_in_any_element(used, *size, &t->fields, &r->fields);
	return used;
}

void an_data_row_add_element_use(const struct an_data_rows *t,
				 const struct an_data_row *r,
				 unsigned line_bytes, bool has_accesses,
				 struct al_model *m)
{
	uint64_t size = structure_size_or_0(r), used_size;
	bool *used;

	if (size == 0 || r->fields.cell == NULL)
		return;
	al_model_add_number(m, "element", NULL, "bytes", size);
	used = an_data_row_calloc_used_bytes(t, r, has_accesses, m, &used_size);
	if (used != NULL)
		add_used_and_fetched_bytes(m, used, size, line_bytes);
	free(used);
}
