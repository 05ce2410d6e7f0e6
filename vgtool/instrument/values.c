/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.c - records the values that accesses read and write; see values.h */

#include "vgtool/instrument/values.h"

#include <pub_tool_machine.h>

#include "vgtool/instrument/may_fault.h"

struct pt_value vt_value_without_slots(void)
{
	return (struct pt_value){PT_NO_SLOT, PT_NO_SLOT, PT_NO_SLOT,
				 PT_NO_SLOT};
}

/* ---- allocate slots ---- */

/* Whether @guard is the constant True. */
static Bool is_nonnull_guard_constant_true(const IRExpr *guard)
{
	return guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1;
}

/* Whether the values that a helper accesses can be recorded. For amd64 VEX
   generates guarded loads of 4 and 8 bytes only, so a guarded helper must
   access a multiple of 4 bytes.
   (Guarded helpers are those of xsave and xrstor.) */
static Bool are_helper_values_recordable(const IRDirty *d)
{
	return is_nonnull_guard_constant_true(d->guard) || d->mSize % 4 == 0;
}

/* Whether values of type @t can be recorded. */
static Bool is_recordable_type(IRType t)
{
	switch (t) {
	case Ity_I8:
	case Ity_I16:
	case Ity_I32:
	case Ity_I64:
	case Ity_I128:
	case Ity_F32:
	case Ity_F64:
	case Ity_V128:
	case Ity_V256:
		return True;
	default:
		return False;
	}
}

/* How a statement accesses memory. */
struct recordable_access {
	UInt size;	    /* [bytes] of the memory that the statement
			       accesses */
	Bool reads, writes; /* it reads or writes memory, and the value can be
			       recorded */
	Bool unconditional; /* False: the statement calls a helper under a
			       guard. A guarded load or store counts as
			       unconditional, because its address slot records
			       whether it happened. */
	Bool may_not_write; /* the statement is a compare-and-swap: it writes
			       only if it reads the expected value */
};

static struct recordable_access recordable_access_of_helper(const IRDirty *d)
{
	return (struct recordable_access){
		.size = d->mSize,
		.reads = are_helper_values_recordable(d) && d->mFx != Ifx_Write,
		.writes = are_helper_values_recordable(d) && d->mFx != Ifx_Read,
		.unconditional = is_nonnull_guard_constant_true(d->guard),
	};
}

static struct recordable_access recordable_access_of_load(IRType t)
{
	return (struct recordable_access){
		sizeofIRType(t), is_recordable_type(t), False, True, False};
}

static struct recordable_access recordable_access_of_store(const IRSB *sb,
							   const IRExpr *data)
{
	IRType t = typeOfIRExpr(sb->tyenv, data);

	return (struct recordable_access){sizeofIRType(t), False,
					  is_recordable_type(t), True, False};
}

static struct recordable_access recordable_access_of_cas(const IRSB *sb,
							 const IRCAS *cas)
{
	UInt n = cas->dataHi ? 2 : 1;
	IRType t = typeOfIRExpr(sb->tyenv, cas->dataLo);

	return (struct recordable_access){n * sizeofIRType(t), True, True, True,
					  True};
}

static struct recordable_access recordable_access_of_stmt(const IRSB *sb,
							  const IRStmt *st)
{
	IRType wide, narrow;

	switch (st->tag) {
	case Ist_WrTmp:
		return recordable_access_of_load(
			st->Ist.WrTmp.data->Iex.Load.ty);
	case Ist_Store:
		return recordable_access_of_store(sb, st->Ist.Store.data);
	case Ist_LoadG:
		typeOfIRLoadGOp(st->Ist.LoadG.details->cvt, &wide, &narrow);
		return recordable_access_of_load(narrow);
	case Ist_StoreG:
		return recordable_access_of_store(sb,
						  st->Ist.StoreG.details->data);
	case Ist_CAS:
		return recordable_access_of_cas(sb, st->Ist.CAS.details);
	case Ist_Dirty:
		return recordable_access_of_helper(st->Ist.Dirty.details);
	default: /* load-linked and store-conditional, which amd64 has not */
		return (struct recordable_access){0};
	}
}

UInt vt_value_max_slots_of_instr(const IRSB *sb, Int imark_index)
{
	UInt n = 0;

	while (++imark_index < sb->stmts_used &&
	       sb->stmts[imark_index]->tag != Ist_IMark) {
		struct recordable_access f;

		if (!vt_stmt_has_memory_access(sb->stmts[imark_index]))
			continue;
		f = recordable_access_of_stmt(sb, sb->stmts[imark_index]);
		n += 1 + !f.unconditional + f.may_not_write +
		     (f.reads + f.writes) *
			     pt_capped_count_of_8_byte_slots(f.size);
	}
	return n;
}

void vt_value_add_slots_for_stmt(struct vt_block_layout *layout, const IRSB *sb,
				 Int stmt_index)
{
	struct recordable_access f =
		recordable_access_of_stmt(sb, sb->stmts[stmt_index]);
	UInt n = pt_capped_count_of_8_byte_slots(f.size);
	struct pt_value *v = &layout->value[layout->n_accesses - 1];

	if (!f.reads && !f.writes)
		return;
	layout->has_values = True;
	layout->value_statement[layout->n_accesses - 1] = stmt_index;
	if (!f.unconditional)
		v->read_if = v->written_if = vt_block_append_unshared_slots(1);
	if (f.reads)
		v->read = vt_block_append_unshared_slots(n);
	if (f.writes)
		v->written = vt_block_append_unshared_slots(n);
	if (f.may_not_write)
		v->written_if = vt_block_append_unshared_slots(1);
}

/* ---- store values ---- */
static IRExpr *emit_assign_unop(struct vt_emitter *e, IRType result_type,
				IROp op, IRExpr *x)
{
	return vt_emit_assign_to_new_temp(e, result_type, IRExpr_Unop(op, x));
}

static IRExpr *emit_assign_binop(struct vt_emitter *e, IRType result_type,
				 IROp op, IRExpr *x, IRExpr *y)
{
	return vt_emit_assign_to_new_temp(e, result_type,
					  IRExpr_Binop(op, x, y));
}

/* Return atom @x of type @t, zero-extended by emitted code to 64 bits if it is
   a shorter integer. */
static IRExpr *emit_zero_extend_integer_to_64(struct vt_emitter *e, IRType t,
					      IRExpr *x)
{
	switch (t) {
	case Ity_I1:
		return emit_assign_unop(e, Ity_I64, Iop_1Uto64, x);
	case Ity_I8:
		return emit_assign_unop(e, Ity_I64, Iop_8Uto64, x);
	case Ity_I16:
		return emit_assign_unop(e, Ity_I64, Iop_16Uto64, x);
	case Ity_I32:
		return emit_assign_unop(e, Ity_I64, Iop_32Uto64, x);
	default:
		return x;
	}
}

/* Emit the store of an atom of any type in @first_slot and the following slots.
   VEX can store vectors of 128 and 256 bits at once. */
static void emit_store_atom_in_slots(struct vt_emitter *e, UInt first_slot,
				     IRExpr *atom)
{
	IRType t = typeOfIRExpr(e->out->tyenv, atom);

	if (t == Ity_F32) {
		atom = emit_assign_unop(e, Ity_I32, Iop_ReinterpF32asI32, atom);
		t = Ity_I32;
	} else if (t == Ity_I128) {
		vt_emit_store_unit_slot(
			e, first_slot + 1,
			emit_assign_unop(e, Ity_I64, Iop_128HIto64, atom));
		atom = emit_assign_unop(e, Ity_I64, Iop_128to64, atom);
	}
	vt_emit_store_unit_slot(e, first_slot,
				emit_zero_extend_integer_to_64(e, t, atom));
}

/* Emit the store of a value of a compare-and-swap, whose halves are @low and
   @high_or_null. Two halves of 32 bits share @first_slot; two of 64 bits use
   @first_slot and the next one. @high_or_null is NULL if the value has one
   part. */
static void emit_store_cas_pair_in_slots(struct vt_emitter *e, UInt first_slot,
					 IRExpr *low, IRExpr *high_or_null)
{
	if (high_or_null != NULL && typeOfIRExpr(e->out->tyenv, low) == Ity_I32)
		low = emit_assign_binop(e, Ity_I64, Iop_32HLto64, high_or_null,
					low);
	else if (high_or_null != NULL)
		emit_store_atom_in_slots(e, first_slot + 1, high_or_null);
	emit_store_atom_in_slots(e, first_slot, low);
}

/* Emit code that compares an integer temporary with atom @expected. Return the
   atom of 64 bits that holds the result: 1 if they are equal, else 0. */
static IRExpr *emit_temp_equals_atom_as_u64(struct vt_emitter *e, IRTemp temp,
					    IRExpr *expected)
{
	IRType t = typeOfIRTemp(e->out->tyenv, temp);
	IROp op = t == Ity_I64	 ? Iop_CmpEQ64
		  : t == Ity_I32 ? Iop_CmpEQ32
		  : t == Ity_I16 ? Iop_CmpEQ16
				 : Iop_CmpEQ8;

	return emit_zero_extend_integer_to_64(
		e, Ity_I1,
		emit_assign_binop(e, Ity_I1, op, IRExpr_RdTmp(temp), expected));
}

static void emit_store_cas_old_new_success(struct vt_emitter *e,
					   const struct pt_value *v,
					   const IRCAS *cas)
{
	Bool pair = cas->dataHi != NULL;
	IRExpr *done = emit_temp_equals_atom_as_u64(e, cas->oldLo, cas->expdLo);

	if (pair)
		done = emit_assign_binop(e, Ity_I64, Iop_And64, done,
					 emit_temp_equals_atom_as_u64(
						 e, cas->oldHi, cas->expdHi));
	emit_store_cas_pair_in_slots(e, v->read, IRExpr_RdTmp(cas->oldLo),
				     pair ? IRExpr_RdTmp(cas->oldHi) : NULL);
	emit_store_cas_pair_in_slots(e, v->written, cas->dataLo, cas->dataHi);
	vt_emit_store_unit_slot(e, v->written_if, done);
}

/* Emit the load of a value of type @t from @addr, and return the atom that
   holds the value. If @guard is False at run time, the value is 0 and no memory
   is read. Unless @guard is the constant True, @t must be Ity_I64 or
   Ity_I32. */
static IRExpr *emit_guarded_load_or_0(struct vt_emitter *e, IRType t,
				      IRExpr *addr, IRExpr *guard)
{
	IRTemp to;

	if (is_nonnull_guard_constant_true(guard))
		return vt_emit_assign_to_new_temp(
			e, t, IRExpr_Load(Iend_LE, t, addr));
	to = newIRTemp(e->out->tyenv, t);
	vt_emit_append_stmt_as_is(
		e, IRStmt_LoadG(Iend_LE,
				t == Ity_I64 ? ILGop_Ident64 : ILGop_Ident32,
				to, addr,
				t == Ity_I64 ? vt_u64_constant_expr(0)
					     : IRExpr_Const(IRConst_U32(0)),
				guard));
	return IRExpr_RdTmp(to);
}

/* Emit the load of less than 8 bytes at @addr. Return the atom of 64 bits that
   holds them: the byte at @addr is the lowest, and the remaining bits are 0. It
   is 0 if @guard is False at run time. */
static IRExpr *emit_guarded_load_under_8_bytes(struct vt_emitter *e,
					       IRExpr *addr, UInt byte_count,
					       IRExpr *guard)
{
	static const IRType types[] = {Ity_I32, Ity_I16, Ity_I8};
	IRExpr *all = vt_u64_constant_expr(0);
	UInt i, offset = 0;

	for (i = 0; i < 3; i++) {
		UInt size = 4 >> i;
		IRExpr *x;

		if (!(byte_count & size))
			continue;
		x = emit_guarded_load_or_0(
			e, types[i],
			emit_assign_binop(e, Ity_I64, Iop_Add64, addr,
					  vt_u64_constant_expr(offset)),
			guard);
		x = emit_assign_binop(
			e, Ity_I64, Iop_Shl64,
			emit_zero_extend_integer_to_64(e, types[i], x),
			IRExpr_Const(IRConst_U8(8 * offset)));
		all = emit_assign_binop(e, Ity_I64, Iop_Or64, all, x);
		offset += size;
	}
	return all;
}

/* Emit code that copies the first bytes, at most PT_MAX_VALUE, of the memory
   that helper @d accesses to a slot and those that follow it. If the helper's
   guard is False at run time, the slots become 0. */
static void emit_copy_capped_helper_mem_to_slots(struct vt_emitter *e,
						 UInt first_slot,
						 const IRDirty *d)
{
	UInt bytes = d->mSize < PT_MAX_VALUE ? d->mSize : PT_MAX_VALUE;
	UInt offset;

	for (offset = 0; offset < bytes; offset += 8) {
		IRExpr *addr =
			emit_assign_binop(e, Ity_I64, Iop_Add64, d->mAddr,
					  vt_u64_constant_expr(offset));

		vt_emit_store_unit_slot(
			e, first_slot++,
			bytes - offset >= 8
				? emit_guarded_load_or_0(e, Ity_I64, addr,
							 d->guard)
				: emit_guarded_load_under_8_bytes(
					  e, addr, bytes - offset, d->guard));
	}
}

void vt_value_emit_record_inputs(struct vt_emitter *e, UInt access_index,
				 const IRStmt *st)
{
	const struct pt_value *v = &e->layout->value[access_index];

	if (st->tag == Ist_Store && v->written != PT_NO_SLOT)
		emit_store_atom_in_slots(e, v->written, st->Ist.Store.data);
	if (st->tag == Ist_StoreG && v->written != PT_NO_SLOT)
		emit_store_atom_in_slots(e, v->written,
					 st->Ist.StoreG.details->data);
	if (st->tag != Ist_Dirty)
		return;
	if (v->read_if != PT_NO_SLOT)
		emit_store_atom_in_slots(e, v->read_if,
					 st->Ist.Dirty.details->guard);
	if (v->read != PT_NO_SLOT)
		emit_copy_capped_helper_mem_to_slots(e, v->read,
						     st->Ist.Dirty.details);
}

void vt_value_emit_record_results(struct vt_emitter *e, UInt access_index,
				  const IRStmt *st)
{
	const struct pt_value *v = &e->layout->value[access_index];

	if (st->tag == Ist_WrTmp && v->read != PT_NO_SLOT)
		emit_store_atom_in_slots(e, v->read,
					 IRExpr_RdTmp(st->Ist.WrTmp.tmp));
	if (st->tag == Ist_LoadG && v->read != PT_NO_SLOT)
		emit_store_atom_in_slots(
			e, v->read, IRExpr_RdTmp(st->Ist.LoadG.details->dst));
	if (st->tag == Ist_CAS && v->written != PT_NO_SLOT)
		emit_store_cas_old_new_success(e, v, st->Ist.CAS.details);
	if (st->tag == Ist_Dirty && v->written != PT_NO_SLOT)
		emit_copy_capped_helper_mem_to_slots(e, v->written,
						     st->Ist.Dirty.details);
}

static ULong read_time_stamp_counter(void)
{
	return __builtin_ia32_rdtsc();
}

/* The counter is read by a helper, because VEX has no expression for it. */
void vt_value_emit_store_time_stamp(struct vt_emitter *e)
{
	IRTemp now = newIRTemp(e->out->tyenv, Ity_I64);

	vt_emit_append_stmt_as_is(
		e, IRStmt_Dirty(unsafeIRDirty_1_N(
			   now, 0, "time_stamp",
			   VG_(fnptr_to_fnentry)(read_time_stamp_counter),
			   mkIRExprVec_0())));
	vt_emit_store_unit_slot(e, e->layout->stamp_slot, IRExpr_RdTmp(now));
}
