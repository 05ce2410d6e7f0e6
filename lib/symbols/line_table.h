/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_table.h - the source lines of an object file, by address
 *
 * Threads: the caller locks.
 *
 * The ranges are Valgrind's, so that counts per line can be compared with
 * Cachegrind's:
 *   - a row of the line program reaches to the next row; one of more than 4095
 *     bytes counts for its first byte only, as do lines above 2^20 - 1 not at
 *     all;
 *   - a row that continues the one before it with the same line number belongs
 *     to that one, whatever its file;
 *   - ranges do not overlap: one is cut where the next begins;
 *   - only .text has lines.
 */
#ifndef LIB_SYMBOLS_LINE_TABLE_H
#define LIB_SYMBOLS_LINE_TABLE_H

#include <gelf.h>
#include <stdint.h>

#include "base/tables/intern.h"

struct al_line {
	uint64_t start;
	uint32_t size; /* [bytes] */
	uint32_t line;
	const char *path; /* interned; of the file */
	const char *file; /* interned; the same without directory */
};

struct al_linetab {
	struct al_line *line; /* sorted */
	size_t n;
	size_t capacity;
	uint64_t text; /* [addresses] text..text_end is .text */
	uint64_t text_end;
};

/**
 * al_linetab_read() - Fill an empty (all zero) table.
 * @main: the object.
 * @debug: the file split from it, or NULL.
 *
 * Return: 0 or -ENOMEM. A table that cannot be read is empty.
 */
int al_linetab_read(struct al_linetab *, Elf *main, Elf *debug,
		    struct al_intern *);

/* The range around @value; NULL when there is none. */
const struct al_line *al_linetab_find(const struct al_linetab *,
				      uint64_t value);

void al_linetab_release(struct al_linetab *);

#endif
