/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instr_class.h - finds the selects of the plan that match an instruction
 *
 * A select (struct pt_select) of the recording plan names a class of
 * instructions. The daemon has the decoder. All new instructions of a block
 * that may be recorded are sent to the daemon in one question, and the answers
 * are stored by the bytes of the instruction.
 */
#ifndef VGTOOL_WINDOW_INSTR_CLASS_H
#define VGTOOL_WINDOW_INSTR_CLASS_H

#include "vgtool/core/prelude.h"

enum { VT_MAX_QUESTION = PT_MAX_INSTRS * (1 + PT_MAX_LEN) }; /* [bytes] */

/* Drop all answers and start anew with the present plan (vt_recording_plan). */
void vt_instr_class_init_from_plan(void);

/* Ask the daemon which selects match the instructions of a block that have no
   stored answer, if the plan has selects that need the decoder. @may_record:
   whether the instruction at @pc may be recorded; others are left out. */
void vt_instr_class_request_from_daemon(const IRSB *,
					Bool (*may_record)(Addr pc));

/* Whether select number @select_number of the plan matches the instruction of
   @len bytes at @pc. False also if no answer is stored for the instruction, so
   call vt_instr_class_request_from_daemon() for its block first. */
Bool vt_instr_class_is_known_to_match_select(UInt select_number, Addr pc,
					     UInt len);

#endif
