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

/* Copy the entries of @unit that contain @pc, an address as in the file, to
   @scopes_out: the innermost first, up to the first inlined call or function.
   After an inlined call come those that contain the definition of the inlined
   function, if that lies in the function. Return: their number; 0 if there is
   none or memory is short. */
unsigned al_code_scopes_list(struct al_code_scopes *, Dwarf_Die *unit,
			     Dwarf_Addr pc,
			     Dwarf_Die scopes_out[static AL_MAX_SCOPES]);

void al_code_scopes_release(struct al_code_scopes *);

#endif
