/* SPDX-License-Identifier: GPL-2.0-or-later */
/* z_names.c - decodes names that Valgrind's macros encode; see
   symbol_table.h */

#include "lib/symbols/symbol_table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Byte positions in the prefix of an encoded name, and the length of the
   prefix: "_vg", r (replaces) or w (wraps), five digits, Z, then Z (the names
   of library and function are encoded) or U (only that of the library), "_" */
enum { KIND = 3, FIRST_DIGIT = 4, LAST_DIGIT = 8, ENCODING = 10, PREFIX = 12 };

static bool has_valgrind_redirect_prefix(const char *name)
{
	if (strncmp(name, "_vg", KIND) != 0 ||
	    (name[KIND] != 'r' && name[KIND] != 'w'))
		return false;
	for (int i = FIRST_DIGIT; i <= LAST_DIGIT; i++)
		if (!isdigit((unsigned char)name[i]))
			return false;
	return name[ENCODING - 1] == 'Z' &&
	       (name[ENCODING] == 'Z' || name[ENCODING] == 'U') &&
	       name[PREFIX - 1] == '_';
}

/* Return the character that is encoded as Z followed by @letter; NUL if there
   is none. */
static char decode_z_escape_or_nul(char letter)
{
	static const char letters[] = "acdhpsuADLPRSZ";
	static const char decoded[] = "*:.-+ _@$(%)/Z";
	const char *found = letter ? strchr(letters, letter) : NULL;

	return found ? decoded[found - letters] : '\0';
}

/*
 * Decode @from up to character @end_character, '_' or NUL, into
 * @decoded_or_null, which may be NULL.
 *
 * Return: pointer to @end_character in @from; NULL if @end_character is missing
 *         or an encoding is invalid.
 */
static const char *decode_valgrind_z_name_and_find_end(const char *from,
						       char end_character,
						       char *decoded_or_null)
{
	for (; *from && *from != end_character; from++) {
		char c = *from == 'Z' ? decode_z_escape_or_nul(*++from) : *from;

		if (!c)
			return NULL;
		if (decoded_or_null)
			*decoded_or_null++ = c;
	}
	if (decoded_or_null)
		*decoded_or_null = '\0';
	return *from == end_character ? from : NULL;
}

char *al_zname_decode_valgrind_redirect(const char *name)
{
	const char *library;
	char *plain;

	if (!has_valgrind_redirect_prefix(name))
		return NULL;
	library = decode_valgrind_z_name_and_find_end(name + PREFIX, '_', NULL);
	if (!library)
		return NULL;
	plain = strdup(library + 1);
	if (plain && name[ENCODING] == 'Z' &&
	    !decode_valgrind_z_name_and_find_end(library + 1, '\0', plain)) {
		free(plain);
		return NULL;
	}
	return plain;
}
