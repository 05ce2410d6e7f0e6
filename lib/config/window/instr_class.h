/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.h - instructions, chosen by what a decoder calls them
 *
 * Threads: any.
 *
 * Class, category, ISA set and extension have XED's names: MOV, DATAXFER,
 * AVX2, SSE2. A form is the class, then kind and width [bits] of each operand
 * that is written: ADD_GPR64_MEM64, SHL_GPR32_IMM8. Capitals count for nothing.
 */
#ifndef LIB_CONFIG_WINDOW_INSTR_CLASS_H
#define LIB_CONFIG_WINDOW_INSTR_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/window.h"

/**
 * al_select_knows() - Whether some instruction can have that name.
 * @kind: enum pt_select_kind before PT_SELECT_ANY_MEM.
 * @nearest: receives the name most like it, or NULL.
 */
bool al_select_knows(uint32_t kind, const char *name, const char **nearest);

/* The selects of a plan that take an instruction: a bit for each of those that
   need a decoder, in their order. None takes what cannot be decoded. */
uint64_t al_select_take(const struct pt_plan *, const uint8_t *code,
			size_t bytes);

#endif
