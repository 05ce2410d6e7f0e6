/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bins.c - counts events by interval of executed instructions; see bins.h */

#include "analyzers/timeline/bins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t total_rows_of_use_sets_and_of_series(const struct an_bins *b)
{
	return (size_t)b->n_use_sets * AN_USE_ROWS + b->n_series;
}

static int alloc_counts_if_null(struct an_bins *b)
{
	if (b->count == NULL)
		b->count = calloc(total_rows_of_use_sets_and_of_series(b) *
					  AN_MAX_BINS,
				  sizeof(*b->count));
	return b->count ? 0 : -ENOMEM;
}

static void add_up_neighbouring_bins_of_row(uint64_t *row)
{
	for (unsigned i = 0; i < AN_MAX_BINS / 2; i++)
		row[i] = row[2 * i] + row[2 * i + 1];
	memset(row + AN_MAX_BINS / 2, 0, AN_MAX_BINS / 2 * sizeof(*row));
}

/* Move each row k of a use set, except AN_USE_FIRST, to row k - 1, because the
   width of the bins doubles. (k is the highest bit in which the numbers of the
   bin of a use and of the bin of its previous use differ.) Drop row 0: the two
   bins of its uses become one bin. */
static void shift_use_rows_down_by_one_drop_row_0(struct an_bins *b,
						  unsigned use_set)
{
	uint64_t *rows = an_bins_use_row(b, use_set, 0);

	memmove(rows, rows + AN_MAX_BINS,
		(AN_USE_FIRST - 1) * AN_MAX_BINS * sizeof(*rows));
	memset(rows + (AN_USE_FIRST - 1) * AN_MAX_BINS, 0,
	       AN_MAX_BINS * sizeof(*rows));
}

void an_bins_double_width(struct an_bins *b)
{
	b->shift++;
	b->n = (b->n + 1) / 2;
	if (b->count == NULL)
		return;
	for (unsigned i = 0; i < b->n_use_sets; i++)
		shift_use_rows_down_by_one_drop_row_0(b, i);
	for (size_t row = 0; row < total_rows_of_use_sets_and_of_series(b);
	     row++)
		add_up_neighbouring_bins_of_row(b->count + row * AN_MAX_BINS);
}

int64_t an_bins_begin_bin_of_time(struct an_bins *b, uint64_t time)
{
	uint32_t bin;

	if (alloc_counts_if_null(b) != 0)
		return -ENOMEM;
	while (time >> b->shift >= AN_MAX_BINS)
		an_bins_double_width(b);
	bin = an_bins_bin_of_time(b, time);
	if (bin >= b->n)
		b->n = bin + 1;
	return bin;
}

void an_bins_count_use_for_distinct_count(struct an_bins *b, unsigned use_set,
					  uint32_t bin,
					  uint64_t previous_use_time_plus_1)
{
	unsigned row = AN_USE_FIRST;

	if (previous_use_time_plus_1 != 0) {
		uint32_t previous =
			an_bins_bin_of_time(b, previous_use_time_plus_1 - 1);

		if (previous == bin)
			return;
		row = 31 - (unsigned)__builtin_clz(previous ^ bin);
	}
	an_bins_use_row(b, use_set, row)[bin]++;
}

void an_bins_compute_distinct_uses(const struct an_bins *b, unsigned use_set,
				   uint64_t *distinct_out)
{
	memset(distinct_out, 0, b->n * sizeof(*distinct_out));
	for (unsigned row = 0; b->count && row < AN_USE_ROWS; row++)
		for (uint32_t i = 0; i < b->n; i++)
			distinct_out[i] += an_bins_use_row(b, use_set, row)[i];
}

/* Add the @n counts of row @from to row @to, whose bins are 1 << @doublings
   times as wide. */
static void add_row_of_narrow_bins(uint64_t *to, const uint64_t *from,
				   uint32_t n, unsigned doublings)
{
	for (uint32_t i = 0; i < n; i++)
		to[i >> doublings] += from[i];
}

static void add_use_set_of_narrow_bins(struct an_bins *b,
				       const struct an_bins *from,
				       unsigned use_set, unsigned doublings)
{
	for (unsigned row = doublings; row < AN_USE_FIRST; row++)
		add_row_of_narrow_bins(
			an_bins_use_row(b, use_set, row - doublings),
			an_bins_use_row(from, use_set, row), from->n,
			doublings);
	add_row_of_narrow_bins(an_bins_use_row(b, use_set, AN_USE_FIRST),
			       an_bins_use_row(from, use_set, AN_USE_FIRST),
			       from->n, doublings);
}

int an_bins_merge(struct an_bins *b, const struct an_bins *from)
{
	unsigned doublings;
	uint32_t n;

	if (from->count == NULL)
		return 0;
	if (alloc_counts_if_null(b) != 0)
		return -ENOMEM;
	while (b->shift < from->shift)
		an_bins_double_width(b);
	doublings = b->shift - from->shift;
	for (unsigned i = 0; i < b->n_use_sets; i++)
		add_use_set_of_narrow_bins(b, from, i, doublings);
	for (unsigned i = 0; i < b->n_series; i++)
		add_row_of_narrow_bins(an_bins_series(b, i),
				       an_bins_series(from, i), from->n,
				       doublings);
	n = from->n > 0 ? ((from->n - 1) >> doublings) + 1 : 0;
	if (n > b->n)
		b->n = n;
	return 0;
}

void an_bins_release(struct an_bins *b)
{
	free(b->count);
	b->count = NULL;
}
