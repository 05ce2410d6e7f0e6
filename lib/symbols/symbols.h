/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - function, file and line of an address in an object file
 *
 * Threads: any; locks inside.
 *
 * Objects are read at the first question, or ahead, and stay. Names follow
 * Valgrind's choices, so that a report reads like Cachegrind's: an address
 * inside no symbol's range is "???", never the nearest symbol; among aliases
 * the same one is preferred. Split debug files are found by build id and by
 * .gnu_debuglink under /usr/lib/debug.
 */
#ifndef LIB_SYMBOLS_SYMBOLS_H
#define LIB_SYMBOLS_SYMBOLS_H

#include <stdint.h>

#include "base/text/source_location.h"
#include "lib/symbols/cached_names.h"

struct al_intern;
struct al_symbols;

/* NULL with errno set. */
struct al_symbols *al_symbols_new(void);
void al_symbols_free(struct al_symbols *);

/* The one copy of a string, alive until al_symbols_free(); never NULL. */
const char *al_symbols_intern(struct al_symbols *, const char *string);

/* All of them. */
struct al_intern *al_symbols_strings(struct al_symbols *);

/* There will be questions about this object: a thread reads it meanwhile.
   @path: interned. */
void al_symbols_ahead(struct al_symbols *, const char *path);

/* Take, and release, every lock inside, so that a fork's child can use it. Waits
   while an object is read. */
void al_symbols_lock(struct al_symbols *);
void al_symbols_unlock(struct al_symbols *);

/* Names an instruction of which only the object is known. @path as below. */
void al_symbols_object(struct al_symbols *, const char *path,
		       struct an_symbol *out);

/**
 * al_symbols_tell() - Add the name of one instruction of an object.
 * @path: the object's file, interned.
 * @name: its value, any address; function and file, interned, the file with its
 *        directory; and line.
 *
 * From the first call on, the object's file is not read: its instructions that
 * no call has named have no names.
 * Return: 0; -ENOMEM.
 */
int al_symbols_tell(struct al_symbols *, const char *path,
		    const struct al_told_name *);

/* The build id of the object at @path, in hex; "" when there is none. */
enum { AL_BUILD_ID = 129 /* [bytes] with the NUL */ };
void al_symbols_build_id(const char *path, char id[AL_BUILD_ID]);

/**
 * al_symbols_find() - Name an instruction.
 * @path: the object's file, interned; NULL for code in no file.
 * @value: address as in the file's symbol table (address - bias).
 * @out: every member is set.
 */
void al_symbols_find(struct al_symbols *, const char *path, uint64_t value,
		     struct an_symbol *out);

#endif
