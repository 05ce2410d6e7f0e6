/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_jump.h - what Valgrind's jumps are to the daemon
 */
#ifndef VT_JUMP_H
#define VT_JUMP_H

#include "vgtool/core/prelude.h"

enum pt_jump vt_jump_of(IRJumpKind);

/* The signal that it raises, or 0. */
UInt vt_jump_signal(IRJumpKind);

/* Where it leads. */
Addr vt_jump_target(const IRConst *);

#endif
