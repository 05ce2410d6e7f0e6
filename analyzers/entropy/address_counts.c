/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.c - counts by address; see address_counts.h */

#include "analyzers/entropy/address_counts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Return the bucket that holds @address; if there is none, the free bucket
   where it can be added. */
static struct an_address_count *find_bucket(const struct an_address_counts *t,
					    uint64_t address)
{
	size_t i = address * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (i &= t->n_buckets - 1;
	     t->bucket[i].count != 0 && t->bucket[i].address != address;
	     i = (i + 1) & (t->n_buckets - 1))
		;
	return &t->bucket[i];
}

/* Double the number of buckets, 0 to 4096, so that at most half of them are
   used. Return: 0; -ENOMEM, also if the table has AN_MAX_ADDRESSES. */
static int grow_table(struct an_address_counts *t)
{
	struct an_address_counts big = {
		.n_buckets = t->n_buckets ? 2 * t->n_buckets : 4096, .n = t->n};

	if (t->n == AN_MAX_ADDRESSES)
		return -ENOMEM;
	big.bucket = calloc(big.n_buckets, sizeof(*big.bucket));
	if (big.bucket == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_buckets; i++)
		if (t->bucket[i].count != 0)
			*find_bucket(&big, t->bucket[i].address) = t->bucket[i];
	free(t->bucket);
	*t = big;
	return 0;
}

int an_address_counts_add(struct an_address_counts *t, uint64_t address,
			  uint64_t count)
{
	struct an_address_count *b;

	if (2 * t->n >= t->n_buckets && grow_table(t))
		return -ENOMEM;
	b = find_bucket(t, address);
	t->n += b->count == 0;
	b->address = address;
	b->count += count;
	return 0;
}

void an_address_counts_release(struct an_address_counts *t)
{
	free(t->bucket);
	*t = (struct an_address_counts){0};
}

static int compare_addresses(const void *x, const void *y)
{
	const struct an_address_count *a = x, *b = y;

	return (a->address > b->address) - (a->address < b->address);
}

/* Return a copy of the used buckets, sorted by ascending address, which the
   caller frees; NULL if memory is short. */
static struct an_address_count *sort_counts(const struct an_address_counts *t)
{
	struct an_address_count *sorted = malloc((t->n + 1) * sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; sorted && i < t->n_buckets; i++)
		if (t->bucket[i].count != 0)
			sorted[n++] = t->bucket[i];
	if (sorted != NULL)
		qsort(sorted, n, sizeof(*sorted), compare_addresses);
	return sorted;
}

/* Add @addend to *@sum by Kahan summation. *@compensation, 0 at first, is the
   rounding error of the earlier additions: it is subtracted from @addend and
   replaced by the error of this addition. */
static void add_exactly(double *sum, double *lost, double x)
{
	double y = x - *lost, t = *sum + y;

	*lost = (t - *sum) - y;
	*sum = t;
}

/* Return the entropy [bits] of the values address >> @address_shift. With N the
   sum of all counts c, -sum p log2 p is log2 N - (sum c log2 c) / N. The
   addresses are sorted. 0 if there are none. */
static double entropy_of_sorted(const struct an_address_count *c, size_t n,
				unsigned shift)
{
	uint64_t all = 0, group = 0;
	double sum = 0, lost = 0;

	for (size_t i = 0; i < n; i++) {
		all += c[i].count;
		group += c[i].count;
		if (i + 1 < n &&
		    c[i].address >> shift == c[i + 1].address >> shift)
			continue;
		add_exactly(&sum, &lost, (double)group * log2((double)group));
		group = 0;
	}
	return all ? log2((double)all) - sum / (double)all : 0;
}

int an_address_counts_entropy(const struct an_address_counts *t,
			      double entropy[1 + AN_LOCAL_ENTROPIES])
{
	struct an_address_count *sorted = sort_counts(t);

	if (sorted == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k <= AN_LOCAL_ENTROPIES; k++)
		entropy[k] = entropy_of_sorted(sorted, t->n, k);
	free(sorted);
	return 0;
}
