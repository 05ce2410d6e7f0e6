/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * register_flow.h - follows chains of dependent loads
 *
 * The chain of a register is the sequence of loads from which its value
 * follows: each reads at an address that follows from the value of the one
 * before. Chains are never too long: an instruction that is not decoded makes
 * those of all registers empty, and values are not followed through memory.
 */
#ifndef ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H
#define ANALYZERS_CACHE_EVIDENCE_REGISTER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/code/instr_flow.h"

enum {
	AN_N_REGISTERS = 16, /* rax, rcx, rdx, rbx, rsp, ... as encoded */
	AN_CHAIN_LENGTH = 4, /* maximum number of loads stored of a chain: the
				last ones */
};

/* The last loads of a chain of dependent loads, the newest first. */
struct an_load_chain {
	uint32_t load[AN_CHAIN_LENGTH]; /* numbers of instructions, the last
					   load first */
	uint8_t n;
	bool repeats; /* two of the stored loads are by the same instruction */
};

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
void an_instr_flow_update_chains(const struct al_instr_flow *,
				 struct an_load_chain *chain);

#endif
