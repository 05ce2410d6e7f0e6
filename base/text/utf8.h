/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - decodes one character of UTF-8
 */
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/**
 * al_utf8_decode_get_length_or_0() - Decode the first character of a string.
 * @s: a string that is not empty.
 * @code_out: receives the code point; unchanged if there is none.
 *
 * Return: [bytes] the length of the character; 0 if @s does not begin with
 *         well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
 *         nothing above U+10FFFF).
 */
size_t al_utf8_decode_get_length_or_0(const char *s, uint32_t *code_out);

#endif
