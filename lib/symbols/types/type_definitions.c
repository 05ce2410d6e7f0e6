/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type_definitions.c - finds definitions of declared structures; see
   type_definitions.h */

#include "lib/symbols/types/type_definitions.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/symbols/types/entry_walk.h"
#include "lib/symbols/types/type_entries.h"
#include "lib/symbols/types/type_layout.h"

enum {
	MAX_DEPTH = 8, /* greatest number of searches inside each other: a
			  definition that is found may contain structures that
			  are only declared */
};

/* ---- list ---- */

static struct al_key key_of_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return (struct al_key){{hash, 0, 0}};
}

/* Append the definition @entry, which has a name. Return: 0; -ENOMEM. */
static int append_definition(struct al_type_definitions *d, Dwarf_Die *entry)
{
	struct al_key key = key_of_name(dwarf_diename(entry));
	int64_t name;

	if (al_array_reserve(d->definition, d->size, d->n + 1) ||
	    al_array_reserve_zeroed(d->first, d->first_size, d->names.n + 1))
		return -ENOMEM;
	name = al_key_table_find_or_add_index(&d->names, &key);
	if (name == AL_KEY_TABLE_NO_MEMORY)
		return -ENOMEM;
	d->definition[d->n++] = (struct al_type_definition){
		dwarf_dieoffset(entry), d->first[name]};
	d->first[name] = d->n;
	return 0;
}

static int append_if_definition_with_name(void *definitions, Dwarf_Die *entry,
					  int tag)
{
	struct al_type_definitions *d = definitions;
	bool is_definition =
		(tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		 tag == DW_TAG_union_type) &&
		!dwarf_hasattr(entry, DW_AT_declaration) &&
		dwarf_diename(entry) != NULL;

	return is_definition && d->n < AL_MAX_TYPE_DEFINITIONS
		       ? append_definition(d, entry)
		       : 0;
}

/* ---- search ---- */

/* A definition that was found. */
struct match {
	Dwarf_Off entry; /* 0: none yet */
	uint64_t size, members_hash;
};

/* Whether a declaration and a definition are both unions, or neither is. */
static bool is_union_in_both_or_neither(Dwarf_Die *a, Dwarf_Die *b)
{
	return (dwarf_tag(a) == DW_TAG_union_type) ==
	       (dwarf_tag(b) == DW_TAG_union_type);
}

/* Store @definition in @m if it is the first match. Return: whether @m then has
   its size and members. */
static bool store_or_compare_match(struct al_type_definitions *d,
				   Dwarf_Die *definition, struct match *m)
{
	struct an_type *type =
		al_type_layout_new(definition, "", d->strings, d);
	bool is_equal = false;

	if (type && m->entry == 0)
		*m = (struct match){dwarf_dieoffset(definition), type->size,
				    type->members_hash};
	if (type)
		is_equal = m->size == type->size &&
			   m->members_hash == type->members_hash;
	free(type);
	return is_equal;
}

/* Return the offset of the entry that defines @declaration; 0: there is none,
   there are different ones, or one has no layout. */
static Dwarf_Off find_definition_or_0(struct al_type_definitions *d,
				      Dwarf_Die *declaration)
{
	char wanted[AL_MAX_TYPE_NAME], name[AL_MAX_TYPE_NAME];
	struct al_key key;
	struct match match = {0};
	unsigned n = 0;
	int64_t number;
	Dwarf_Die entry;

	al_type_write_global_name_or_empty(declaration, wanted);
	if (!*wanted)
		return 0;
	key = key_of_name(dwarf_diename(declaration));
	number = al_key_table_find_index_or_minus_1(&d->names, &key);
	for (uint32_t i = number < 0 ? 0 : d->first[number];
	     i != 0 && n < AL_MAX_COMPARED_DEFINITIONS;
	     i = d->definition[i - 1].next, n++) {
		if (!dwarf_offdie(d->dwarf, d->definition[i - 1].entry,
				  &entry) ||
		    !is_union_in_both_or_neither(declaration, &entry))
			continue;
		al_type_write_global_name_or_empty(&entry, name);
		if (!strcmp(name, wanted) &&
		    !store_or_compare_match(d, &entry, &match))
			return 0;
	}
	return match.entry;
}

/* List the definitions of the file, once. Return: whether there are any. */
static bool list_definitions_once(struct al_type_definitions *d)
{
	struct al_entry_visitor visitor = {
		.visit = append_if_definition_with_name, .arg = d};

	if (!d->is_listed && al_debug_entries_visit(d->dwarf, &visitor) != 0)
		d->n = 0;
	d->is_listed = true;
	return d->n > 0;
}

/* Return the offset of the entry that defines @declaration, which is searched
   for once; 0: none, MAX_DEPTH searches have not ended, or memory is short. */
static Dwarf_Off find_definition_cached_or_0(struct al_type_definitions *d,
					     Dwarf_Die *declaration)
{
	uint32_t number;
	bool is_new;
	Dwarf_Off found;

	if (d->depth == MAX_DEPTH || !list_definitions_once(d) ||
	    al_array_reserve_zeroed(d->found, d->found_size,
				    d->declarations.n + 1) ||
	    al_key_table_find_or_add_pair(&d->declarations,
					  dwarf_dieoffset(declaration), 0,
					  &number, &is_new))
		return 0;
	if (!is_new)
		return d->found[number];
	d->depth++;
	found = find_definition_or_0(d, declaration);
	d->depth--;
	return d->found[number] = found;
}

void al_type_definitions_replace_declaration(struct al_type_definitions *d,
					     Dwarf_Die *peeled_type)
{
	Dwarf_Die definition;
	Dwarf_Off offset;

	if (d == NULL || !al_type_is_structure_or_union(peeled_type) ||
	    !dwarf_hasattr(peeled_type, DW_AT_declaration))
		return;
	offset = find_definition_cached_or_0(d, peeled_type);
	if (offset != 0 && dwarf_offdie(d->dwarf, offset, &definition))
		*peeled_type = definition;
}

Dwarf_Die *al_type_definitions_find_type_of_entry(struct al_type_definitions *d,
						  Dwarf_Die *die,
						  Dwarf_Die *out)
{
	if (!al_type_peeled_type_of_entry(die, out))
		return NULL;
	al_type_definitions_replace_declaration(d, out);
	return out;
}

bool al_type_definitions_find_entry_type(struct al_type_definitions *d,
					 Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Die peeled;

	if (!al_type_unpeeled_type_of_entry(die, out))
		return false;
	if (dwarf_peel_type(out, &peeled) != 0 ||
	    !dwarf_hasattr(&peeled, DW_AT_declaration))
		return true;
	al_type_definitions_replace_declaration(d, &peeled);
	*out = peeled;
	return true;
}

void al_type_definitions_release(struct al_type_definitions *d)
{
	free(d->definition);
	free(d->first);
	free(d->found);
	al_key_table_release(&d->names);
	al_key_table_release(&d->declarations);
	*d = (struct al_type_definitions){0};
}
