/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_instr.h - VEX's interface to instructions of the host and their
 * registers
 *
 * The structures have the layout of those in VEX's host_generic_regs.h, which
 * has not changed since 3.19. Instruction selection uses any number of virtual
 * registers. Register allocation then assigns each of them a real register
 * while it lives, or memory that follows the guest's state. Only VEX knows the
 * format of an instruction: its functions return the registers that an
 * instruction mentions, and replace virtual registers by real ones.
 */
#ifndef VGTOOL_VEXOPT_HOST_INSTR_H
#define VGTOOL_VEXOPT_HOST_INSTR_H

#include "vgtool/vexopt/vex_prelude.h"

enum {
	PS_MAX_REAL = 64,
	PS_MAX_CLASS = 8,
	PS_MAX_MENTIONED = 5,
	PS_MAX_REMAPPED = 6,
	PS_CLASS_F64 = 6,
	PS_CLASS_V128 = 8,
};

/* A register, as bit fields from the lowest bit up: its number among the real
   or among the virtual registers (20 bits), the host's encoding (7), class (4),
   whether it is virtual (1). */
struct ps_reg {
	UInt bits;
};

static inline UInt ps_reg_number(struct ps_reg r)
{
	return r.bits & 0xfffff;
}

static inline UInt ps_reg_class(struct ps_reg r)
{
	return r.bits >> 27 & 0xf;
}

static inline Bool ps_reg_is_virtual(struct ps_reg r)
{
	return r.bits >> 31;
}

/* The real registers of the host. The first n_allocatable of them may be
   allocated. The allocatable registers of each class have consecutive numbers.
   */
struct ps_universe {
	UInt n;
	UInt n_allocatable;
	struct ps_reg reg[PS_MAX_REAL];
	UInt first[PS_MAX_CLASS + 1]; /* by class: number of its first
					 allocatable register, and in `last` of
					 its last one */
	UInt last[PS_MAX_CLASS + 1];
};

enum ps_mode { PS_READ, PS_WRITTEN, PS_MODIFIED };

/* The registers that an instruction mentions. */
struct ps_usage {
	ULong read; /* real registers that the instruction reads: bit r for the
		       register with number r; `written` likewise */
	ULong written;
	struct ps_reg reg[PS_MAX_MENTIONED]; /* the n virtual registers that it
						 mentions, each once */
	enum ps_mode mode[PS_MAX_MENTIONED];
	UInt n;
	Bool is_move; /* the instruction only copies `from` to `to` */
	struct ps_reg from;
	struct ps_reg to;
	Bool vex; /* a member for VEX; this folder does not use it */
};

struct ps_reg_remap { /* virt[i] is replaced by real[i], for
			 0 <= i < n */
	struct ps_reg virt[PS_MAX_REMAPPED];
	struct ps_reg real[PS_MAX_REMAPPED];
	Int n;
};

struct ps_code {
	void **instr;
	Int size;
	Int n;
	Int n_virtual;
};

/* VEX's functions for the host. @at is an offset from the start of the guest's
   state [bytes]. The functions with two void ** parameters store up to two
   instructions there; NULL stands for a missing one. */
struct ps_host {
	const struct ps_universe *universe;
	void (*usage)(struct ps_usage *, const void *instr, Bool is_64);
	void (*map_regs)(struct ps_reg_remap *, void *instr, Bool is_64);
	void (*spill)(void **, void **, struct ps_reg, Int at, Bool is_64);
	void (*reload)(void **, void **, struct ps_reg, Int at, Bool is_64);
	void *(*move)(struct ps_reg from, struct ps_reg to, Bool is_64);
	/* Return an instruction that has the memory operand at offset @at in
	   place of the register and is otherwise equal to @instr; NULL if the
	   host has none. */
	void *(*direct_reload)(void *instr, struct ps_reg, Short at);
	UInt guest_size;
	void (*print)(const void *instr, Bool is_64);
	UInt (*print_reg)(struct ps_reg);
	Bool is_64;
};

#endif
