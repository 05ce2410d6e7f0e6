/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block.c - lists the content of a block; see block.h */

#include "vgtool/instrument/block.h"

#include "vgtool/core/jump_kinds.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/instrument/affine.h"
#include "vgtool/instrument/may_fault.h"
#include "vgtool/instrument/values.h"
#include "vgtool/transport/objects.h"
#include "vgtool/window/filter.h"

enum { NO_ACCESS = -1 };

static struct vt_block_layout layout;
static UInt fields;
static Bool records_all_instrs; /* record all instructions, even those that no
				   window selects */
static Bool records_addresses;	/* slots hold the current instruction's
				   addresses */
static Bool records_values;	/* slots hold the current instruction's
				   values */
static Bool is_ignored;		/* no window records the current instruction */
static Int current_statement;	/* index of the statement being added */
static struct vt_code_object
	layout_object; /* object file that the layout's instructions lie in */
static Int last_load;  /* index of the access that a following store may turn
			  into a modify, or NO_ACCESS */

/* By slot: the sum that its address is, and its guard, to find a slot that a
   later access can share. */
static struct {
	struct vt_affine sum;
	const IRExpr *guard;
} slot_keys[PT_MAX_SLOTS];

/* Return the index of the first slot whose address has the same terms as @sum
   and whose guard is @guard; layout.n_slots if there is none. */
static UInt find_slot_by_terms_and_guard(const struct vt_affine *sum,
					 const IRExpr *guard)
{
	UInt s;

	for (s = 0; s < layout.n_slots; s++)
		if (vt_affine_has_same_terms(&slot_keys[s].sum, sum) &&
		    (guard == NULL) == (slot_keys[s].guard == NULL) &&
		    (guard == NULL || eqIRAtom(guard, slot_keys[s].guard)))
			break;
	return s;
}

/* Add a slot to the layout for an address equal to @sum, stored under @guard.
   Return its index. */
static UInt append_new_slot_of_sum_and_guard(const struct vt_affine *sum,
					     const IRExpr *guard)
{
	slot_keys[layout.n_slots].sum = *sum;
	slot_keys[layout.n_slots].guard = guard;
	return layout.n_slots++;
}

UInt vt_block_append_unshared_slots(UInt slot_count)
{
	UInt first = layout.n_slots;

	for (; layout.n_slots < first + slot_count; layout.n_slots++)
		/* No address has as many terms, so none shares the slot. */
		slot_keys[layout.n_slots].sum.n_terms = VT_MAX_TERMS + 1;
	return first;
}

/* Whether @sum is a temporary plus a constant. The slot of an unguarded access
   then holds the temporary, so that no addition is needed. A guarded access
   stores its address instead: a temporary may have the value PT_NOT_DONE, but
   an access of several bytes cannot have that address. */
static Bool is_temp_plus_constant(const struct vt_affine *sum)
{
	return sum->n_terms == 1 && sum->coef[0] == 1;
}

/* Set the slot of access @access_no and its delta, the distance of its address
   from the slot: no slot for a constant address without a guard; an existing
   slot with the same terms and guard; or a new slot, which the access stores.
   */
static void assign_address_slot_and_delta(UInt access_no, IRExpr *addr,
					  IRExpr *guard)
{
	struct pt_access *a = &layout.access[access_no];
	struct vt_affine sum = vt_affine_sum_of_address_atom(addr);
	ULong constant = sum.constant;
	UInt s;

	if (sum.n_terms == 0 && guard == NULL) {
		a->slot = PT_NO_SLOT;
		a->delta = sum.constant;
		return;
	}
	layout.slot[access_no].guard = guard;
	s = find_slot_by_terms_and_guard(&sum, guard);
	if (s == layout.n_slots) {
		if (guard == NULL && is_temp_plus_constant(&sum)) {
			addr = IRExpr_RdTmp(sum.temp[0]);
			sum.constant = 0;
		}
		s = append_new_slot_of_sum_and_guard(&sum, guard);
		layout.slot[access_no].stores_slot = True;
		layout.slot[access_no].value = addr;
	}
	a->slot = s;
	a->delta = constant - slot_keys[s].sum.constant;
}

/* Assign to access @access_no, whose address is not recorded, a new slot that
   records whether the access happened; no slot if @guard is NULL: the access
   always happens, or accesses are not recorded. */
static void assign_slot_if_guarded(UInt access_no, IRExpr *guard)
{
	layout.access[access_no].slot = PT_NO_SLOT;
	layout.access[access_no].delta = 0;
	if (guard == NULL)
		return;
	layout.access[access_no].slot = vt_block_append_unshared_slots(1);
	layout.slot[access_no].stores_slot = True;
	layout.slot[access_no].guard = guard;
}

/* Add an access of the current instruction and statement to the layout, and
   assign its slot. @guard: atom that is True if the access happens; NULL: it
   always does. Return: the access's index; NO_ACCESS if no window records the
   instruction. */
static Int append_access_if_instr_is_recorded(enum pt_access_kind kind,
					      IRExpr *addr, UInt size,
					      IRExpr *guard, UInt flags)
{
	UInt i = layout.n_accesses;

	if (is_ignored)
		return NO_ACCESS;
	if (i == VT_MAX_ACCESSES || layout.n_slots == PT_MAX_SLOTS)
		VG_(tool_panic)("instruction with too many accesses");
	layout.n_accesses++;
	layout.access[i] = (struct pt_access){
		.instr = layout.n_instrs - 1,
		.size = size,
		.kind = kind,
		.flags = flags | (guard ? PT_GUARDED : 0),
	};
	layout.slot[i] = (struct vt_slot){.statement = current_statement};
	layout.value[i] = vt_value_without_slots();
	layout.value_statement[i] = -1;
	if (records_addresses)
		assign_address_slot_and_delta(i, addr, guard);
	else
		assign_slot_if_guarded(i, fields & PT_FIELD_ACCESSES ? guard
								     : NULL);
	return i;
}

static const IRExpr *last_address; /* address atom of last_load */

/* Add a load of @size bytes, and store it as last_load, which the next store
   may turn into a modify. */
static void append_load_as_last_load(IRExpr *addr, UInt size, UInt flags)
{
	last_load = append_access_if_instr_is_recorded(PT_LOAD, addr, size,
						       NULL, flags);
	last_address = addr;
}

/* Add a store or, if last_load accesses the same bytes, make that load a modify
   instead. There is no last_load afterwards. */
static void append_store_or_merge_modify(IRExpr *addr, UInt size, UInt flags)
{
	if (last_load != NO_ACCESS && layout.access[last_load].size == size &&
	    eqIRAtom(last_address, addr))
		layout.access[last_load].kind = PT_MODIFY;
	else
		append_access_if_instr_is_recorded(PT_STORE, addr, size, NULL,
						   flags);
	last_load = NO_ACCESS;
}

static void append_access_reset_last_load(enum pt_access_kind kind,
					  IRExpr *addr, UInt size,
					  IRExpr *guard)
{
	last_load = NO_ACCESS;
	append_access_if_instr_is_recorded(kind, addr, size, guard, 0);
}

/* Add the instruction of @len bytes at @addr, and its code bytes, to the
   layout. */
static void append_instr_and_code(Addr addr, UInt len)
{
	struct pt_instr *in;
	UInt n = len ? len : 1; /* len is 0 if VEX cannot decode the
				   instruction; Cachegrind also counts 1 byte */

	last_load = NO_ACCESS;
	if (layout.n_instrs == VT_MAX_INSTRS)
		VG_(tool_panic)("block with too many instructions");
	in = &layout.instr[layout.n_instrs++];
	*in = (struct pt_instr){.addr = addr, .len = n};
	if (layout.instret_slot != PT_NO_SLOT)
		in->before = layout.n_instrs - 1;
	VG_(memcpy)(layout.code + layout.n_code, (const void *)addr, n);
	layout.n_code += n;
}

/* Add the accesses of a call of a dirty helper (a function of VEX). The call's
   guard is ignored, as by Lackey and Cachegrind, which count the accesses in
   any case. (Such helpers run when shared libraries are bound lazily.) */
static void add_memory_accesses_of_helper_call(const IRDirty *d)
{
	if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
		append_load_as_last_load(d->mAddr, d->mSize, PT_HELPER);
	if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
		append_store_or_merge_modify(d->mAddr, d->mSize, PT_HELPER);
}

/* Add a compare-and-swap as an atomic modify. */
static void add_cas_as_modify_access(const IRCAS *cas, const IRTypeEnv *env)
{
	UInt size = sizeofIRType(typeOfIRExpr(env, cas->dataLo));

	if (cas->dataHi != NULL)
		size *= 2;
	append_load_as_last_load(cas->addr, size, PT_ATOMIC);
	append_store_or_merge_modify(cas->addr, size, PT_ATOMIC);
}

static void add_llsc_access(const IRStmt *st, const IRTypeEnv *env)
{
	IRExpr *addr = st->Ist.LLSC.addr, *data = st->Ist.LLSC.storedata;

	if (data != NULL) {
		append_store_or_merge_modify(
			addr, sizeofIRType(typeOfIRExpr(env, data)), 0);
		return;
	}
	append_load_as_last_load(
		addr, sizeofIRType(typeOfIRTemp(env, st->Ist.LLSC.result)), 0);
	last_load = NO_ACCESS;
}

/* Add an exit to @target, which is reached after all instructions and accesses
   that were added before. */
static void add_exit(Addr target, IRJumpKind jk)
{
	last_load = NO_ACCESS;
	if (layout.n_exits == PT_MAX_EXITS)
		VG_(tool_panic)("block with too many exits");
	layout.exit[layout.n_exits++] = (struct pt_exit){
		.target = target,
		.n_instrs = layout.n_instrs,
		.n_accesses = layout.n_accesses,
		.bytes = pt_block_unit_bytes(layout.n_slots),
		.jump = vt_jump_kind_from_vex(jk),
		.signal = vt_jump_kind_signal_number(jk),
	};
}

static void append_stmt_instr_access_or_exit(const IRStmt *st,
					     const IRTypeEnv *env)
{
	IRType wide, narrow;
	const IRLoadG *lg;
	const IRStoreG *sg;

	switch (st->tag) {
	case Ist_IMark:
		append_instr_and_code(st->Ist.IMark.addr, st->Ist.IMark.len);
		break;
	case Ist_WrTmp:
		if (st->Ist.WrTmp.data->tag == Iex_Load)
			append_load_as_last_load(
				st->Ist.WrTmp.data->Iex.Load.addr,
				sizeofIRType(st->Ist.WrTmp.data->Iex.Load.ty),
				0);
		break;
	case Ist_Store:
		append_store_or_merge_modify(
			st->Ist.Store.addr,
			sizeofIRType(typeOfIRExpr(env, st->Ist.Store.data)), 0);
		break;
	case Ist_LoadG:
		lg = st->Ist.LoadG.details;
		typeOfIRLoadGOp(lg->cvt, &wide, &narrow);
		append_access_reset_last_load(PT_LOAD, lg->addr,
					      sizeofIRType(narrow), lg->guard);
		break;
	case Ist_StoreG:
		sg = st->Ist.StoreG.details;
		append_access_reset_last_load(
			PT_STORE, sg->addr,
			sizeofIRType(typeOfIRExpr(env, sg->data)), sg->guard);
		break;
	case Ist_CAS:
		add_cas_as_modify_access(st->Ist.CAS.details, env);
		break;
	case Ist_LLSC:
		add_llsc_access(st, env);
		break;
	case Ist_Dirty:
		add_memory_accesses_of_helper_call(st->Ist.Dirty.details);
		break;
	case Ist_Exit:
		add_exit(vt_address_from_ir_constant(st->Ist.Exit.dst),
			 st->Ist.Exit.jk);
		break;
	default:
		break;
	}
}

/* Whether slots must hold the addresses of the accesses of the instruction at
   statement @imark_index: because the daemon requests addresses, or to find
   which of the instruction's accesses has faulted. */
static Bool must_record_addresses(const IRSB *sb, Int imark_index)
{
	return (fields & PT_FIELD_ADDRESSES) ||
	       ((fields & PT_FIELD_ACCESSES) &&
		vt_instr_has_several_fault_points(sb, imark_index));
}

/* Whether the instruction at statement @imark_index accesses memory. */
static Bool instr_accesses_memory(const IRSB *sb, Int imark_index)
{
	while (++imark_index < sb->stmts_used &&
	       sb->stmts[imark_index]->tag != Ist_IMark)
		if (vt_stmt_has_memory_access(sb->stmts[imark_index]))
			return True;
	return False;
}

/* Return the lanes (windows' thread filters) that record the instruction at
   statement @imark_index, and the fields of it that they record. */
static struct vt_record_filter find_lanes_and_fields_of_instr(const IRSB *sb,
							      Int imark_index)
{
	const IRStmt *st = sb->stmts[imark_index];

	if (vt_recording_plan != NULL && !records_all_instrs)
		return vt_filter_lanes_and_fields_of_instr(
			st->Ist.IMark.addr, st->Ist.IMark.len,
			instr_accesses_memory(sb, imark_index));
	return (struct vt_record_filter){~0ULL,
					 PT_RECORD_ADDRESS | PT_RECORD_VALUE};
}

/* Whether the instruction at @addr lies in the object file of the layout's
   earlier instructions. If there are none, store the object file of @addr as
   the layout's and return True. */
static Bool is_in_object_file_of_block_set_if_first(Addr addr)
{
	if (layout.n_instrs > 0)
		return vt_objects_is_in_same_object_file(&layout_object, addr);
	vt_objects_find_object_range_of_code(&layout_object, addr);
	return True;
}

/* Set which lanes record the instruction at statement @imark_index, and whether
   its addresses and values are recorded, before it is added. Values are
   recorded of all its accesses, or of none if they do not fit even a part that
   has no other instruction. Return: False if the instruction must begin the
   next part. */
static Bool start_instr_if_it_fits_in_part(const IRSB *sb, Int imark_index)
{
	struct vt_record_filter filter =
		find_lanes_and_fields_of_instr(sb, imark_index);
	Bool values_fit = True;

	if (!is_in_object_file_of_block_set_if_first(
		    sb->stmts[imark_index]->Ist.IMark.addr))
		return False;
	records_values = (fields & PT_FIELD_VALUES) && filter.lanes != 0 &&
			 (filter.fields & PT_RECORD_VALUE);
	if (records_values)
		values_fit = layout.n_slots + vt_value_max_slots_of_instr(
						      sb, imark_index) <=
			     PT_MAX_SLOTS;
	if (layout.n_slots > VT_PART_MAX_SLOTS ||
	    layout.n_accesses > VT_PART_MAX_ACCESSES ||
	    (!values_fit && layout.n_instrs > 0))
		return False;
	records_values &= values_fit;
	layout.lanes[layout.n_instrs] = filter.lanes;
	layout.recorded_lanes |= filter.lanes;
	is_ignored = filter.lanes == 0;
	records_addresses = (filter.fields & PT_RECORD_ADDRESS) &&
			    must_record_addresses(sb, imark_index);
	return True;
}

/* Empty the layout for the part of the block that begins at statement
   @first_stmt, and add the slots of the time stamp and of the instruction
   count, if they are recorded. If @first_stmt is 0, begin a new block. */
static void reset_layout_add_stamp_instret_slots(const IRSB *sb, Int first_stmt,
						 UInt fields_to_record,
						 Bool ignore_window_filters)
{
	layout.n_instrs = layout.n_accesses = layout.n_exits = 0;
	layout.n_code = layout.n_slots = 0;
	layout.recorded_lanes = 0;
	layout.has_values = False;
	layout.stamp_slot = layout.instret_slot = PT_NO_SLOT;
	fields = fields_to_record;
	records_all_instrs = ignore_window_filters;
	last_load = NO_ACCESS;
	if (fields & PT_FIELD_STAMPS)
		layout.stamp_slot = vt_block_append_unshared_slots(1);
	if (vt_recording_plan != NULL && !ignore_window_filters &&
	    vt_filter_has_active_warmup_lane())
		layout.instret_slot = vt_block_append_unshared_slots(1);
	if (first_stmt == 0)
		vt_affine_init_each_sum_to_its_temp(sb->tyenv->types_used);
}

/* End the layout before statement @end_stmt and add its last exit: to the next
   part, or out of the block. */
static void end_layout_with_last_exit(const IRSB *sb, Int end_stmt)
{
	layout.next_statement = end_stmt;
	if (end_stmt < sb->stmts_used)
		add_exit(sb->stmts[end_stmt]->Ist.IMark.addr, Ijk_Boring);
	else if (sb->next->tag == Iex_Const)
		add_exit(vt_address_from_ir_constant(sb->next->Iex.Const.con),
			 sb->jumpkind);
	else
		add_exit(0, sb->jumpkind);
}

const struct vt_block_layout *
vt_block_make_part_layout(const IRSB *sb, Int first_stmt, UInt fields_to_record,
			  Bool ignore_window_filters)
{
	Int i = first_stmt;

	reset_layout_add_stamp_instret_slots(sb, first_stmt, fields_to_record,
					     ignore_window_filters);
	while (i < sb->stmts_used && sb->stmts[i]->tag != Ist_IMark)
		i++;
	if (i == sb->stmts_used)
		return NULL;
	for (; i < sb->stmts_used; i++) {
		current_statement = i;
		if (sb->stmts[i]->tag == Ist_IMark &&
		    !start_instr_if_it_fits_in_part(sb, i))
			break;
		append_stmt_instr_access_or_exit(sb->stmts[i], sb->tyenv);
		if (records_values && vt_stmt_has_memory_access(sb->stmts[i]))
			vt_value_add_slots_for_stmt(&layout, sb, i);
		vt_affine_record_weighted_sum(sb->stmts[i]);
	}
	end_layout_with_last_exit(sb, i);
	return &layout;
}
