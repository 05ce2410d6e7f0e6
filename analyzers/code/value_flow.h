/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value_flow.h - follows a value through the instructions of a loop
 *
 * The value is in a register or in memory, and is copied, changed and used.
 * accumulation.c defines the functions.
 */
#ifndef ANALYZERS_CODE_VALUE_FLOW_H
#define ANALYZERS_CODE_VALUE_FLOW_H

#include "analyzers/code/decoded_instr.h"

enum {
	AN_GENERAL_PURPOSE = 0xffff, /* set of all general-purpose registers */
	AN_MEMORY_VALUE = 1
			  << 16, /* bit of the loop's value in memory, in a set
				     of registers */
};

/* A decoded instruction, with sets of registers */
struct an_decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	bool is_at_value; /* its operand in memory is the loop's value */
	uint64_t reads, writes;
	uint64_t addresses; /* registers that are read for an address */
	uint64_t invariant; /* registers that no instruction of the loop
			       writes; 0: not known */
	bool feeds_result;  /* the value at the end can follow from a register
			       that it writes */
};

/* The instructions of a loop through which a value is followed. */
struct an_value_path {
	const struct an_instr_node *const *body;
	size_t first, last;	 /* indexes of the first and the last one */
	const bool *is_at_value; /* by index in `body`: whether it accesses the
				    value in memory; NULL: none does */
	uint64_t invariant;	 /* as an_decoded.invariant */
	uint64_t feeding;	 /* registers from which the value at the end
				    can follow */
};

/* A value in a register or in memory, as the instructions of a loop copy and
   change it. Sets of registers include AN_MEMORY_VALUE. */
struct an_value {
	uint64_t newest;   /* registers that hold the newest value */
	uint64_t older;	   /* registers that hold an older one */
	uint64_t constant; /* registers that hold the first value plus what is
			      the same in every iteration */
	uint64_t derived;  /* registers that hold anything else computed from
			      it */
	uint8_t operation; /* of the first change: enum operation in
			      accumulation.c */
	const char *type;  /* of the operands of the first change: the end of
			      the mnemonic; of a conditional move "signed" or
			      "unsigned"; of a lea "" */
	uint32_t flags;	   /* those that an instruction has set from it */
	size_t changes;	   /* operations that have changed it */
	bool is_mixed;	   /* several operations, or types, have changed it */
	bool is_used;	   /* the instructions do anything else than apply
			      `operation` to the newest value, copy, store and
			      compare it */
};

/* Decode an instruction, and set the sets of registers of @d, whose is_at_value
   is set. Return: false: it cannot be decoded. */
bool an_decode_instr_register_sets(struct an_decoded *d,
				   const struct an_instr_node *instr);

/* Whether the instruction sets a register to 0, as xor eax, eax does. */
bool an_is_clearing_instr(const struct an_decoded *d);

/* Follow the value, which @holder holds at first (a register, or
   AN_MEMORY_VALUE), through the instructions of @p. Instructions that cannot
   read it are skipped.
   @changes_out: NULL, or set to whether each of these instructions changes the
   value. Return: false: an instruction cannot be decoded. */
bool an_value_follow_path(struct an_value *v, uint64_t holder,
			  const struct an_value_path *p, bool *changes_out);

#endif
