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
 */
#ifndef LIB_SYMBOLS_LINE_TABLE_H
#define LIB_SYMBOLS_LINE_TABLE_H

#include <gelf.h>
#include <stdint.h>

#include "base/tables/intern.h"

/* A range of addresses with one source line. */
struct al_line {
	uint64_t start;
	uint32_t size; /* length of the range [bytes] */
	uint32_t line;
	const char *path; /* path of the source file; interned */
	const char *file; /* name of the source file without directory;
			     interned */
};

/* Source lines of an object file. */
struct al_linetab {
	struct al_line *line; /* [n] ranges, sorted by start, disjoint */
	size_t n;
	size_t capacity;
	uint64_t text;	   /* address of .text */
	uint64_t text_end; /* address after the end of .text */
};

/**
 * al_linetab_read_debug_or_main() - Fill an empty (all zero) table with the
 * source lines of an object file.
 * @main: the object file.
 * @debug: its separate debug file, from which lines are read; NULL: lines are
 *         read from @main.
 *
 * Return: 0 or -ENOMEM. If the file cannot be read, the table is empty.
 */
int al_linetab_read_debug_or_main(struct al_linetab *, Elf *main, Elf *debug,
				  struct al_intern *);

/* Return the range that contains @elf_address, an address as in the file; NULL
   if there is none. */
const struct al_line *al_linetab_find_range(const struct al_linetab *,
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
