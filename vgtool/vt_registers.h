/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_registers.h - which of the program's registers are exact at an access
 *
 * Room:    vgtool.
 * Used by: vt_main.c, vt_events.c, vt_instrument.c,
 *          vt_passes.c.
 *
 * Valgrind leaves loads out whose value nobody uses. How many it can see
 * depends on how exact it must keep the registers: by default, and so for
 * Lackey, as exact as a stack trace needs. For us the stack pointer is enough,
 * as it is for Cachegrind; vt_fault.c finds the program counter. vt_passes.c
 * keeps the frame pointer exact, too, without a load more. Where VEX has its own
 * passes, the registers of a stack trace are exact once the program has a
 * handler that may mend a fault and go on in the middle of a block.
 */
#ifndef VT_REGISTERS_H
#define VT_REGISTERS_H

#include "vgtool/vt_room.h"

/* Keep no more than the stack pointer, as Cachegrind does: in code of files, and
   in other code, unless the user has chosen for that. */
void vt_registers_keep_fewer(void);

/* From here on, keep what is kept by default, unless the frame pointer is exact
   anyway. Context: no code is running. */
void vt_registers_keep_more(void);

/* The passes keep the frame pointer exact. */
void vt_registers_have_frame(void);

/* Whether the program counter is exact by itself. */
Bool vt_registers_have_pc(void);

#endif
