/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_scopes.c - finds the unit and function of an address of code; see
   code_scopes.h */

#include "lib/symbols/code_scopes.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

enum {
	MAX_NAMESPACES = 32 /* greatest depth of namespaces that are searched */
};

/* ---- functions of a unit ---- */

/* Add the code of the functions that are entries directly below @outer, a unit
   or namespace, or in a namespace inside it. @namespace_depth: number of
   namespaces around these entries. Return: 0; -ENOMEM. */
static int add_top_level_functions(struct al_code_ranges *functions,
				   Dwarf_Die *outer, int namespace_depth)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(outer, &die);

	for (; !more && !err; more = dwarf_siblingof(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			err = al_code_ranges_add_of_entry(functions, &die);
		else if (dwarf_tag(&die) == DW_TAG_namespace &&
			 namespace_depth < MAX_NAMESPACES)
			err = add_top_level_functions(functions, &die,
						      namespace_depth + 1);
	return err;
}

/* Return the functions of @unit, listed at the first call for it; NULL: memory
   is short. */
static const struct al_code_ranges *
find_or_list_functions(struct al_code_scopes *s, Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit);
	struct al_unit_functions *added;

	for (size_t i = s->n_units; i-- > 0;)
		if (s->unit[i].unit == offset)
			return &s->unit[i].functions;
	if (al_array_reserve(s->unit, s->units_capacity, s->n_units + 1) != 0)
		return NULL;
	added = &s->unit[s->n_units++];
	*added = (struct al_unit_functions){.unit = offset};
	if (add_top_level_functions(&added->functions, unit, 0) != 0)
		return NULL;
	al_code_ranges_sort(&added->functions);
	return &added->functions;
}

/* ---- units ---- */

/* List the code of the units of a file. Return: 0; -ENOMEM. */
static int list_code_of_units(struct al_code_ranges *units, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int err = 0;

	while (!err &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit)
			err = al_code_ranges_add_of_entry(units, &unit);
	al_code_ranges_sort(units);
	return err;
}

Dwarf_Die *al_code_scopes_find_unit(struct al_code_scopes *s, Dwarf *dwarf,
				    Dwarf_Addr pc)
{
	struct al_code_range *range;

	if (!s->has_units) {
		s->has_units = true;
		if (list_code_of_units(&s->units, dwarf) != 0)
			al_code_ranges_release(&s->units);
	}
	range = al_code_ranges_find(&s->units, pc);
	return range ? &range->entry : NULL;
}

struct al_code_range *al_code_scopes_find_function(struct al_code_scopes *s,
						   Dwarf *dwarf, Dwarf_Addr pc)
{
	Dwarf_Die *unit = al_code_scopes_find_unit(s, dwarf, pc);
	const struct al_code_ranges *functions =
		unit ? find_or_list_functions(s, unit) : NULL;

	return functions ? al_code_ranges_find(functions, pc) : NULL;
}

void al_code_scopes_release(struct al_code_scopes *s)
{
	for (size_t i = 0; i < s->n_units; i++)
		al_code_ranges_release(&s->unit[i].functions);
	free(s->unit);
	al_code_ranges_release(&s->units);
	*s = (struct al_code_scopes){0};
}
