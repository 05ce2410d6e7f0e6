/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.c - what accesses read and write; see values.h */

#include "vgtool/instrument/values.h"

#include <pub_tool_machine.h>

#include "vgtool/instrument/may_fault.h"

struct pt_value vt_value_none(void)
{
	return (struct pt_value){PT_NO_SLOT, PT_NO_SLOT, PT_NO_SLOT,
				 PT_NO_SLOT};
}

/* ---- which slots ---- */

static Bool is_always(const IRExpr *guard)
{
	return guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1;
}

/* Guarded helpers are those of xsave and xrstor; VEX has guarded loads of 4 and
   8 bytes only. */
static Bool is_told(const IRDirty *d)
{
	return is_always(d->guard) || d->mSize % 4 == 0;
}

static Bool is_whole(IRType t)
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

/* What a statement does with the memory that it accesses. */
struct effect {
	UInt size; /* [bytes] */
	Bool reads, writes;
	Bool always;  /* no condition on all of it */
	Bool perhaps; /* a condition on what it writes */
};

static struct effect of_dirty(const IRDirty *d)
{
	return (struct effect){
		.size = d->mSize,
		.reads = is_told(d) && d->mFx != Ifx_Write,
		.writes = is_told(d) && d->mFx != Ifx_Read,
		.always = is_always(d->guard),
	};
}

static struct effect of_load(IRType t)
{
	return (struct effect){sizeofIRType(t), is_whole(t), False, True,
			       False};
}

static struct effect of_store(const IRSB *sb, const IRExpr *data)
{
	IRType t = typeOfIRExpr(sb->tyenv, data);

	return (struct effect){sizeofIRType(t), False, is_whole(t), True,
			       False};
}

static struct effect of_cas(const IRSB *sb, const IRCAS *cas)
{
	UInt n = cas->dataHi ? 2 : 1;
	IRType t = typeOfIRExpr(sb->tyenv, cas->dataLo);

	return (struct effect){n * sizeofIRType(t), True, True, True, True};
}

static struct effect effect_of(const IRSB *sb, const IRStmt *st)
{
	IRType wide, narrow;

	switch (st->tag) {
	case Ist_WrTmp:
		return of_load(st->Ist.WrTmp.data->Iex.Load.ty);
	case Ist_Store:
		return of_store(sb, st->Ist.Store.data);
	case Ist_LoadG:
		typeOfIRLoadGOp(st->Ist.LoadG.details->cvt, &wide, &narrow);
		return of_load(narrow);
	case Ist_StoreG:
		return of_store(sb, st->Ist.StoreG.details->data);
	case Ist_CAS:
		return of_cas(sb, st->Ist.CAS.details);
	case Ist_Dirty:
		return of_dirty(st->Ist.Dirty.details);
	default: /* load-linked: another processor's */
		return (struct effect){0};
	}
}

UInt vt_value_most(const IRSB *sb, Int i)
{
	UInt n = 0;

	while (++i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark) {
		struct effect f;

		if (!vt_risk_accesses(sb->stmts[i]))
			continue;
		f = effect_of(sb, sb->stmts[i]);
		n += 1 + !f.always + f.perhaps +
		     (f.reads + f.writes) * pt_value_slots(f.size);
	}
	return n;
}

void vt_value_plan(struct vt_plan *p, const IRSB *sb, Int i)
{
	struct effect f = effect_of(sb, sb->stmts[i]);
	UInt n = pt_value_slots(f.size);
	struct pt_value *v = &p->value[p->n_accesses - 1];

	if (!f.reads && !f.writes)
		return;
	p->has_values = True;
	p->value_at[p->n_accesses - 1] = i;
	if (!f.always)
		v->read_if = v->written_if = vt_block_take_slots(1);
	if (f.reads)
		v->read = vt_block_take_slots(n);
	if (f.writes)
		v->written = vt_block_take_slots(n);
	if (f.perhaps)
		v->written_if = vt_block_take_slots(1);
}

/* ---- what fills them ---- */

static IRExpr *unop(struct vt_emitter *e, IRType t, IROp op, IRExpr *x)
{
	return vt_emit_assign(e, t, IRExpr_Unop(op, x));
}

static IRExpr *binop(struct vt_emitter *e, IRType t, IROp op, IRExpr *x,
		     IRExpr *y)
{
	return vt_emit_assign(e, t, IRExpr_Binop(op, x, y));
}

static IRExpr *widened(struct vt_emitter *e, IRType t, IRExpr *x)
{
	switch (t) {
	case Ity_I1:
		return unop(e, Ity_I64, Iop_1Uto64, x);
	case Ity_I8:
		return unop(e, Ity_I64, Iop_8Uto64, x);
	case Ity_I16:
		return unop(e, Ity_I64, Iop_16Uto64, x);
	case Ity_I32:
		return unop(e, Ity_I64, Iop_32Uto64, x);
	default:
		return x;
	}
}

/* An atom of any type, from @slot on. VEX stores the wide ones as they are. */
static void put(struct vt_emitter *e, UInt slot, IRExpr *x)
{
	IRType t = typeOfIRExpr(e->out->tyenv, x);

	if (t == Ity_F32) {
		x = unop(e, Ity_I32, Iop_ReinterpF32asI32, x);
		t = Ity_I32;
	} else if (t == Ity_I128) {
		vt_emit_slot_value(e, slot + 1,
				   unop(e, Ity_I64, Iop_128HIto64, x));
		x = unop(e, Ity_I64, Iop_128to64, x);
	}
	vt_emit_slot_value(e, slot, widened(e, t, x));
}

/* The two halves of a compare-and-swap; @high may be NULL. */
static void put_pair(struct vt_emitter *e, UInt slot, IRExpr *low, IRExpr *high)
{
	if (high != NULL && typeOfIRExpr(e->out->tyenv, low) == Ity_I32)
		low = binop(e, Ity_I64, Iop_32HLto64, high, low);
	else if (high != NULL)
		put(e, slot + 1, high);
	put(e, slot, low);
}

/* As 64 bits: whether what was there is what was expected. */
static IRExpr *equal(struct vt_emitter *e, IRTemp old, IRExpr *expected)
{
	IRType t = typeOfIRTemp(e->out->tyenv, old);
	IROp op = t == Ity_I64	 ? Iop_CmpEQ64
		  : t == Ity_I32 ? Iop_CmpEQ32
		  : t == Ity_I16 ? Iop_CmpEQ16
				 : Iop_CmpEQ8;

	return widened(e, Ity_I1,
		       binop(e, Ity_I1, op, IRExpr_RdTmp(old), expected));
}

static void put_cas(struct vt_emitter *e, const struct pt_value *v,
		    const IRCAS *cas)
{
	Bool pair = cas->dataHi != NULL;
	IRExpr *done = equal(e, cas->oldLo, cas->expdLo);

	if (pair)
		done = binop(e, Ity_I64, Iop_And64, done,
			     equal(e, cas->oldHi, cas->expdHi));
	put_pair(e, v->read, IRExpr_RdTmp(cas->oldLo),
		 pair ? IRExpr_RdTmp(cas->oldHi) : NULL);
	put_pair(e, v->written, cas->dataLo, cas->dataHi);
	vt_emit_slot_value(e, v->written_if, done);
}

static IRExpr *load(struct vt_emitter *e, IRType t, IRExpr *addr, IRExpr *guard)
{
	IRTemp to;

	if (is_always(guard))
		return vt_emit_assign(e, t, IRExpr_Load(Iend_LE, t, addr));
	to = newIRTemp(e->out->tyenv, t);
	vt_emit(e, IRStmt_LoadG(Iend_LE,
				t == Ity_I64 ? ILGop_Ident64 : ILGop_Ident32,
				to, addr,
				t == Ity_I64 ? vt_emit_u64(0)
					     : IRExpr_Const(IRConst_U32(0)),
				guard));
	return IRExpr_RdTmp(to);
}

/* Less than 8 bytes of memory. */
static IRExpr *load_rest(struct vt_emitter *e, IRExpr *addr, UInt bytes,
			 IRExpr *guard)
{
	static const IRType types[] = {Ity_I32, Ity_I16, Ity_I8};
	IRExpr *all = vt_emit_u64(0);
	UInt i, at = 0;

	for (i = 0; i < 3; i++) {
		UInt size = 4 >> i;
		IRExpr *x;

		if (!(bytes & size))
			continue;
		x = load(e, types[i],
			 binop(e, Ity_I64, Iop_Add64, addr, vt_emit_u64(at)),
			 guard);
		x = binop(e, Ity_I64, Iop_Shl64, widened(e, types[i], x),
			  IRExpr_Const(IRConst_U8(8 * at)));
		all = binop(e, Ity_I64, Iop_Or64, all, x);
		at += size;
	}
	return all;
}

/* Memory that a helper reads or writes. */
static void put_memory(struct vt_emitter *e, UInt slot, const IRDirty *d)
{
	UInt bytes = d->mSize < PT_MAX_VALUE ? d->mSize : PT_MAX_VALUE;
	UInt at;

	for (at = 0; at < bytes; at += 8) {
		IRExpr *addr =
			binop(e, Ity_I64, Iop_Add64, d->mAddr, vt_emit_u64(at));

		vt_emit_slot_value(
			e, slot++,
			bytes - at >= 8
				? load(e, Ity_I64, addr, d->guard)
				: load_rest(e, addr, bytes - at, d->guard));
	}
}

void vt_value_before(struct vt_emitter *e, UInt access, const IRStmt *st)
{
	const struct pt_value *v = &e->plan->value[access];

	if (st->tag == Ist_Store && v->written != PT_NO_SLOT)
		put(e, v->written, st->Ist.Store.data);
	if (st->tag == Ist_StoreG && v->written != PT_NO_SLOT)
		put(e, v->written, st->Ist.StoreG.details->data);
	if (st->tag != Ist_Dirty)
		return;
	if (v->read_if != PT_NO_SLOT)
		put(e, v->read_if, st->Ist.Dirty.details->guard);
	if (v->read != PT_NO_SLOT)
		put_memory(e, v->read, st->Ist.Dirty.details);
}

void vt_value_after(struct vt_emitter *e, UInt access, const IRStmt *st)
{
	const struct pt_value *v = &e->plan->value[access];

	if (st->tag == Ist_WrTmp && v->read != PT_NO_SLOT)
		put(e, v->read, IRExpr_RdTmp(st->Ist.WrTmp.tmp));
	if (st->tag == Ist_LoadG && v->read != PT_NO_SLOT)
		put(e, v->read, IRExpr_RdTmp(st->Ist.LoadG.details->dst));
	if (st->tag == Ist_CAS && v->written != PT_NO_SLOT)
		put_cas(e, v, st->Ist.CAS.details);
	if (st->tag == Ist_Dirty && v->written != PT_NO_SLOT)
		put_memory(e, v->written, st->Ist.Dirty.details);
}

static ULong time_stamp(void)
{
	return __builtin_ia32_rdtsc();
}

/* A helper, for VEX has no such thing in its own code. */
void vt_value_stamp(struct vt_emitter *e)
{
	IRTemp now = newIRTemp(e->out->tyenv, Ity_I64);

	vt_emit(e,
		IRStmt_Dirty(unsafeIRDirty_1_N(
			now, 0, "time_stamp", VG_(fnptr_to_fnentry)(time_stamp),
			mkIRExprVec_0())));
	vt_emit_slot_value(e, e->plan->stamp, IRExpr_RdTmp(now));
}
