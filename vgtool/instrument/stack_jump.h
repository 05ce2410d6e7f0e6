/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack_jump.h - detects jumps of the stack pointer, as by longjmp(), and emits
 * calls of helpers after them
 */
#ifndef VGTOOL_INSTRUMENT_STACK_JUMP_H
#define VGTOOL_INSTRUMENT_STACK_JUMP_H

#include "vgtool/instrument/emit.h"

/* Whether block @in sets the stack pointer to a value that is not derived from
   the old one by adding, subtracting or masking a constant. @sp_offset: offset
   of the stack pointer in the guest state. */
Bool vt_stack_jump_has_unrelated_sp_write(const IRSB *in, Int sp_offset);

/**
 * vt_stack_jump_emit_call_if_sp_above() - Emit, at the end of a block for which
 * vt_stack_jump_has_unrelated_sp_write() is True, a call of a helper. At run
 * time the helper is called only if the stack pointer is above a limit.
 * @limit_shadow_offset: enum in emit.h: shadow register that holds the limit.
 * @args_sp_first: arguments of the helper; the first must be NULL,
 *        and is replaced by the stack pointer; a NULL ends the array.
 */
void vt_stack_jump_emit_call_if_sp_above(struct vt_emitter *, Int sp_offset,
					 Int limit_shadow_offset,
					 const HChar *helper_name, void *helper,
					 IRExpr **args_sp_first);

#endif
