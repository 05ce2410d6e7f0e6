/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code_map.h - numbers the executed instructions of an exec image
 *
 * An instruction is identified by its address and its version. The version is 0
 * unless the code was rewritten: when a block is added in which an instruction
 * has other bytes than the instruction known at its address, all adjacent
 * instructions of the block get the next version. A block whose bytes equal
 * those of an older version gets the number of that version again.
 *
 * Valgrind describes the same code in several blocks; their instructions have
 * the same numbers.
 */
#ifndef ANALYZERS_CODE_CODE_MAP_H
#define ANALYZERS_CODE_CODE_MAP_H

#include "analyzers/analyzer.h"
#include "base/tables/index_table.h"
#include "base/tables/key_table.h"

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
 * @code: the @len bytes of the instruction.
 * @address: address of the instruction.
 *
 * Return: the branch; kind AN_BRANCH_NONE if the instruction transfers no
 * control or cannot be decoded.
 */
struct an_branch an_branch_decode(const uint8_t *code, unsigned len,
				  uint64_t address);

enum {
	/* [bytes] maximum of an instruction's bytes that are compared and
	   decoded */
	AN_MAX_CODE_BYTES = 15,
};

/* An instruction. A program can have millions: 32 bytes. */
struct an_instr_node {
	uint64_t address;
	const struct an_block *block; /* first block that contains it */
	uint32_t version;
	uint32_t newest; /* in the first node at an address: newest version
			    there */
	uint32_t code_offset : 24; /* [bytes] of the instruction in
				      block->code */
	uint32_t branch_kind : 7;  /* enum an_branch_kind */
	uint32_t is_indirect : 1;  /* as in struct an_branch */
	uint16_t instr;		   /* its index in `block` */
	uint8_t len;		   /* [bytes] */
};

/* Numbers of the executed instructions. Initialise with zeros. */
struct an_code_map {
	struct an_instr_node *node; /* [n_nodes] by number */
	uint32_t n_nodes;
	size_t max_nodes;
	struct al_index_table addresses; /* the first node at each address */
	struct al_key_table others;	 /* key: address, version of all other
				       nodes */
	uint32_t *other;		 /* [others.n] number of the node */
	size_t max_others;
};

/**
 * an_code_map_add_block() - Number the instructions of a block.
 * @node_of_instr: [block->n_instrs] receives the number of each instruction.
 *
 * Return: 0 or -ENOMEM.
 */
int an_code_map_add_block(struct an_code_map *, const struct an_block *block,
			  uint32_t *node_of_instr);

/* Return the number of the instruction at @address: of version @version if
   there is one, else of the newest version; -1: none was executed. */
int64_t an_code_map_find_node_or_newest(const struct an_code_map *,
					uint64_t address, uint32_t version);

/* Return the bytes of an instruction, [min(node->len, AN_MAX_CODE_BYTES)];
   NULL: unknown. */
static inline const uint8_t *
an_instr_node_code_or_null(const struct an_instr_node *node)
{
	return node->block->code ? node->block->code + node->code_offset : NULL;
}

/* Return the address that a branch leads to; 0 if it is indirect or no
   branch. */
uint64_t an_instr_node_branch_target_or_0(const struct an_instr_node *);

/* Whether @to is the address of the first byte after instruction @from. */
static inline bool
an_node_is_followed_by_address(const struct an_instr_node *from, uint64_t to)
{
	return from->address + from->len == to;
}

void an_code_map_release(struct an_code_map *);

/**
 * an_is_induction() - Return whether instructions of a loop add a constant
 * to a value in memory, so that each value follows from the first one.
 * @body: the instructions of the loop by address, from the header on: the order
 *        of execution if the loop has no branches.
 * @is_at_value: by index in @body: whether the instruction accesses the value
 *               in memory.
 * @load: index of an instruction that loads the value, or modifies it there.
 * @store: index of an instruction that stores the value, at least @load.
 * @changes_out: elements @load to @store receive whether the instruction
 *               changes the value. If an iteration does not execute one of
 *               them, or the store, once, the value is no induction.
 */
bool an_is_induction(const struct an_instr_node *const *body,
		     const bool *is_at_value, size_t load, size_t store,
		     bool *changes_out);

/* An instruction of a loop, and the address that its memory operand has in
   every iteration; 0: it has none, or the address is not known. */
struct an_loop_instr {
	const struct an_instr_node *node;
	uint64_t address;
};

/**
 * an_only_waits() - Return whether a loop only waits: it loads from an address
 * outside its stack frame that it does not write, or has an atomic access to a
 * known address, and computes, in registers or at unchanging addresses, no
 * value that changes from iteration to iteration, other than a counter or a
 * delay that grows. An instruction that cannot be decoded computes none.
 * @body: [n] the instructions of the loop by address, from the header on.
 */
bool an_only_waits(const struct an_loop_instr *body, size_t n);

/* A value that an iteration of a loop computes in a register from what the
   previous one left there. */
enum an_register_carry {
	AN_CARRIES_NOTHING,    /* or a counter that is used for nothing else */
	AN_CARRIES_COUNTER,    /* only constants, or values that no iteration
				  changes, are added; the sum is also used */
	AN_CARRIES_REDUCTION,  /* by operations as of an_is_reduction() */
	AN_CARRIES_RECURRENCE, /* otherwise, as in x = c * x * (1 - x): vectors
				  cannot execute the loop */
};

/**
 * an_register_carry() - Return the greatest value of the enum that is true for
 * a register.
 * @body: [n] as an_is_induction().
 * @changes: [n] for this function's use.
 * @counts_out: [n] receives whether the instruction adds to a counter that is
 *              also used. If an iteration does not execute one of them once,
 *              the register carries a recurrence.
 */
enum an_register_carry
an_register_carry(const struct an_instr_node *const *body, size_t n,
		  bool *changes, bool *counts_out);

/**
 * an_is_reduction() - Return whether a loop changes a value in memory only by
 * operations of a single kind whose order can change, and uses it for nothing
 * else: only additions and subtractions, multiplications, minima, maxima, and,
 * or, or xor; all with operands of one type.
 * @body: [n] as above.
 * @is_at_value: as above.
 */
bool an_is_reduction(const struct an_instr_node *const *body, size_t n,
		     const bool *is_at_value);

#endif
