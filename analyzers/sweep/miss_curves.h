/* SPDX-License-Identifier: GPL-2.0-or-later */
/* miss_curves.h - plots miss ratio curves as text */
#ifndef ANALYZERS_SWEEP_MISS_CURVES_H
#define ANALYZERS_SWEEP_MISS_CURVES_H

#include "analyzers/sweep/size_grid.h"

/* Print the misses over the cache size as a plot, with a curve for each
   associativity. Print nothing if there is only one size. */
void an_miss_curves_print(const struct an_sweepgrid *, struct an_text *);

#endif
