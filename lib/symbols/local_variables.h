/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_variables.h - finds the variables and parameters of a function that are
 *                     in a register or in the function's stack frame
 *
 * Registers have the numbers that DWARF gives them. Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_LOCAL_VARIABLES_H
#define LIB_SYMBOLS_LOCAL_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/symbols/code_scopes.h"

/* The scopes that contain an address of code. */
struct al_local_scopes {
	Dwarf_Addr pc; /* address, as in the file, of an instruction */
	Dwarf_Die scope[AL_MAX_SCOPES]; /* [n] innermost first */
	unsigned n;
	Dwarf_Die *function;   /* whose frame the variables are in */
	Dwarf_CFI *frame_info; /* of the file; NULL: it has none */
};

/* Set @type_out to the type, without typedefs and qualifiers, of the innermost
   variable that is in register @register_number as a whole and is a pointer or
   reference. Return: whether there is one. */
bool al_local_variables_find_pointer_in_register(const struct al_local_scopes *,
						 unsigned register_number,
						 Dwarf_Die *type_out);

/* Set @type_out to the type, without typedefs and qualifiers, of what is at
   @displacement [bytes] from the address in register @register_number: a
   variable in the frame, or a part of one. Return: whether there is one. */
bool al_local_variables_find_type_in_frame(const struct al_local_scopes *,
					   unsigned register_number,
					   int64_t displacement,
					   Dwarf_Die *type_out);

#endif
