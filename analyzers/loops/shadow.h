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
 * of the first one alone, with the flag AN_SHADOW_WHOLE, until fewer of them are
 * accessed.
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
	AN_SHADOW_WHOLE = 1,
};

/* The last store and the last load: a time, shifted left by
   AN_SHADOW_TIME_SHIFT bits, the number of the instruction, shifted left by 1,
   and a flag; 0: none. The flag AN_SHADOW_WHOLE is set in cells of 4 or 8
   bytes, and in the first cell of a unit, if the access is that of all bytes of
   the cell or unit. */
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

/* Return the bucket of page @number; if there is none, the free bucket where it
   can be added. s->n_buckets must not be 0. */
static inline struct an_shadow_page *
an_shadow_find_page_or_free_bucket(const struct an_shadow *s, uint64_t number)
{
	size_t i = number * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (i &= s->n_buckets - 1;
	     s->page[i].number != number && s->page[i].cell != NULL;
	     i = (i + 1) & (s->n_buckets - 1))
		;
	return &s->page[i];
}

/**
 * an_shadow_find_or_add_page() - Return the page of an access, with cells that
 * are not larger than the access.
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

/* Return the last access of byte @byte_in_unit of a unit of cells of 1 byte,
   with the flag AN_SHADOW_WHOLE; just the flag: none. @first_member: &u->store
   or &u->load, with u the first cell of the unit. */
static inline uint64_t
an_shadow_last_access_of_byte(const uint64_t *first_member,
			      unsigned byte_in_unit)
{
	return *first_member & AN_SHADOW_WHOLE
		       ? *first_member
		       : first_member[2 * byte_in_unit] | AN_SHADOW_WHOLE;
}

/* Set the last access of the bytes @first to @end - 1 of a unit of cells of 1
   byte to @access, which has the flag AN_SHADOW_WHOLE. @first_member: as
   above. */
static inline void an_shadow_set_last_access_of_bytes(uint64_t *first_member,
						      unsigned first,
						      unsigned end,
						      uint64_t access)
{
	uint64_t whole = *first_member;

	if (first == 0 && end == AN_SHADOW_UNIT) {
		*first_member = access;
		return;
	}
	if (whole & AN_SHADOW_WHOLE)
		for (unsigned i = 0; i < AN_SHADOW_UNIT; i++)
			first_member[2 * i] = whole - AN_SHADOW_WHOLE;
	for (; first < end; first++)
		first_member[2 * first] = access - AN_SHADOW_WHOLE;
}

/* Return the node of the access @access, which is not 0, of a cell. */
static inline uint32_t an_shadow_node_of_access(uint64_t access)
{
	return (uint32_t)(access >> 1) & ((1u << AN_SHADOW_NODE_BITS) - 1);
}

/* Free all pages, and subtract their size from *@all_cells_bytes. */
void an_shadow_release(struct an_shadow *, size_t *all_cells_bytes);

#endif
