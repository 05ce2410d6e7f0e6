/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_groups.h - lists the compilation units of an object file by their code
 *
 * Threads: the caller locks.
 *
 * The source lines of a group can be read without those of other groups: the
 * code of two groups neither overlaps nor touches. Units whose code overlaps or
 * touches, directly or by way of other units, are in one group.
 */
#ifndef LIB_SYMBOLS_UNIT_GROUPS_H
#define LIB_SYMBOLS_UNIT_GROUPS_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* Number that no unit has. */
#define AL_NO_UNIT UINT32_MAX

/* A compilation unit that has source lines and code in .text. */
struct al_code_unit {
	Dwarf_Die die;	/* first entry of the unit; valid until dwarf_end() */
	uint32_t group; /* number of the unit's group */
	uint32_t next;	/* index of the next unit of the group, in order of the
			   file, or AL_NO_UNIT */
	uint32_t first; /* index of the first unit of the group, if the unit's
			   own index is the number of its group */
};

/* Addresses, as in the file, of code of one group and of what lies between this
   and the code of the next interval or, after the last, the end of .text. */
struct al_code_interval {
	uint64_t start;
	uint64_t end;	/* address after the last byte of the interval */
	uint32_t group; /* number of the interval's group; until the list is
			   complete, index of a unit of that group */
};

/* Compilation units of an object file. */
struct al_unitgroups {
	struct al_code_unit *unit; /* [n_units] in order of the file */
	size_t n_units;
	size_t units_capacity;
	struct al_code_interval *interval; /* [n_intervals] sorted, disjoint */
	size_t n_intervals;
	size_t intervals_capacity;
};

/**
 * al_unitgroups_list() - Fill an empty (all zero) list.
 * @text_address: ELF address of .text (sh_addr), not its address in memory.
 * @text_end_address: ELF address after the end of .text.
 *
 * The code of a unit is given by its DW_AT_low_pc or DW_AT_ranges. If these are
 * missing or invalid, its source lines are read, and its code extends from the
 * lowest to the highest address of them in .text. Return: 0; -ENOMEM.
 */
int al_unitgroups_list(struct al_unitgroups *, Dwarf *, uint64_t text_address,
		       uint64_t text_end_address);

/* Return the interval that contains @elf_address, an address as in the file;
   NULL if there is none. */
const struct al_code_interval *
al_unitgroups_find_interval(const struct al_unitgroups *, uint64_t elf_address);

void al_unitgroups_release(struct al_unitgroups *);

#endif
