/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * size_grid.h - arranges a sweep's caches of one line size by size and
 * associativity, and plots their miss ratio curves
 */
#ifndef ANALYZERS_SWEEP_SIZE_GRID_H
#define ANALYZERS_SWEEP_SIZE_GRID_H

#include "analyzers/sweep/line_size.h"

enum {
	AN_FULLY_ASSOC = 0, /* associativity that stands for "fully
			       associative" */
	AN_LABEL_SIZE = 24, /* [bytes] for a formatted size or associativity */
};

struct an_sweepgrid {
	uint32_t line; /* [bytes] line size of all caches of the grid */
	unsigned n_sizes;
	unsigned n_assocs;
	uint64_t *size;			   /* [n_sizes] sizes of the caches
					      [bytes], ascending */
	uint32_t *assoc;		   /* [n_assocs] ascending, but
					      AN_FULLY_ASSOC is last */
	const struct an_sweepcount **cell; /* [n_sizes * n_assocs] counts, at
					      index in `size` * n_assocs +
					      index in `assoc`; NULL: the sweep
					      has no such cache */
};

/* Return the smallest line size of the sweep that is greater than
   @current_size; 0: none. */
uint32_t an_sweep_next_larger_line_size_or_0(const struct an_sweep *,
					     uint32_t current_size);

/* Build the grid of the caches with line size @line_size. @counts: by shape;
   must outlive the grid. Return: 0 or -ENOMEM; call an_sweepgrid_release() in
   both cases. */
int an_sweepgrid_build(struct an_sweepgrid *, const struct an_sweep *,
		       const struct an_sweepcount *counts, uint32_t line_size);
void an_sweepgrid_release(struct an_sweepgrid *);

/* Return the misses of a cache in percent of its accesses; negative if the
   sweep has no such cache, 0 if the cache had no accesses. @size_index,
   @assoc_index: indices in `size` and `assoc`. */
double an_sweepgrid_miss_percent(const struct an_sweepgrid *,
				 unsigned size_index, unsigned assoc_index);

/* Format a size, in the largest of the units 1, K, M and G that divides it:
   4194304 as "4M". Return: @to. */
const char *an_sweepgrid_format_size(char to[AN_LABEL_SIZE], uint64_t bytes);

/* Format an associativity: "8-way"; AN_FULLY_ASSOC as "full". Return: @buffer,
   or a constant for "full". */
const char *an_sweepgrid_format_full_or_n_way(char buffer[AN_LABEL_SIZE],
					      uint32_t assoc);

/* Print a plot of the miss percentage over the cache size, with a curve for
   each associativity, 12 at most. Print nothing if there are fewer than 2 or
   more than 66 sizes. */
void an_miss_curves_print(const struct an_sweepgrid *, struct an_text *);

#endif
