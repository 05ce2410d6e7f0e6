/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_entries.h - follows entries of types in the debug information, and names
 *                  them
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_TYPES_TYPE_ENTRIES_H
#define LIB_SYMBOLS_TYPES_TYPE_ENTRIES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tables/intern.h"

struct al_type_definitions;

enum {
	AL_MAX_TYPE_NAME = 512, /* [bytes] of the name of a type or member, with
				   its NUL; longer ones are cut */
};

/* Set @out to the type that the attribute DW_AT_type of @die names, with its
   typedefs and qualifiers. Return: @out; NULL if there is none. */
Dwarf_Die *al_type_unpeeled_type_of_entry(Dwarf_Die *die, Dwarf_Die *out);

/* Set @out to the type that the attribute DW_AT_type of @die names, without
   typedefs and qualifiers. Return: @out; NULL if there is none. */
Dwarf_Die *al_type_peeled_type_of_entry(Dwarf_Die *die, Dwarf_Die *out);

/* Set @out to the type, without typedefs and qualifiers, of the innermost
   member or element at @offset [bytes] in a value of @type, which has none of
   them; of the members of a union or variant, a pointer if one is. @out may be
   @type. Return: false if no member or element begins there, there are pointers
   of several types, or a limit of the search is reached. The definitions are
   those of the file; NULL: declared structures have no parts. */
bool al_type_find_innermost_type_at_offset(struct al_type_definitions *,
					   Dwarf_Die *type, uint64_t offset,
					   Dwarf_Die *out);

bool al_type_has_pointer_or_reference_tag(Dwarf_Die *type);
bool al_type_is_structure_or_union(Dwarf_Die *peeled_type);

/* Write the name of a structure or union with its namespaces and classes, such
   as "list::node", to @text of AL_MAX_TYPE_NAME bytes; "" if it has none, is in
   a function, a namespace without a name or the like, so that the name is not
   that of one type in all units, or is too long. */
void al_type_write_global_name_or_empty(Dwarf_Die *type, char *text);

/* Write file and line of the type's declaration, such as "list.c:12", to @text
   of AL_MAX_TYPE_NAME bytes; "" if they are not known. */
void al_type_format_declaration_place(Dwarf_Die *type, char *text);

/* Return the name, interned, of a type as in C or C++, with its namespaces and
   classes: "struct list::node"; of an array, or an array of arrays, that of the
   type of its elements. A structure or union has the name of its own entry or,
   if that has none, of the typedef that names it. Another type whose outermost
   entry is a DW_TAG_const_type or DW_TAG_volatile_type has the name of the type
   behind all its qualifiers and typedefs. */
const char *al_type_intern_name(Dwarf_Die *type, struct al_intern *strings);

#endif
