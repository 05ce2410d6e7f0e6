/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shadow.c - the last store and the last load of each byte; see shadow.h */

#include "analyzers/loops/shadow.h"

#include <errno.h>
#include <stdlib.h>

/* Return the memory [bytes] for the cells of one shadow page, which has a cell
   for each 1 << @log2_program_bytes_per_cell bytes of the program. */
static size_t memory_bytes_of_page_cells(unsigned log2_program_bytes_per_cell)
{
	return ((size_t)AN_SHADOW_PAGE >> log2_program_bytes_per_cell) *
	       sizeof(struct an_shadow_cell);
}

/* Double the number of buckets; make it 256 if it is 0. Return: 0 or
   -ENOMEM. */
static int double_number_of_buckets(struct an_shadow *s)
{
	struct an_shadow big = {.n_pages = s->n_pages,
				.n_buckets =
					s->n_buckets ? 2 * s->n_buckets : 256};

	big.page = calloc(big.n_buckets, sizeof(*big.page));
	if (big.page == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_buckets; i++)
		if (s->page[i].cell != NULL)
			*an_shadow_find_page_or_free_bucket(
				&big, s->page[i].number) = s->page[i];
	free(s->page);
	*s = big;
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
		cell[i] = p->cell[i >> (p->shift - shift)];
	*all_cells_bytes -= memory_bytes_of_page_cells(p->shift);
	free(p->cell);
	p->cell = cell;
	p->shift = shift;
	return 0;
}

/* Return log2 of the largest size of cells, 8, 4 or 1 bytes, that divides the
   address and the size of an access. */
static unsigned largest_cell_shift_dividing_address_and_size(uint64_t address,
							     unsigned size)
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
	p = an_shadow_find_page_or_free_bucket(s, number);
	if (p->cell != NULL)
		return p;
	p->cell = alloc_page_cells(shift_if_new, all_cells_bytes);
	if (p->cell == NULL)
		return NULL;
	p->number = number;
	p->shift = shift_if_new;
	s->n_pages++;
	return p;
}

struct an_shadow_page *an_shadow_find_or_add_page(struct an_shadow *s,
						  uint64_t address,
						  unsigned size,
						  size_t *all_cells_bytes)
{
	unsigned shift =
		largest_cell_shift_dividing_address_and_size(address, size);
	struct an_shadow_page *p = find_or_add_page(s, address / AN_SHADOW_PAGE,
						    shift, all_cells_bytes);

	if (p == NULL || p->shift <= shift)
		return p;
	return divide_page_cells(p, shift, all_cells_bytes) == 0 ? p : NULL;
}

void an_shadow_release(struct an_shadow *s, size_t *all_cells_bytes)
{
	for (size_t i = 0; i < s->n_buckets; i++) {
		if (s->page[i].cell != NULL)
			*all_cells_bytes -=
				memory_bytes_of_page_cells(s->page[i].shift);
		free(s->page[i].cell);
	}
	free(s->page);
	*s = (struct an_shadow){0};
}
