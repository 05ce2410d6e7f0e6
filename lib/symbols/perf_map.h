/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map.h - reads names of code that a program generates at run time
 *
 * JIT compilers write these names for perf(1), in perf-PID.map: a line for each
 * function, "START SIZE NAME", with hexadecimal numbers. Code generated at the
 * address of older code has a further line, and the last line is valid.
 *
 * Threads: one at a time, or any number that only read.
 */
#ifndef LIB_SYMBOLS_PERF_MAP_H
#define LIB_SYMBOLS_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct al_intern;

enum {
	AL_PERFMAP_BYTES = 16 << 20, /* [bytes] at most are read of the lines of
					a perf-PID.map */
	AL_PERFMAP_NAME = 1000,	     /* [bytes] longer names are cut */
	AL_PERFMAP_NAMES = 1 << 18,  /* reading a jitdump ends when the table
					has so many names */
	AL_JITDUMP_RECORDS = 1 << 20, /* greatest number of records of any kind
					 that are read of a jitdump */
	AL_JITDUMP_STEPS = 1 << 28,   /* limit of names that are compared for
					 all moves of code in a jitdump */
};

/* Object name of code generated at run time. */
#define AL_GENERATED_OBJECT "code made at run time"

/* A range of generated code with one name. */
struct al_perfname {
	uint64_t start;
	uint64_t size;	  /* [bytes] > 0, and start + size does not wrap */
	uint64_t max_end; /* largest end of a range among this one and all
			     before it in the array */
	const char *name; /* name of the code, interned; NULL: it has none */
	uint32_t order;	  /* position in the order of addition, from 0 */
};

/* Names of code generated at run time. Initialise with zeros. */
struct al_perfmap {
	struct al_perfname *
		item; /* [n] ranges; after al_perfmap_sort_and_set_max_ends() by
				     start, then by order */
	size_t n;
	size_t size; /* allocated elements of item */
};

/* Add the name of a range. It overrides names that were added before for the
   same addresses. @size: [bytes]. @name: interned, or NULL. Return: 0; -EINVAL
   if the range is empty or wraps, or if there are UINT32_MAX names; -ENOMEM. */
int al_perfmap_add(struct al_perfmap *, uint64_t start, uint64_t size,
		   const char *name);

/**
 * al_perfmap_read_and_sort() - Read a perf-PID.map or jitdump file, and sort
 * the names.
 * @path: a symbolic link is not followed.
 *
 * A jitdump file is recognised by its header, and read up to the first
 * malformed record or one of the limits above. In any other file, lines of
 * another form are skipped.
 *
 * Return: 0; -errno; -EPERM if it is not a regular file of the effective user.
 */
int al_perfmap_read_and_sort(struct al_perfmap *, const char *path,
			     struct al_intern *);

/* Add the names of a jitdump file, read from its beginning. Return: 0; -EBADMSG
   if it is no jitdump file; -ENOMEM. Defined in jitdump.c. */
int al_jitdump_read_names(struct al_perfmap *, FILE *, struct al_intern *);

/* Sort the names by start, then by order, and set their max_end, as
   al_perfmap_find_newest_name() needs. Call after the last name was added. */
void al_perfmap_sort_and_set_max_ends(struct al_perfmap *);

/* Return the name that was added last of those whose range contains @addr; NULL
   if there is none. Call al_perfmap_sort_and_set_max_ends() before. */
const char *al_perfmap_find_newest_name(const struct al_perfmap *,
					uint64_t addr);

void al_perfmap_release(struct al_perfmap *);

#endif
