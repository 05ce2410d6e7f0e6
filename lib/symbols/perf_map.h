/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_map.h - names of code that a program makes at run time
 *
 * Compilers of such code write them for perf(1), in perf-PID.map: a line for
 * each function, "START SIZE NAME", numbers in hexadecimal. Code that is made
 * where other code was has a further line, and the last one holds.
 *
 * Threads: one at a time, or any that only read.
 */
#ifndef LIB_SYMBOLS_PERF_MAP_H
#define LIB_SYMBOLS_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct al_intern;

enum {
	AL_PERFMAP_BYTES = 16 << 20, /* most that is read of a file */
	AL_PERFMAP_NAME = 1000,	     /* [bytes] most that is stored of a name */
	AL_PERFMAP_NAMES = 1 << 18,  /* most that are read of a jitdump */
};

/* The object's name for code made at run time. */
#define AL_MADE_OBJECT "code made at run time"

struct al_perfname {
	uint64_t start;
	uint64_t size;	  /* [bytes] > 0, and start + size does not wrap */
	uint64_t reach;	  /* largest end of this name and of all before it */
	const char *name; /* interned */
	uint32_t line;	  /* of the file, from 0 */
};

/* Names of code made at run time. Zeroed: none. */
struct al_perfmap {
	struct al_perfname *item; /* by start, then line */
	size_t n;
	size_t size; /* names there is room for */
};

/* Add a name, which replaces older ones of the same code. @name: interned, or
   NULL. Return: 0; -EINVAL; -ENOMEM. */
int al_perfmap_add(struct al_perfmap *, uint64_t start, uint64_t size,
		   const char *name);

/**
 * al_perfmap_read() - Read a file, after checks: it is a regular file of ours.
 * @path: a link is not followed.
 *
 * Lines of another form are skipped; a jitdump file is known by its head, and
 * read up to the first malformed record. Return: 0; -errno; -EPERM: it is
 * another user's, or not regular.
 */
int al_perfmap_read(struct al_perfmap *, const char *path, struct al_intern *);

/* Read a jitdump file from its beginning. Return: 0; -EBADMSG: it is no
   jitdump; -ENOMEM. jitdump.c. */
int al_jitdump_read(struct al_perfmap *, FILE *, struct al_intern *);

/* Sort the names for al_perfmap_find(), after the last one was added. */
void al_perfmap_sort(struct al_perfmap *);

/* Return the name of the code at @addr, or NULL. */
const char *al_perfmap_find(const struct al_perfmap *, uint64_t addr);

void al_perfmap_release(struct al_perfmap *);

#endif
