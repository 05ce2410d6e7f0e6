/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.h - parses decimal numbers, and sizes with a suffix K, M or G
 */
#ifndef BASE_TEXT_NUMBER_H
#define BASE_TEXT_NUMBER_H

#include <stdint.h>

/**
 * al_number_parse_digits_only() - Parse a decimal number: only digits. Leading
 * zeros do not make it octal.
 *
 * Return: 0; -EINVAL: not a number; -ERANGE: more than 64 bits.
 */
int al_number_parse_digits_only(const char *text, uint64_t *number_out);

/* Parse a decimal number of bytes with an optional suffix K, M or G (1024,
   1024^2, 1024^3) in either case, and nothing after it. Return: as
   al_number_parse_digits_only(). */
int al_size_parse_optional_kmg(const char *text, uint64_t *bytes_out);

#endif
