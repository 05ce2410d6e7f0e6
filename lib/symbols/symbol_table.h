/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table.h - the functions of an object file, by address
 *
 * Threads: the caller locks.
 *
 * The choices are Valgrind's, so that counts per function can be compared with
 * Cachegrind's:
 *   - functions and objects with a size and a name, local ones too, that lie
 *     whole in an executable mapping and not in .plt, .data, .rodata or .bss;
 *     from .symtab, of the debug file where the main file has none, and from
 *     .dynsym;
 *   - names of one range: the shortest up to '@', then one with a version,
 *     then the first of the alphabet;
 *   - ranges do not overlap: one is cut where the next begins, and of two that
 *     begin together the longer begins where the shorter ends;
 *   - C++ and Rust names are demangled; what libc runs around main() is
 *     "(below main)".
 */
#ifndef LIB_SYMBOLS_SYMBOL_TABLE_H
#define LIB_SYMBOLS_SYMBOL_TABLE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tables/intern.h"

struct al_symtab {
	struct al_function *function; /* sorted */
	size_t n;
	char *names;
};

/**
 * al_symtab_read() - Fill an empty (all zero) table.
 * @main: the object.
 * @debug: the file split from it, or NULL.
 *
 * Return: 0 or -ENOMEM. A table that cannot be read is empty.
 */
int al_symtab_read(struct al_symtab *, Elf *main, Elf *debug);

/* Name of the function around @value; NULL when there is none. */
const char *al_symtab_find(struct al_symtab *, uint64_t value,
			   struct al_intern *);

void al_symtab_release(struct al_symtab *);

/**
 * al_symtab_is_better() - Which of two names of a range is shown.
 * Return: whether @a is preferred to @b.
 */
bool al_symtab_is_better(const char *a, const char *b);

#endif
