/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * register_flow.h - decodes which general registers an instruction of x86-64
 * reads and writes
 *
 * Follows chains of dependent loads. The depth of a register is the number of
 * loads, one after the other, from which its value follows: each reads at an
 * address that follows from the value of the one before. Depths are never too
 * great: an instruction that is not decoded sets all registers to depth 0, and
 * values are not followed through memory.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H
#define ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_N_REGISTERS = 16, /* rax, rcx, rdx, rbx, rsp, ... as encoded */
	AN_MAX_DEPTH = 255,  /* greater ones are stored as this */
};

/* Registers as bits. */
struct an_instr_flow {
	uint16_t address; /* of the memory operand */
	uint16_t source;  /* from which @dest follows */
	uint16_t dest;	  /* registers written */
	bool loads;	  /* @dest follows from the memory operand, too */
};

/* Decode an instruction. @code: [len] its bytes. */
struct an_instr_flow an_instr_flow_decode(const uint8_t *code, unsigned len);

/* Return the greatest depth of a set of registers. @depth: [AN_N_REGISTERS] */
static inline unsigned an_max_depth(const uint8_t *depth, unsigned registers)
{
	unsigned max = 0;

	for (; registers != 0; registers &= registers - 1) {
		unsigned d = depth[__builtin_ctz(registers)];

		max = d > max ? d : max;
	}
	return max;
}

/* Execute an instruction: change the depths of the registers that it writes. */
void an_instr_flow_execute(const struct an_instr_flow *, uint8_t *depth);

#endif
