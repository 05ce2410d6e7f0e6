/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block.c - what a block does; see block.h */

#include "vgtool/instrument/block.h"

#include "vgtool/core/jump_kinds.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/instrument/affine.h"
#include "vgtool/instrument/may_fault.h"
#include "vgtool/instrument/values.h"
#include "vgtool/transport/objects.h"
#include "vgtool/window/filter.h"

enum { NO_ACCESS = -1 };

static struct vt_plan plan;
static UInt fields;
static Bool everything;	    /* record all instructions, whatever the windows
			       want */
static Bool addresses;	    /* addresses of the current instruction are
			       wanted */
static Bool unwanted;	    /* the current instruction is not wanted */
static Bool values;	    /* values of the current instruction are wanted */
static Int statement;	    /* index of the statement being read */
static struct vt_text text; /* text that the plan's instructions lie in */
static Int last_load;	    /* access that a following store may turn into a
			       modify */

/* Each slot's sum and guard, to find the slot that a later access can share. */
static struct {
	struct vt_affine sum;
	const IRExpr *guard;
} made[PT_MAX_SLOTS];

static UInt slot_of(const struct vt_affine *sum, const IRExpr *guard)
{
	UInt s;

	for (s = 0; s < plan.n_slots; s++)
		if (vt_affine_same_terms(&made[s].sum, sum) &&
		    (guard == NULL) == (made[s].guard == NULL) &&
		    (guard == NULL || eqIRAtom(guard, made[s].guard)))
			break;
	return s;
}

static UInt make_slot(const struct vt_affine *sum, const IRExpr *guard)
{
	made[plan.n_slots].sum = *sum;
	made[plan.n_slots].guard = guard;
	return plan.n_slots++;
}

UInt vt_block_take_slots(UInt n)
{
	UInt first = plan.n_slots;

	for (; plan.n_slots < first + n; plan.n_slots++)
		made[plan.n_slots].sum.n_terms = VT_TERMS + 1; /* like none */
	return first;
}

/* Of accesses without guard: a temporary may be PT_NOT_DONE, the address of a
   guarded access, which has several bytes, is not. */
static Bool is_temp(const struct vt_affine *sum)
{
	return sum->n_terms == 1 && sum->coef[0] == 1;
}

/* Gives access @i a slot, its own or one that exists. */
static void place(UInt i, IRExpr *addr, IRExpr *guard)
{
	struct pt_access *a = &plan.access[i];
	struct vt_affine sum = vt_affine_of(addr);
	ULong constant = sum.constant;
	UInt s;

	if (sum.n_terms == 0 && guard == NULL) {
		a->slot = PT_NO_SLOT;
		a->delta = sum.constant;
		return;
	}
	s = slot_of(&sum, guard);
	if (s == plan.n_slots) {
		if (guard == NULL && is_temp(&sum)) {
			addr = IRExpr_RdTmp(sum.temp[0]);
			sum.constant = 0;
		}
		s = make_slot(&sum, guard);
		plan.slot[i].store = True;
		plan.slot[i].value = addr;
		plan.slot[i].guard = guard;
	}
	a->slot = s;
	a->delta = constant - made[s].sum.constant;
}

/* Where only the fact of an access counts, its address is left out. */
static void place_fact(UInt i, IRExpr *guard)
{
	plan.access[i].slot = PT_NO_SLOT;
	plan.access[i].delta = 0;
	if (guard == NULL)
		return;
	plan.access[i].slot = vt_block_take_slots(1);
	plan.slot[i].store = True;
	plan.slot[i].guard = guard;
}

static Int add_access(enum pt_access_kind kind, IRExpr *addr, UInt size,
		      IRExpr *guard, UInt flags)
{
	UInt i = plan.n_accesses;

	if (unwanted)
		return NO_ACCESS;
	if (i == VT_MAX_ACCESSES || plan.n_slots == PT_MAX_SLOTS)
		VG_(tool_panic)("instruction with too many accesses");
	plan.n_accesses++;
	plan.access[i] = (struct pt_access){
		.instr = plan.n_instrs - 1,
		.size = size,
		.kind = kind,
		.flags = flags | (guard ? PT_GUARDED : 0),
	};
	plan.slot[i] = (struct vt_slot){.statement = statement};
	plan.value[i] = vt_value_none();
	plan.value_at[i] = -1;
	if (addresses)
		place(i, addr, guard);
	else
		place_fact(i, fields & PT_FIELD_ACCESSES ? guard : NULL);
	return i;
}

/* The address atom of the last load, to compare a store's with. */
static const IRExpr *last_address;

static void load(IRExpr *addr, UInt size, UInt flags)
{
	last_load = add_access(PT_LOAD, addr, size, NULL, flags);
	last_address = addr;
}

static void store(IRExpr *addr, UInt size, UInt flags)
{
	if (last_load != NO_ACCESS && plan.access[last_load].size == size &&
	    eqIRAtom(last_address, addr))
		plan.access[last_load].kind = PT_MODIFY;
	else
		add_access(PT_STORE, addr, size, NULL, flags);
	last_load = NO_ACCESS;
}

static void note_guarded(enum pt_access_kind kind, IRExpr *addr, UInt size,
			 IRExpr *guard)
{
	last_load = NO_ACCESS;
	add_access(kind, addr, size, guard, 0);
}

static void note_instr(Addr addr, UInt len)
{
	struct pt_instr *in;
	UInt n = len ? len : 1; /* not decodable: as Cachegrind */

	last_load = NO_ACCESS;
	if (plan.n_instrs == VT_MAX_INSTRS)
		VG_(tool_panic)("block with too many instructions");
	in = &plan.instr[plan.n_instrs++];
	*in = (struct pt_instr){.addr = addr, .len = n};
	if (plan.far != PT_NO_SLOT)
		in->before = plan.n_instrs - 1;
	VG_(memcpy)(plan.code + plan.n_code, (const void *)addr, len);
	plan.n_code += len;
}

/* The dirty helper's guard is not looked at: Lackey and Cachegrind count the
   access in any case, and lazy binding of shared libraries makes one. */
static void note_dirty(const IRDirty *d)
{
	if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
		load(d->mAddr, d->mSize, PT_HELPER);
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		store(d->mAddr, d->mSize, PT_HELPER);
}

static void note_cas(const IRCAS *cas, const IRTypeEnv *env)
{
	UInt size = sizeofIRType(typeOfIRExpr(env, cas->dataLo));

	if (cas->dataHi != NULL)
		size *= 2;
	load(cas->addr, size, PT_ATOMIC);
	store(cas->addr, size, PT_ATOMIC);
}

static void note_llsc(const IRStmt *st, const IRTypeEnv *env)
{
	IRExpr *addr = st->Ist.LLSC.addr, *data = st->Ist.LLSC.storedata;

	if (data != NULL) {
		store(addr, sizeofIRType(typeOfIRExpr(env, data)), 0);
		return;
	}
	load(addr, sizeofIRType(typeOfIRTemp(env, st->Ist.LLSC.result)), 0);
	last_load = NO_ACCESS;
}

static void note_exit(Addr target, IRJumpKind jk)
{
	last_load = NO_ACCESS;
	if (plan.n_exits == PT_MAX_EXITS)
		VG_(tool_panic)("block with too many exits");
	plan.exit[plan.n_exits++] = (struct pt_exit){
		.target = target,
		.n_instrs = plan.n_instrs,
		.n_accesses = plan.n_accesses,
		.bytes = pt_block_bytes(plan.n_slots),
		.jump = vt_jump_of(jk),
		.signal = vt_jump_signal(jk),
	};
}

static void note_statement(const IRStmt *st, const IRTypeEnv *env)
{
	IRType wide, narrow;
	const IRLoadG *lg;
	const IRStoreG *sg;

	switch (st->tag) {
	case Ist_IMark:
		note_instr(st->Ist.IMark.addr, st->Ist.IMark.len);
		break;
	case Ist_WrTmp:
		if (st->Ist.WrTmp.data->tag == Iex_Load)
			load(st->Ist.WrTmp.data->Iex.Load.addr,
			     sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty), 0);
		break;
	case Ist_Store:
		store(st->Ist.Store.addr,
		      sizeofIRType(typeOfIRExpr(env, st->Ist.Store.data)), 0);
		break;
	case Ist_LoadG:
		lg = st->Ist.LoadG.details;
		typeOfIRLoadGOp(lg->cvt, &wide, &narrow);
		note_guarded(PT_LOAD, lg->addr, sizeofIRType(narrow),
			     lg->guard);
		break;
	case Ist_StoreG:
		sg = st->Ist.StoreG.details;
		note_guarded(PT_STORE, sg->addr,
			     sizeofIRType(typeOfIRExpr(env, sg->data)),
			     sg->guard);
		break;
	case Ist_CAS:
		note_cas(st->Ist.CAS.details, env);
		break;
	case Ist_LLSC:
		note_llsc(st, env);
		break;
	case Ist_Dirty:
		note_dirty(st->Ist.Dirty.details);
		break;
	case Ist_Exit:
		note_exit(vt_jump_target(st->Ist.Exit.dst), st->Ist.Exit.jk);
		break;
	default:
		break;
	}
}

static Bool needs_addresses(const IRSB *sb, Int i)
{
	return (fields & PT_FIELD_ADDRESSES) ||
	       ((fields & PT_FIELD_ACCESSES) && vt_risk_several(sb, i));
}

static Bool accesses_memory(const IRSB *sb, Int i)
{
	while (++i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark)
		if (vt_risk_accesses(sb->stmts[i]))
			return True;
	return False;
}

/* What the instruction at statement @i is to be recorded with. */
static struct vt_wish wish_for(const IRSB *sb, Int i)
{
	const IRStmt *st = sb->stmts[i];

	if (vt_given != NULL && !everything)
		return vt_scope_at(st->Ist.IMark.addr, st->Ist.IMark.len,
				   accesses_memory(sb, i));
	return (struct vt_wish){~0ULL, PT_RECORD_ADDRESS | PT_RECORD_VALUE};
}

/* Whether the instruction at @addr lies in the object of the block's earlier
   instructions. */
static Bool is_in_text(Addr addr)
{
	if (plan.n_instrs > 0)
		return vt_objects_is_in_text(&text, addr);
	vt_objects_find_text(&text, addr);
	return True;
}

/* Values are told of whole instructions, where there is room for them beside
   what else they need. False: the instruction at @i begins the next part. */
static Bool start_instr(const IRSB *sb, Int i)
{
	struct vt_wish wish = wish_for(sb, i);
	Bool room = True;

	if (!is_in_text(sb->stmts[i]->Ist.IMark.addr))
		return False;
	values = (fields & PT_FIELD_VALUES) && wish.lanes != 0 &&
		 (wish.record & PT_RECORD_VALUE);
	if (values)
		room = plan.n_slots + vt_value_most(sb, i) <= PT_MAX_SLOTS;
	if (plan.n_slots > VT_FULL || plan.n_accesses > VT_MANY ||
	    (!room && plan.n_instrs > 0))
		return False;
	values &= room;
	plan.lanes[plan.n_instrs] = wish.lanes;
	plan.wanted |= wish.lanes;
	unwanted = wish.lanes == 0;
	addresses = (wish.record & PT_RECORD_ADDRESS) && needs_addresses(sb, i);
	return True;
}

static void start_plan(const IRSB *sb, Int from, UInt wanted, Bool all)
{
	plan.n_instrs = plan.n_accesses = plan.n_exits = 0;
	plan.n_code = plan.n_slots = 0;
	plan.wanted = 0;
	plan.has_values = False;
	plan.stamp = plan.far = PT_NO_SLOT;
	fields = wanted;
	everything = all;
	last_load = NO_ACCESS;
	if (fields & PT_FIELD_STAMPS)
		plan.stamp = vt_block_take_slots(1);
	if (vt_given != NULL && !all && vt_scope_is_warm())
		plan.far = vt_block_take_slots(1);
	if (from == 0)
		vt_affine_start(sb->tyenv->types_used);
}

/* The end of the block, or of a part, at statement @i. */
static void end_plan(const IRSB *sb, Int i)
{
	plan.next = i;
	if (i < sb->stmts_used)
		note_exit(sb->stmts[i]->Ist.IMark.addr, Ijk_Boring);
	else if (sb->next->tag == Iex_Const)
		note_exit(vt_jump_target(sb->next->Iex.Const.con),
			  sb->jumpkind);
	else
		note_exit(0, sb->jumpkind);
}

const struct vt_plan *vt_block_plan(const IRSB *sb, Int from, UInt wanted,
				    Bool all)
{
	Int i = from;

	start_plan(sb, from, wanted, all);
	while (i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark)
		i++;
	if (i == sb->stmts_used)
		return NULL;
	for (; i < sb->stmts_used; i++) {
		statement = i;
		if (sb->stmts[i]->tag == Ist_IMark && !start_instr(sb, i))
			break;
		note_statement(sb->stmts[i], sb->tyenv);
		if (values && vt_risk_accesses(sb->stmts[i]))
			vt_value_plan(&plan, sb, i);
		vt_affine_note(sb->stmts[i]);
	}
	end_plan(sb, i);
	return &plan;
}
