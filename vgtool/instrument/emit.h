/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - emits the statements that write a unit
 *
 * The functions append VEX statements to the block that is being instrumented;
 * "emit" in their comments means code that runs at each execution.
 */
#ifndef VGTOOL_INSTRUMENT_EMIT_H
#define VGTOOL_INSTRUMENT_EMIT_H

#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "vgtool/instrument/block.h"

/*
 * Valgrind gives each guest register two shadows. This tool uses the first
 * shadows of the following registers for its own variables of a thread; the
 * choice of registers is arbitrary, since no other code uses shadows.
 *
 * The shadow of RAX holds the pointer to the tool's page of the ring.
 */
enum { VT_SHADOW_PAGE = offsetof(VexGuestAMD64State, guest_RAX) };

/* Shadows of RCX and the next VT_N_COUNTERS - 1 registers: the remaining counts
   of counters.h. */
enum { VT_SHADOW_COUNTERS = offsetof(VexGuestAMD64State, guest_RCX) };

/* Shadow of R8: instructions that the process will have retired when the count
   of instructions in VT_SHADOW_COUNTERS is 0. */
enum { VT_SHADOW_INSTRET_END = offsetof(VexGuestAMD64State, guest_R8) };

/* Shadow of RSI: the thread's stack pointer at the last call that
   vgtool/window/call_return.h has on its stack of calls. */
enum { VT_SHADOW_CALL_SP = offsetof(VexGuestAMD64State, guest_RSI) };

/* Shadow of RBP: address of the first step of the running segment
   (fault_count.h), or NULL. */
enum { VT_SHADOW_SEGMENT = offsetof(VexGuestAMD64State, guest_RBP) };

/* Shadow of RDI: not 0 while a wrapper calls the function that it wraps. */
enum { VT_SHADOW_IN_WRAPPER = offsetof(VexGuestAMD64State, guest_RDI) };

/* State of the block that is being instrumented. */
struct vt_emitter {
	IRSB *out;
	const struct vt_block_layout *layout;
	UInt route;    /* route of the plan's first exit */
	IRExpr *page;  /* address of the tool's page */
	IRExpr *unit;  /* address of the unit */
	Int offset_ip; /* offset of the program counter in the guest state */
	Int shadow;    /* offset of the shadow VT_SHADOW_PAGE there */
};

/* Append a statement to the block. */
void vt_emit(struct vt_emitter *, IRStmt *);

/* Begin a unit. @yield_addr: the block's address, at which it may yield to the
   scheduler if the chunk is full; 0 if it cannot be left there: then the unit
   is written into the chunk's reserve. */
void vt_emit_begin_unit(struct vt_emitter *, Addr yield_addr);

/* Move the cursor past the last unit, where no unit begins, so that a fault is
   not attributed to that unit's block. */
void vt_emit_close_unit(struct vt_emitter *);

/* Count an access as lost if it happens. @guard: whether it happens; NULL:
   always. Call it after vt_emit_close_unit(). */
void vt_emit_count_lost(struct vt_emitter *, const IRExpr *guard);

/* Update the unit's header after a side exit that was not taken. @exit: index
   of the next exit. @has_slots: whether some slot has been stored already. */
void vt_emit_update_header(struct vt_emitter *, UInt exit, Bool has_slots);

/* Move the cursor past the unit if the block is left by @exit, which leads to
   code that may write no unit. @guard: whether the exit is taken; NULL:
   always. */
void vt_emit_close_on_exit(struct vt_emitter *, UInt exit, IRExpr *guard);

/* Return a constant. */
IRExpr *vt_emit_u64(ULong);

/* Assign an expression to a new temporary of type @type, and return that. */
IRExpr *vt_emit_assign(struct vt_emitter *, IRType type, IRExpr *);

/* Store an access's slot: its address, or PT_NOT_DONE if its guard is false. */
void vt_emit_store_slot(struct vt_emitter *, UInt slot, const struct vt_slot *);

/* Store an atom of 64, 128 or 256 bits in @slot and the following ones. */
void vt_emit_store_value(struct vt_emitter *, UInt slot, IRExpr *atom);

/* Keep VEX from moving statements across this point: otherwise it moves a load
   or a division down to the use of its value. Costs no instruction. */
void vt_emit_barrier(struct vt_emitter *);

/* Store in the tool's page whether the code is at a division. */
void vt_emit_set_dividing(struct vt_emitter *, Bool divides);

#endif
