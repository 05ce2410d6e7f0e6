/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bins.h - counts events by interval of time
 *
 * Time is a number of executed instructions. A bin is an interval of
 * an_bins_width() instructions, a power of two; bin 0 begins at time 0. When
 * time passes the last of AN_MAX_BINS bins, the width doubles, and the counts
 * of neighbours are added up. So a run of any length above AN_MAX_BINS / 2
 * instructions has between AN_MAX_BINS / 2 and AN_MAX_BINS bins, and the sum of
 * a series over its bins is the number of its events.
 *
 * The number of distinct things, such as pages, that are used in a bin is not
 * the sum of those of its halves. It is derived from a use set. Row k of a use
 * set counts, for each bin a, the things used in a whose previous use was in an
 * earlier bin b, with k the highest bit in which the numbers a and b differ;
 * row AN_USE_FIRST counts those without a previous use. The sum of all rows is
 * the number of distinct things. When the width doubles, row 0 is dropped,
 * since a and b are now one bin; row k becomes row k - 1, and the counts of
 * neighbours are added up.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_TIMELINE_BINS_H
#define ANALYZERS_TIMELINE_BINS_H

#include <stddef.h>
#include <stdint.h>

enum {
	AN_BIN_BITS = 11,
	AN_MAX_BINS = 1 << AN_BIN_BITS,
	AN_USE_FIRST = AN_BIN_BITS, /* row of a use set that counts first
				       uses */
	AN_USE_ROWS,
};

/* Rows of counts, [AN_MAX_BINS] each: first those of the use sets,
   [AN_USE_ROWS] each, then the series. Zeros, except n_use_sets and n_series,
   are a valid state without counts. */
struct an_bins {
	unsigned n_use_sets, n_series; /* constant */
	unsigned shift;		       /* log2 of the width of a bin */
	uint32_t n;		       /* bins that have begun */
	uint64_t *count;	       /* NULL: nothing was counted */
};

/* Return the width of a bin [instructions]. */
static inline uint64_t an_bins_width(const struct an_bins *b)
{
	return UINT64_C(1) << b->shift;
}

/* Return the counts of a series by bin: [b->n]. b->count is not NULL. */
static inline uint64_t *an_bins_series(const struct an_bins *b, unsigned series)
{
	return b->count +
	       ((size_t)b->n_use_sets * AN_USE_ROWS + series) * AN_MAX_BINS;
}

/* Return row @row of a use set: [b->n]. Row AN_USE_FIRST has the number of
   things that were used for the first time. b->count is not NULL. */
static inline uint64_t *an_bins_use_row(const struct an_bins *b,
					unsigned use_set, unsigned row)
{
	return b->count + ((size_t)use_set * AN_USE_ROWS + row) * AN_MAX_BINS;
}

/* Return the bin of a time that an_bins_begin_bin_of_time() was called for, or
   of an earlier time. */
static inline uint32_t an_bins_bin_of_time(const struct an_bins *b,
					   uint64_t time)
{
	return (uint32_t)(time >> b->shift);
}

/* Begin all bins up to the one that contains @time; this can double the width
   of all bins. Return: that bin's number; -ENOMEM. */
int64_t an_bins_begin_bin_of_time(struct an_bins *, uint64_t time);

/* Count a use, in bin @bin, of a thing of a use set. @previous_use_time_plus_1:
   1 + time of its previous use; 0: there is none. */
void an_bins_count_use_for_distinct_count(struct an_bins *, unsigned use_set,
					  uint32_t bin,
					  uint64_t previous_use_time_plus_1);

/* Set @distinct_out, [b->n], to the number of distinct things of a use set that
   were used in each bin. */
void an_bins_compute_distinct_uses(const struct an_bins *, unsigned use_set,
				   uint64_t *distinct_out);

/* Double the width of all bins, and add up the counts of neighbours. */
void an_bins_double_width(struct an_bins *);

/* Add the counts of @from, which has as many use sets and series; bin 0 of both
   begins at the same time. Return: 0 or -ENOMEM. */
int an_bins_merge(struct an_bins *, const struct an_bins *from);

void an_bins_release(struct an_bins *);

#endif
