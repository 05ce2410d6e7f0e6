/* SPDX-License-Identifier: GPL-2.0-or-later */
/* executed_instr.h - an instruction that a thread executed */
#ifndef LIB_SYMBOLS_EXECUTED_INSTR_H
#define LIB_SYMBOLS_EXECUTED_INSTR_H

#include <stdint.h>

/* Greatest number of instructions that are looked at to find the type of what
   the last one accesses. */
enum { AL_MAX_EXECUTED_INSTRS = 64 };

struct al_executed_instr {
	uint64_t elf_address; /* address as in the file */
	const uint8_t *code;  /* [len] */
	unsigned len;	      /* [bytes] */
};

#endif
