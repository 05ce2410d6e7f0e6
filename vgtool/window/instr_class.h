/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.h - which selects of the plan take an instruction
 *
 * The daemon has the decoder. It is asked for the instructions of a block
 * together, and what it answers is kept by their bytes.
 */
#ifndef VGTOOL_WINDOW_INSTR_CLASS_H
#define VGTOOL_WINDOW_INSTR_CLASS_H

#include "vgtool/core/prelude.h"

enum { VT_MAX_ASKED = PT_MAX_INSTRS * (1 + PT_MAX_LEN) }; /* [bytes] */

/* Starts anew with the plan that is given. */
void vt_decode_begin(void);

/* Learns of a block's instructions, where the plan needs it. @may: whether
   something may be wanted of the one there. */
void vt_decode_block(const IRSB *, Bool (*may)(Addr pc));

/* Whether select @i of the plan takes the instruction, of a block learnt of. */
Bool vt_decode_takes(UInt i, Addr pc, UInt len);

#endif
