/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation.h - whether instructions accumulate a value in memory */
#ifndef ANALYZERS_CODE_ACCUMULATION_H
#define ANALYZERS_CODE_ACCUMULATION_H

#include "analyzers/code/code_map.h"

enum an_accumulation {
	AN_NO_ACCUMULATION,
	AN_INDUCTION, /* a constant is added: each value is known from the first
		       */
	AN_REDUCTION, /* a sum, product, minimum, maximum or bitwise operation,
			 whose value between is not used */
};

/**
 * an_accumulation_of_load_and_store() - Decide how the value that an
 * instruction loads is changed until another one stores it.
 * @body: [n] the instructions of a loop, in the order of execution if it has no
 *        branches.
 * @load: index of an instruction that loads the value from memory, or modifies
 *        it there.
 * @store: index of the instruction that stores it at the same address, at least
 *        @load.
 */
enum an_accumulation
an_accumulation_of_load_and_store(const struct an_instr_node *const *body,
				  size_t n, size_t load, size_t store);

#endif
