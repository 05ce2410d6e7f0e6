/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * register_flow.h - decodes which general registers an instruction of x86-64
 * reads and writes
 *
 * Follows chains of dependent loads. The chain of a register are the loads, one
 * after the other, from which its value follows: each reads at an address that
 * follows from the value of the one before. Chains are never too long: an
 * instruction that is not decoded makes those of all registers empty, and
 * values are not followed through memory.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H
#define ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
	AN_N_REGISTERS = 16, /* rax, rcx, rdx, rbx, rsp, ... as encoded */
	AN_CHAIN_LENGTH = 4, /* maximum number of loads stored of a chain: the
				last ones */
};

/* The last loads of a chain. */
struct an_load_chain {
	uint32_t load[AN_CHAIN_LENGTH]; /* numbers of instructions, the last
					   load first */
	uint8_t n;
	bool repeats; /* two of the stored loads are by the same instruction */
};

/* Effect of an instruction on general registers; sets of registers are bit
   masks, bit 0: rax. */
struct an_instr_flow {
	uint16_t address; /* registers of the memory operand's address */
	uint16_t source;  /* registers that the values of @dest depend on */
	uint16_t dest;	  /* registers written */
	bool loads;	  /* @dest follows from the memory operand, too */
	uint32_t number;  /* of the instruction; set by the caller */
};

/* Return the flow of the instruction @code, which has @len bytes. If it cannot
   be decoded, all registers count as written with values that are not followed.
   */
struct an_instr_flow an_instr_flow_decode(const uint8_t *code, unsigned len);

/* Whether a chain is one of a walk from element to element, as along a list: it
   has AN_CHAIN_LENGTH loads, and an instruction loaded twice among them. */
static inline bool an_load_chain_is_walk(const struct an_load_chain *c)
{
	return c->n == AN_CHAIN_LENGTH && c->repeats;
}

/* Return the best chain of the registers in bit mask @registers: chains that
   repeat before others, then the longest, then that of the lowest register
   number; an empty chain if there is none. @chain: [AN_N_REGISTERS] by register
   number. */
struct an_load_chain
an_load_chain_best_of_registers(const struct an_load_chain *chain,
				unsigned registers);

/* Execute an instruction: set the chains of the registers that it writes, and
   make that of rsp empty. @chain: [AN_N_REGISTERS] by register number. */
void an_instr_flow_update_chains(const struct an_instr_flow *,
				 struct an_load_chain *chain);

#endif
