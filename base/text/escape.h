/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.h - escapes names of unknown origin for files of lines
 *
 * An escape contains the byte that it replaces, so different names are never
 * written alike, and al_unescape_in_place() restores them.
 * al_copy_unprintable_as_question_marks() loses the bytes.
 */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include <stddef.h>

enum { AL_MAX_ESCAPE = 4 }; /* [bytes] longest escape of one byte */

/**
 * al_escape_name_get_length() - Copy a name, with some bytes written as "\x0a".
 * @out: [AL_MAX_ESCAPE * strlen(@name) + 1] receives the copy with its NUL; may
 *       be NULL.
 * @separators: characters with a meaning in the file.
 *
 * Escapes are written for the bytes of separators, of characters that
 * al_is_printable() refuses and of malformed UTF-8, for a space at either end,
 * and for a backslash before an 'x'. All other bytes are copied.
 *
 * Return: [bytes] the length of the copy without the NUL; equal to
 * strlen(@name) exactly if nothing is escaped.
 */
size_t al_escape_name_get_length(char *out, const char *name,
				 const char *separators);

/* Undo al_escape_name_get_length() in place. Return @name. */
char *al_unescape_in_place(char *name);

#endif
