/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation.c - follows a loaded value through registers; see
   code_map.h */

#include "analyzers/code/decoded_instr.h"

#include <string.h>

enum {
	GENERAL_PURPOSE = 0xffff, /* set of all general-purpose registers */
	MEMORY = 1 << 16,	  /* bit of the loop's value in memory, in a set
				     of registers */
};

/* A decoded instruction, with sets of registers */
struct decoded {
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
struct path {
	const struct an_instr_node *const *body;
	size_t first, last;	 /* indexes of the first and the last one */
	const bool *is_at_value; /* by index in `body`: whether it accesses the
				    value in memory; NULL: none does */
	uint64_t invariant;	 /* as decoded.invariant */
	uint64_t feeding;	 /* registers from which the value at the end
				    can follow */
};

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

/* The value in memory, as the instructions of a loop copy and change it. */
struct value {
	uint64_t newest;   /* registers, and MEMORY, that hold the newest
			       value */
	uint64_t older;	   /* registers, and MEMORY, that hold an older one */
	uint64_t constant; /* registers, and MEMORY, that hold the first value
			       plus a constant */
	uint64_t derived;  /* registers, and MEMORY, that hold anything else
			       computed from it */
	uint8_t operation; /* enum operation: of the first change */
	const char *type;  /* of the operands of the first change: the end of
			      the mnemonic; of a conditional move "signed" or
			      "unsigned"; of a lea "" */
	uint32_t flags; /* those that an instruction has set from the value */
	size_t changes; /* operations that have changed it */
	bool is_mixed;	/* it was changed by several operations, or types */
	bool is_used;	/* the instructions do anything else than apply
			   `operation` to the newest value, copy, store and
			   compare it */
};

/* Return the registers of operand @o of @d, those of its address included, and
   MEMORY if it is the loop's value. */
static uint64_t registers_of_operand(const struct decoded *d,
				     const ZydisDecodedOperand *o)
{
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
		return an_register_bit_or_0(o->reg.value);
	if (o->type != ZYDIS_OPERAND_TYPE_MEMORY)
		return 0;
	return an_register_bit_or_0(o->mem.base) |
	       an_register_bit_or_0(o->mem.index) |
	       (d->is_at_value && o->mem.type == ZYDIS_MEMOP_TYPE_MEM ? MEMORY
								      : 0);
}

static void add_operand_to_register_sets(struct decoded *d,
					 const ZydisDecodedOperand *o)
{
	uint64_t registers = registers_of_operand(d, o);
	uint64_t data = o->type == ZYDIS_OPERAND_TYPE_MEMORY
				? registers & MEMORY
				: registers;

	d->addresses |= registers & ~data;
	d->reads |= registers & ~data;
	if (o->actions &
	    (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE))
		d->reads |= data;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		d->writes |= data;
}

static bool decode_instr_and_register_sets(struct decoded *d,
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
static const char *mnemonic_without_avx_prefix(const struct decoded *d)
{
	const char *name = ZydisMnemonicGetString(d->in.mnemonic);

	return name + (*name == 'v');
}

static bool is_move(const struct decoded *d)
{
	const char *name = mnemonic_without_avx_prefix(d);

	return !strncmp(name, "mov", 3) || !strncmp(name, "lddqu", 5) ||
	       !strcmp(name, "cdqe");
}

/* Return the operation of @d by its mnemonic, and set @type_out to the rest of
   the mnemonic. The first stem that fits decides; if none does, NO_OPERATION is
   returned and @type_out is not changed. Additions that saturate
   depend on their order, as does the upper half of a product. */
static enum operation operation_of_instr(const struct decoded *d,
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

static bool does_mnemonic_begin_with(const struct decoded *d, const char *stem)
{
	const char *name = mnemonic_without_avx_prefix(d);

	return !strncmp(name + (*name == 'p'), stem, strlen(stem));
}

/* Whether the instruction sets a register to 0, as xor eax, eax does. */
static bool is_clearing(const struct decoded *d)
{
	int n = d->in.operand_count_visible;

	return does_mnemonic_begin_with(d, "xor") && n >= 2 &&
	       d->operand[n - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->operand[n - 2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       d->operand[n - 1].reg.value == d->operand[n - 2].reg.value;
}

/* Whether an operand has the same value in every iteration: it is a constant,
   an invariant register, or memory at an address that does not change. */
static bool is_operand_invariant(const struct decoded *d,
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
static bool is_addend_invariant(const struct decoded *d, uint64_t held)
{
	bool is_integer = *mnemonic_without_avx_prefix(d) == 'p' ||
			  !(d->writes & ~(uint64_t)(GENERAL_PURPOSE | MEMORY));

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
static bool has_operands_of(const struct decoded *d,
			    const struct decoded *other, bool is_reversed)
{
	return are_same_operands(&d->operand[0],
				 &other->operand[is_reversed]) &&
	       are_same_operands(&d->operand[1], &other->operand[!is_reversed]);
}

/* Return the operation of @d, a conditional move, if it sets its first operand
   to the minimum or maximum of two operands, which @previous_or_null, the
   instruction before, compares; else NO_OPERATION. @type_out: as value.type. */
static enum operation
operation_of_selection(const struct decoded *d,
		       const struct decoded *previous_or_null,
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
static bool is_value_only_accumulated(const struct decoded *d, uint64_t held)
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
lea_operation_on_held_registers(const struct decoded *d,
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
static enum operation operation_on_value(const struct decoded *d,
					 const struct decoded *previous_or_null,
					 uint64_t held, bool *is_constant_out,
					 const char **type_out)
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

/* Set the registers, and MEMORY, that hold the value after @d, which applies
   @operation to it. */
static void update_value_registers_for_operation(struct value *v,
						 const struct decoded *d,
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
static void update_value_registers_for_move(struct value *v,
					    const struct decoded *d)
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
static void drop_written_registers(struct value *v, const struct decoded *d)
{
	v->is_used |= (d->writes & MEMORY) != 0;
	v->newest &= ~d->writes;
	v->older &= ~d->writes;
	v->constant &= ~d->writes;
}

/* Note that @d computes something from the value, or from what was computed
   from it, if @is_derived; else, that it writes anything else. */
static void set_derived_registers(struct value *v, const struct decoded *d,
				  bool is_derived)
{
	v->derived &= ~d->writes;
	if (is_derived)
		v->derived |= d->writes;
}

/* Update v->flags after @d, which reads the value if @reads_value.
   @uses_flags: whether it uses these flags for anything else than a minimum or
   maximum. */
static void update_flags_derived_from_value(struct value *v,
					    const struct decoded *d,
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
static bool is_comparison_of_value(const struct decoded *d, uint64_t held)
{
	return (d->in.mnemonic == ZYDIS_MNEMONIC_CMP ||
		d->in.mnemonic == ZYDIS_MNEMONIC_TEST) &&
	       !(d->addresses & held);
}

/* Follow the value through @d, which reads it. @previous_or_null: as
   operation_of_selection(). */
static void follow_value_through_reader(struct value *v,
					const struct decoded *d,
					const struct decoded *previous_or_null)
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

static void follow_value_through_instr(struct value *v, const struct decoded *d,
				       const struct decoded *previous_or_null)
{
	if ((d->reads & (v->newest | v->older)) && !is_clearing(d)) {
		follow_value_through_reader(v, d, previous_or_null);
		return;
	}
	update_flags_derived_from_value(v, d, false, true);
	drop_written_registers(v, d);
	set_derived_registers(v, d, (d->reads & v->derived) && !is_clearing(d));
}

/* Whether an instruction can read the value: it is at it, or a register or the
   flags depend on it. */
static bool can_instr_read_value(const struct value *v, bool is_at_value)
{
	return is_at_value || v->flags != 0 ||
	       ((v->newest | v->older | v->derived) & ~(uint64_t)MEMORY);
}

/* Follow the value, which @holder holds at first (a register or MEMORY),
   through the instructions of @p. Those that cannot read it are skipped.
   @changes_out: NULL, or set to whether each of these instructions changes the
   value. Return: false: an instruction cannot be decoded. */
static bool follow_value_if_instrs_can_be_decoded(struct value *v,
						  uint64_t holder,
						  const struct path *p,
						  bool *changes_out)
{
	struct decoded decoded[2];
	const struct decoded *previous = NULL;

	*v = (struct value){.newest = holder, .constant = holder};
	for (size_t i = p->first; i <= p->last; i++) {
		struct decoded *d = &decoded[i % 2];
		size_t changes_before = v->changes;

		d->is_at_value = p->is_at_value != NULL && p->is_at_value[i];
		if (!can_instr_read_value(v, d->is_at_value)) {
			previous = NULL;
		} else if (!decode_instr_and_register_sets(d, p->body[i])) {
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
	const struct path p = {.body = body,
			       .first = load,
			       .last = store,
			       .is_at_value = is_at_value,
			       .feeding = UINT64_MAX};
	struct value v;

	return follow_value_if_instrs_can_be_decoded(&v, MEMORY, &p,
						     changes_out) &&
	       v.changes > 0 && (v.constant & MEMORY);
}

bool an_is_reduction(const struct an_instr_node *const *body, size_t n,
		     const bool *is_at_value)
{
	const struct path p = {.body = body,
			       .last = n - 1,
			       .is_at_value = is_at_value,
			       .feeding = UINT64_MAX};
	struct value v;

	return follow_value_if_instrs_can_be_decoded(&v, MEMORY, &p, NULL) &&
	       v.changes > 0 && !v.is_used && (v.newest & MEMORY);
}

/* ---- recurrences ---- */

/* Decode an instruction, taken to access no value of the loop in memory.
   Return: false: it cannot be decoded, or is a string instruction, whose
   registers only count. */
static bool decode_instr_unless_string_instr(struct decoded *d,
					     const struct an_instr_node *instr)
{
	d->is_at_value = false;
	return decode_instr_and_register_sets(d, instr) &&
	       d->in.meta.category != ZYDIS_CATEGORY_STRINGOP;
}

/* Return the registers, but the stack pointer, that an iteration reads before
   it writes them, and writes. */
static uint64_t
registers_read_then_written(const struct an_instr_node *const *body, size_t n)
{
	uint64_t read_first = 0, written = 0;
	struct decoded d;

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr_unless_string_instr(&d, body[i]))
			continue;
		if (!is_clearing(&d))
			read_first |= d.reads & ~written;
		written |= d.writes;
	}
	return read_first & written & ~an_register_bit_or_0(ZYDIS_REGISTER_RSP);
}

/* Whether register @reg depends, after an iteration, on what it held before. */
static bool depends_on_itself(const struct an_instr_node *const *body, size_t n,
			      uint64_t reg)
{
	uint64_t dependent = reg;
	struct decoded d;

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr_unless_string_instr(&d, body[i]))
			continue;
		if ((d.reads & dependent) && !is_clearing(&d))
			dependent |= d.writes;
		else
			dependent &= ~d.writes;
	}
	return (dependent & reg) != 0;
}

/* Return @reg and the registers from which its value after an iteration can
   follow. */
static uint64_t registers_feeding(const struct an_instr_node *const *body,
				  size_t n, uint64_t reg)
{
	uint64_t feeding = reg, before;
	struct decoded d;

	do {
		before = feeding;
		for (size_t i = n; i-- > 0;)
			if (decode_instr_unless_string_instr(&d, body[i]) &&
			    (d.writes & feeding) && !is_clearing(&d))
				feeding |= d.reads;
	} while (feeding != before);
	return feeding;
}

/* Return the registers that no instruction of the loop writes; 0: an
   instruction cannot be decoded. */
static uint64_t invariant_registers(const struct an_instr_node *const *body,
				    size_t n)
{
	uint64_t written = MEMORY;
	struct decoded d = {.is_at_value = false};

	for (size_t i = 0; i < n; i++) {
		if (!decode_instr_and_register_sets(&d, body[i]))
			return 0;
		written |= d.writes;
	}
	return ~written;
}

/* Return how register @reg depends, after an iteration, on what it held before.
   A register to which what is the same in every iteration is added may be used,
   too, for addresses or values: it counts. @invariant: of the loop. */
static enum an_register_carry
carry_of_register(const struct an_instr_node *const *body, size_t n,
		  uint64_t invariant, uint64_t reg)
{
	struct path p = {.body = body, .last = n - 1, .invariant = invariant};
	struct value v;

	if (!depends_on_itself(body, n, reg))
		return AN_CARRIES_NOTHING;
	p.feeding = registers_feeding(body, n, reg);
	if (!follow_value_if_instrs_can_be_decoded(&v, reg, &p, NULL))
		return AN_CARRIES_NOTHING;
	if (!(v.newest & reg) || v.is_mixed ||
	    (v.is_used && !(v.constant & reg)))
		return AN_CARRIES_RECURRENCE;
	return v.changes > 0 && !v.is_used && !(v.constant & reg)
		       ? AN_CARRIES_REDUCTION
		       : AN_CARRIES_NOTHING;
}

enum an_register_carry
an_register_carry(const struct an_instr_node *const *body, size_t n)
{
	enum an_register_carry most = AN_CARRIES_NOTHING, carry;
	uint64_t candidates = registers_read_then_written(body, n);
	uint64_t invariant = candidates ? invariant_registers(body, n) : 0;

	for (; candidates != 0; candidates &= candidates - 1) {
		carry = carry_of_register(body, n, invariant,
					  candidates & -candidates);
		if (carry > most)
			most = carry;
	}
	return most;
}
