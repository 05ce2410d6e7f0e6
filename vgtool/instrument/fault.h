/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault.h - finishing the unit of a block that a fault stopped
 */
#ifndef VGTOOL_INSTRUMENT_FAULT_H
#define VGTOOL_INSTRUMENT_FAULT_H

#include "vgtool/core/prelude.h"

/**
 * vt_fault_cut() - Turn the open unit into a PT_CUT that counts exactly what
 * happened: the accesses before the one that faulted, and the instructions
 * begun.
 *
 * Return: the signal that the fault must have raised.
 */
Int vt_fault_cut(ThreadId tid);

#endif
