/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.c - decides whether the instructions of a loop only wait; see
   code_map.h */

#include "analyzers/code/decoded_instr.h"

#include <string.h>

enum {
	MAX_CELLS = 16, /* bits 16 to 31 of a set of registers */
	FIRST_CELL = 16,
	CELL_BYTES = 8,
};

struct decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t cell; /* the bit of its memory operand; 0: none is known */
};

/* The memory that the loop accesses, in cells of 8 aligned bytes. A cell is
   followed like a register. */
struct cells {
	uint64_t number[MAX_CELLS]; /* address / CELL_BYTES */
	unsigned n;
	bool are_too_many;
};

/* Return the bit of the cell at @address, which is added if it is missing; 0:
   @address is 0, or there are too many cells. */
static uint64_t find_or_add_bit_of_cell_at_address(struct cells *c,
						   uint64_t address)
{
	unsigned i = 0;

	if (address == 0)
		return 0;
	while (i < c->n && c->number[i] != address / CELL_BYTES)
		i++;
	if (i == MAX_CELLS) {
		c->are_too_many = true;
		return 0;
	}
	if (i == c->n)
		c->number[c->n++] = address / CELL_BYTES;
	return UINT64_C(1) << (FIRST_CELL + i);
}

static bool decode_instr(struct decoded *d, const struct an_loop_instr *instr,
			 struct cells *c)
{
	d->cell = find_or_add_bit_of_cell_at_address(c, instr->address);
	return an_instr_node_decode(instr->node, &d->in, d->operand);
}

/* Whether the instruction can change a counter or a delay: it adds or subtracts
   a constant, multiplies by a constant as `lea` can, doubles, shifts left,
   masks, selects or copies. */
static bool is_counting(const struct decoded *d)
{
	const char *name = ZydisMnemonicGetString(d->in.mnemonic);
	const ZydisDecodedOperand *o = d->operand;

	if (!strncmp(name, "mov", 3) || !strncmp(name, "cmov", 4) ||
	    !strcmp(name, "inc") || !strcmp(name, "dec"))
		return true;
	if (!strcmp(name, "lea"))
		return o[1].mem.index == ZYDIS_REGISTER_NONE ||
		       o[1].mem.base == ZYDIS_REGISTER_NONE ||
		       o[1].mem.base == o[1].mem.index;
	if (!strcmp(name, "add"))
		return o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
		       (o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			o[0].reg.value == o[1].reg.value);
	return (!strcmp(name, "sub") || !strcmp(name, "shl") ||
		!strcmp(name, "and")) &&
	       o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

/* Whether the instruction sets a register to a constant from itself, as
   xor eax, eax does. */
static bool is_clearing(const struct decoded *d)
{
	const ZydisDecodedOperand *o = d->operand;
	const char *name = ZydisMnemonicGetString(d->in.mnemonic);
	int n = d->in.operand_count_visible;

	return n >= 2 && strstr(name, "xor") != NULL &&
	       o[n - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       o[n - 2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       o[n - 1].reg.value == o[n - 2].reg.value;
}

/* Return the registers and the cell that the instruction reads, or if @writes,
   those it writes. */
static uint64_t registers_and_cell_of_instr(const struct decoded *d,
					    bool writes)
{
	ZydisOperandActions mask =
		writes ? ZYDIS_OPERAND_ACTION_MASK_WRITE
		       : ZYDIS_OPERAND_ACTION_MASK_READ |
				 ZYDIS_OPERAND_ACTION_CONDWRITE;
	uint64_t set = 0;

	for (int i = 0; i < d->in.operand_count; i++) {
		const ZydisDecodedOperand *o = &d->operand[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->actions & mask)
			set |= an_register_bit_or_0(o->reg.value);
		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (o->actions & mask)
			set |= d->cell;
		if (!writes)
			set |= an_register_bit_or_0(o->mem.base) |
			       an_register_bit_or_0(o->mem.index);
	}
	return set;
}

/* Whether the instruction sets the registers that it writes to what it finds at
   an address, whatever they hold: an atomic operation on memory. */
static bool is_atomic(const struct decoded *d)
{
	return d->in.attributes & ZYDIS_ATTRIB_HAS_LOCK ||
	       (d->in.mnemonic == ZYDIS_MNEMONIC_XCHG &&
		(d->operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
		 d->operand[1].type == ZYDIS_OPERAND_TYPE_MEMORY));
}

/* Update *@changing, the registers and cells whose values change from iteration
   to iteration, after an instruction. Return: whether it computes such a value,
   other than a counter. */
static bool update_changing_is_noncounter_computed(const struct decoded *d,
						   uint64_t *changing)
{
	uint64_t writes = registers_and_cell_of_instr(d, true);
	bool reads_changing = registers_and_cell_of_instr(d, false) & *changing;

	if (!reads_changing || is_clearing(d) || is_atomic(d)) {
		*changing &= ~writes;
		return false;
	}
	*changing |= writes;
	return writes != 0 && !is_counting(d);
}

/* Follow all instructions of @body [n] once. @changing: in: registers and cells
   that change; out: those that then still do. Return: whether an instruction
   computes a value that changes, other than a counter. */
static bool
follow_iteration_is_any_value_computed(const struct an_loop_instr *body,
				       size_t n, struct cells *c,
				       uint64_t *changing)
{
	bool computes = false;
	struct decoded d;

	for (size_t i = 0; i < n; i++)
		if (decode_instr(&d, &body[i], c))
			computes |= update_changing_is_noncounter_computed(
				&d, changing);
	return computes;
}

/* Whether the memory operand of the instruction lies in the stack frame. */
static bool is_in_stack_frame(const struct decoded *d)
{
	for (int i = 0; i < d->in.operand_count; i++) {
		ZydisRegister base = d->operand[i].mem.base;

		if (d->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return base == ZYDIS_REGISTER_RSP ||
			       base == ZYDIS_REGISTER_RBP;
	}
	return false;
}

/* Whether another thread can end the loop: it loads a cell outside its stack
   frame that it does not write, or has an atomic access to a cell. */
static bool can_other_thread_end_loop(const struct an_loop_instr *body,
				      size_t n, struct cells *c)
{
	uint64_t loaded = 0, written = 0;
	struct decoded d;

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr(&d, &body[i], c) || d.cell == 0)
			continue;
		if (is_atomic(&d))
			return true;
		written |= registers_and_cell_of_instr(&d, true) & d.cell;
		if (!is_in_stack_frame(&d))
			loaded |= d.cell;
	}
	return (loaded & ~written) != 0;
}

/* Whether the loop computes a value that changes, other than a counter; true
   also if it accesses more than MAX_CELLS cells. */
static bool
has_changing_value_other_than_counters(const struct an_loop_instr *body,
				       size_t n, struct cells *c)
{
	uint64_t changing = 0, before;
	struct decoded d;
	bool computes;

	for (size_t i = 0; i < n; i++)
		if (decode_instr(&d, &body[i], c))
			changing |= registers_and_cell_of_instr(&d, true);
	do {
		before = changing;
		computes = follow_iteration_is_any_value_computed(body, n, c,
								  &changing);
		changing &= before;
	} while (changing != before);
	return computes || c->are_too_many;
}

bool an_only_waits(const struct an_loop_instr *body, size_t n)
{
	struct cells c = {.n = 0};

	return can_other_thread_end_loop(body, n, &c) &&
	       !has_changing_value_other_than_counters(body, n, &c);
}
