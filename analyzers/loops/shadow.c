/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shadow.c - the last store and the last load of each byte; see shadow.h */

#include "analyzers/loops/shadow.h"

#include <errno.h>
#include <stdlib.h>

int an_shadow_add_cache_if_missing(struct an_shadow *s)
{
	if (s->cached == NULL)
		s->cached = calloc(AN_SHADOW_CACHED, sizeof(*s->cached));
	return s->cached == NULL ? -ENOMEM : 0;
}

/* Return the memory [bytes] for the cells of one shadow page, which has a cell
   for each 1 << @log2_program_bytes_per_cell bytes of the program. */
static size_t memory_bytes_of_page_cells(unsigned log2_program_bytes_per_cell)
{
	return ((size_t)AN_SHADOW_PAGE >> log2_program_bytes_per_cell) *
	       sizeof(struct an_shadow_cell);
}

/* Return the bucket of page @number; if there is none, the free bucket where it
   can be added. */
static struct an_shadow_page *
find_page_bucket_or_free_one(const struct an_shadow *s, uint64_t number)
{
	size_t i = number * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (i &= s->n_buckets - 1; s->page[i].number_plus_1 != 0 &&
				    s->page[i].number_plus_1 != number + 1;
	     i = (i + 1) & (s->n_buckets - 1))
		;
	return &s->page[i];
}

/* Double the number of buckets; make it 256 if it is 0. Return: 0 or
   -ENOMEM. */
static int double_number_of_buckets(struct an_shadow *s)
{
	struct an_shadow_page *old = s->page;
	size_t n_old = s->n_buckets, n = n_old ? 2 * n_old : 256;

	s->page = calloc(n, sizeof(*s->page));
	if (s->page == NULL) {
		s->page = old;
		return -ENOMEM;
	}
	s->n_buckets = n;
	for (size_t i = 0; i < n_old; i++)
		if (old[i].number_plus_1 != 0)
			*find_page_bucket_or_free_one(s, old[i].number_plus_1 -
								 1) = old[i];
	free(old);
	return 0;
}

/* Return zeroed cells for a page, and add their size to *@all_cells_bytes; NULL
   if memory is short or the maximum is reached. */
static struct an_shadow_cell *alloc_page_cells(unsigned shift,
					       size_t *all_cells_bytes)
{
	size_t bytes = memory_bytes_of_page_cells(shift);
	struct an_shadow_cell *cell;

	if (*all_cells_bytes + bytes > AN_MAX_SHADOW)
		return NULL;
	cell = calloc(1, bytes);
	if (cell != NULL)
		*all_cells_bytes += bytes;
	return cell;
}

/* Divide the cells of page @p into cells of 1 << @shift bytes, which have the
   contents of the cell that they were part of. Return: 0 or -ENOMEM. */
static int divide_page_cells(struct an_shadow_page *p, unsigned shift,
			     size_t *all_cells_bytes)
{
	struct an_shadow_cell *cell = alloc_page_cells(shift, all_cells_bytes);

	if (cell == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < (unsigned)AN_SHADOW_PAGE >> shift; i++)
		cell[i] = p->cell[i >> ((unsigned)p->shift - shift)];
	*all_cells_bytes -= memory_bytes_of_page_cells((unsigned)p->shift);
	free(p->cell);
	p->cell = cell;
	p->shift = (int)shift;
	return 0;
}

/* Return log2 of the largest size of cells, 8, 4 or 1 bytes, that divides the
   address and the size of an access. */
static unsigned largest_aligned_cell_shift(uint64_t address, unsigned size)
{
	unsigned bits = (unsigned)address | size;

	return bits & 3 ? 0 : bits & 4 ? 2 : 3;
}

static struct an_shadow_page *find_or_add_page(struct an_shadow *s,
					       uint64_t number,
					       unsigned shift_if_new,
					       size_t *all_cells_bytes)
{
	struct an_shadow_page *p;

	if (2 * s->n_pages >= s->n_buckets && double_number_of_buckets(s) != 0)
		return NULL;
	p = find_page_bucket_or_free_one(s, number);
	if (p->number_plus_1 != 0)
		return p;
	p->cell = alloc_page_cells(shift_if_new, all_cells_bytes);
	if (p->cell == NULL)
		return NULL;
	p->number_plus_1 = number + 1;
	p->shift = (int)shift_if_new;
	s->n_pages++;
	return p;
}

struct an_shadow_page *an_shadow_find_or_add_page(struct an_shadow *s,
						  uint64_t address,
						  unsigned size,
						  size_t *all_cells_bytes)
{
	unsigned shift = largest_aligned_cell_shift(address, size);
	struct an_shadow_page *p = find_or_add_page(s, address / AN_SHADOW_PAGE,
						    shift, all_cells_bytes);

	if (p == NULL || (p->shift > (int)shift &&
			  divide_page_cells(p, shift, all_cells_bytes) != 0))
		return NULL;
	if (s->cached != NULL)
		s->cached[address / AN_SHADOW_PAGE % AN_SHADOW_CACHED] = *p;
	return p;
}

void an_shadow_release(struct an_shadow *s, size_t *all_cells_bytes)
{
	for (size_t i = 0; i < s->n_buckets; i++) {
		if (s->page[i].number_plus_1 != 0)
			*all_cells_bytes -= memory_bytes_of_page_cells(
				(unsigned)s->page[i].shift);
		free(s->page[i].cell);
	}
	free(s->page);
	free(s->cached);
	*s = (struct an_shadow){0};
}
