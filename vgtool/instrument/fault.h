/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault.h - completes the unit of a block that a fault stopped
 */
#ifndef VGTOOL_INSTRUMENT_FAULT_H
#define VGTOOL_INSTRUMENT_FAULT_H

#include "vgtool/core/prelude.h"

/**
 * vt_fault_write_partial() - Replace the open unit by a PT_CUT with the exact number of
 * accesses before the one that faulted, and of instructions begun. Set the
 * thread's program counter to the instruction that faulted.
 *
 * Return: the signal that the fault raises; 0 if no unit of a block is open.
 */
Int vt_fault_write_partial(ThreadId tid);

#endif
