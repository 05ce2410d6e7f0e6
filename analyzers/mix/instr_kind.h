/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_kind.h - decodes instructions into kinds
 *
 * A kind is the class, category and ISA extension of an instruction and the
 * arithmetic that an execution of it does, packed into a key.
 * Instructions of equal keys are counted together.
 *
 * Classes, categories and extensions have the names of XED (ICLASS, CATEGORY,
 * EXTENSION), which Zydis shares but for the variants of a class that XED
 * distinguishes: ADD_LOCK, REP_MOVSB, CALL_NEAR, MOVSD_XMM.
 *
 * Floating-point operations are counted as in Intel's article 672372
 * ("Calculating FLOP using Intel SDE"): add, subtract, multiply, divide, square
 * root, reciprocal, minimum, maximum and dot product count the elements of the
 * result, fused multiply-add twice; comparisons, moves, logic, shuffles and
 * conversions do not count. An arithmetic instruction of the x87 counts 1.
 * Integer operations are counted by the same rule: add, subtract, multiply,
 * divide, negate, shift, rotate, minimum, maximum, absolute value, sum of
 * absolute differences, average and sign count the elements of the result,
 * multiply-add of integers once; comparisons, moves and shuffles do not count.
 * Logic on a whole register counts one operation of its width. The width of an
 * element of a vector follows from the mnemonic, so that an instruction counts
 * the same with and without VEX.
 */
#ifndef ANALYZERS_MIX_INSTR_KIND_H
#define ANALYZERS_MIX_INSTR_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "base/tables/key_table.h"

enum an_arithmetic {
	AN_NO_ARITHMETIC,
	AN_INTEGER,
	AN_FLOAT, /* floating-point arithmetic in vector registers (SSE and
		     later) */
	AN_X87,
	AN_N_ARITHMETIC
};

/* The arithmetic of one execution. */
struct an_operations {
	enum an_arithmetic type;
	unsigned width;	   /* [bits] of an element; 80 for x87; of the register
			      for logic in vector registers */
	unsigned elements; /* elements of the result; 0 without arithmetic */
	unsigned count;	   /* operations of one execution: elements, or twice as
			      many */
};

/* Return the key of the instruction with the bytes @code. All words are 0
   ("undecoded") if @code is NULL, which stands for unknown code, or is not
   exactly one instruction of @code_bytes bytes. */
struct al_key an_instr_kind_decode_to_key(const uint8_t *code,
					  size_t code_bytes);

/* Return the arithmetic that one execution of an instruction with this key
   does. */
struct an_operations an_instr_kind_arithmetic_of_key(const struct al_key *);

/* Return word 0 of a key: the mnemonic with its variant (together the name of
   the XED class), category and ISA extension. Word 0 is equal for two
   instructions if all of these are equal. */
static inline uint64_t an_instr_kind_class_word(const struct al_key *key)
{
	return key->word[0];
}

enum { AN_CLASS_NAME = 48 }; /* [bytes] room for a name, with the NUL */

/* Write the name of the class in capital letters to @name_out; "undecoded" if
   @class is 0. */
void an_instr_kind_write_xed_class_name(uint64_t class,
					char name_out[AN_CLASS_NAME]);

/* Return the name of the category, a constant string. @class: word 0 of a
   key. */
const char *an_instr_kind_category_name(uint64_t class);
/* Return the name of the ISA extension, such as "AVX2", a constant string.
   @class: word 0 of a key. */
const char *an_instr_kind_extension_name(uint64_t class);

#endif
