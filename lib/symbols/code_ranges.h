/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_ranges.h - finds the unit or function of the debug information whose
 *                 code contains an address
 *
 * The ranges of two entries may overlap. Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_CODE_RANGES_H
#define LIB_SYMBOLS_CODE_RANGES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses, as in the file, of code of an entry. */
struct al_code_range {
	uint64_t start;
	uint64_t end;	       /* address after the last byte of the code */
	uint64_t furthest_end; /* greatest end of this range and of all before
				  it in the array */
	size_t number;	       /* by order of al_code_ranges_add_of_entry() */
	Dwarf_Die entry;
};

/* Initialise with zeros. */
struct al_code_ranges {
	struct al_code_range *range; /* [n] */
	size_t n, capacity;
};

/* Add the ranges of a unit or function, by its DW_AT_low_pc or DW_AT_ranges.
   Return: 0; -ENOMEM. */
int al_code_ranges_add_of_entry(struct al_code_ranges *, Dwarf_Die *entry);

/* Sort the ranges, so that they can be searched. */
void al_code_ranges_sort(struct al_code_ranges *);

/* Return the range that contains @address, an address as in the file; of
   several, the one that was added first. NULL: there is none. */
struct al_code_range *al_code_ranges_find(const struct al_code_ranges *,
					  uint64_t address);

void al_code_ranges_release(struct al_code_ranges *);

#endif
