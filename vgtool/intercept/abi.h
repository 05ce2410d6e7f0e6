/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi.h - arguments and results of a call, out of registers and stack
 *
 * The plan tells where each is.
 */
#ifndef VGTOOL_INTERCEPT_ABI_H
#define VGTOOL_INTERCEPT_ABI_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* [bytes] that a value in registers has at most */
enum { VT_IN_REGISTERS = 16 };

/**
 * vt_places_argument() - Where an argument lies, at the call.
 * @sp: where the return address lies.
 * @registers: receives it, if it is in registers.
 *
 * Return: @registers, or an address of the program's, which can be read; NULL:
 *         it cannot.
 */
const void *vt_places_argument(ThreadId tid, const struct pt_parameter *,
			       Addr sp, UChar registers[VT_IN_REGISTERS]);

/* The same of the result, at the return. */
const void *vt_places_result(ThreadId tid, const struct pt_intercept *,
			     UChar registers[VT_IN_REGISTERS]);

#endif
