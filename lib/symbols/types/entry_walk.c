/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry_walk.c - visits debug information entries; see entry_walk.h */

#include "lib/symbols/types/entry_walk.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the entries below one with this tag are visited: they can be inlined
   calls, variables of static duration, or definitions of types. */
static bool can_tag_have_inlined_calls_or_variables(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
	       tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block;
}

/* Visit the entries below @parent. Increase @entry_count by the number of
   entries visited, and stop when it is AL_MAX_DEBUG_ENTRIES. Return: 0, or the
   error of a visit. */
static int visit_entries_below(Dwarf_Die *parent,
			       const struct al_entry_visitor *v,
			       size_t *entry_count)
{
	Dwarf_Die path[AL_MAX_ENTRY_DEPTH];
	int depth = 0, err = 0, more = dwarf_child(parent, &path[0]);

	while (!more && !err && *entry_count < AL_MAX_DEBUG_ENTRIES) {
		Dwarf_Die *entry = &path[depth];
		int tag = dwarf_tag(entry);

		++*entry_count;
		err = v->visit(v->arg, entry, tag);
		if (can_tag_have_inlined_calls_or_variables(tag) &&
		    depth + 1 < AL_MAX_ENTRY_DEPTH &&
		    !dwarf_child(entry, &path[depth + 1])) {
			depth++;
			continue;
		}
		while ((more = dwarf_siblingof(&path[depth], &path[depth])) &&
		       depth > 0)
			depth--;
	}
	return err;
}

int al_debug_entries_visit(Dwarf *dwarf, const struct al_entry_visitor *v)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	size_t entry_count = 0;
	int err = 0;

	while (!err && entry_count < AL_MAX_DEBUG_ENTRIES &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL)) {
		if (dwarf_tag(&unit) != DW_TAG_compile_unit)
			continue;
		if (v->begin_unit)
			v->begin_unit(v->arg, &unit);
		err = visit_entries_below(&unit, v, &entry_count);
	}
	return err;
}
