/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * affine.h - writes addresses as sums, to find those that differ by a constant
 *
 * In flat VEX IR every address is a temporary or a constant. Each temporary is
 * expressed as
 *
 *   coef[0] * temp[0] + ... + constant     (modulo 2^64)
 *
 * Two addresses that differ only in the constant can share one slot of a unit.
 * A temporary that is computed in another way than by copies, additions,
 * subtractions, and multiplications or left shifts by constants, or has a sum
 * of more than VT_MAX_TERMS terms, is a term by itself.
 */
#ifndef VGTOOL_INSTRUMENT_AFFINE_H
#define VGTOOL_INSTRUMENT_AFFINE_H

#include "vgtool/core/prelude.h"

enum { VT_MAX_TERMS = 3 };

struct vt_affine {
	UInt n_terms;
	IRTemp temp[VT_MAX_TERMS]; /* in ascending order */
	ULong coef[VT_MAX_TERMS];  /* not 0 */
	ULong constant;
};

/* Begin a block that has @temp_count temporaries: each one's sum is the
   temporary itself. */
void vt_affine_init_each_sum_to_its_temp(UInt temp_count);

/* If a statement copies a temporary, or sets one to the result of an operation
   that can be written as a sum, store this sum for the temporary that it sets.
   Call for each statement in program order. */
void vt_affine_record_weighted_sum(const IRStmt *);

/* Return the sum that equals @atom, an address of 64 bits that is a temporary
   or a constant. Panics if it is neither. */
struct vt_affine vt_affine_sum_of_address_atom(const IRExpr *atom);

/* Whether two sums differ at most in their constants. */
Bool vt_affine_has_same_terms(const struct vt_affine *,
			      const struct vt_affine *);

#endif
