/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_variables.h - finds the variables and parameters of a function that are
 *                     in a register or in the function's stack frame
 *
 * Registers have the numbers that DWARF gives them, addresses are those of the
 * file. Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_LOCAL_VARIABLES_H
#define LIB_SYMBOLS_LOCAL_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/symbols/types/type_definitions.h"

enum al_local_place_kind {
	AL_LOCAL_IN_REGISTER,
	AL_LOCAL_AT_REGISTER,	/* in memory at the address in the register plus
				 the displacement */
	AL_LOCAL_AT_FRAME_BASE, /* in memory at the frame base of the function
				   plus the displacement */
};

/* A place that a variable has while the program is at addresses `start` to
   `end` - 1. */
struct al_local_place {
	uint64_t start, end;
	enum al_local_place_kind kind;
	unsigned register_number;
	int64_t displacement; /* [bytes] */
	unsigned depth;	      /* number of blocks and inlined calls around the
				 variable */
	Dwarf_Die type;	      /* without typedefs and qualifiers */
};

/* The variables of a function, and of the calls that are inlined in it. */
struct al_local_variables {
	Dwarf_Die function;
	struct al_local_place *place; /* [n] */
	size_t n, capacity;
};

/* List the variables of @function, with their places of the above kinds that a
   single DWARF operation states, and the pointers in them that are in
   registers, as those of an iterator. Once there are 4096 places, further DWARF
   locations are left out. @out: zeros. Return: 0; -ENOMEM. */
int al_local_variables_list(struct al_local_variables *out,
			    const Dwarf_Die *function);

/* Set @type_out to the type, without typedefs and qualifiers, of the innermost
   variable, or part of one, that is in register @register_number at @pc and is
   a pointer or reference. Return: whether there is one. */
bool al_local_variables_find_pointer(const struct al_local_variables *,
				     Dwarf_Addr pc, unsigned register_number,
				     Dwarf_Die *type_out);

/* Set @type_out to the type, without typedefs and qualifiers, of what is at
   @displacement [bytes] from the address in register @register_number at @pc: a
   variable in the frame, or the innermost part of one. The definitions and
   @frame_info_or_null are those of the file. Return: whether there is one. */
bool al_local_variables_find_type_in_frame(
	const struct al_local_variables *, struct al_type_definitions *,
	Dwarf_CFI *frame_info_or_null, Dwarf_Addr pc, unsigned register_number,
	int64_t displacement, Dwarf_Die *type_out);

void al_local_variables_release(struct al_local_variables *);

#endif
