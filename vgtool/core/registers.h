/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * registers.h - chooses which guest registers are exact at an access
 *
 * A register is exact if Valgrind's copy of it in memory holds the value that
 * the program has there. VEX removes loads whose value is unused, and it finds
 * more of them if fewer registers must be exact. By default, and so in Lackey,
 * the registers of a stack trace are exact. For Alleria the stack pointer is
 * enough, as for Cachegrind; vgtool/instrument/fault.c finds the program
 * counter. vgtool/translate/vex_passes.c also makes the frame pointer exact,
 * without one more load. If VEX's own passes are used instead, the registers of
 * a stack trace become exact when the program installs a handler that may
 * repair a fault and resume in the middle of a block.
 */
#ifndef VGTOOL_CORE_REGISTERS_H
#define VGTOOL_CORE_REGISTERS_H

#include "vgtool/core/prelude.h"

/* Make VEX keep only the stack pointer exact, as Cachegrind does. For code that
   is mapped from files, and for other code, an option of the user takes
   precedence. */
void vt_registers_reduce_exact_to_sp(void);

/* Make VEX keep the registers of a stack trace exact again, Valgrind's default,
   and discard all translations. No-op if vt_registers_reduce_exact_to_sp()
   changed nothing, or after vt_registers_note_frame_ptr_is_exact(). Context: no
   translated code is running. */
void vt_registers_restore_exact_unwind_regs(void);

/* Record that the passes of vgtool/translate keep the frame pointer exact; then
   vt_registers_restore_exact_unwind_regs() does nothing. */
void vt_registers_note_frame_ptr_is_exact(void);

/* Whether VEX keeps the program counter exact at each access of code that is
   not mapped from a file. */
Bool vt_registers_is_pc_exact_at_accesses(void);

#endif
