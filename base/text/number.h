/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.h - numbers as users write them
 */
#ifndef BASE_TEXT_NUMBER_H
#define BASE_TEXT_NUMBER_H

#include <stdint.h>

/**
 * al_number_parse() - Read a decimal number: digits and nothing else. Leading
 * zeros do not make it octal.
 *
 * Return: 0; -EINVAL not a number; -ERANGE more than 64 bits.
 */
int al_number_parse(const char *text, uint64_t *out);

/* The same with an optional K, M or G (1024, 1024^2, 1024^3) behind it, in
   either case. */
int al_size_parse(const char *text, uint64_t *out);

#endif
