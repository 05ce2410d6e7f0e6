/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.c - counts by address; see address_counts.h */

#include "analyzers/entropy/address_counts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Return the bucket that holds @address; if there is none, the free bucket
   where it can be added. */
static struct an_address_count *
find_address_bucket_or_free_one(const struct an_address_counts *t,
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
static int double_table_up_to_max_addresses(struct an_address_counts *t)
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
			*find_address_bucket_or_free_one(
				&big, t->bucket[i].address) = t->bucket[i];
	free(t->bucket);
	*t = big;
	return 0;
}

int an_address_counts_add(struct an_address_counts *t, uint64_t address,
			  uint64_t count)
{
	struct an_address_count *b;

	if (2 * t->n >= t->n_buckets && double_table_up_to_max_addresses(t))
		return -ENOMEM;
	b = find_address_bucket_or_free_one(t, address);
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

static int compare_counts_by_address(const void *x, const void *y)
{
	const struct an_address_count *a = x, *b = y;

	return (a->address > b->address) - (a->address < b->address);
}

/* Return a copy of the used buckets, sorted by ascending address, which the
   caller frees; NULL if memory is short. */
static struct an_address_count *
copy_used_counts_sorted_by_address(const struct an_address_counts *t)
{
	struct an_address_count *sorted = malloc((t->n + 1) * sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; sorted && i < t->n_buckets; i++)
		if (t->bucket[i].count != 0)
			sorted[n++] = t->bucket[i];
	if (sorted != NULL)
		qsort(sorted, n, sizeof(*sorted), compare_counts_by_address);
	return sorted;
}

/* Add @addend to *@sum by Kahan summation. *@compensation, 0 at first, is the
   rounding error of the earlier additions: it is subtracted from @addend and
   replaced by the error of this addition. */
static void add_with_kahan_compensation(double *sum, double *compensation,
					double addend)
{
	double y = addend - *compensation, t = *sum + y;

	*compensation = (t - *sum) - y;
	*sum = t;
}

/* Return the entropy [bits] of the values address >> @address_shift. With N the
   sum of all counts c, -sum p log2 p is log2 N - (sum c log2 c) / N. The
   addresses are sorted. 0 if there are none. */
static double
entropy_bits_of_shifted_addresses(const struct an_address_count *sorted_counts,
				  size_t n_addresses, unsigned address_shift)
{
	uint64_t all = 0, group = 0;
	double sum = 0, lost = 0;

	for (size_t i = 0; i < n_addresses; i++) {
		all += sorted_counts[i].count;
		group += sorted_counts[i].count;
		if (i + 1 < n_addresses &&
		    sorted_counts[i].address >> address_shift ==
			    sorted_counts[i + 1].address >> address_shift)
			continue;
		add_with_kahan_compensation(
			&sum, &lost, (double)group * log2((double)group));
		group = 0;
	}
	return all ? log2((double)all) - sum / (double)all : 0;
}

int an_address_counts_compute_entropies(
	const struct an_address_counts *t,
	double entropy_bits_out[1 + AN_LOCAL_ENTROPIES])
{
	struct an_address_count *sorted = copy_used_counts_sorted_by_address(t);

	if (sorted == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k <= AN_LOCAL_ENTROPIES; k++)
		entropy_bits_out[k] =
			entropy_bits_of_shifted_addresses(sorted, t->n, k);
	free(sorted);
	return 0;
}
