/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cached_names.h - stores names of an object's code that were read from a
 *                  profile
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_CACHED_NAMES_H
#define LIB_SYMBOLS_CACHED_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tables/key_table.h"

enum { AL_MAX_INSTR_BYTES = 15 /* [bytes] longest x86 instruction */ };

/* The "name" of one instruction: its function, source file and line. */
struct al_cached_name {
	uint64_t value;	      /* address of the instruction, as in the symbol
				 table of the object's file */
	const char *function; /* name of the function, interned */
	const char *file;     /* source file with its directory, interned */
	uint32_t line;
};

/* Address of an instruction, and the number of its name. The address is two
   words to make this 12 bytes, because a program has millions of them. */
struct al_cached_code {
	uint32_t value_low;
	uint32_t value_high;
	uint32_t name;
};

/* Names of an object's instructions; instructions with equal names share one.
   Initialise with zeros. */
struct al_cached_names {
	/* number of each pair of function and file, called source */
	struct al_key_table sources;
	/* number of each pair of source number and line */
	struct al_key_table names;
	struct al_cached_code *code; /* [n] instructions with names; the first
					n_sorted are sorted by address */
	size_t n;
	size_t size;	 /* allocated elements of code */
	size_t n_sorted; /* elements before this index are sorted by address */
};

/* Add the name of an instruction; its strings are not copied. Return: 0;
   -ENOMEM. */
int al_cached_names_add_interned_at_address(
	struct al_cached_names *, const struct al_cached_name *interned_name);

/* Find the name of the instruction at @name->value, and set the other members
   of @name. Return: false if it has no name. */
bool al_cached_names_find_by_exact_address(struct al_cached_names *,
					   struct al_cached_name *name);

/* Find the name of the instruction that contains the byte @name->value: the
   last one with a name that begins at this byte or at most AL_MAX_INSTR_BYTES -
   1 bytes before it. Set all members of @name; `value` is then the
   instruction's address. Return: false if there is none. */
bool al_cached_names_find_by_inner_address(struct al_cached_names *,
					   struct al_cached_name *name);

void al_cached_names_release(struct al_cached_names *);

#endif
