/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type_definitions.h - finds the definition of a structure that the debug
 *                      information of a unit only declares
 *
 * Compilers write the members of a class with virtual functions or constructors
 * only into the unit that has the code of one of them; other units have a
 * declaration, also if their code accesses members. A definition is found by
 * the name with its namespaces and classes in the units of the same file. The
 * definitions are listed when the first declaration is met.
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_TYPES_TYPE_DEFINITIONS_H
#define LIB_SYMBOLS_TYPES_TYPE_DEFINITIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "base/tables/intern.h"
#include "base/tables/key_table.h"

enum {
	AL_MAX_TYPE_DEFINITIONS = 1 << 20,  /* of a file; further ones are not
					      found */
	AL_MAX_COMPARED_DEFINITIONS = 1024, /* with one name, without namespaces
					       and classes; further ones are
					       not compared */
};

/* Definition of a structure, class or union that has a name. */
struct al_type_definition {
	Dwarf_Off entry;
	uint32_t next; /* index + 1 of the definition listed before it that has
			  the same name, without namespaces and classes; 0:
			  none */
};

/* Definitions in a file. Initialise with zeros, then set `dwarf` and `strings`.
 */
struct al_type_definitions {
	Dwarf *dwarf;
	struct al_intern *strings;
	bool is_listed;
	struct al_type_definition *definition; /* [n] */
	uint32_t n, size;
	/* numbers names without namespaces and classes: {hash of the name} */
	struct al_key_table names;
	uint32_t *first; /* [names.n] index + 1 of a definition with the name */
	uint32_t first_size;
	struct al_key_table declarations; /* {offset of the entry} */
	Dwarf_Off *found; /* [declarations.n] definition of each declaration; 0:
			     none */
	uint32_t found_size;
	int depth; /* searches that are not finished: one in another */
};

/* If the entry @peeled_type of a structure, class or union is only a
   declaration, replace it by its definition; unchanged if there is none in the
   file, or if there are several with different sizes or members. Names in
   functions and namespaces without names are not followed. */
void al_type_definitions_replace_declaration(struct al_type_definitions *,
					     Dwarf_Die *peeled_type);

/* Set @out to the type that the attribute DW_AT_type of @die names, without
   typedefs and qualifiers, and with declarations replaced. Return: @out; NULL
   if there is none. */
Dwarf_Die *al_type_definitions_find_type_of_entry(struct al_type_definitions *,
						  Dwarf_Die *die,
						  Dwarf_Die *out);

/* Set @out to the type that the attribute DW_AT_type of @die names, with its
   typedefs and qualifiers. If it is a declaration, leave these out, and replace
   it by its definition if that is found. Return: whether there is a type. */
bool al_type_definitions_find_entry_type(struct al_type_definitions *,
					 Dwarf_Die *die, Dwarf_Die *out);

void al_type_definitions_release(struct al_type_definitions *);

#endif
