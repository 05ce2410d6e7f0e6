/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.h - names of unknown origin, made safe for a file of lines
 *
 * Unlike al_make_printable(), from which a name cannot be had back, an escape
 * says which byte stood there: two names are never written alike.
 */
#ifndef BASE_TEXT_ESCAPE_H
#define BASE_TEXT_ESCAPE_H

#include <stddef.h>

enum { AL_ESCAPED = 4 }; /* [bytes] at most, of one byte of a name */

/**
 * al_escape() - Copy a name, with some bytes written as "\x0a".
 * @out: [AL_ESCAPED * strlen(@name) + 1] receives the copy with its NUL; may be
 *       NULL.
 * @separators: characters that mean something to the reader of the file.
 *
 * Bytes of separators are escaped, of characters that al_is_printable() refuses,
 * of what is not UTF-8, spaces at both ends, and a backslash before an 'x'. All
 * others are copied.
 *
 * Return: [bytes] the length of the copy without the NUL; strlen(@name) exactly
 *         when nothing is escaped.
 */
size_t al_escape(char *out, const char *name, const char *separators);

/* Undo al_escape() in place. Return @name. */
char *al_unescape(char *name);

#endif
