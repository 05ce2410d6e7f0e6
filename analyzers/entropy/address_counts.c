/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts.c - counts by address; see address_counts.h */

#include "analyzers/entropy/address_counts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "base/tables/compare.h"

/* Sums of c log2 c, with c the count of a group of addresses. At index k, a
   group has the addresses with equal address >> k. */
struct entropy_sums {
	double sum[1 + AN_LOCAL_ENTROPIES];
	double lost[1 + AN_LOCAL_ENTROPIES];	/* Kahan's compensation */
	uint64_t group[1 + AN_LOCAL_ENTROPIES]; /* sum of the counts of the
						   group that the last added
						   address belongs to */
	uint64_t n_accesses;			/* sum of all counts */
	uint64_t n_addresses;
	uint64_t address; /* the last one that was added */
};

static size_t cells_per_count_unit_for_cell_shift(unsigned shift)
{
	return (size_t)AN_COUNT_UNIT >> shift;
}

/* ---- units ---- */

/* Double the number of buckets; make it 4096 if it is 0. Return: 0 or
   -ENOMEM. */
static int double_number_of_buckets(struct an_address_counts *t)
{
	struct an_address_counts big = *t;

	big.n_buckets = t->n_buckets ? 2 * t->n_buckets : 4096;
	big.unit = calloc(big.n_buckets, sizeof(*big.unit));
	if (big.unit == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_buckets; i++)
		if (t->unit[i].count != NULL)
			*an_address_counts_find_bucket(
				&big, t->unit[i].number) = t->unit[i];
	free(t->unit);
	*t = big;
	return 0;
}

int an_address_counts_reserve_unit(struct an_address_counts *t)
{
	return 2 * t->n_units < t->n_buckets ? 0 : double_number_of_buckets(t);
}

static size_t bytes_of_all_cells_of_one_unit(unsigned cell_shift)
{
	return cells_per_count_unit_for_cell_shift(cell_shift) *
	       sizeof(uint32_t);
}

/* Return zeroed cells, whose size is added to t->bytes; the caller will free
   @bytes_to_free, which are subtracted. NULL if memory is short or the maximum
   would be exceeded. */
static uint32_t *alloc_cells(struct an_address_counts *t, unsigned shift,
			     size_t bytes_to_free)
{
	size_t bytes = bytes_of_all_cells_of_one_unit(shift);
	uint32_t *count;

	if (t->bytes - bytes_to_free + bytes > AN_MAX_COUNT_BYTES)
		return NULL;
	count = calloc(1, bytes);
	if (count != NULL)
		t->bytes += bytes - bytes_to_free;
	return count;
}

/* Divide the cells of unit @u into cells of 1 << @shift bytes. A count moves to
   the cell at the same address. Return: 0 or -ENOMEM. */
static int divide_unit_cells(struct an_address_counts *t,
			     struct an_count_unit *u, unsigned shift)
{
	uint32_t *count =
		alloc_cells(t, shift, bytes_of_all_cells_of_one_unit(u->shift));
	size_t n = cells_per_count_unit_for_cell_shift(u->shift);

	if (count == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		count[i << (u->shift - shift)] = u->count[i];
	free(u->count);
	u->count = count;
	u->shift = shift;
	return 0;
}

/* Return log2 of the largest size of cells, 8, 4 or 1 bytes, to which @address
   is aligned. */
static unsigned cell_shift_by_address_alignment(uint64_t address)
{
	return address & 3 ? 0 : address & 4 ? 2 : 3;
}

static struct an_count_unit *
init_unit_bucket_and_alloc_cells(struct an_address_counts *t,
				 struct an_count_unit *u, uint64_t address)
{
	u->shift = cell_shift_by_address_alignment(address);
	u->number = address / AN_COUNT_UNIT;
	u->count = alloc_cells(t, u->shift, 0);
	t->n_units += u->count != NULL;
	return u->count ? u : NULL;
}

/* Return the cell of @address, which is added if it is new; NULL if memory is
   short or the maximum is reached. */
static uint32_t *find_or_add_cell(struct an_address_counts *t, uint64_t address)
{
	struct an_count_unit *u;

	if (an_address_counts_reserve_unit(t) != 0)
		return NULL;
	u = an_address_counts_find_bucket(t, address / AN_COUNT_UNIT);
	if (u->count == NULL &&
	    init_unit_bucket_and_alloc_cells(t, u, address) == NULL)
		return NULL;
	if (address & ((1u << u->shift) - 1) &&
	    divide_unit_cells(t, u, cell_shift_by_address_alignment(address)) !=
		    0)
		return NULL;
	return &u->count[address % AN_COUNT_UNIT >> u->shift];
}

/* ---- counts ---- */

/* Return the part of the count of @address that exceeds its cell. */
static uint64_t
get_count_part_above_cell_maximum(const struct an_address_counts *t,
				  uint64_t address)
{
	for (size_t i = 0; i < t->n_large; i++)
		if (t->large[i].address == address)
			return t->large[i].count;
	return 0;
}

/* Add @count to the part of the count of @address that exceeds its cell.
   Return: 0 or -ENOMEM. */
static int add_count_exceeding_cell_maximum(struct an_address_counts *t,
					    uint64_t address, uint64_t count)
{
	size_t i = 0;

	while (i < t->n_large && t->large[i].address != address)
		i++;
	if (i == t->n_large) {
		if (al_array_reserve_zeroed(t->large, t->max_large, i + 1) != 0)
			return -ENOMEM;
		t->large[t->n_large++].address = address;
	}
	t->large[i].count += count;
	return 0;
}

int an_address_counts_add(struct an_address_counts *t, uint64_t address,
			  uint64_t count)
{
	uint32_t *cell = find_or_add_cell(t, address);

	if (cell == NULL)
		return -ENOMEM;
	if (count <= UINT32_MAX - *cell) {
		*cell += (uint32_t)count;
		return 0;
	}
	count = count + *cell - 1;
	*cell = 1;
	return add_count_exceeding_cell_maximum(t, address, count);
}

/* Add the counts of unit @u of @from to @to. Return: 0 or -ENOMEM. */
static int add_counts_of_unit(struct an_address_counts *to,
			      const struct an_address_counts *from,
			      const struct an_count_unit *u)
{
	size_t n = cells_per_count_unit_for_cell_shift(u->shift);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		uint64_t address = u->number * AN_COUNT_UNIT + (i << u->shift);

		if (u->count[i] != 0)
			err = an_address_counts_add(
				to, address,
				u->count[i] + get_count_part_above_cell_maximum(
						      from, address));
	}
	return err;
}

int an_address_counts_add_all(struct an_address_counts *to,
			      const struct an_address_counts *from)
{
	int err = 0;

	for (size_t i = 0; i < from->n_buckets && !err; i++)
		if (from->unit[i].count != NULL)
			err = add_counts_of_unit(to, from, &from->unit[i]);
	return err;
}

void an_address_counts_release(struct an_address_counts *t)
{
	for (size_t i = 0; i < t->n_buckets; i++)
		free(t->unit[i].count);
	free(t->unit);
	free(t->large);
	*t = (struct an_address_counts){0};
}

/* ---- entropy ---- */

static int compare_count_units_by_number(const void *x, const void *y)
{
	const struct an_count_unit *a = x, *b = y;

	return al_compare_u64(a->number, b->number);
}

/* Return a copy of the used units (AN_COUNT_UNIT bytes of memory each), sorted
   by ascending address; their counts are not copied. The caller frees the
   array; NULL if memory is short. */
static struct an_count_unit *
copy_used_units_sorted_by_address(const struct an_address_counts *t)
{
	struct an_count_unit *sorted =
		malloc((t->n_units + 1) * sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; sorted && i < t->n_buckets; i++)
		if (t->unit[i].count != NULL)
			sorted[n++] = t->unit[i];
	if (sorted != NULL)
		qsort(sorted, n, sizeof(*sorted),
		      compare_count_units_by_number);
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

/* Add c log2 c of the current group at index @bits to its sum, and start an
   empty group. */
static void add_group_to_sum_and_start_next(struct entropy_sums *s,
					    unsigned bits)
{
	double count = (double)s->group[bits];

	if (count > 1)
		add_with_kahan_compensation(&s->sum[bits], &s->lost[bits],
					    count * log2(count));
	s->group[bits] = 0;
}

/* Add @count of @address, which is greater than all addresses added before. */
static void add_address_count(struct entropy_sums *s, uint64_t address,
			      uint64_t count)
{
	uint64_t changed = address ^ s->address;

	for (unsigned k = 0; k <= AN_LOCAL_ENTROPIES; k++) {
		if (changed >> k != 0)
			add_group_to_sum_and_start_next(s, k);
		s->group[k] += count;
	}
	s->n_accesses += count;
	s->n_addresses++;
	s->address = address;
}

static void add_address_counts_of_unit(struct entropy_sums *s,
				       const struct an_address_counts *t,
				       const struct an_count_unit *u)
{
	size_t n = cells_per_count_unit_for_cell_shift(u->shift);

	for (size_t i = 0; i < n; i++) {
		uint64_t address = u->number * AN_COUNT_UNIT + (i << u->shift);

		if (u->count[i] != 0)
			add_address_count(
				s, address,
				u->count[i] + get_count_part_above_cell_maximum(
						      t, address));
	}
}

/* Store the entropies of the addresses that were added, whose last groups are
   added to the sums here. With N the sum of all counts c, -sum p log2 p is log2
   N - (sum c log2 c) / N. */
static void finish_sums_and_store_entropies(struct entropy_sums *s,
					    struct an_entropies *result)
{
	double all = (double)s->n_accesses;

	result->n_accesses = s->n_accesses;
	result->n_addresses = s->n_addresses;
	for (unsigned k = 0; k <= AN_LOCAL_ENTROPIES; k++) {
		add_group_to_sum_and_start_next(s, k);
		result->bits[k] =
			s->n_accesses ? log2(all) - s->sum[k] / all : 0;
	}
}

int an_address_counts_compute_entropies(const struct an_address_counts *t,
					struct an_entropies *result)
{
	struct an_count_unit *sorted = copy_used_units_sorted_by_address(t);
	struct entropy_sums s = {.n_accesses = 0};

	if (sorted == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_units; i++)
		add_address_counts_of_unit(&s, t, &sorted[i]);
	free(sorted);
	finish_sums_and_store_entropies(&s, result);
	return 0;
}
