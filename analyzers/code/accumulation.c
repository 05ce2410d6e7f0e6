/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation.c - follows a loaded value through registers; see
   code_map.h */

#include "analyzers/code/code_map.h"

#include <Zydis/Zydis.h>
#include <string.h>

/* A decoded instruction. Sets of registers are masks: bits 0 to 15 are the
   general-purpose registers, bits 32 to 63 the vector registers. */
struct decoded {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t reads, writes;
	uint64_t addresses; /* registers that are read for an address */
};

/* The value that a load yields, as later instructions copy and change it. */
struct value {
	uint64_t held;	  /* registers that hold the value */
	bool is_changed;  /* an operation that accumulates has changed it */
	bool is_constant; /* only constants were added to the value */
	bool is_used;	  /* read by an instruction that neither copies,
			     accumulates nor stores it */
	bool is_stored;	  /* the store instruction has written the value to
			     memory */
};

static uint64_t mask_of_gpr_or_vector_register(ZydisRegister reg)
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

/* Return the registers of operand @o, those of its address included. */
static uint64_t registers_of_operand(const ZydisDecodedOperand *o)
{
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return mask_of_gpr_or_vector_register(o->reg.value);
	if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
		return mask_of_gpr_or_vector_register(o->mem.base) |
		       mask_of_gpr_or_vector_register(o->mem.index);
	return 0;
}

static bool decode_instr_and_register_sets(struct decoded *d,
					   const struct an_instr_node *instr)
{
	const uint8_t *code = an_instr_node_code_or_null(instr);
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	d->reads = d->writes = d->addresses = 0;
	if (code == NULL ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code,
						 instr->len < AN_MAX_CODE_BYTES
							 ? instr->len
							 : AN_MAX_CODE_BYTES,
						 &d->in, d->operand)))
		return false;
	for (int i = 0; i < d->in.operand_count; i++) {
		const ZydisDecodedOperand *o = &d->operand[i];
		uint64_t registers = registers_of_operand(o);

		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			d->addresses |= registers;
		else if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			d->writes |= registers;
		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY ||
		    o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
			d->reads |= registers;
	}
	return true;
}

/* ---- operations ---- */

/* Whether the mnemonic begins with one of @null_terminated_stems. The prefix
   "v" of AVX is skipped first and, if @may_be_packed, the "p" of packed
   integers. */
static bool
does_mnemonic_begin_with_any_stem(const struct decoded *d, bool may_be_packed,
				  const char *const *null_terminated_stems)
{
	const char *name = ZydisMnemonicGetString(d->in.mnemonic);

	name += *name == 'v';
	name += may_be_packed && *name == 'p';
	for (; *null_terminated_stems; null_terminated_stems++)
		if (!strncmp(name, *null_terminated_stems,
			     strlen(*null_terminated_stems)))
			return true;
	return false;
}

static bool is_move(const struct decoded *d)
{
	static const char *const stems[] = {"mov", "lddqu", NULL};

	return does_mnemonic_begin_with_any_stem(d, false, stems);
}

static bool is_addition_or_subtraction(const struct decoded *d)
{
	static const char *const stems[] = {"add", "sub", "inc", "dec", NULL};
	static const char *const other[] = {"addsub", NULL};

	return does_mnemonic_begin_with_any_stem(d, true, stems) &&
	       !does_mnemonic_begin_with_any_stem(d, true, other);
}

static bool is_subtraction(const struct decoded *d)
{
	static const char *const stems[] = {"sub", NULL};

	return does_mnemonic_begin_with_any_stem(d, true, stems);
}

/* Whether the operation, applied several times, has the same result in any
   order: a sum, product, minimum, maximum or bitwise operation. */
static bool is_order_independent_operation(const struct decoded *d)
{
	static const char *const stems[] = {"mul", "imul", "min", "max",
					    "and", "or",   "xor", NULL};
	static const char *const other[] = {"andn",   "mulh", "muldq",
					    "muludq", "mulx", NULL};

	return is_addition_or_subtraction(d) ||
	       (does_mnemonic_begin_with_any_stem(d, true, stems) &&
		!does_mnemonic_begin_with_any_stem(d, true, other));
}

static bool is_fused_addition_to_operand_0(const struct decoded *d)
{
	static const char *const stems[] = {"fmadd231", "fnmadd231", NULL};

	return does_mnemonic_begin_with_any_stem(d, false, stems);
}

/* Whether the instruction sets a register to 0, as xor eax, eax does. */
static bool is_clearing(const struct decoded *d)
{
	static const char *const stems[] = {"xor", NULL};
	int n = d->in.operand_count_visible;

	return does_mnemonic_begin_with_any_stem(d, true, stems) && n >= 2 &&
	       d->operand[n - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       registers_of_operand(&d->operand[n - 1]) ==
		       registers_of_operand(&d->operand[n - 2]);
}

/* Whether all visible operands from number @first on are constants. */
static bool are_operands_constant(const struct decoded *d, int first)
{
	for (int i = first; i < d->in.operand_count_visible; i++)
		if (d->operand[i].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return false;
	return true;
}

/* ---- the value ---- */

/* Follow a `lea` that adds a constant or a register to the value. Return: false
   if @d is not `lea`, or computes anything else from the value. */
static bool try_follow_value_through_lea_addition(struct value *v,
						  const struct decoded *d)
{
	const ZydisDecodedOperandMem *m = &d->operand[1].mem;
	bool in_base = mask_of_gpr_or_vector_register(m->base) & v->held;
	bool in_index = mask_of_gpr_or_vector_register(m->index) & v->held;

	if (d->in.mnemonic != ZYDIS_MNEMONIC_LEA || in_base == in_index ||
	    (in_index && m->scale != 1))
		return false;
	v->is_constant &= m->index == ZYDIS_REGISTER_NONE;
	return true;
}

/* Follow an operation on registers that reads the value. Return: false if it
   does not accumulate. */
static bool change_value_by_accumulating_operation(struct value *v,
						   const struct decoded *d)
{
	unsigned uses = 0;

	if (d->addresses & v->held)
		return false;
	if (is_fused_addition_to_operand_0(d)) {
		v->is_constant = false;
		return (d->operand[0].reg.value != ZYDIS_REGISTER_NONE) &&
		       (registers_of_operand(&d->operand[0]) & v->held) &&
		       !((registers_of_operand(&d->operand[1]) |
			  registers_of_operand(&d->operand[2])) &
			 v->held);
	}
	for (int i = 0; i < d->in.operand_count_visible; i++)
		uses += d->operand[i].actions &
				ZYDIS_OPERAND_ACTION_MASK_READ &&
			registers_of_operand(&d->operand[i]) & v->held;
	if (!is_order_independent_operation(d) || uses != 1 ||
	    (is_subtraction(d) &&
	     registers_of_operand(
		     &d->operand[d->in.operand_count_visible - 1]) &
		     v->held))
		return false;
	v->is_constant &=
		is_addition_or_subtraction(d) && are_operands_constant(d, 1);
	return true;
}

/* Initialise @v after the instruction that loads the value. Return: false if
   that instruction neither copies nor accumulates the value. */
static bool try_begin_value_at_load(struct value *v, const struct decoded *d)
{
	v->held = d->writes;
	if (is_move(d))
		return true;
	v->is_constant = false;
	v->is_changed = true;
	return v->held != 0 && !is_subtraction(d) &&
	       is_order_independent_operation(d);
}

static void follow_accumulated_value_through_instr(struct value *v,
						   const struct decoded *d,
						   bool is_accumulation_store)
{
	bool reads = d->reads & v->held;

	if (is_accumulation_store && reads && is_move(d) &&
	    !(d->addresses & v->held)) {
		v->is_stored = true;
		return;
	}
	if (!reads || is_clearing(d)) {
		v->held &= ~d->writes;
		return;
	}
	if (is_move(d) && !(d->addresses & v->held)) {
		v->is_used |= d->writes == 0;
		v->held |= d->writes;
		return;
	}
	if (!v->is_stored && d->writes != 0 &&
	    (try_follow_value_through_lea_addition(v, d) ||
	     change_value_by_accumulating_operation(v, d))) {
		v->is_changed = true;
		v->held |= d->writes;
		return;
	}
	v->is_used = true;
	v->held &= ~d->writes;
}

static enum an_accumulation
induction_or_reduction_of_modify(const struct decoded *d)
{
	if (d->operand[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
	    !is_order_independent_operation(d))
		return AN_NO_ACCUMULATION;
	return is_addition_or_subtraction(d) && are_operands_constant(d, 1)
		       ? AN_INDUCTION
		       : AN_REDUCTION;
}

enum an_accumulation
an_classify_accumulation(const struct an_instr_node *const *body, size_t n,
			 size_t load, size_t store)
{
	struct value v = {.is_constant = true};
	struct decoded d;

	if (!decode_instr_and_register_sets(&d, body[load]))
		return AN_NO_ACCUMULATION;
	if (load == store)
		return induction_or_reduction_of_modify(&d);
	if (!try_begin_value_at_load(&v, &d))
		return AN_NO_ACCUMULATION;
	for (size_t i = load + 1; i < n && v.held != 0; i++) {
		if (!decode_instr_and_register_sets(&d, body[i]))
			return AN_NO_ACCUMULATION;
		follow_accumulated_value_through_instr(&v, &d, i == store);
		if (i == store && !v.is_stored)
			return AN_NO_ACCUMULATION;
	}
	if (!v.is_stored || !v.is_changed)
		return AN_NO_ACCUMULATION;
	if (v.is_constant)
		return AN_INDUCTION;
	return v.is_used ? AN_NO_ACCUMULATION : AN_REDUCTION;
}
