/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decoded_instr.h - decodes instructions of the code map
 *
 * Sets of registers are masks: bits 0 to 15 are the general-purpose registers,
 * bits 32 to 63 the vector registers. Bits 16 to 31 are free for the caller.
 */
#ifndef ANALYZERS_CODE_DECODED_INSTR_H
#define ANALYZERS_CODE_DECODED_INSTR_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

#include "analyzers/code/code_map.h"

/* Decode the instruction of a node. @operands_out: [ZYDIS_MAX_OPERAND_COUNT].
   Return: false: its bytes are not known, or are no instruction. */
bool an_instr_node_decode(const struct an_instr_node *,
			  ZydisDecodedInstruction *instr_out,
			  ZydisDecodedOperand *operands_out);

/* Return the bit of the whole register that contains @reg; 0: it is neither a
   general-purpose nor a vector register. */
uint64_t an_register_bit_or_0(ZydisRegister reg);

#endif
