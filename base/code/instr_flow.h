/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_flow.h - decodes which general registers an instruction of x86-64 reads
 * and writes
 *
 * Threads: any.
 */
#ifndef BASE_CODE_INSTR_FLOW_H
#define BASE_CODE_INSTR_FLOW_H

#include <stdbool.h>
#include <stdint.h>

/* Effect of an instruction on general registers; sets of registers are bit
   masks, bit 0: rax. */
struct al_instr_flow {
	uint16_t address; /* registers of the memory operand's address */
	uint16_t source;  /* registers that the values of @dest depend on */
	uint16_t dest;	  /* registers written; without rsp if the instruction
			     does not name it */
	bool loads;	  /* @dest follows from the memory operand, too */
	uint32_t number;  /* number by which the caller identifies the
			     instruction; not set by the decoder */
};

/* Return the flow of the instruction @code, which has @len bytes. If its flow
   is not known, because the bytes cannot be decoded, say, all registers count
   as written, and `source` is empty. */
struct al_instr_flow al_instr_decode_register_flow(const uint8_t *code,
						   unsigned len);

#endif
