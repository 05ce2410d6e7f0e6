/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_label.h - names a place in code for people
 *
 * Threads: any.
 */
#ifndef ANALYZERS_CODE_LABEL_H
#define ANALYZERS_CODE_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AN_CODE_LABEL = 256 }; /* [bytes] of the longest label with the NUL */

/* A place in code. Unknown strings are "???". */
struct an_code_place {
	const char *function, *file;
	const char *object; /* file name of the object file */
	uint64_t line;
	uint64_t address; /* 0: the place is not one instruction */
};

/* Return @prefix and then "function  (file:line)", which the caller frees. If
   the file is not known: "function  [object 0xaddress]"; without an address:
   "function  [object]", or "object (no symbols)". The text is cut to
   AN_CODE_LABEL - 1 bytes and, unless @max_bytes is less than 4, to @max_bytes
   bytes, of which the last three are then "...". NULL: memory is short. */
char *an_code_label_alloc(const struct an_code_place *, const char *prefix,
			  size_t max_bytes);

/* Return a copy of @label, which the caller frees, cut to @max_bytes bytes as
   by an_code_label_alloc(). NULL: memory is short. */
char *an_code_label_copy_cut(const char *label, size_t max_bytes);

/* Whether a name of a function, source file or object file is "???". */
bool an_code_label_is_unknown(const char *name);

#endif
