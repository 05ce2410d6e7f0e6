/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_scopes.h - finds the functions, blocks and inlined calls of the debug
 *                 information that contain an address of code
 *
 * dwarf_getscopes() reads all entries of a compilation unit at each call. Here
 * the functions of a unit are listed once, and only the entries of one function
 * are read at a call.
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_CODE_SCOPES_H
#define LIB_SYMBOLS_CODE_SCOPES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* Greatest number of scopes that are found; more are left out. */
enum { AL_MAX_SCOPES = 64 };

/* Addresses, as in the file, of code of a function. */
struct al_function_code {
	uint64_t start;
	uint64_t end;	       /* address after the last byte of the code */
	uint64_t furthest_end; /* greatest end of this code and of all code
				  before it in the array */
	size_t number;	       /* by order of the unit's entries */
	Dwarf_Die die;	       /* entry of the function */
};

struct al_unit_functions {
	Dwarf_Off unit;		       /* offset of the unit's entry */
	struct al_function_code *code; /* [n] sorted by start */
	size_t n, capacity;
};

/* Units for which al_code_scopes_list() was called. Initialise with zeros. */
struct al_code_scopes {
	struct al_unit_functions *unit; /* [n_units] in order of first use */
	size_t n_units, units_capacity;
};

/* Copy the entries of @unit that contain @pc, an address as in the file, to
   @scope: the innermost first, up to the first inlined call or function. After
   an inlined call come those that contain the definition of the inlined
   function, if that lies in the function. Return: their number; 0 if there is
   none or memory is short. */
unsigned al_code_scopes_list(struct al_code_scopes *, Dwarf_Die *unit,
			     Dwarf_Addr pc,
			     Dwarf_Die scope[static AL_MAX_SCOPES]);

void al_code_scopes_release(struct al_code_scopes *);

#endif
