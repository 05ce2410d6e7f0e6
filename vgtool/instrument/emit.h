/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - the statements that write a unit
 */
#ifndef VGTOOL_INSTRUMENT_EMIT_H
#define VGTOOL_INSTRUMENT_EMIT_H

#include <libvex_guest_amd64.h>
#include <stddef.h>

#include "vgtool/instrument/block.h"

/*
 * The pointer to the ring lives in the first shadow of a guest register. No
 * code but ours uses shadows in this tool; which register is all the same.
 */
enum { VT_REGISTER = offsetof(VexGuestAMD64State, guest_RAX) };

/* Those of the next ones hold what counters.h counts down. */
enum { VT_METER = offsetof(VexGuestAMD64State, guest_RCX) };

/* That of another: what is counted down is less than this by as much as the
   process has executed. */
enum { VT_FAR = offsetof(VexGuestAMD64State, guest_R8) };

/* That of another: the stack pointer of the last call that
   vgtool/window/call_return.h knows, of the thread. */
enum { VT_LIMIT = offsetof(VexGuestAMD64State, guest_RSI) };

/* That of another: what counters.h has to know when there is a fault. */
enum { VT_SEGMENT = offsetof(VexGuestAMD64State, guest_RBP) };

/* That of another: not 0 while a wrapper goes on to what it wraps. */
enum { VT_BEHIND = offsetof(VexGuestAMD64State, guest_RDI) };

/* Of the block being instrumented. */
struct vt_emitter {
	IRSB *out;
	const struct vt_plan *plan;
	UInt route;   /* of the plan's first exit */
	IRExpr *page; /* address of the tool's */
	IRExpr *unit; /* address */
	Int offset_ip;
	Int shadow; /* offset of the pointer to the ring */
};

void vt_emit(struct vt_emitter *, IRStmt *);

/* Begins a unit. @here: where the block may yield to the scheduler; 0 where it
   cannot be left, and the chunk's reserve has room. */
void vt_emit_top(struct vt_emitter *, Addr here);

/* Says that no unit is open, lest a fault be taken for the last one's. */
void vt_emit_no_unit(struct vt_emitter *);

/* Count an access as lost if it happens. @guard: whether it happens; NULL:
   always. Call it after vt_emit_no_unit(). */
void vt_emit_lost(struct vt_emitter *, const IRExpr *guard);

/* A side exit was passed; @exit is the next one. @slots: there are some. */
void vt_emit_passed(struct vt_emitter *, UInt exit, Bool slots);

/* Exit @exit, taken when @guard (NULL: in any case), leads to code without
   units: says that none is open there. */
void vt_emit_leave(struct vt_emitter *, UInt exit, IRExpr *guard);

IRExpr *vt_emit_u64(ULong);

/* An expression's value, as a temporary. */
IRExpr *vt_emit_assign(struct vt_emitter *, IRType, IRExpr *);

void vt_emit_slot(struct vt_emitter *, UInt slot, const struct vt_slot *);

/* An atom of 64, 128 or 256 bits as the value of @slot, and those behind it. */
void vt_emit_slot_value(struct vt_emitter *, UInt slot, IRExpr *atom);

/* What was emitted happens before what will be: VEX moves a load or a division
   to where its value is used. Costs no instruction. */
void vt_emit_barrier(struct vt_emitter *);

/* Whether the code is at a division. */
void vt_emit_dividing(struct vt_emitter *, Bool);

#endif
