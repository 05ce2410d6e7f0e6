/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * access_types.h - finds the structure that an access's instruction implies
 *
 * If the debug information has a variable in the register that an instruction
 * accesses memory through, and the variable is a pointer to a structure, the
 * instruction accesses this structure. Half of a program's instructions imply
 * none.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_ACCESS_TYPES_H
#define ANALYZERS_DATA_ACCESS_TYPES_H

#include "analyzers/analyzer.h"

/* Structures that the accesses of blocks imply. Initialise with zeros, then set
   `env`. */
struct an_access_types {
	const struct an_env *env;
	/* [n_blocks] by block id: array of the types of the block's accesses,
	   by number of the access; NULL until a type of the block is asked
	   for */
	const struct an_type ***block;
	uint32_t n_blocks;
};

/* Return the structure to which the address register of access @access of a
   block points; it is inferred on the first call and then stored. NULL: none,
   or memory is short. */
const struct an_type *an_access_types_find_or_infer_structure(
	struct an_access_types *, const struct an_block *, unsigned access);

void an_access_types_release(struct an_access_types *);

#endif
