/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_told.h - names of an object's code that somebody else has found out
 *
 * Room:    lib.
 * Used by: al_symbols.c.
 * Threads: the caller locks.
 */
#ifndef AL_TOLD_H
#define AL_TOLD_H

#include <stddef.h>
#include <stdint.h>

struct al_told_name {
	uint64_t value;	      /* of an instruction */
	const char *function; /* interned, as the file */
	const char *file;
	uint32_t line;
};

/* Zeroed: none. */
struct al_told {
	struct al_told_name *name;
	size_t n;
	size_t size;
	size_t sorted; /* the first are */
};

/* Adds a name. 0; -ENOMEM. */
int al_told_add(struct al_told *, const struct al_told_name *);

/* NULL: there is none for @value. */
const struct al_told_name *al_told_find(struct al_told *, uint64_t value);

void al_told_release(struct al_told *);

#endif
