/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault.c - finishing the unit of a block that a fault stopped
 *
 * The unit's header tells which side exits were passed. Slots are stored just
 * before their accesses; so, going through the accesses behind the last exit
 * passed in order, the first that cannot be done is the one that faulted:
 * memory does not change its protection in the middle of a block, and what was
 * done could be done. From it follows the program counter, which the code does
 * not store for each access.
 *
 * Divisions, and accesses whose addresses are not recorded, are found by the
 * program counter, which instrument.c stores for them. So are all where there
 * are windows, for VEX keeps it exact then.
 */

#include "vgtool/instrument/fault.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>
#include <stddef.h>

#include "vgtool/core/plan_view.h"
#include "vgtool/core/valgrind_core.h"
#include "vgtool/instrument/descriptors.h"
#include "vgtool/transport/connection.h"
#include "vgtool/transport/ring.h"

enum { SIG_BUS = 7, SIG_FPE = 8, SIG_SEGV = 11 };

/* How far a block came. */
struct cut {
	UInt accesses;
	UInt instrs;
	Bool half; /* a modify's load, not its store */
	Int signal;
};

/* Whether the processor can read there. It can where the program may but write,
   and not behind the end of a mapped file. @otherwise: when the kernel does not
   tell. */
static Bool is_readable(Addr addr, Bool otherwise)
{
	UChar byte;
	struct vki_iovec to = {&byte, 1}, from = {(void *)addr, 1};
	SysRes r = VG_(do_syscall)(__NR_process_vm_writev, VG_(getpid)(),
				   (UWord)&from, 1, (UWord)&to, 1, 0);

	if (!sr_isError(r))
		return True;
	return sr_Err(r) != VKI_EFAULT && otherwise;
}

/* 0, or the signal that the access raises. */
static Int trouble(Addr addr, UInt size, UInt prot)
{
	Bool allowed = VG_(am_is_valid_for_client)(addr, size, prot);

	if ((allowed || prot == VKI_PROT_READ) && is_readable(addr, allowed) &&
	    is_readable(addr + size - 1, allowed))
		return 0;
	return allowed ? SIG_BUS : SIG_SEGV;
}

/* Tries access @i; fills @cut and returns True when it is the one. */
static Bool try_access(const struct pt_access *a, UInt i, const UInt *unit,
		       struct cut *cut)
{
	ULong base =
		a->slot == PT_NO_SLOT ? 0 : pt_slot(unit + 1 + 2 * a->slot);
	Addr addr = base + a->delta;

	if ((a->flags & PT_GUARDED) && base == PT_NOT_DONE)
		return False;
	cut->accesses = i;
	cut->half = False;
	cut->signal = trouble(addr, a->size,
			      a->kind == PT_STORE || (a->flags & PT_ATOMIC)
				      ? VKI_PROT_WRITE
				      : VKI_PROT_READ);
	if (cut->signal != 0)
		return True;
	cut->half = a->kind == PT_MODIFY && !(a->flags & PT_ATOMIC);
	cut->signal = cut->half ? trouble(addr, a->size, VKI_PROT_WRITE) : 0;
	return cut->signal != 0;
}

/* Instruction @n at the fault's address: did one of its accesses fault? */
static Bool try_instr(const struct pt_log_block *b, UInt n, const UInt *unit,
		      struct cut *cut)
{
	const struct pt_access *a = vt_log_accesses(b);
	UInt i, end = b->n_accesses;

	for (i = 0; i < b->n_accesses && a[i].instr <= n; i++)
		if (a[i].instr == n && try_access(&a[i], i, unit, cut)) {
			cut->instrs = n + 1;
			return True;
		}
	end = i;
	*cut = (struct cut){end, n + 1, False, SIG_FPE};
	return False;
}

/* Instructions before this one were left behind by passed side exits. */
static UInt first_instr(const struct pt_log_block *b, UInt header)
{
	UInt e = pt_unit_route(header) - b->route;

	return e == 0 ? 0 : vt_log_exits(b)[e - 1].n_instrs - 1;
}

/* Accesses before this one were left behind likewise. */
static UInt first_access(const struct pt_log_block *b, UInt header)
{
	UInt e = pt_unit_route(header) - b->route;

	return e == 0 ? 0 : vt_log_exits(b)[e - 1].n_accesses;
}

static Bool find_by_address(const struct pt_log_block *b, const UInt *unit,
			    struct cut *cut)
{
	const struct pt_access *a = vt_log_accesses(b);
	UInt i;

	for (i = first_access(b, unit[0]); i < b->n_accesses; i++)
		if (try_access(&a[i], i, unit, cut)) {
			cut->instrs = a[i].instr + 1;
			return True;
		}
	return False;
}

/* What cannot be found, for it can be done again, is taken to have happened
   right behind the last exit passed. */
static struct cut find_by_pc(const struct pt_log_block *b, const UInt *unit,
			     Addr pc)
{
	UInt n = first_instr(b, unit[0]);
	struct cut cut;
	struct cut best = {first_access(b, unit[0]), n + 1, False, SIG_SEGV};
	Bool met = False;

	for (; n < b->n_instrs; n++) {
		if (vt_log_instrs(b)[n].addr != pc)
			continue;
		if (try_instr(b, n, unit, &cut))
			return cut;
		if (!met)
			best = cut;
		met = True;
	}
	return best;
}

static struct cut find(const struct pt_log_block *b, const UInt *unit, Addr pc)
{
	struct cut cut;

	if (!vt_ring_page()->dividing && vt_given == NULL &&
	    (vt_control_fields() & PT_FIELD_ADDRESSES) &&
	    find_by_address(b, unit, &cut))
		return cut;
	vt_ring_page()->dividing = 0;
	return find_by_pc(b, unit, pc);
}

/* What a handler of the program's finds as the place of the fault. */
static void set_pc(ThreadId tid, Addr pc)
{
	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, guest_RIP), sizeof(pc),
	 (const UChar *)&pc);
}

static UInt behind(UInt slot, UInt n, UInt slots)
{
	return slot != PT_NO_SLOT && slot + n > slots ? slot + n : slots;
}

/* Of those that hold an access's values. @half: no more than it has read. */
static UInt value_slots(const struct pt_log_values *v, UInt i, UInt size,
			Bool half, UInt slots)
{
	UInt n = pt_value_slots(size);

	slots = behind(v->value[i].read, n, slots);
	slots = behind(v->value[i].read_if, 1, slots);
	if (half)
		return slots;
	slots = behind(v->value[i].written, n, slots);
	return behind(v->value[i].written_if, 1, slots);
}

/* Slots that the accesses which were done use. */
static UInt slots_used(const struct pt_log_block *b, const struct cut *cut)
{
	const struct pt_access *a = vt_log_accesses(b);
	const struct pt_log_values *v = vt_log_values(b);
	UInt i, slots = v != NULL ? behind(v->stamp, 1, v->far) : 0;

	for (i = 0; i < cut->accesses + cut->half; i++) {
		slots = behind(a[i].slot, 1, slots);
		if (v != NULL && v->n_values > 0)
			slots = value_slots(v, i, a[i].size, i == cut->accesses,
					    slots);
	}
	return slots;
}

Int vt_fault_cut(ThreadId tid)
{
	UInt *unit = vt_ring_open_unit(), slots, bytes;
	const struct pt_log_block *b = NULL;
	struct cut cut;
	ULong how;

	if (pt_unit_is_block(*unit))
		b = vt_log_find(pt_unit_route(*unit));
	if (b == NULL) {
		vt_ring_page()->dividing = 0;
		return 0; /* no block begun */
	}
	cut = find(b, unit, VG_(get_IP)(tid));
	set_pc(tid, vt_log_instrs(b)[cut.instrs - 1].addr);
	slots = slots_used(b, &cut);
	how = pt_cut(cut.accesses, vt_log_told(b, cut.instrs), cut.half);
	bytes = 8 + 8 * (slots + 1);
	unit[0] = pt_control_header(PT_CUT, bytes);
	unit[1 + 2 * slots] = b->id;
	VG_(memcpy)(unit + 2 + 2 * slots, &how, sizeof(how));
	vt_ring_end_unit(bytes);
	return cut.signal;
}
