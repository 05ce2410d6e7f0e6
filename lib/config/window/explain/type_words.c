/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_words.c - prints descriptions of struct and pointer types in English
 */
#include <inttypes.h>

#include "lib/config/window/explain/explain.h"

static const char *type_name(const struct al_windows *w, uint32_t type_index)
{
	return w->string + w->type[type_index].name;
}

static void print_struct_size_and_fields(const struct al_windows *w,
					 const struct pt_type *struct_type,
					 FILE *out)
{
	fprintf(out, "a struct of %u bytes:", struct_type->size);
	for (uint32_t i = struct_type->first;
	     i < struct_type->first + struct_type->n; i++)
		fprintf(out, "%s %s (%s)", i > struct_type->first ? "," : "",
			w->string + w->field[i].name,
			type_name(w, w->field[i].type));
}

static void
print_element_count_and_address_order(const struct al_windows *w,
				      const struct pt_type *pointer_type,
				      FILE *out)
{
	const char *variable = w->string + pointer_type->variable;
	const char *last = pointer_type->flags & PT_TYPE_END_VALID
				   ? "to the one at"
				   : "to that before";

	switch (pointer_type->bound) {
	case PT_BOUND_COUNT:
		fprintf(out, ", %" PRIu64 " of them", pointer_type->value);
		break;
	case PT_BOUND_SENTINEL:
		fprintf(out, ", up to one that is %" PRIu64,
			pointer_type->value);
		break;
	case PT_BOUND_COUNT_VAR:
		fprintf(out, ", as many as the value of %s", variable);
		break;
	case PT_BOUND_END_VAR:
		fprintf(out, ", up %s %s", last, variable);
		break;
	default:
		fprintf(out, ", from the one at %s up %s the pointer", variable,
			last);
	}
	if (pointer_type->flags & PT_TYPE_DOWN)
		fputs(", each below the one before", out);
}

void al_struct_or_pointer_explain(const struct al_windows *w,
				  uint32_t type_index, FILE *out)
{
	const struct pt_type *t = &w->type[type_index];

	fprintf(out, "'%s': ", type_name(w, type_index));
	if (t->kind == PT_TYPE_STRUCT) {
		print_struct_size_and_fields(w, t, out);
		return;
	}
	fprintf(out, "a pointer to '%s'", type_name(w, t->element));
	print_element_count_and_address_order(w, t, out);
}
