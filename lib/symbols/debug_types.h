/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug_types.h - reads types of variables from the debug information of an
 *                 object file
 *
 * Threads: the caller locks.
 *
 * The time is bounded: after AL_MAX_DEBUG_ENTRIES entries of the debug
 * information the rest of the file is not searched for variables.
 */
#ifndef LIB_SYMBOLS_DEBUG_TYPES_H
#define LIB_SYMBOLS_DEBUG_TYPES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tables/intern.h"
#include "base/text/data_type.h"
#include "lib/symbols/code_scopes.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/function_flow.h"
#include "lib/symbols/types/type_definitions.h"

/* A variable with a fixed address in the object file, or a thread-local one. */
struct al_typed_variable {
	uint64_t addr;	   /* address as in the file; of a thread-local
			      variable, 2^63 + its offset in the thread-local
			      segment (PT_TLS) */
	Dwarf_Off entry;   /* offset of the variable's entry in the debug
			      information */
	bool was_resolved; /* `type` is set */
	const struct an_type *type; /* layout of the variable's type; NULL: that
				       type has no layout */
};

/* Layout of a structure that some instruction accesses. */
struct al_pointed_type {
	Dwarf_Off entry;
	const struct an_type *type; /* layout of the structure; NULL: it has
				       none */
};

/* Types of an object file. Initialise with zeros. */
struct al_debug_types {
	struct al_elf main, debug;
	Dwarf *dwarf;	       /* NULL: there is no debug information */
	Dwarf_CFI *frame_info; /* of `main`; NULL: there is none */
	uint64_t text;	       /* address of .text as in the file */
	struct al_intern *strings;
	/* [n_variables] sorted by address */
	struct al_typed_variable *variable;
	size_t n_variables, variables_size;
	struct al_pointed_type *pointed; /* [n_pointed] structures that
					    instructions access, in order of
					    first use */
	size_t n_pointed, pointed_size;
	struct al_type_definitions definitions;
	struct al_code_scopes scopes;
	struct al_function_flows flows;
	bool has_malloc_answer; /* the next two members are set */
	bool is_malloc_unit;	/* the unit at `malloc_answer_unit` is that
					 of the C library's malloc() */
	Dwarf_Off malloc_answer_unit; /* offset of a compilation unit's entry */
};

/* Open the object file @path and its debug information, and list its variables
   with a fixed address and the thread-local ones. A file that cannot be read
   has no variables and no types; this is no error. Return: 0; -ENOMEM. */
int al_debug_types_open_and_list_variables(struct al_debug_types *,
					   const char *path,
					   struct al_intern *);

/* Return the type of the variable at @addr, an address as in the file; NULL if
   it is not known. Members are named with the variable: "list[].key". */
const struct an_type *al_debug_types_find_variable_type(struct al_debug_types *,
							uint64_t addr);

/* Return the type of the thread-local variable at @offset [bytes] in the file's
   thread-local segment (PT_TLS); NULL if it is not known. Members are named as
   by al_debug_types_find_variable_type(). */
const struct an_type *
al_debug_types_find_thread_variable_type(struct al_debug_types *,
					 uint64_t offset);

/* Set @variable_out to the entry of the variable with a fixed address that
   begins at or, as the last one, before @elf_address, and @offset_out to the
   distance [bytes] from its begin, which may be greater than its size. Return:
   whether there is one. */
bool al_debug_types_find_variable(struct al_debug_types *, uint64_t elf_address,
				  Dwarf_Die *variable_out,
				  uint64_t *offset_out);

/* Return the structure that the instruction at @elf_address accesses: the one
   to which the base register of its address or, if that is not known, the index
   register points. NULL: it is not known, or the instruction is of the C
   library's malloc(), realloc() and their like: variables there point to
   structures of the allocator, not to those that the program stores in the
   block. Defined in pointer_types.c. */
const struct an_type *
al_debug_types_find_accessed_structure(struct al_debug_types *,
				       uint64_t elf_address);

/* Return the layout of @structure, which is built at the first call; NULL: it
   has none or no members, or memory is short. */
const struct an_type *al_debug_types_structure_layout(struct al_debug_types *,
						      Dwarf_Die *structure);

/* Whether compilation unit @unit is that of malloc() and its like of the GNU C
   library; the result for the last unit is stored. */
bool al_debug_types_is_libc_malloc_unit(struct al_debug_types *,
					Dwarf_Die *unit);

void al_debug_types_release(struct al_debug_types *);

#endif
