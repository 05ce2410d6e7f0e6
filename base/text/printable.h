/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.h - makes names of unknown origin safe to print, and C++ names
 * short
 *
 * Names of files, functions and processes come from the recorded program and
 * may hold any byte. Every character that could move the cursor of a terminal,
 * end a line or hide text is replaced by '?', and so is every byte that is not
 * part of well-formed UTF-8.
 */
#ifndef BASE_TEXT_PRINTABLE_H
#define BASE_TEXT_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Whether @code may be printed: false for the control characters C0, DEL and
   C1, the line and paragraph separators, and the characters that change the
   direction of text (U+200E, U+200F, U+061C, U+202A to U+202E, U+2066 to
   U+2069). */
bool al_is_printable(uint32_t code);

/* Write at most @max_columns characters of @s to @f, with '?' for each that is
   not printable. */
void al_write_unprintable_as_question_marks(FILE *f, const char *s,
					    size_t max_columns);

/**
 * al_copy_unprintable_as_question_marks() - Copy a string with its
 * unprintable characters replaced.
 * @out: receives the copy with its NUL, truncated after a whole character.
 * @out_size: [bytes] of @out, at least 1.
 *
 * Return: [bytes] the length of the copy without the NUL.
 */
size_t al_copy_unprintable_as_question_marks(char *out, size_t out_size,
					     const char *s);

/**
 * al_template_drop_std_default_args() - Remove template arguments that are
 * defaults of the standard library's templates.
 * @name: as the demangler writes it; is shortened in place.
 *
 * "std::map<int, char, std::less<int>, std::allocator<std::pair<int const,
 * char> > >" becomes "std::map<int, char>". An argument is removed only at the
 * end of a list, and only if it is made from the first argument of the list.
 *
 * Return: @name; unchanged if memory is short.
 */
char *al_template_drop_std_default_args(char *name);

#endif
