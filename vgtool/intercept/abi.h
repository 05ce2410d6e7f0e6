/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi.h - finds arguments and results of a call in registers and on the stack
 *
 * The recording plan has the position of each value (struct pt_where), found by
 * the rules of the System V ABI.
 */
#ifndef VGTOOL_INTERCEPT_ABI_H
#define VGTOOL_INTERCEPT_ABI_H

#include "proto/window.h"
#include "vgtool/core/prelude.h"

/* [bytes] of the largest argument or result that is passed in registers */
enum { VT_MAX_REGISTER_BYTES = 16 };

/**
 * vt_abi_find_or_read_argument() - Find an argument of the call of a function
 * whose first instruction has not run.
 * @sp: stack pointer; the return address is there.
 * @register_buffer: receives the argument if it is in registers.
 *
 * Return: @register_buffer, or a readable address in the program; NULL: the
 * argument is unreadable.
 */
const void *
vt_abi_find_or_read_argument(ThreadId tid, const struct pt_parameter *, Addr sp,
			     UChar register_buffer[VT_MAX_REGISTER_BYTES]);

/* Find the result of a call, as vt_abi_find_or_read_argument() finds an
   argument. Call when the function has returned and the instruction at its
   return address has not run. */
const void *
vt_abi_find_or_read_result(ThreadId tid, const struct pt_intercept *,
			   UChar register_buffer[VT_MAX_REGISTER_BYTES]);

#endif
