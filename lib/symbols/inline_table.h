/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inline_table.h - reads the inlined calls of an object file, and finds those
 *                  that contain an address
 *
 * Threads: the caller locks.
 *
 * The time is bounded: after AL_MAX_DEBUG_ENTRIES entries of the debug
 * information the rest of the file is not read, and its inlined calls are not
 * known.
 */
#ifndef LIB_SYMBOLS_INLINE_TABLE_H
#define LIB_SYMBOLS_INLINE_TABLE_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tables/intern.h"

/* Code of a function that was inlined at a call. */
struct al_inlined {
	uint64_t start;
	uint64_t end;	  /* address after the last byte of the code */
	const char *path; /* source file of the call; interned */
	uint32_t line;	  /* line of the call, not 0 */
	uint32_t outer;	  /* index + 1 of the last earlier range that
			     contains the start of this one; 0: none */
};

/* Inlined calls of an object file. */
struct al_inlines {
	struct al_inlined *range; /* [n] sorted by start, the longest first */
	size_t n;
	size_t capacity;
};

/**
 * al_inlines_read() - Fill an empty (all zero) table.
 * @elf: the file that has the debug information.
 *
 * Return: 0 or -ENOMEM. If the file cannot be read, the table is empty.
 */
int al_inlines_read(struct al_inlines *, Elf *elf, struct al_intern *);

/* Return the innermost inlined call whose code contains an address, given as in
   the file; NULL if there is none. */
const struct al_inlined *al_inlines_find_innermost(const struct al_inlines *,
						   uint64_t elf_address);

/* Return the innermost inlined call around @inner whose code contains the
   address; NULL if there is none. */
const struct al_inlined *
al_inlines_find_outer_around(const struct al_inlines *,
			     const struct al_inlined *inner,
			     uint64_t elf_address);

void al_inlines_release(struct al_inlines *);

#endif
