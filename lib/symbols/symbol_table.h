/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol_table.h - reads the functions of an object file, and finds one by
 *                  address
 *
 * Threads: the caller locks.
 *
 * Symbols are chosen as by Valgrind, so that counts per function can be
 * compared with Cachegrind's:
 *   - Symbols are functions and objects with a size and a name, local ones too,
 *     that are entirely inside an executable mapping and outside .plt, .data,
 *     .rodata and .bss. They are read from .symtab, of the debug file if the
 *     main file has none, and from .dynsym.
 *   - Among names of one range, the one that is shortest, but not empty, up to
 *     '@' is preferred, then one with a version, then the first in byte order.
 *   - Ranges do not overlap: a range ends where the next one begins. Of two
 *     ranges that begin at one address, the longer begins where the shorter
 *     ends.
 *   - C++ and Rust names are demangled. The functions of libc that call main()
 *     are "(below main)".
 */
#ifndef LIB_SYMBOLS_SYMBOL_TABLE_H
#define LIB_SYMBOLS_SYMBOL_TABLE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tables/intern.h"

/* Functions of an object file. */
struct al_symtab {
	struct al_function *function; /* [n] functions, sorted by start,
					 disjoint */
	size_t n;
	char *names; /* memory of those names that are as in the file */
};

/**
 * al_symtab_read_functions() - Fill an empty (all zero) table.
 * @main: the object file.
 * @debug_or_null: its separate debug file, or NULL.
 *
 * Return: 0 or -ENOMEM. If the file cannot be read, the table is empty.
 */
int al_symtab_read_functions(struct al_symtab *, Elf *main, Elf *debug_or_null);

/* Return the demangled name, interned, of the function that contains
   @elf_address, an address as in the file; NULL if there is none. */
const char *al_symtab_find_demangled_name(struct al_symtab *,
					  uint64_t elf_address,
					  struct al_intern *);

void al_symtab_release(struct al_symtab *);

/**
 * al_symtab_is_first_name_preferred() - Compare two names of one range.
 * Return: whether @a is preferred to @b, or equal.
 */
bool al_symtab_is_first_name_preferred(const char *a, const char *b);

/**
 * al_zname_decode_valgrind_redirect() - Decode the name of a function that
 * replaces or wraps another one under Valgrind.
 *
 * Programs define such functions by macros of <valgrind/valgrind.h>, which
 * encode the names of the function and its library: "_vgw00000ZU_NONE_malloc"
 * wraps malloc() of the program itself. Valgrind's tools print the name of the
 * replaced or wrapped function.
 *
 * Return: the name of the replaced or wrapped function, to be freed with
 *         free(); NULL if @name is not encoded, or memory is short.
 */
char *al_zname_decode_valgrind_redirect(const char *name);

#endif
