/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jump_kinds.h - translates VEX's jump kinds into the daemon's
 */
#ifndef VGTOOL_CORE_JUMP_KINDS_H
#define VGTOOL_CORE_JUMP_KINDS_H

#include "vgtool/core/prelude.h"

/* Return the kind by which the log describes a jump of VEX's kind. */
enum pt_jump vt_jump_kind_from_vex(IRJumpKind);

/* Return the number of the signal that a jump of this kind raises, or 0. */
UInt vt_jump_kind_signal_number(IRJumpKind);

/* Return the address in a constant, the target of a VEX jump. */
Addr vt_address_from_ir_constant(const IRConst *);

#endif
