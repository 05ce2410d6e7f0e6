/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_registers.h - registers that we give out are those that VEX does
 */
#ifndef VGTOOL_TRANSLATE_COMPARE_REGISTERS_H
#define VGTOOL_TRANSLATE_COMPARE_REGISTERS_H

#include "vgtool/vexopt/host_instr.h"

/* Gives them out both ways. Return: VEX's. Both are in VEX's memory of this
   translation: a block that almost fills it alone uses it up. */
struct ps_code *vt_compare_registers(struct ps_code *, const struct ps_host *);

#endif
