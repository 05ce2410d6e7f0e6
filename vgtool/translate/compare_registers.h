/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_registers.h - checks that ps_allocate_registers() chooses VEX's registers
 */
#ifndef VGTOOL_TRANSLATE_COMPARE_REGISTERS_H
#define VGTOOL_TRANSLATE_COMPARE_REGISTERS_H

#include "vgtool/vexopt/host_instr.h"

/* Allocate registers by ps_allocate_registers() and by VEX, and report differences.
   Return: VEX's code. Both results lie in VEX's memory for this translation, so
   a block that needs more than about half of it exhausts it. */
struct ps_code *vt_compare_registers(struct ps_code *, const struct ps_host *);

#endif
