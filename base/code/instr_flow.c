/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_flow.c - decodes which general registers an instruction reads and
   writes, and where their values come from; see instr_flow.h */

#include "base/code/instr_flow.h"

#include <Zydis/Zydis.h>
#include <stddef.h>
#include <string.h>

enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RBP = 5, RSI = 6, RDI = 7 };

#define BIT(r) ((uint16_t)(1u << (r)))

static const struct al_instr_flow unknown = {.dest = UINT16_MAX};

/* A decoded instruction, and what follows from its operands. */
struct instr {
	struct al_instr_flow flow;
	unsigned n_dests; /* number of operands written, without registers that
			     the instruction does not name */
	bool writes_unnamed; /* writes a general register other than rsp that it
				does not name */
	bool has_vector_index;
	bool has_other_register; /* names a register that is not a general one
				    */
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

/* Return a mask with one bit, the number (rax 0 to r15 15) of the general
   register that @r is or is a part of; 0: @r is another register, or none. */
static uint16_t get_general_register_bit(ZydisRegister r)
{
	static const struct {
		ZydisRegister first, last;
		unsigned number; /* register number of @first */
	} range[] = {
		{ZYDIS_REGISTER_RAX, ZYDIS_REGISTER_R15, RAX},
		{ZYDIS_REGISTER_EAX, ZYDIS_REGISTER_R15D, RAX},
		{ZYDIS_REGISTER_AX, ZYDIS_REGISTER_R15W, RAX},
		{ZYDIS_REGISTER_AL, ZYDIS_REGISTER_BL, RAX},
		{ZYDIS_REGISTER_AH, ZYDIS_REGISTER_BH, RAX},
		{ZYDIS_REGISTER_SPL, ZYDIS_REGISTER_R15B, RSP},
	};

	for (size_t i = 0; i < sizeof(range) / sizeof(range[0]); i++)
		if (r >= range[i].first && r <= range[i].last)
			return BIT(range[i].number + (r - range[i].first));
	return 0;
}

/* Whether the instruction's result depends on register operand @o: it is read,
   or may stay unwritten, or has less than 32 bits, so that the register's other
   bytes remain. False for an implicit cl, the count of a shift. */
static bool is_register_that_result_depends_on(const ZydisDecodedOperand *o)
{
	if (o->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT &&
	    o->reg.value == ZYDIS_REGISTER_CL)
		return false;
	return o->size < 32 || (o->actions & (ZYDIS_OPERAND_ACTION_MASK_READ |
					      ZYDIS_OPERAND_ACTION_CONDWRITE));
}

static void add_register_operand_to_flow(struct instr *x,
					 const ZydisDecodedOperand *o)
{
	uint16_t bit = get_general_register_bit(o->reg.value);
	bool is_written = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN) {
		x->writes_unnamed |= is_written && bit && bit != BIT(RSP);
		return;
	}
	x->has_other_register |= bit == 0;
	if (is_written) {
		x->flow.dest |= bit;
		x->n_dests++;
	}
	if (is_register_that_result_depends_on(o))
		x->flow.source |= bit;
}

/* Add memory operand @o to the flow: the registers of its address (of an
   operand that is not named, only for pop), and whether it is read or written.
   For lea, these registers are sources of the result. */
static void
add_address_regs_and_load_store_to_flow(struct instr *x,
					const ZydisDecodedOperand *o)
{
	uint16_t registers = get_general_register_bit(o->mem.base) |
			     get_general_register_bit(o->mem.index);

	x->has_vector_index |= o->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
	if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
		x->flow.source |= registers;
		return;
	}
	if (o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN ||
	    x->in.mnemonic == ZYDIS_MNEMONIC_POP)
		x->flow.address |= registers;
	x->flow.loads |= (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
	x->n_dests += (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

/* Set @x to the instruction at the start of @code, of which at most @len bytes
   are read, and to the flow of its operands. Return: false if the bytes are not
   a valid instruction. */
static bool decode_instr_and_operand_flow(struct instr *x, const uint8_t *code,
					  unsigned len)
{
	ZydisDecoder decoder;

	memset(x, 0, offsetof(struct instr, in));
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, len, &x->in,
						 x->operand)))
		return false;
	for (unsigned i = 0; i < x->in.operand_count; i++)
		if (x->operand[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			add_register_operand_to_flow(x, &x->operand[i]);
		else if (x->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			add_address_regs_and_load_store_to_flow(x,
								&x->operand[i]);
	return true;
}

/* Return a flow for instruction @x that writes @registers, a bit mask, with
   values that depend on no register or load; only the address registers are
   those of @x. */
static struct al_instr_flow
make_flow_setting_registers_unknown(const struct instr *x, uint16_t registers)
{
	return (struct al_instr_flow){.address = x->flow.address,
				      .dest = registers};
}

/* Whether the instruction is xor or sub of a register with itself, so that the
   result is always 0. */
static bool is_xor_or_sub_with_itself(const struct instr *x)
{
	return (x->in.mnemonic == ZYDIS_MNEMONIC_XOR ||
		x->in.mnemonic == ZYDIS_MNEMONIC_SUB) &&
	       x->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       x->operand[0].reg.value == x->operand[1].reg.value;
}

/* Return the flow of an instruction that writes registers which it does not
   name. */
static struct al_instr_flow
make_flow_of_implicit_register_writes(const struct instr *x)
{
	switch (x->in.mnemonic) {
	case ZYDIS_MNEMONIC_CBW:
	case ZYDIS_MNEMONIC_CWDE:
	case ZYDIS_MNEMONIC_CDQE:
		return (struct al_instr_flow){.source = BIT(RAX),
					      .dest = BIT(RAX)};
	case ZYDIS_MNEMONIC_CWD:
	case ZYDIS_MNEMONIC_CDQ:
	case ZYDIS_MNEMONIC_CQO:
		return (struct al_instr_flow){.source = BIT(RAX),
					      .dest = BIT(RDX)};
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_IMUL:
	case ZYDIS_MNEMONIC_DIV:
	case ZYDIS_MNEMONIC_IDIV:
		return make_flow_setting_registers_unknown(x,
							   BIT(RAX) | BIT(RDX));
	case ZYDIS_MNEMONIC_LEAVE:
		return make_flow_setting_registers_unknown(x, BIT(RBP));
	default:
		return unknown;
	}
}

/* Return the flow of instruction @x. */
static struct al_instr_flow make_register_flow(const struct instr *x)
{
	if (x->has_vector_index)
		return unknown;
	if (x->in.meta.category == ZYDIS_CATEGORY_STRINGOP)
		return (struct al_instr_flow){.dest = BIT(RAX) | BIT(RCX) |
						      BIT(RSI) | BIT(RDI)};
	if (x->writes_unnamed)
		return make_flow_of_implicit_register_writes(x);
	if (x->flow.dest == 0)
		return make_flow_setting_registers_unknown(x, 0);
	if (x->n_dests > 1 || x->has_other_register ||
	    is_xor_or_sub_with_itself(x))
		return make_flow_setting_registers_unknown(x, x->flow.dest);
	return x->flow;
}

struct al_instr_flow al_instr_decode_register_flow(const uint8_t *code,
						   unsigned len)
{
	struct instr x;

	return decode_instr_and_operand_flow(&x, code, len)
		       ? make_register_flow(&x)
		       : unknown;
}

/* ---- control ---- */

static enum al_instr_transfer transfer_of_instr(const struct instr *x,
						bool has_target)
{
	switch (x->in.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return AL_TRANSFER_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return has_target ? AL_TRANSFER_JUMP : AL_TRANSFER_END;
	case ZYDIS_CATEGORY_CALL:
		return AL_TRANSFER_CALL;
	case ZYDIS_CATEGORY_RET:
		return AL_TRANSFER_END;
	default:
		return x->in.mnemonic == ZYDIS_MNEMONIC_UD2 ||
				       x->in.mnemonic == ZYDIS_MNEMONIC_HLT
			       ? AL_TRANSFER_END
			       : AL_TRANSFER_NEXT;
	}
}

bool al_instr_decode_step(const uint8_t *code, size_t max_len,
			  struct al_instr_step *out)
{
	enum { R8_TO_R11 = 0xf00 };
	const ZydisDecodedOperand *target;
	struct instr x;

	if (!decode_instr_and_operand_flow(
		    &x, code, max_len < UINT32_MAX ? (unsigned)max_len : ~0u))
		return false;
	target = &x.operand[0];
	out->has_target = x.in.operand_count > 0 &&
			  target->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
			  target->imm.is_relative;
	out->len = x.in.length;
	out->transfer = (uint8_t)transfer_of_instr(&x, out->has_target);
	out->displacement = out->has_target ? (int32_t)target->imm.value.s : 0;
	out->written = out->transfer == AL_TRANSFER_CALL
			       ? BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) |
					 BIT(RDI) | R8_TO_R11
			       : make_register_flow(&x).dest;
	return true;
}

/* ---- origin of a value ---- */

/* Return the number of the general register @r of 64 bits; AL_NO_REGISTER if it
   is another one. */
static uint8_t number_if_64_bit_register_or_none(ZydisRegister r)
{
	return r >= ZYDIS_REGISTER_RAX && r <= ZYDIS_REGISTER_R15
		       ? (uint8_t)(r - ZYDIS_REGISTER_RAX)
		       : AL_NO_REGISTER;
}

/* Whether @r is no register, or a general register of 64 bits. */
static bool is_none_or_64_bit_register(ZydisRegister r)
{
	return r == ZYDIS_REGISTER_NONE ||
	       number_if_64_bit_register_or_none(r) != AL_NO_REGISTER;
}

/* Set @sum_out to the address of memory operand @o. Return: false if it is more
   than a sum of general registers of 64 bits, or RIP, and the displacement. */
static bool read_sum_of_memory_operand(const ZydisDecodedOperand *o,
				       struct al_register_sum *sum_out)
{
	ZydisRegister segment = o->mem.segment;

	*sum_out = (struct al_register_sum){
		.base = number_if_64_bit_register_or_none(o->mem.base),
		.index = number_if_64_bit_register_or_none(o->mem.index),
		.is_code_relative = o->mem.base == ZYDIS_REGISTER_RIP,
		.displacement =
			o->mem.disp.has_displacement ? o->mem.disp.value : 0};
	return segment != ZYDIS_REGISTER_FS && segment != ZYDIS_REGISTER_GS &&
	       (sum_out->is_code_relative ||
		is_none_or_64_bit_register(o->mem.base)) &&
	       is_none_or_64_bit_register(o->mem.index) &&
	       o->mem.type != ZYDIS_MEMOP_TYPE_VSIB;
}

/* As al_instr_decode_register_value(), for an instruction that writes only its
   first operand, a register of 64 bits, from the second one. */
static enum al_register_origin
read_origin_from_second_operand(const struct instr *x,
				struct al_register_sum *sum_out)
{
	const ZydisDecodedOperand *from = &x->operand[1];
	uint8_t to = number_if_64_bit_register_or_none(x->operand[0].reg.value);
	ZydisMnemonic m = x->in.mnemonic;

	*sum_out = (struct al_register_sum){
		.base = m == ZYDIS_MNEMONIC_MOV ? AL_NO_REGISTER : to,
		.index = AL_NO_REGISTER};
	if (from->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	    (m == ZYDIS_MNEMONIC_LEA || m == ZYDIS_MNEMONIC_MOV))
		return !read_sum_of_memory_operand(from, sum_out)
			       ? AL_REGISTER_UNKNOWN
		       : m == ZYDIS_MNEMONIC_LEA ? AL_REGISTER_SUM
						 : AL_REGISTER_LOADED;
	if (from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    number_if_64_bit_register_or_none(from->reg.value) !=
		    AL_NO_REGISTER &&
	    (m == ZYDIS_MNEMONIC_MOV || m == ZYDIS_MNEMONIC_ADD))
		*(m == ZYDIS_MNEMONIC_MOV ? &sum_out->base : &sum_out->index) =
			number_if_64_bit_register_or_none(from->reg.value);
	else if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
		 (m == ZYDIS_MNEMONIC_ADD || m == ZYDIS_MNEMONIC_SUB))
		sum_out->displacement = m == ZYDIS_MNEMONIC_ADD
						? from->imm.value.s
						: -from->imm.value.s;
	else
		return AL_REGISTER_UNKNOWN;
	return AL_REGISTER_SUM;
}

enum al_register_origin
al_instr_decode_register_value(const uint8_t *code, unsigned len,
			       unsigned register_number,
			       struct al_register_sum *sum_out)
{
	uint16_t written = al_instr_decode_register_flow(code, len).dest;
	struct instr x;

	if (!(written & BIT(register_number)))
		return AL_REGISTER_KEPT;
	if (written != BIT(register_number) ||
	    !decode_instr_and_operand_flow(&x, code, len) ||
	    x.in.operand_count < 2 ||
	    x.operand[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    number_if_64_bit_register_or_none(x.operand[0].reg.value) !=
		    register_number)
		return AL_REGISTER_UNKNOWN;
	return read_origin_from_second_operand(&x, sum_out);
}

unsigned al_instr_decode_stored_register(const uint8_t *code, unsigned len,
					 struct al_register_sum *address_out)
{
	struct instr x;

	return decode_instr_and_operand_flow(&x, code, len) &&
			       x.in.mnemonic == ZYDIS_MNEMONIC_MOV &&
			       x.operand[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			       x.operand[1].type ==
				       ZYDIS_OPERAND_TYPE_REGISTER &&
			       read_sum_of_memory_operand(&x.operand[0],
							  address_out)
		       ? number_if_64_bit_register_or_none(
				 x.operand[1].reg.value)
		       : AL_NO_REGISTER;
}

bool al_instr_may_store_register(const uint8_t *code, unsigned len,
				 unsigned x86_number)
{
	return len >= 4 && (code[0] & 0xfb) == 0x48 && code[1] == 0x89 &&
	       (code[2] >> 3 & 7u) == (x86_number & 7) &&
	       (code[0] >> 2 & 1u) == x86_number >> 3;
}

bool al_instr_may_push_or_pop(const uint8_t *code)
{
	const uint8_t *op = code + ((*code & 0xf0) == 0x40);

	return (*op & 0xf0) == 0x50 || *op == 0x68 || *op == 0x6a ||
	       *op == 0x8f || *op == 0xc9 ||
	       (*op == 0xff && (op[1] >> 3 & 7) == 6);
}

bool al_instr_decode_address(const uint8_t *code, unsigned len,
			     struct al_register_sum *address_out)
{
	struct instr x;

	if (!decode_instr_and_operand_flow(&x, code, len))
		return false;
	for (unsigned i = 0; i < x.in.operand_count; i++) {
		const ZydisDecodedOperand *o = &x.operand[i];

		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    o->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
		    o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			return read_sum_of_memory_operand(o, address_out);
	}
	return false;
}
