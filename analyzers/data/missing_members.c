/* SPDX-License-Identifier: GPL-2.0-or-later */
/* missing_members.c - finds why members of a row are not known; see
   field_list.h */

#include "analyzers/data/field_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/row_label.h"
#include "base/text/path.h"

enum { NOTE_COLUMNS = 80, NOTE = 256 /* [bytes] with the NUL */ };

static bool can_kind_of_row_have_members(const struct an_data_row *r)
{
	return an_data_kind_is_heap_or_pool_block(r->kind) ||
	       an_data_kind_is_static_or_tls_variable(r->kind);
}

bool an_data_row_is_of_own_code(const struct an_data_row *r)
{
	struct an_own_place own;

	return an_data_kind_is_static_or_tls_variable(r->kind)
		       ? !al_path_is_in_system_folder(r->object)
		       : an_data_row_find_user_code_caller(r, &own);
}

static const char *reason_of_missing_type(const struct an_data_row *r)
{
	if (an_data_kind_is_static_or_tls_variable(r->kind))
		return "no debug information has its type";
	return r->n_site > 0 && r->site[0].line > 0 ? "no access implied a type"
						    : "no debug information";
}

/* Return why no members of a row of blocks or variables are known, such as "no
   access implied a type". NULL: members are known. */
static const char *reason_of_missing_members(const struct an_data_row *r)
{
	const struct an_type *type = an_data_row_type_with_member_fields(r);

	if (r->fields.element == AN_ELEMENT_MIXED)
		return "its blocks have different sizes";
	if (an_data_row_static_or_voted_type(r) == NULL)
		return reason_of_missing_type(r);
	if (an_data_row_static_or_voted_type(r)->size > AN_MAX_EXACT_ELEMENT)
		return "its type has more than 4096 bytes";
	if (type == NULL)
		return "its type does not divide its size";
	return type->n_members < 2 && type->flexible_member == NULL
		       ? "its type is no structure"
		       : NULL;
}

void an_data_rows_note_why_if_all_lack_members(
	const struct an_data_row *const *row, uint32_t n, struct al_model *m,
	void (*add_note)(struct al_model *, const char *note))
{
	static const char format[] = "no members of %s: %s";
	const struct an_data_row *first = NULL;
	const char *reason;
	char note[NOTE], *label;

	for (uint32_t i = 0; i < n; i++) {
		if (!can_kind_of_row_have_members(row[i]))
			continue;
		if (reason_of_missing_members(row[i]) == NULL)
			return;
		if (first == NULL || (an_data_row_is_of_own_code(row[i]) &&
				      !an_data_row_is_of_own_code(first)))
			first = row[i];
	}
	if (first == NULL) {
		add_note(m, "no members: the first rows are neither heap "
			    "blocks nor variables");
		return;
	}
	reason = reason_of_missing_members(first);
	label = an_data_cut_label(an_data_row_alloc_label_in_model(m, first),
				  NOTE_COLUMNS + strlen("%s%s") -
					  strlen(format) - strlen(reason));
	if (label == NULL) {
		m->error = -ENOMEM;
		return;
	}
	snprintf(note, sizeof(note), format, label, reason);
	add_note(m, note);
	free(label);
}
