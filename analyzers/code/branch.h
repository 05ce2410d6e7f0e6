/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch.h - decodes how an instruction transfers control */
#ifndef ANALYZERS_CODE_BRANCH_H
#define ANALYZERS_CODE_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

enum an_branch_kind {
	AN_BRANCH_NONE, /* continues with the next instruction, or cannot be
			   decoded */
	AN_BRANCH_CALL,
	AN_BRANCH_RETURN,
	AN_BRANCH_JUMP,
	AN_BRANCH_CONDITIONAL,
	AN_BRANCH_SYSTEM_CALL,
	AN_BRANCH_REPEAT, /* string instruction with a rep prefix: Valgrind
			     executes each iteration as one instruction */
};

struct an_branch {
	uint8_t kind;	  /* enum an_branch_kind */
	bool is_indirect; /* the target is read from a register or memory; also
			     true for returns and system calls */
	uint64_t target;  /* address; 0 if is_indirect or not a branch */
};

/**
 * an_branch_decode() - Decode the control transfer of an instruction.
 * @code: [len] its bytes.
 * @address: of the instruction.
 */
struct an_branch an_branch_decode(const uint8_t *code, unsigned len,
				  uint64_t address);

#endif
