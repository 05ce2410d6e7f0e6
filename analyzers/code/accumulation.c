/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation.c - follows a loaded value through registers; see
   code_map.h */

#include "analyzers/code/value_flow.h"

#include <string.h>

/* Operations that, applied several times, have the same result in any order. */
enum operation {
	NO_OPERATION,
	SUM, /* additions and subtractions */
	PRODUCT,
	MINIMUM,
	MAXIMUM,
	AND,
	OR,
	XOR,
};

/* Return the registers of operand @o of @d, those of its address included, and
   AN_MEMORY_VALUE if it is the loop's value. */
static uint64_t registers_of_operand(const struct an_decoded *d,
				     const ZydisDecodedOperand *o)
{
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return an_register_bit_or_0(o->reg.value);
	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return 0;
	return an_register_bit_or_0(o->mem.base) |
	       an_register_bit_or_0(o->mem.index) |
	       (d->is_at_value && o->mem.type == ZYDIS_MEMOP_TYPE_MEM
			? AN_MEMORY_VALUE
			: 0);
}

static void add_operand_to_register_sets(struct an_decoded *d,
					 const ZydisDecodedOperand *o)
{
	uint64_t registers = registers_of_operand(d, o);
	uint64_t data = o->type == ZYDIS_OPERAND_TYPE_MEMORY
				? registers & AN_MEMORY_VALUE
				: registers;

	d->addresses |= registers & ~data;
	d->reads |= registers & ~data;
	if (o->actions &
	    (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE))
		d->reads |= data;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		d->writes |= data;
}

bool an_decode_instr_register_sets(struct an_decoded *d,
				   const struct an_instr_node *instr)
{
	d->reads = d->writes = d->addresses = 0;
	if (!an_instr_node_decode(instr, &d->in, d->operand))
		return false;
	for (int i = 0; i < d->in.operand_count; i++)
		add_operand_to_register_sets(d, &d->operand[i]);
	return true;
}

/* ---- operations ---- */

/* Return the mnemonic without the prefix "v" of AVX. */
static const char *mnemonic_without_avx_prefix(const struct an_decoded *d)
{
	const char *name = ZydisMnemonicGetString(d->in.mnemonic);

	return name + (*name == 'v');
}

static bool is_move(const struct an_decoded *d)
{
	const char *name = mnemonic_without_avx_prefix(d);

	return !strncmp(name, "mov", 3) || !strncmp(name, "lddqu", 5) ||
	       !strcmp(name, "cdqe");
}

/* Return the operation of @d by its mnemonic, and set @type_out to the rest of
   the mnemonic. The first stem that fits decides; if none does, NO_OPERATION is
   returned and @type_out is not changed. Additions that saturate
   depend on their order, as does the upper half of a product. */
static enum operation operation_of_instr(const struct an_decoded *d,
					 const char **type_out)
{
	static const struct {
		const char *stem;
		enum operation operation;
	} known[] = {
		{"addsub", NO_OPERATION},
		{"addsb", NO_OPERATION},
		{"addsw", NO_OPERATION},
		{"addus", NO_OPERATION},
		{"subsb", NO_OPERATION},
		{"subsw", NO_OPERATION},
		{"subus", NO_OPERATION},
		{"mulh", NO_OPERATION},
		{"muldq", NO_OPERATION},
		{"muludq", NO_OPERATION},
		{"mulx", NO_OPERATION},
		{"andn", NO_OPERATION},
		{"add", SUM},
		{"sub", SUM},
		{"inc", SUM},
		{"dec", SUM},
		{"fmadd231", SUM},
		{"fnmadd231", SUM},
		{"mul", PRODUCT},
		{"imul", PRODUCT},
		{"min", MINIMUM},
		{"max", MAXIMUM},
		{"and", AND},
		{"or", OR},
		{"xor", XOR},
	};
	const char *name = mnemonic_without_avx_prefix(d);

	name += *name == 'p'; /* packed integers */
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(name, known[i].stem, strlen(known[i].stem))) {
			*type_out = name + strlen(known[i].stem);
			return known[i].operation;
		}
	return NO_OPERATION;
}

static bool does_mnemonic_begin_with(const struct an_decoded *d,
				     const char *stem)
{
	const char *name = mnemonic_without_avx_prefix(d);

	return !strncmp(name + (*name == 'p'), stem, strlen(stem));
}

bool an_is_clearing_instr(const struct an_decoded *d)
{
	int n = d->in.operand_count_visible;

	return does_mnemonic_begin_with(d, "xor") && n >= 2 &&
	       d->operand[n - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->operand[n - 2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->operand[n - 1].reg.value == d->operand[n - 2].reg.value;
}

/* Whether an operand has the same value in every iteration: it is a constant,
   an invariant register, or memory at an address that does not change. */
static bool is_operand_invariant(const struct an_decoded *d,
				 const ZydisDecodedOperand *o)
{
	uint64_t registers = registers_of_operand(d, o);

	if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return true;
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return (registers & d->invariant) != 0;
	return d->invariant != 0 && (registers & ~d->invariant) == 0;
}

/* Whether @d, which adds to the value in @held, adds what is the same in every
   iteration, and the sum of several additions does not depend on their order,
   as it does with floating-point numbers. */
static bool is_addend_invariant(const struct an_decoded *d, uint64_t held)
{
	bool is_integer = *mnemonic_without_avx_prefix(d) == 'p' ||
			  !(d->writes &
			    ~(uint64_t)(AN_GENERAL_PURPOSE | AN_MEMORY_VALUE));

	for (int i = 0; i < d->in.operand_count_visible; i++)
		if (d->operand[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
		    !(registers_of_operand(d, &d->operand[i]) & held) &&
		    !is_operand_invariant(d, &d->operand[i]))
			return false;
	return is_integer;
}

static bool are_same_operands(const ZydisDecodedOperand *one,
			      const ZydisDecodedOperand *other)
{
	if (one->type != other->type || one->size != other->size)
		return false;
	if (one->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return one->reg.value == other->reg.value;
	return one->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       one->mem.segment == other->mem.segment &&
	       one->mem.base == other->mem.base &&
	       one->mem.index == other->mem.index &&
	       one->mem.scale == other->mem.scale &&
	       one->mem.disp.value == other->mem.disp.value;
}

/* Whether the first two operands of @d are those of @other, in the same or, if
   @is_reversed, in the other order. */
static bool has_operands_of(const struct an_decoded *d,
			    const struct an_decoded *other, bool is_reversed)
{
	return are_same_operands(&d->operand[0],
				 &other->operand[is_reversed]) &&
	       are_same_operands(&d->operand[1], &other->operand[!is_reversed]);
}

/* Return the operation of @d, a conditional move, if it sets its first operand
   to the minimum or maximum of two operands, which @previous_or_null, the
   instruction before, compares; else NO_OPERATION. @type_out: as value.type. */
static enum operation
operation_of_selection(const struct an_decoded *d,
		       const struct an_decoded *previous_or_null,
		       const char **type_out)
{
	static const struct {
		ZydisMnemonic mnemonic;
		bool if_less;
		const char *type;
	} known[] = {
		{ZYDIS_MNEMONIC_CMOVL, true, "signed"},
		{ZYDIS_MNEMONIC_CMOVLE, true, "signed"},
		{ZYDIS_MNEMONIC_CMOVNL, false, "signed"},
		{ZYDIS_MNEMONIC_CMOVNLE, false, "signed"},
		{ZYDIS_MNEMONIC_CMOVB, true, "unsigned"},
		{ZYDIS_MNEMONIC_CMOVBE, true, "unsigned"},
		{ZYDIS_MNEMONIC_CMOVNB, false, "unsigned"},
		{ZYDIS_MNEMONIC_CMOVNBE, false, "unsigned"},
	};
	size_t i = 0;
	bool is_reversed;

	while (i < sizeof(known) / sizeof(*known) &&
	       d->in.mnemonic != known[i].mnemonic)
		i++;
	if (i == sizeof(known) / sizeof(*known) || previous_or_null == NULL ||
	    previous_or_null->in.mnemonic != ZYDIS_MNEMONIC_CMP)
		return NO_OPERATION;
	is_reversed = has_operands_of(d, previous_or_null, true);
	if (!is_reversed && !has_operands_of(d, previous_or_null, false))
		return NO_OPERATION;
	*type_out = known[i].type;
	return known[i].if_less == is_reversed ? MINIMUM : MAXIMUM;
}

/* Whether a single operand of @d reads the value in @held, and neither as a
   subtrahend nor as a factor of a fused addition. */
static bool is_value_only_accumulated(const struct an_decoded *d, uint64_t held)
{
	int n = d->in.operand_count_visible, last_use = 0;
	unsigned uses = 0;

	for (int i = 0; i < n; i++)
		if (d->operand[i].actions & (ZYDIS_OPERAND_ACTION_MASK_READ |
					     ZYDIS_OPERAND_ACTION_CONDWRITE) &&
		    registers_of_operand(d, &d->operand[i]) & held) {
			uses++;
			last_use = i;
		}
	if (does_mnemonic_begin_with(d, "fmadd") ||
	    does_mnemonic_begin_with(d, "fnmadd"))
		return uses == 1 && last_use == 0;
	return uses == 1 &&
	       !(does_mnemonic_begin_with(d, "sub") && last_use == n - 1);
}

/* ---- the value ---- */

/* Return SUM if @d, a `lea`, adds a constant or a register to the value in
   @held_registers; NO_OPERATION: it computes anything else.
   @adds_only_constant_out: only a constant, or an invariant register, is
   added. */
static enum operation
lea_operation_on_held_registers(const struct an_decoded *d,
				uint64_t held_registers,
				bool *adds_only_constant_out)
{
	const ZydisDecodedOperandMem *m = &d->operand[1].mem;
	bool in_base = an_register_bit_or_0(m->base) & held_registers;
	bool in_index = an_register_bit_or_0(m->index) & held_registers;
	ZydisRegister other = in_base ? m->index : m->base;

	*adds_only_constant_out = other == ZYDIS_REGISTER_NONE ||
				  (an_register_bit_or_0(other) & d->invariant);
	return in_base == in_index || (in_index && m->scale != 1) ? NO_OPERATION
								  : SUM;
}

/* Return the operation that @d applies to the value in @held; NO_OPERATION: it
   computes anything else. @previous_or_null: as operation_of_selection().
   @is_constant_out: only what is the same in every iteration is added.
   @type_out: as value.type. */
static enum operation
operation_on_value(const struct an_decoded *d,
		   const struct an_decoded *previous_or_null, uint64_t held,
		   bool *is_constant_out, const char **type_out)
{
	enum operation operation;

	*type_out = "";
	if (d->in.mnemonic == ZYDIS_MNEMONIC_LEA)
		return lea_operation_on_held_registers(d, held,
						       is_constant_out);
	operation = operation_of_selection(d, previous_or_null, type_out);
	if (operation == NO_OPERATION)
		operation = operation_of_instr(d, type_out);
	*is_constant_out = operation == SUM && is_addend_invariant(d, held);
	if (d->writes == 0 || d->addresses & held ||
	    (operation == PRODUCT && d->in.operand_count_visible < 2) ||
	    !is_value_only_accumulated(d, held))
		return NO_OPERATION;
	return operation;
}

/* Set the registers, and AN_MEMORY_VALUE, that hold the value after @d, which
   applies @operation to it. */
static void update_value_registers_for_operation(struct an_value *v,
						 const struct an_decoded *d,
						 enum operation operation,
						 const char *type)
{
	if (v->operation == NO_OPERATION) {
		v->operation = (uint8_t)operation;
		v->type = type;
	}
	v->is_mixed |= v->operation != operation || strcmp(v->type, type) != 0;
	v->is_used |= v->is_mixed || (d->reads & v->older);
	v->changes++;
	v->older = (v->older | v->newest) & ~d->writes;
	v->newest = d->writes;
}

/* Copy the value by @d, a move. */
static void update_value_registers_for_move(struct an_value *v,
					    const struct an_decoded *d)
{
	v->is_used |= d->writes == 0 || (d->reads & v->older) != 0;
	if (d->reads & v->newest) {
		v->newest |= d->writes;
		v->older &= ~d->writes;
	} else {
		v->older |= d->writes;
		v->newest &= ~d->writes;
	}
}

/* Remove the registers that @d sets to another value. */
static void drop_written_registers(struct an_value *v,
				   const struct an_decoded *d)
{
	v->is_used |= (d->writes & AN_MEMORY_VALUE) != 0;
	v->newest &= ~d->writes;
	v->older &= ~d->writes;
	v->constant &= ~d->writes;
}

/* Note that @d computes something from the value, or from what was computed
   from it, if @is_derived; else, that it writes anything else. */
static void set_derived_registers(struct an_value *v,
				  const struct an_decoded *d, bool is_derived)
{
	v->derived &= ~d->writes;
	if (is_derived)
		v->derived |= d->writes;
}

/* Update v->flags after @d, which reads the value if @reads_value.
   @uses_flags: whether it uses these flags for anything else than a minimum or
   maximum. */
static void update_flags_derived_from_value(struct an_value *v,
					    const struct an_decoded *d,
					    bool reads_value, bool uses_flags)
{
	const ZydisAccessedFlags *f = d->in.cpu_flags;
	uint32_t written;

	if (f == NULL)
		return;
	written = f->modified | f->set_0 | f->set_1 | f->undefined;
	v->is_used |= uses_flags && (f->tested & v->flags);
	v->flags &= ~written;
	if (reads_value)
		v->flags |= written;
}

/* Whether @d only compares the value with another one, without loading it by an
   address that depends on it. */
static bool is_comparison_of_value(const struct an_decoded *d, uint64_t held)
{
	return (d->in.mnemonic == ZYDIS_MNEMONIC_CMP ||
		d->in.mnemonic == ZYDIS_MNEMONIC_TEST) &&
	       !(d->addresses & held);
}

/* Follow the value through @d, which reads it. @previous_or_null: as
   operation_of_selection(). */
static void
follow_value_through_reader(struct an_value *v, const struct an_decoded *d,
			    const struct an_decoded *previous_or_null)
{
	uint64_t held = v->newest | v->older;
	bool was_constant = d->reads & v->constant, adds_constant = false;
	const char *type = "";
	enum operation operation =
		d->reads & v->derived || !d->feeds_result
			? NO_OPERATION
			: operation_on_value(d, previous_or_null, held,
					     &adds_constant, &type);

	update_flags_derived_from_value(
		v, d, true, operation != MINIMUM && operation != MAXIMUM);
	if (is_move(d) && !(d->addresses & held)) {
		update_value_registers_for_move(v, d);
		adds_constant = true;
	} else if (operation != NO_OPERATION) {
		update_value_registers_for_operation(v, d, operation, type);
	} else {
		v->is_used |= !is_comparison_of_value(d, held) ||
			      (d->reads & v->older) != 0;
		drop_written_registers(v, d);
		set_derived_registers(v, d, true);
		return;
	}
	set_derived_registers(v, d, false);
	v->constant &= ~d->writes;
	if (was_constant && adds_constant)
		v->constant |= d->writes;
}

static void
follow_value_through_instr(struct an_value *v, const struct an_decoded *d,
			   const struct an_decoded *previous_or_null)
{
	if ((d->reads & (v->newest | v->older)) && !an_is_clearing_instr(d)) {
		follow_value_through_reader(v, d, previous_or_null);
		return;
	}
	update_flags_derived_from_value(v, d, false, true);
	drop_written_registers(v, d);
	set_derived_registers(
		v, d, (d->reads & v->derived) && !an_is_clearing_instr(d));
}

/* Whether an instruction can read the value: it is at it, or a register or the
   flags depend on it. */
static bool can_instr_read_value(const struct an_value *v, bool is_at_value)
{
	return is_at_value || v->flags != 0 ||
	       ((v->newest | v->older | v->derived) &
		~(uint64_t)AN_MEMORY_VALUE);
}

bool an_value_follow_path(struct an_value *v, uint64_t holder,
			  const struct an_value_path *p, bool *changes_out)
{
	struct an_decoded decoded[2];
	const struct an_decoded *previous = NULL;

	*v = (struct an_value){.newest = holder, .constant = holder};
	for (size_t i = p->first; i <= p->last; i++) {
		struct an_decoded *d = &decoded[i % 2];
		size_t changes_before = v->changes;

		d->is_at_value = p->is_at_value != NULL && p->is_at_value[i];
		if (!can_instr_read_value(v, d->is_at_value)) {
			previous = NULL;
		} else if (!an_decode_instr_register_sets(d, p->body[i])) {
			return false;
		} else {
			d->invariant = p->invariant;
			d->feeds_result = (d->writes & p->feeding) != 0;
			follow_value_through_instr(v, d, previous);
			previous = d;
		}
		if (changes_out != NULL)
			changes_out[i] = v->changes > changes_before;
	}
	return true;
}

bool an_is_induction(const struct an_instr_node *const *body,
		     const bool *is_at_value, size_t load, size_t store,
		     bool *changes_out)
{
	const struct an_value_path p = {.body = body,
					.first = load,
					.last = store,
					.is_at_value = is_at_value,
					.feeding = UINT64_MAX};
	struct an_value v;

	return an_value_follow_path(&v, AN_MEMORY_VALUE, &p, changes_out) &&
	       v.changes > 0 && (v.constant & AN_MEMORY_VALUE);
}

bool an_is_reduction(const struct an_instr_node *const *body, size_t n,
		     const bool *is_at_value)
{
	const struct an_value_path p = {.body = body,
					.last = n - 1,
					.is_at_value = is_at_value,
					.feeding = UINT64_MAX};
	struct an_value v;

	return an_value_follow_path(&v, AN_MEMORY_VALUE, &p, NULL) &&
	       v.changes > 0 && !v.is_used && (v.newest & AN_MEMORY_VALUE);
}
