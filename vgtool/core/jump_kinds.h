/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jump_kinds.h - what Valgrind's jumps are to the daemon
 */
#ifndef VGTOOL_CORE_JUMP_KINDS_H
#define VGTOOL_CORE_JUMP_KINDS_H

#include "vgtool/core/prelude.h"

enum pt_jump vt_jump_of(IRJumpKind);

/* The signal that it raises, or 0. */
UInt vt_jump_signal(IRJumpKind);

/* Where it leads. */
Addr vt_jump_target(const IRConst *);

#endif
