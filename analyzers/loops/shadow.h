/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shadow.h - the last store and the last load of each byte of memory
 *
 * A page of 4096 bytes is divided into cells of 8, 4 or 1 bytes. The size of
 * its cells shrinks when an access is smaller or less aligned, and never grows.
 * So the cells of an access cover exactly its bytes.
 */
#ifndef ANALYZERS_LOOPS_SHADOW_H
#define ANALYZERS_LOOPS_SHADOW_H

#include <stddef.h>
#include <stdint.h>

enum {
	AN_SHADOW_PAGE = 4096, /* [bytes] */
	/* [bytes] maximum of all cells of an exec image */
	AN_MAX_SHADOW = 192 << 20,
	AN_SHADOW_NODE_BITS = 24,
};

/* The last store and the last load: a time, shifted left by AN_SHADOW_NODE_BITS
   bits, and the number of the instruction; 0: none. */
struct an_shadow_cell {
	uint64_t store, load;
};

struct an_shadow_page {
	uint64_t number;	     /* address / AN_SHADOW_PAGE */
	unsigned shift;		     /* log2 of the bytes of a cell */
	struct an_shadow_cell *cell; /* NULL: the bucket is free */
};

/* A hash table. All zeros: valid and empty. */
struct an_shadow {
	struct an_shadow_page *page; /* [n_buckets] */
	size_t n_pages;
	size_t n_buckets; /* a power of two, or 0 */
};

/**
 * an_shadow_find_or_add_cells() - Return the cells of an access.
 * @size: [bytes] at least 1; the access does not cross the end of its page.
 * @all_cells_bytes: size of all cells of the exec image, which is updated.
 * @n_cells_out: receives the number of cells.
 *
 * Return: the first of *@n_cells_out cells, valid until the next call; NULL if
 * memory is short or AN_MAX_SHADOW is reached.
 */
struct an_shadow_cell *
an_shadow_find_or_add_cells(struct an_shadow *, uint64_t address, unsigned size,
			    size_t *all_cells_bytes, unsigned *n_cells_out);

/* Free all pages, and subtract their size from *@all_cells_bytes. */
void an_shadow_release(struct an_shadow *, size_t *all_cells_bytes);

#endif
