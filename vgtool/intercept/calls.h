/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - what windows record of calls: arguments and results
 *
 * An interceptor acts on calls that begin while its window is open; how such a
 * call ends is recorded whenever it does.
 */
#ifndef VGTOOL_INTERCEPT_CALLS_H
#define VGTOOL_INTERCEPT_CALLS_H

#include "vgtool/core/prelude.h"

/* A call that interceptors want. */
struct vt_call;

/* Starts anew with the plan that is given. */
void vt_calls_start(void);

/* While they are, no call is recorded that begins. */
void vt_calls_pause(Bool paused);

/**
 * vt_calls_begin() - A function is about to run.
 * @sp: where its return address lies.
 *
 * Return: what is to be given back when it has ended; NULL: nobody wants it.
 */
struct vt_call *vt_calls_begin(ThreadId tid, Addr entry, Addr sp);

/* It has ended. @returned: its result is in the registers. */
void vt_calls_left(ThreadId tid, const struct vt_call *, Bool returned);

void vt_calls_forget(struct vt_call *);

#endif
