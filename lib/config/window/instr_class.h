/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.h - selects instructions by the names that a decoder gives them
 *
 * Threads: any.
 *
 * Class, category, ISA set and extension have XED's names: MOV, DATAXFER, AVX2,
 * SSE2. A form is the class, followed by kind and width [bits] of each explicit
 * operand: ADD_GPR64_MEM64, SHL_GPR32_IMM8. Upper and lower case are not
 * distinguished.
 */
#ifndef LIB_CONFIG_WINDOW_INSTR_CLASS_H
#define LIB_CONFIG_WINDOW_INSTR_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/window.h"

/**
 * al_select_is_known_name() - Whether some instruction has the name @name.
 * @kind: enum pt_select_kind before PT_SELECT_ANY_MEM. Of a form only the class
 * is checked.
 * @nearest: if the result is false, receives the most similar name, or NULL.
 */
bool al_select_is_known_name(uint32_t kind, const char *name,
			     const char **nearest);

/* Return the selects of a plan that match an instruction of at most @bytes, as
   bits: one bit for each select that needs a decoder, in the plan's order. Code
   that cannot be decoded matches none. */
uint64_t al_select_decode_named_match_bits(const struct pt_plan *,
					   const uint8_t *code, size_t bytes);

#endif
