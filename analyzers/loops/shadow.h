/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shadow.h - the last store and the last load of each byte of memory
 *
 * A page of 4096 bytes is divided into cells of 8, 4 or 1 bytes. The size of
 * its cells shrinks when an access is smaller or less aligned, and never grows.
 * So the cells of an access cover exactly its bytes.
 *
 * In a page with cells of 1 byte, most accesses still are of 4 or 8 aligned
 * bytes. So the last access of 4 aligned bytes (a unit) is stored in the cell
 * of the first one alone, until fewer of them are accessed. Then the flag
 * AN_SHADOW_SPLIT is set there, and each byte has its own cell.
 */
#ifndef ANALYZERS_LOOPS_SHADOW_H
#define ANALYZERS_LOOPS_SHADOW_H

#include <stddef.h>
#include <stdint.h>

enum {
	AN_SHADOW_PAGE = 4096, /* [bytes] */
	/* [bytes] maximum of all cells of an exec image */
	AN_MAX_SHADOW = 192 << 20,
	AN_SHADOW_UNIT = 4, /* [bytes] */
	AN_SHADOW_NODE_BITS = 24,
	AN_SHADOW_TIME_SHIFT = AN_SHADOW_NODE_BITS + 1,
	AN_SHADOW_SPLIT = 1,
	AN_SHADOW_CACHED = 128, /* pages in the cache, a power of two */
};

/* The last store and the last load: a time, shifted left by
   AN_SHADOW_TIME_SHIFT bits, the number of the instruction, shifted left by 1,
   and a flag; 0: none. The flag AN_SHADOW_SPLIT is set in the first cell of a
   unit if its bytes may have different last accesses. */
struct an_shadow_cell {
	uint64_t store, load;
};

struct an_shadow_page {
	uint64_t number_plus_1; /* address / AN_SHADOW_PAGE, plus 1; 0: the
				   bucket is free */
	int shift;		/* log2 of the bytes of a cell */
	struct an_shadow_cell *cell;
};

/* A hash table, and a cache of its pages. All zeros: valid and empty. */
struct an_shadow {
	struct an_shadow_page *page; /* [n_buckets] */
	size_t n_pages;
	size_t n_buckets; /* a power of two, or 0 */
	/* [AN_SHADOW_CACHED] copies of pages, each at its number modulo that;
	   NULL: no cache */
	struct an_shadow_page *cached;
};

/* Add a cache of pages, unless there is one. Return: 0 or -ENOMEM. */
int an_shadow_add_cache_if_missing(struct an_shadow *);

/* Return page number @number if the cache, which must exist, has it; else
   another page or a free bucket. */
static inline const struct an_shadow_page *
an_shadow_cache_slot_of_page(const struct an_shadow *s, uint64_t number)
{
	return &s->cached[number % AN_SHADOW_CACHED];
}

/**
 * an_shadow_find_or_add_page() - Return the page of an access, with cells that
 * are not larger than the access, and store it in the cache, if any.
 * @size: [bytes] at least 1; the access does not cross the end of its page.
 * @all_cells_bytes: size of all cells of the exec image, which is updated.
 *
 * Return: the page, valid until the next call; NULL if memory is short or
 * AN_MAX_SHADOW is reached.
 */
struct an_shadow_page *an_shadow_find_or_add_page(struct an_shadow *,
						  uint64_t address,
						  unsigned size,
						  size_t *all_cells_bytes);

/* Return the last access of byte @byte_in_unit of a unit of cells of 1 byte.
   @first_member: &u->store or &u->load, with u the first cell of the unit. */
static inline uint64_t
an_shadow_last_access_of_byte(const uint64_t *first_member,
			      unsigned byte_in_unit)
{
	return *first_member & AN_SHADOW_SPLIT
		       ? first_member[2 * byte_in_unit] &
				 ~(uint64_t)AN_SHADOW_SPLIT
		       : *first_member;
}

/* Set the last access of the bytes @first to @end - 1 of a unit of cells of 1
   byte. @first_member: as above. */
static inline void an_shadow_set_last_access_of_bytes(uint64_t *first_member,
						      unsigned first,
						      unsigned end,
						      uint64_t access)
{
	if (first == 0 && end == AN_SHADOW_UNIT) {
		*first_member = access;
		return;
	}
	if ((*first_member & AN_SHADOW_SPLIT) == 0)
		for (unsigned i = AN_SHADOW_UNIT; i-- > 0;)
			first_member[2 * i] = *first_member;
	for (unsigned i = first; i < end; i++)
		first_member[2 * i] = access;
	*first_member |= AN_SHADOW_SPLIT;
}

/* Return the node of the access @access, which is not 0, of a cell. */
static inline uint32_t an_shadow_node_of_access(uint64_t access)
{
	return (uint32_t)(access >> 1) & ((1u << AN_SHADOW_NODE_BITS) - 1);
}

/* Free the cache and all pages, and subtract the size of the pages' cells from
   *@all_cells_bytes. */
void an_shadow_release(struct an_shadow *, size_t *all_cells_bytes);

#endif
