/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cached_names.h - names of an object's code that somebody else has found out
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_CACHED_NAMES_H
#define LIB_SYMBOLS_CACHED_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tables/pair_table.h"

struct al_told_name {
	uint64_t value;	      /* of an instruction */
	const char *function; /* interned, as the file */
	const char *file;     /* with its directory */
	uint32_t line;
};

/* An instruction and the number of its name: 12 bytes, since there are
   millions. */
struct al_told_code {
	uint32_t value_low;
	uint32_t value_high;
	uint32_t name;
};

/* Many instructions have one name. Zeroed: none. */
struct al_told {
	struct al_numbering sources; /* function and file */
	struct al_numbering names;   /* number of that, and line */
	struct al_told_code *code;
	size_t n;
	size_t size;
	size_t sorted; /* the first are */
};

/* Adds a name. 0; -ENOMEM. */
int al_told_add(struct al_told *, const struct al_told_name *name);

/* Whether there is one for name->value; sets the rest of it. */
bool al_told_find(struct al_told *, struct al_told_name *name);

void al_told_release(struct al_told *);

#endif
