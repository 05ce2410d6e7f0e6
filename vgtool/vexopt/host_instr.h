/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_instr.h - instructions of the host and their registers, as VEX has them
 *
 * Shapes of VEX's own (its host_generic_regs.h, the same from 3.19 on). Code is
 * chosen with as many virtual registers as it likes; then each of them is in a
 * real one while it lives, or in memory behind the guest's state. What an
 * instruction is, only VEX knows: it is asked which registers one mentions, and
 * told what to put in their place.
 */
#ifndef VGTOOL_VEXOPT_HOST_INSTR_H
#define VGTOOL_VEXOPT_HOST_INSTR_H

#include "vgtool/vexopt/vex_prelude.h"

enum {
	PS_MOST_REAL = 64,
	PS_MOST_CLASS = 8,
	PS_MOST_MENTIONED = 5,
	PS_MOST_PLACES = 6,
	PS_CLASS_F64 = 6,
	PS_CLASS_V128 = 8,
};

/* From its lowest bit: number among the real or the virtual ones (20), the
   host's code for it (7), class (4), whether it is virtual. */
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

/* Real ones, by number: the first of them may be given out, those of a class
   lie side by side. */
struct ps_universe {
	UInt n;
	UInt n_given;
	struct ps_reg reg[PS_MOST_REAL];
	UInt first[PS_MOST_CLASS + 1]; /* by class */
	UInt last[PS_MOST_CLASS + 1];
};

enum ps_mode { PS_READ, PS_WRITTEN, PS_CHANGED };

/* What an instruction mentions. */
struct ps_usage {
	ULong read; /* real ones, bit by bit */
	ULong written;
	struct ps_reg reg[PS_MOST_MENTIONED]; /* virtual ones, each once */
	enum ps_mode mode[PS_MOST_MENTIONED];
	UInt n;
	Bool is_move; /* from one to the other, and no more */
	struct ps_reg from;
	struct ps_reg to;
	Bool vex; /* VEX's own */
};

struct ps_places { /* of virtual registers */
	struct ps_reg virt[PS_MOST_PLACES];
	struct ps_reg real[PS_MOST_PLACES];
	Int n;
};

struct ps_code {
	void **instr;
	Int size;
	Int n;
	Int n_virtual;
};

/* The host. Bytes of memory are counted from the guest's state; what takes two
   pointers makes up to two instructions. */
struct ps_host {
	const struct ps_universe *universe;
	void (*usage)(struct ps_usage *, const void *instr, Bool is_64);
	void (*place)(struct ps_places *, void *instr, Bool is_64);
	void (*store)(void **, void **, struct ps_reg, Int at, Bool is_64);
	void (*load)(void **, void **, struct ps_reg, Int at, Bool is_64);
	void *(*move)(struct ps_reg from, struct ps_reg to, Bool is_64);
	/* The instruction with a register read from memory, or NULL. */
	void *(*direct)(void *instr, struct ps_reg, Short at);
	UInt guest_size;
	void (*print)(const void *instr, Bool is_64);
	UInt (*print_reg)(struct ps_reg);
	Bool is_64;
};

#endif
