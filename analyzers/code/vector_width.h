/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vector_width.h - widths of the integers that vector instructions compute
 */
#ifndef ANALYZERS_CODE_VECTOR_WIDTH_H
#define ANALYZERS_CODE_VECTOR_WIDTH_H

#include <stdbool.h>

/* Whether @mnemonic begins with one of the stems, after the v of AVX where
   there is one. @stems: ends with NULL. */
bool an_mnemonic_begins_with_stem(const char *mnemonic,
				  const char *const *stems);

/* Return the width [bits] of an element of the result of arithmetic on integers
   in vector registers; 0: @mnemonic is no such arithmetic. Zydis's width is not
   used: for instructions without VEX it is often that of other instructions of
   the same operands. */
unsigned an_vector_integer_bits(const char *mnemonic);

#endif
