/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.c - decides whether the instructions of a loop only wait; see
   code_map.h */

#include "analyzers/code/code_map.h"

#include <Zydis/Zydis.h>
#include <string.h>

struct decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

static bool decode_instr(struct decoded *d, const struct an_instr_node *instr)
{
	const uint8_t *code = an_instr_node_code_or_null(instr);
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	return code != NULL &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(
		       &decoder, code,
		       instr->len < AN_MAX_CODE_BYTES ? instr->len
						      : AN_MAX_CODE_BYTES,
		       &d->in, d->operand));
}

/* Return the bit of a register in a set: bits 0 to 15 are the general-purpose
   registers, bits 32 to 63 the vector registers. Others have none. */
static uint64_t bit_of_register(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(
		ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZydisRegisterClass class = ZydisRegisterGetClass(whole);
	int id = ZydisRegisterGetId(whole);

	if (id < 0 || id > 31)
		return 0;
	if (class == ZYDIS_REGCLASS_GPR64)
		return UINT64_C(1) << id;
	return class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
			       class == ZYDIS_REGCLASS_ZMM
		       ? UINT64_C(1) << (32 + id)
		       : 0;
}

/* Whether the instruction can change a counter or a delay: it adds a constant,
   doubles, shifts left, selects or copies. */
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

/* Return the registers that the instruction reads, or if @writes, those it
   writes. */
static uint64_t registers_of_instr(const struct decoded *d, bool writes)
{
	ZydisOperandActions mask =
		writes ? ZYDIS_OPERAND_ACTION_MASK_WRITE
		       : ZYDIS_OPERAND_ACTION_MASK_READ |
				 ZYDIS_OPERAND_ACTION_CONDWRITE;
	uint64_t set = 0;

	for (int i = 0; i < d->in.operand_count; i++) {
		const ZydisDecodedOperand *o = &d->operand[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->actions & mask)
			set |= bit_of_register(o->reg.value);
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && !writes)
			set |= bit_of_register(o->mem.base) |
			       bit_of_register(o->mem.index);
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

/* Update *@changing, the registers whose values change from iteration to
   iteration, after an instruction. Return: whether it computes such a value,
   other than a counter. */
static bool follow_changing_values(const struct decoded *d, uint64_t *changing)
{
	uint64_t writes = registers_of_instr(d, true);
	bool reads_changing = registers_of_instr(d, false) & *changing;

	if (!reads_changing || is_clearing(d) || is_atomic(d)) {
		*changing &= ~writes;
		return false;
	}
	*changing |= writes;
	return writes != 0 && !is_counting(d);
}

/* Follow all instructions of @body [n] once. @changing: in: registers that
   change; out: those that then still do. Return: whether an instruction
   computes a value that changes, other than a counter. */
static bool follow_iteration(const struct an_instr_node *const *body, size_t n,
			     uint64_t *changing)
{
	bool computes = false;
	struct decoded d;

	for (size_t i = 0; i < n; i++)
		if (decode_instr(&d, body[i]))
			computes |= follow_changing_values(&d, changing);
	return computes;
}

bool an_is_computing(const struct an_instr_node *const *body, size_t n)
{
	uint64_t changing = 0, before;
	struct decoded d;
	bool computes;

	for (size_t i = 0; i < n; i++)
		if (decode_instr(&d, body[i]))
			changing |= registers_of_instr(&d, true);
	do {
		before = changing;
		computes = follow_iteration(body, n, &changing);
		changing &= before;
	} while (changing != before);
	return computes;
}
