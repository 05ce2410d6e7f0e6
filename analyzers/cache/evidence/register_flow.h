/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * register_flow.h - decodes which general registers an instruction of x86-64
 * reads and writes
 *
 * Follows chains of dependent loads. The chain of a register are the loads, one
 * after the other, from which its value follows: each reads at an address that
 * follows from the value of the one before. Chains are never too long: an
 * instruction that is not decoded makes those of all registers empty, and values
 * are not followed through memory.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H
#define ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_N_REGISTERS = 16, /* rax, rcx, rdx, rbx, rsp, ... as encoded */
	AN_CHAIN_LENGTH = 4, /* loads of a chain that are stored, the last */
};

/* The last loads of a chain. */
struct an_load_chain {
	uint32_t load[AN_CHAIN_LENGTH]; /* numbers of instructions, the last
					   load first */
	uint8_t n;
	bool repeats; /* two of them are of one instruction */
};

/* Registers as bits. */
struct an_instr_flow {
	uint16_t address; /* of the memory operand */
	uint16_t source;  /* from which @dest follows */
	uint16_t dest;	  /* registers written */
	bool loads;	  /* @dest follows from the memory operand, too */
	uint32_t number;  /* of the instruction; set by the caller */
};

/* Decode an instruction. @code: [len] its bytes. */
struct an_instr_flow an_instr_flow_decode(const uint8_t *code, unsigned len);

/* Whether a chain is one of a walk from element to element, as along a list: it
   has AN_CHAIN_LENGTH loads, and an instruction loaded twice among them. */
static inline bool an_load_chain_is_walk(const struct an_load_chain *c)
{
	return c->n == AN_CHAIN_LENGTH && c->repeats;
}

/* Return the chain of a set of registers: one that repeats, else the longest, of
   equal ones that of the first register. @chain: [AN_N_REGISTERS] */
struct an_load_chain an_best_load_chain(const struct an_load_chain *chain,
					unsigned registers);

/* Execute an instruction: change the chains of the registers that it writes. */
void an_instr_flow_execute(const struct an_instr_flow *,
			   struct an_load_chain *chain);

#endif
