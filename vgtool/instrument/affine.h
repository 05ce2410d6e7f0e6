/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * affine.h - addresses as sums, to see which differ by a constant
 *
 * In flat VEX IR every address is a temporary or a constant. Written as
 *
 *   coef[0] * temp[0] + ... + constant     (modulo 2^64)
 *
 * two addresses with equal sums before the constant need one slot between
 * them. Temporaries that no rule takes apart stand for themselves.
 */
#ifndef VGTOOL_INSTRUMENT_AFFINE_H
#define VGTOOL_INSTRUMENT_AFFINE_H

#include "vgtool/core/prelude.h"

enum { VT_TERMS = 3 };

struct vt_affine {
	UInt n_terms;
	IRTemp temp[VT_TERMS]; /* rising */
	ULong coef[VT_TERMS];  /* not 0 */
	ULong constant;
};

/* Forgets all; @n_temps of the block to come. */
void vt_affine_start(UInt n_temps);

/* Learns from one statement, in program order. */
void vt_affine_note(const IRStmt *);

/* The sum of a flat 64-bit address. */
struct vt_affine vt_affine_of(const IRExpr *atom);

/* Equal but for the constant. */
Bool vt_affine_same_terms(const struct vt_affine *, const struct vt_affine *);

#endif
