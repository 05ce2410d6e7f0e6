/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_words.c - prints descriptions of struct and pointer types in English
 */
#include <inttypes.h>

#include "lib/config/window/explain/explain.h"

static const char *type_name(const struct al_windows *w, uint32_t type)
{
	return w->string + w->type[type].name;
}

static void print_struct(const struct al_windows *w, const struct pt_type *t,
			 FILE *out)
{
	fprintf(out, "a struct of %u bytes:", t->size);
	for (uint32_t i = t->first; i < t->first + t->n; i++)
		fprintf(out, "%s %s (%s)", i > t->first ? "," : "",
			w->string + w->field[i].name,
			type_name(w, w->field[i].type));
}

static void print_pointer_element_count(const struct al_windows *w,
					const struct pt_type *t, FILE *out)
{
	const char *variable = w->string + t->variable;
	const char *last = t->flags & PT_TYPE_END_VALID ? "to the one at"
							: "to that before";

	switch (t->bound) {
	case PT_BOUND_COUNT:
		fprintf(out, ", %" PRIu64 " of them", t->value);
		break;
	case PT_BOUND_SENTINEL:
		fprintf(out, ", up to one that is %" PRIu64, t->value);
		break;
	case PT_BOUND_COUNT_VAR:
		fprintf(out, ", as many as %s says", variable);
		break;
	case PT_BOUND_END_VAR:
		fprintf(out, ", up %s %s", last, variable);
		break;
	default:
		fprintf(out, ", from the one at %s up %s the pointer", variable,
			last);
	}
	if (t->flags & PT_TYPE_DOWN)
		fputs(", each below the one before", out);
}

void al_struct_or_pointer_explain(const struct al_windows *w,
				  uint32_t type_index, FILE *out)
{
	const struct pt_type *t = &w->type[type_index];

	fprintf(out, "'%s': ", type_name(w, type_index));
	if (t->kind == PT_TYPE_STRUCT) {
		print_struct(w, t, out);
		return;
	}
	fprintf(out, "a pointer to '%s'", type_name(w, t->element));
	print_pointer_element_count(w, t, out);
}
