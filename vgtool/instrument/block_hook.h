/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block_hook.h - lets generated code call helpers at the beginning of chosen
 *                blocks, and after jumps of the stack pointer
 */
#ifndef VGTOOL_INSTRUMENT_BLOCK_HOOK_H
#define VGTOOL_INSTRUMENT_BLOCK_HOOK_H

#include "vgtool/instrument/emit.h"

/**
 * Helper that runs before the first instruction of a block.
 * @pc: address of the block.
 * @yield_addr: address at which the block may yield to the scheduler; 0: it
 *              cannot.
 *
 * Return: whether the block must yield, and run again from its beginning: if
 *         the chunk is full. The helper has then done nothing, or only work
 *         that it does not repeat when it runs again. Whatever the result, the
 *         helper may have written units of up to VT_RESERVE / 2 bytes.
 */
typedef VG_REGPARM(2) ULong (*vt_block_helper)(Addr pc, Addr yield_addr);

struct vt_block_hook {
	/* Return the helper that a block at @pc calls, or NULL. */
	vt_block_helper (*find_helper)(Addr pc);
	/* Whether VEX must not continue a block at @pc, because the helper runs
	   only at the beginning of blocks. */
	Bool (*is_entry)(Addr pc);
	/* Called at the end of a block that has set the stack pointer to @sp, a
	   value unrelated to the old one, if @sp is greater than the value in
	   the thread's shadow register VT_SHADOW_HEAP_SP. */
	VG_REGPARM(1)
	void (*check_jump)(Addr sp);
};

/* Set the hook for all code that is translated from now on. */
void vt_block_hook_set_block_begin_hook(const struct vt_block_hook *);

/* Whether VEX may continue a block at @pc: always, if no hook is set. */
Bool vt_block_hook_may_vex_continue_block_at(Addr pc);

/* Emit the call of the helper of a block at @pc, if it has one, and an exit
   that yields to the scheduler at @yield_addr if the helper returns True; no
   exit if @yield_addr is 0. Return: whether the block has a helper. If so, its
   unit must begin without a check for room. */
Bool vt_block_hook_try_emit_helper_and_yield(struct vt_emitter *, Addr pc,
					     Addr yield_addr);

/* Emit the call of check_jump() at the end of
   block @in, if a hook is set and the block sets the stack pointer to an
   unrelated value. @sp_offset: offset of the stack pointer in the guest state.
   */
void vt_block_hook_emit_sp_jump_check(struct vt_emitter *, const IRSB *in,
				      Int sp_offset);

#endif
