/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_scopes.h - finds the compilation units and functions of the debug
 *                 information that contain an address of code
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_CODE_SCOPES_H
#define LIB_SYMBOLS_CODE_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/symbols/code_ranges.h"

struct al_unit_functions {
	Dwarf_Off unit; /* offset of the unit's entry */
	struct al_code_ranges functions;
};

/* Initialise with zeros. */
struct al_code_scopes {
	struct al_unit_functions *unit; /* [n_units] units whose functions were
					   listed, in order of first use */
	size_t n_units, units_capacity;
	bool has_units;		     /* `units` is set */
	struct al_code_ranges units; /* units of the file that have code */
};

/* Return the compilation unit whose code contains @pc, an address as in the
   file; NULL: none, or memory is short. The units are listed at the first call;
   all calls must be for one file. The search of libdw finds only units that are
   in .debug_aranges, which clang does not write. */
Dwarf_Die *al_code_scopes_find_unit(struct al_code_scopes *, Dwarf *,
				    Dwarf_Addr pc);

/* Return the range of code that contains @pc of a function that is in no other
   function and no class; NULL: none, or memory is short. */
struct al_code_range *al_code_scopes_find_function(struct al_code_scopes *,
						   Dwarf *, Dwarf_Addr pc);

void al_code_scopes_release(struct al_code_scopes *);

#endif
