/* SPDX-License-Identifier: GPL-2.0-or-later */
/* z_names.c - names that Valgrind's macros encode; see z_names.h */

#include "lib/symbols/z_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A name's head: _vg, r (replaces) or w (wraps), five digits, Z, then Z (both
   names are encoded) or U (only the library's is), _ */
enum { KIND = 3, FIRST_DIGIT = 4, LAST_DIGIT = 8, WHICH = 10, HEAD = 12 };

static bool has_encoded_head(const char *name)
{
	if (strncmp(name, "_vg", KIND) != 0 ||
	    (name[KIND] != 'r' && name[KIND] != 'w'))
		return false;
	for (int i = FIRST_DIGIT; i <= LAST_DIGIT; i++)
		if (!isdigit((unsigned char)name[i]))
			return false;
	return name[WHICH - 1] == 'Z' &&
	       (name[WHICH] == 'Z' || name[WHICH] == 'U') &&
	       name[HEAD - 1] == '_';
}

/* Return the character that Z and @letter encode; NUL: none. */
static char decode_escape(char letter)
{
	static const char letters[] = "acdhpsuADLPRSZ";
	static const char meant[] = "*:.-+ _@$(%)/Z";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? meant[at - letters] : '\0';
}

/*
 * Decode up to @end, '_' or NUL.
 *
 * Return: where that is in @from; NULL: it is not there, or something is no
 *         encoding. @to may be NULL.
 */
static const char *decode(const char *from, char end, char *to)
{
	for (; *from && *from != end; from++) {
		char c = *from == 'Z' ? decode_escape(*++from) : *from;

		if (!c)
			return NULL;
		if (to)
			*to++ = c;
	}
	if (to)
		*to = '\0';
	return *from == end ? from : NULL;
}

char *al_zname_decode(const char *name)
{
	const char *library;
	char *plain;

	if (!has_encoded_head(name))
		return NULL;
	library = decode(name + HEAD, '_', NULL);
	if (!library)
		return NULL;
	plain = strdup(library + 1);
	if (plain && name[WHICH] == 'Z' && !decode(library + 1, '\0', plain)) {
		free(plain);
		return NULL;
	}
	return plain;
}
