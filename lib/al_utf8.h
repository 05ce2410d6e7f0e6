/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_utf8.h - characters of a string that may be anything
 *
 * Room:    lib, not for others.
 * Used by: al_json.c, al_text.c.
 */
#ifndef AL_UTF8_H
#define AL_UTF8_H

#include <stddef.h>
#include <stdint.h>

/**
 * al_utf8() - Take the character that @s begins with.
 * @s: not at its end.
 * @code: the character, when there is one.
 *
 * Return: [bytes] its length; 0 when no well-formed UTF-8 is there (RFC 3629:
 *         no overlong forms, no surrogates, nothing above U+10FFFF).
 */
size_t al_utf8(const char *s, uint32_t *code);

#endif
