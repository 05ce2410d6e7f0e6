/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault.c - completes the unit of a block that a fault stopped; see
 * fault_count.h
 *
 * The unit's header names the exit after the last side exit that was passed
 * without being taken. Slots are stored just before their accesses. So the
 * first access after that side exit that memory protection forbids is the one
 * that faulted: protection does not change in the middle of a block, and all
 * accesses before it were permitted. Its instruction gives the program counter,
 * which the code does not store for each access.
 *
 * Divisions, and accesses whose addresses are not recorded, are located by the
 * program counter, which instrument.c stores for them. With windows all faults
 * are located so, because VEX keeps the program counter exact then.
 */

#include "vgtool/instrument/fault_count.h"

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

/* How far a block was executed before a fault. */
struct cut {
	UInt accesses;	   /* number of accesses of this execution of the block
			      that were completed before the fault */
	UInt instrs;	   /* number of instructions that were begun, including
			      the one that faulted */
	Bool is_load_done; /* the next access is a modify whose load was
			      completed */
	Int signal;	   /* raised by the fault; 0: none */
};

/* Whether the processor can read the byte at @addr: the kernel is asked to copy
   it. It can be read in memory that may only be written, but not past the end
   of a mapped file. @result_if_refused: the result if the kernel refuses the
   system call. */
static Bool is_byte_readable_by_kernel(Addr addr, Bool result_if_refused)
{
	UChar byte;
	struct vki_iovec to = {&byte, 1}, from = {(void *)addr, 1};
	SysRes r = VG_(do_syscall)(__NR_process_vm_writev, VG_(getpid)(),
				   (UWord)&from, 1, (UWord)&to, 1, 0);

	if (!sr_isError(r))
		return True;
	return sr_Err(r) != VKI_EFAULT && result_if_refused;
}

/* Return the signal that an access of @size bytes at @addr raises, SIG_SEGV or
   SIG_BUS; 0 if it raises none. @prot: the protection that the access
   requires. */
static Int signal_of_access_or_0(Addr addr, UInt size, UInt prot)
{
	Bool allowed = VG_(am_is_valid_for_client)(addr, size, prot);

	if ((allowed || prot == VKI_PROT_READ) &&
	    is_byte_readable_by_kernel(addr, allowed) &&
	    is_byte_readable_by_kernel(addr + size - 1, allowed))
		return 0;
	return allowed ? SIG_BUS : SIG_SEGV;
}

/* Whether access @a, number @access_index of the block, faults, according to
   its address in @unit and the memory's protection. Set all of @cut except
   `instrs`, to before the fault; no member if @a is a guarded access that did
   not happen. */
static Bool set_cut_at_access_return_would_it_fault(const struct pt_access *a,
						    UInt access_index,
						    const UInt *unit,
						    struct cut *cut)
{
	ULong base = a->slot == PT_NO_SLOT ? 0
					   : pt_read_shared_unaligned_u64_once(
						     unit + 1 + 2 * a->slot);
	Addr addr = base + a->delta;

	if ((a->flags & PT_GUARDED) && base == PT_NOT_DONE)
		return False;
	cut->accesses = access_index;
	cut->is_load_done = False;
	cut->signal = signal_of_access_or_0(
		addr, a->size,
		a->kind == PT_STORE || (a->flags & PT_ATOMIC) ? VKI_PROT_WRITE
							      : VKI_PROT_READ);
	if (cut->signal != 0)
		return True;
	cut->is_load_done = a->kind == PT_MODIFY && !(a->flags & PT_ATOMIC);
	cut->signal = cut->is_load_done ? signal_of_access_or_0(addr, a->size,
								VKI_PROT_WRITE)
					: 0;
	return cut->signal != 0;
}

/* Whether an access of instruction @instr_index faults. If so, set @cut to
   before the first such access; if not, set @cut to after all accesses of the
   instruction, with SIGFPE, as for a division. */
static Bool locate_fault_in_instr_or_set_fpe(const struct pt_log_block *b,
					     UInt instr_index, const UInt *unit,
					     struct cut *cut)
{
	const struct pt_access *a = vt_descriptor_accesses(b);
	UInt i, end = b->n_accesses;

	for (i = 0; i < b->n_accesses && a[i].instr <= instr_index; i++)
		if (a[i].instr == instr_index &&
		    set_cut_at_access_return_would_it_fault(&a[i], i, unit,
							    cut)) {
			cut->instrs = instr_index + 1;
			return True;
		}
	end = i;
	*cut = (struct cut){end, instr_index + 1, False, SIG_FPE};
	return False;
}

/* Return the index of the first instruction that may have faulted: the one that
   contains the last side exit passed; 0 if none was passed. */
static UInt first_possibly_faulted_instr_index(const struct pt_log_block *b,
					       UInt block_unit_header)
{
	UInt e = pt_block_unit_route(block_unit_header) - b->route;

	return e == 0 ? 0 : vt_descriptor_exits(b)[e - 1].n_instrs - 1;
}

/* Return the index of the first access that may have faulted: the first after
   the last side exit passed. */
static UInt first_possibly_faulted_access_index(const struct pt_log_block *b,
						UInt unit_header)
{
	UInt e = pt_block_unit_route(unit_header) - b->route;

	return e == 0 ? 0 : vt_descriptor_exits(b)[e - 1].n_accesses;
}

/* Set @cut to before the first access, after the last side exit passed, that
   faults. Return: whether there is one. */
static Bool set_cut_at_first_faulting_access(const struct pt_log_block *b,
					     const UInt *unit, struct cut *cut)
{
	const struct pt_access *a = vt_descriptor_accesses(b);
	UInt i;

	for (i = first_possibly_faulted_access_index(b, unit[0]);
	     i < b->n_accesses; i++)
		if (set_cut_at_access_return_would_it_fault(&a[i], i, unit,
							    cut)) {
			cut->instrs = a[i].instr + 1;
			return True;
		}
	return False;
}

/*
 * Return how far the block was executed, from the program counter @pc: to
 * before the first access that faults of an instruction at @pc. If there is
 * none, because the access would succeed if repeated or the instruction
 * divides, return the end of the first instruction at @pc, with SIGFPE. If no
 * instruction is at @pc, return the last side exit passed, with SIGSEGV.
 */
static struct cut locate_fault_by_pc(const struct pt_log_block *b,
				     const UInt *unit, Addr pc)
{
	UInt n = first_possibly_faulted_instr_index(b, unit[0]);
	struct cut cut;
	struct cut best = {first_possibly_faulted_access_index(b, unit[0]),
			   n + 1, False, SIG_SEGV};
	Bool is_found = False;

	for (; n < b->n_instrs; n++) {
		if (vt_descriptor_instrs(b)[n].addr != pc)
			continue;
		if (locate_fault_in_instr_or_set_fpe(b, n, unit, &cut))
			return cut;
		if (!is_found)
			best = cut;
		is_found = True;
	}
	return best;
}

/* Return how far block @b was executed before the fault: up to the first access
   that faults, found by the recorded addresses. If a division was running
   (page->dividing, which is then cleared), addresses were not recorded, only a
   part of the program was recorded, or no access faults: up to @pc, the guest's
   program counter, which may be inexact. @unit: the block's unit. */
static struct cut locate_fault_in_block(const struct pt_log_block *b,
					struct pt_tool_page *page,
					const UInt *unit, Addr pc)
{
	struct cut cut;

	if (!page->dividing && vt_recording_plan == NULL &&
	    (vt_connection_field_bits_from_welcome() & PT_FIELD_ADDRESSES) &&
	    set_cut_at_first_faulting_access(b, unit, &cut))
		return cut;
	page->dividing = 0;
	return locate_fault_by_pc(b, unit, pc);
}

/* Set the guest's program counter of thread @tid to @pc; a signal handler of
   the program receives it. */
static void set_guest_pc(ThreadId tid, Addr pc)
{
	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, guest_RIP), sizeof(pc),
	 (const UChar *)&pc);
}

/* Return the larger of @slot_count and @first_slot_or_none + @range_slots;
   @slot_count if @first_slot_or_none is PT_NO_SLOT. */
static UInt larger_of_slot_count_and_range_end(UInt first_slot_or_none,
					       UInt range_slots,
					       UInt slot_count)
{
	return first_slot_or_none != PT_NO_SLOT &&
			       first_slot_or_none + range_slots > slot_count
		       ? first_slot_or_none + range_slots
		       : slot_count;
}

/* Return the larger of @slot_count and the number of slots up to the last one
   that holds a value of access @access_index, of @access_bytes bytes.
   @reads_only: only the slots of values that it reads. */
static UInt slot_count_extended_to_value_slots(const struct pt_log_values *v,
					       UInt access_index,
					       UInt access_bytes,
					       Bool reads_only, UInt slot_count)
{
	UInt n = pt_capped_count_of_8_byte_slots(access_bytes);

	slot_count = larger_of_slot_count_and_range_end(
		v->value[access_index].read, n, slot_count);
	slot_count = larger_of_slot_count_and_range_end(
		v->value[access_index].read_if, 1, slot_count);
	if (reads_only)
		return slot_count;
	slot_count = larger_of_slot_count_and_range_end(
		v->value[access_index].written, n, slot_count);
	return larger_of_slot_count_and_range_end(
		v->value[access_index].written_if, 1, slot_count);
}

/* Return the number of the block's slots up to and including the last one that
   the accesses before the fault, the load of a modify whose store faulted, the
   time stamp or the instruction count use. */
static UInt count_stored_slots(const struct pt_log_block *b,
			       const struct cut *cut)
{
	const struct pt_access *a = vt_descriptor_accesses(b);
	const struct pt_log_values *v = vt_descriptor_value_slots_or_null(b);
	UInt i, slots = v != NULL ? larger_of_slot_count_and_range_end(
					    v->stamp, 1, v->far)
				  : 0;

	for (i = 0; i < cut->accesses + cut->is_load_done; i++) {
		slots = larger_of_slot_count_and_range_end(a[i].slot, 1, slots);
		if (v != NULL && v->n_values > 0)
			slots = slot_count_extended_to_value_slots(
				v, i, a[i].size, i == cut->accesses, slots);
	}
	return slots;
}

/* Find the block of the unit begun last in @page and how far it was executed
   before the fault (@cut), and set the thread's program counter to the
   instruction that faulted. Return: the block, or NULL if the unit is no
   block's. */
static const struct pt_log_block *
find_fault_and_set_guest_pc(ThreadId tid, struct pt_tool_page *page,
			    struct cut *cut)
{
	const UInt *unit = (const UInt *)pt_load_cursor(page);
	const struct pt_log_block *b = NULL;

	if (pt_unit_is_block(*unit))
		b = vt_descriptor_find_block_by_route(
			pt_block_unit_route(*unit));
	if (b == NULL) {
		page->dividing = 0;
		return NULL;
	}
	*cut = locate_fault_in_block(b, page, unit, VG_(get_IP)(tid));
	set_guest_pc(tid, vt_descriptor_instrs(b)[cut->instrs - 1].addr);
	return b;
}

void vt_fault_locate_and_set_guest_pc(ThreadId tid, struct pt_tool_page *page)
{
	struct cut cut;

	find_fault_and_set_guest_pc(tid, page, &cut);
}

Int vt_fault_set_pc_cut_unit_return_signal(ThreadId tid)
{
	UInt *unit = vt_ring_last_begun_unit(), slots, bytes;
	const struct pt_log_block *b;
	struct cut cut;
	ULong detail;

	b = find_fault_and_set_guest_pc(tid, vt_ring_tool_or_sink_page(), &cut);
	if (b == NULL)
		return 0;
	slots = count_stored_slots(b, &cut);
	detail = pt_encode_block_cut_position(
		cut.accesses,
		vt_descriptor_count_recorded_instrs(b, cut.instrs),
		cut.is_load_done);
	bytes = 8 + 8 * (slots + 1);
	unit[0] = pt_encode_control_unit_header(PT_CUT, bytes);
	unit[1 + 2 * slots] = b->id;
	VG_(memcpy)(unit + 2 + 2 * slots, &detail, sizeof(detail));
	vt_ring_set_end_of_last_begun_unit(bytes);
	return cut.signal;
}
