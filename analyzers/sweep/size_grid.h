/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * size_grid.h - a sweep's caches of one line size, by size and associativity
 */
#ifndef ANALYZERS_SWEEP_SIZE_GRID_H
#define ANALYZERS_SWEEP_SIZE_GRID_H

#include "analyzers/sweep/line_size.h"

enum {
	AN_FULL = 0,   /* as an associativity */
	AN_LABEL = 24, /* [bytes] room for a size or associativity */
};

struct an_sweepgrid {
	uint32_t line; /* [bytes] */
	unsigned n_sizes;
	unsigned n_assocs;
	uint64_t *size;			   /* ascending */
	uint32_t *assoc;		   /* ascending, AN_FULL last */
	const struct an_sweepcount **cell; /* [n_sizes * n_assocs], by size;
					      NULL: not in the sweep */
};

/* The least line size of the sweep that is more than @than; 0: none. */
uint32_t an_sweepgrid_line(const struct an_sweep *, uint32_t than);

/* @count: by shape. 0 or -ENOMEM; an_sweepgrid_release() in both cases. */
int an_sweepgrid_init(struct an_sweepgrid *, const struct an_sweep *,
		      const struct an_sweepcount *count, uint32_t line);
void an_sweepgrid_release(struct an_sweepgrid *);

/* Misses of reads and writes together in percent of accesses; negative where
   there is no cache, 0 where there are no accesses. */
double an_sweepgrid_percent(const struct an_sweepgrid *, unsigned size,
			    unsigned assoc);

/* 4194304 as "4M". */
const char *an_sweepgrid_size(char to[AN_LABEL], uint64_t bytes);

/* "8-way", "full". */
const char *an_sweepgrid_assoc(char to[AN_LABEL], uint32_t assoc);

#endif
