/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_table.h - reads the source lines of an object file, and finds one by
 *                address
 *
 * Threads: the caller locks.
 *
 * Ranges are computed as by Valgrind, so that counts per line can be compared
 * with Cachegrind's:
 *   - A row of the line program extends to the next row. A row of more than
 *     4095 bytes covers its first byte only. Rows with lines above 2^20 - 1 are
 *     ignored.
 *   - A row that follows its predecessor directly, with the same line number,
 *     is joined to it, even if its file differs, up to 4095 bytes.
 *   - Ranges do not overlap: a range ends where the next one begins.
 *   - Only .text has lines.
 * Rows outside the code of the row's unit and the units in its group are
 * ignored, so that the lines of a group are known without those of others.
 *
 * Lines are read group by group, when they are first looked up, and the debug
 * information stays in memory. If that of all open tables would exceed 64 MiB,
 * all lines of a table are read when it is opened, and it is closed.
 */
#ifndef LIB_SYMBOLS_LINE_TABLE_H
#define LIB_SYMBOLS_LINE_TABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tables/intern.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/unit_groups.h"

/* A range of addresses with one source line. */
struct al_line {
	uint64_t start;
	uint32_t size; /* length of the range [bytes] */
	uint32_t line;
	const char *path; /* path of the source file; interned */
	const char *file; /* name of the source file without directory;
			     interned */
};

/* Source lines of a group of units. */
struct al_line_group {
	struct al_line *line; /* [n] ranges, sorted by start, disjoint */
	size_t n;
	bool is_read;
};

/* Source lines of an object file. */
struct al_linetab {
	struct al_elf file; /* has the debug information; open while a group
			       may have to be read, without a descriptor */
	Dwarf *dwarf;	    /* debug information of the file; NULL if that is
			       closed */
	struct al_unitgroups units;
	struct al_line_group *group; /* [units.n_units] indexed by the number
					of a group */
	uint64_t open_size; /* size of the debug information that the limit on
			       all open tables counts [bytes] */
	struct al_intern *strings;
	uint64_t text;	   /* ELF address of .text (sh_addr), not its address in
			      memory */
	uint64_t text_end; /* ELF address after the end of .text */
};

/**
 * al_linetab_open_debug_file_or_main() - Open an empty (all zero) table of the
 * source lines of an object file.
 * @main: the object file.
 * @debug_if_open: its separate debug file, from which lines are read; if it is
 *         not open, lines are read from @main.
 * @strings: receives the paths of source files; must live as long as the table.
 *
 * The table takes over the file from which lines are read, and the caller's
 * handle of it is closed afterwards, unless @main has no section .text. Return:
 * 0 or -ENOMEM. If the file cannot be read, the table is empty.
 */
int al_linetab_open_debug_file_or_main(struct al_linetab *, struct al_elf *main,
				       struct al_elf *debug_if_open,
				       struct al_intern *strings);

/* Return the range that contains @elf_address, an address as in the file; NULL
   if there is none. The lines of the address's group of units are read at the
   first call for it; if memory is short then, the group has no lines. */
const struct al_line *al_linetab_find_range(struct al_linetab *,
					    uint64_t elf_address);

void al_linetab_release(struct al_linetab *);

/* Return the path of a source file as reports show it, interned. @raw: as in
   the debug information. @directory: directory in which the unit was compiled,
   or NULL. A relative path is appended to the directory, even if that is
   relative too, as Valgrind does. */
const char *al_linetab_prepend_directory_and_intern(const char *raw,
						    const char *directory,
						    struct al_intern *);

#endif
