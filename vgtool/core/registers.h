/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registers.h - which of the program's registers are exact at an access
 *
 * Valgrind leaves loads out whose value nobody uses. How many it can see
 * depends on how exact it must keep the registers: by default, and so for
 * Lackey, as exact as a stack trace needs. For us the stack pointer is enough,
 * as it is for Cachegrind; vgtool/instrument/fault.c finds the program counter.
 * vgtool/translate/vex_passes.c keeps the frame pointer exact, too, without a
 * load more. Where VEX has its own passes, the registers of a stack trace are
 * exact once the program has a handler that may mend a fault and go on in the
 * middle of a block.
 */
#ifndef VGTOOL_CORE_REGISTERS_H
#define VGTOOL_CORE_REGISTERS_H

#include "vgtool/core/prelude.h"

/* Keep only the stack pointer exact, as Cachegrind does, unless the user has
   chosen otherwise for code of files or for other code. */
void vt_registers_keep_fewer(void);

/* Restore Valgrind's default exactness and discard all translations, unless the
   passes keep the frame pointer exact. Context: no code is running. */
void vt_registers_keep_more(void);

/* Note that the passes keep the frame pointer exact. */
void vt_registers_set_frame_exact(void);

/* Whether the program counter is exact by itself. */
Bool vt_registers_have_pc(void);

#endif
