/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.h - selects instructions by the names that a decoder gives them
 *
 * Threads: any.
 *
 * Class, category, ISA set and extension have XED's names: MOV, DATAXFER, AVX2,
 * SSE2. A form is the class, followed by '_', kind and width [bits] of each
 * operand that is not hidden: ADD_GPR64_MEM64, SHL_GPR32_IMM8. Upper and lower
 * case are not distinguished.
 */
#ifndef LIB_CONFIG_WINDOW_INSTR_CLASS_H
#define LIB_CONFIG_WINDOW_INSTR_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/window.h"

/**
 * al_select_is_known_name() - Whether @name is a name of kind @select_kind that
 * the decoder knows.
 * @select_kind: PT_SELECT_FORM to PT_SELECT_CATEGORY. Of a form, only the class
 *        is checked, the part before the first '_'.
 * @nearest_if_unknown: receives the most similar known name, of a category also
 *           "any" and "any_mem", or NULL if none is similar. Unchanged if the
 *           result is true.
 */
bool al_select_is_known_name(uint32_t select_kind, const char *name,
			     const char **nearest_if_unknown);

/* Return a bit set of the plan's selects that match the instruction at @code,
   which has at most @max_bytes bytes. Bit k, from 0, is 1 if the k-th of the
   selects that need a decoder matches, in the plan's order; other selects have
   no bit. Return 0 if the code cannot be decoded. */
uint64_t al_named_select_bits_matching_instr(const struct pt_plan *,
					     const uint8_t *code,
					     size_t max_bytes);

#endif
