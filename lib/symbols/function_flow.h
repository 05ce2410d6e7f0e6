/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * function_flow.h - instructions of a function, the transfers of control
 *                   between them, and its variables
 *
 * Threads: the caller locks.
 */
#ifndef LIB_SYMBOLS_FUNCTION_FLOW_H
#define LIB_SYMBOLS_FUNCTION_FLOW_H

#include <stdint.h>

#include "base/code/instr_flow.h"
#include "lib/symbols/code_ranges.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/local_variables.h"

enum {
	AL_NO_INSTR = UINT32_MAX,
	AL_FLOW_SETS = 16, /* functions are stored in sets by their address */
	AL_FLOW_WAYS = 4,  /* functions in a set */
};

struct al_flow_instr {
	uint32_t offset; /* from the start of the function [bytes] */
	uint32_t jump;	 /* index in al_function_flow.jump of the head of the
			    list of jumps to the instruction; AL_NO_INSTR: there
			    is none */
	struct al_instr_step step;
};

/* A jump inside the function. */
struct al_flow_jump {
	uint32_t from, to; /* indices of instructions */
	uint32_t next;	   /* index of the next jump to the same instruction;
			      AL_NO_INSTR: there is none */
};

/* A range of a function's code. Empty if n is 0. */
struct al_function_flow {
	uint64_t start; /* address as in the file */
	uint8_t *code;
	struct al_flow_instr *instr; /* [n] by address */
	uint32_t n;
	struct al_flow_jump *jump; /* [n_jumps] */
	uint32_t n_jumps;
	struct al_local_variables variables;
};

/* The functions that were read last. Initialise with zeros. */
struct al_function_flows {
	struct al_function_flow flow[AL_FLOW_SETS][AL_FLOW_WAYS];
	unsigned char oldest[AL_FLOW_SETS]; /* way that was read first */
};

/* Return the flow of a range of a function's code, which is read and decoded
   unless it is stored; it is valid until the next call. The flow ends before
   bytes that are no instruction. NULL: the code cannot be read, begins with
   such bytes, is longer than 256 KiB, or memory is short. */
const struct al_function_flow *
al_function_flows_find_or_read(struct al_function_flows *,
			       const struct al_elf *,
			       const struct al_code_range *function);

/* Return the index of the instruction at @address, as in the file; AL_NO_INSTR
   if none begins there. */
uint32_t al_function_flow_find_instr(const struct al_function_flow *,
				     uint64_t address);

void al_function_flows_release(struct al_function_flows *);

#endif
