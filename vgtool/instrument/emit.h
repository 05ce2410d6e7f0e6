/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.h - emits the statements that write a unit
 *
 * A unit is the record of one execution of a block: a header and some slots.
 * The functions append VEX statements to the block that is being instrumented;
 * these run at each execution of it.
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

/* Shadow of R9: the lowest stack pointer of the thread's allocator calls and
   signal handlers that vgtool/heap/running_calls.h stores; if there are none,
   ~0, or 0 until it is first stored. */
enum { VT_SHADOW_HEAP_SP = offsetof(VexGuestAMD64State, guest_R9) };

/* Shadow of RBP: address of the first step of the segment that runs
   (fault_count.h), or NULL. */
enum { VT_SHADOW_SEGMENT = offsetof(VexGuestAMD64State, guest_RBP) };

/* Shadow of RDI: not 0 while a wrapper calls the function that it wraps. */
enum { VT_SHADOW_IN_WRAPPER = offsetof(VexGuestAMD64State, guest_RDI) };

/* State of the block that is being instrumented. */
struct vt_emitter {
	IRSB *out;
	const struct vt_block_layout *layout;
	UInt route;    /* route (number for a block and one of its exits) of the
			  layout's first exit */
	IRExpr *page;  /* address of the tool's page */
	IRExpr *unit;  /* address of the unit */
	Int offset_ip; /* offset of the program counter in the guest state */
	Int shadow;    /* offset in the guest state of the shadow
			  VT_SHADOW_PAGE */
};

/* Append a statement to the instrumented block e->out. */
void vt_emit_append_stmt_as_is(struct vt_emitter *, IRStmt *);

/* Emit code that begins a unit: an exit that yields to the scheduler if the
   chunk is full, then stores of the cursor, of the unit's end and of its header
   for the first exit. @yield_addr_or_0: the block's address, at which it
   yields; 0 if it cannot yield. Then there is no such exit, nor if the block is
   small and leads only to near code after it; the unit may be written into the
   chunk's reserve. */
void vt_emit_begin_unit_or_yield(struct vt_emitter *, Addr yield_addr_or_0);

/* Emit code that stores 0 after the last unit, and moves the cursor (the
   address of the unit being written) there, so that a fault is not attributed
   to the last unit's block. */
void vt_emit_zero_next_header_move_cursor(struct vt_emitter *);

/* Emit code that adds 1 to the number of lost accesses (executed, but in no
   unit) if an access happens. @guard_or_null: whether it happens; NULL: always.
   Call after vt_emit_zero_next_header_move_cursor(). */
void vt_emit_count_lost_access(struct vt_emitter *,
			       const IRExpr *guard_or_null);

/* Emit, after a side exit that was not taken, a store of the unit's header for
   exit @exit_index, the next one, and, if the unit of that exit is longer, a
   store of the unit's end. @store_only_4_bytes: whether some slot of the unit
   has been stored already. */
void vt_emit_store_header_and_changed_end(struct vt_emitter *, UInt exit_index,
					  Bool store_only_4_bytes);

/* Emit code that moves the cursor past the unit if the block is left by
   @exit_index, which leads to code that may write no unit. @guard_or_null:
   whether the exit is taken; NULL: always. The code also stores 0 there, where
   the next header would be. */
void vt_emit_move_cursor_past_unit(struct vt_emitter *, UInt exit_index,
				   IRExpr *guard_or_null);

/* Return an expression for a constant of 64 bits. */
IRExpr *vt_u64_constant_expr(ULong);

/* Emit a statement that assigns an expression to a new temporary of type @type.
   Return an expression that reads the temporary. */
IRExpr *vt_emit_assign_to_new_temp(struct vt_emitter *, IRType type, IRExpr *);

/* Emit the store of slot @slot_index, that of an access: the struct's `value`
   (0 if that is NULL), or PT_NOT_DONE if its guard is False. */
void vt_emit_store_access_address(struct vt_emitter *, UInt slot_index,
				  const struct vt_slot *);

/* Emit the store of an atom (temporary or constant) of 64, 128 or 256 bits in
   @slot_index and the following slots. */
void vt_emit_store_unit_slot(struct vt_emitter *, UInt slot_index,
			     IRExpr *atom);

/* Emit a statement across which VEX moves no other statement. Without it, VEX
   may move a load or a division down to the use of its value. No instruction is
   generated for it. */
void vt_emit_vex_order_barrier(struct vt_emitter *);

/* Emit a store of @divides, whether the next statement is a division, in the
   field `dividing` of the tool's page. */
void vt_emit_store_division_running_flag(struct vt_emitter *, Bool divides);

#endif
