/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * miss_curves.h - miss ratio curves in plain characters
 */
#ifndef ANALYZERS_SWEEP_MISS_CURVES_H
#define ANALYZERS_SWEEP_MISS_CURVES_H

#include "analyzers/sweep/size_grid.h"

/* Misses over size, a curve for each associativity; nothing where there is but
   one size. */
void an_sweepplot(const struct an_sweepgrid *, struct an_text *);

#endif
