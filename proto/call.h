/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - log records of intercepted calls
 *
 * A plan (window.h) lists the interceptors, their parameters and types. For
 * each interceptor that records it, a call has one record when it begins and
 * one when it returns, both with its serial number. PT_CALL_LEFT marks the
 * second record of a call that was left otherwise, for example by longjmp(). A
 * call that has not ended when its thread or the recording ends has no second
 * record. A forked child writes no record for the calls that it was forked in.
 *
 *   PT_LOG_CALL    struct pt_log_call, then the values of input parameters
 *   PT_LOG_RETURN  struct pt_log_call, then the values of output parameters,
 *                  then the value of the result
 *   PT_LOG_BODY    struct pt_log_body, then the code
 *
 * Each value is a struct pt_call_value, then its bytes, padded to 8:
 *
 *   a number, a character   as in memory; x87: 10 bytes, then 6 zero bytes
 *   a struct                its fields, in order, without gaps
 *   a pointer               address [8 bytes], enum pt_elements [4 bytes], then
 *                           the elements, in the order in which the pointer is
 *                           followed
 */
#ifndef PROTO_CALL_H
#define PROTO_CALL_H

#include "proto/log.h"

enum {
	PT_MAX_CALL = 1 << 16, /* greatest size of a call's record [bytes] */
	PT_MAX_BODY = 1 << 16, /* [bytes] greatest number of bytes recorded of a
				  function's code */
	PT_MAX_FOLLOWED = 64,  /* greatest depth of pointers to pointers that
				  are followed */
	PT_RESULT = 0xffff,    /* value of pt_call_value.parameter for the
				  result */
	PT_POINTER_BYTES = 12, /* [bytes] of a pointer value before its
				  elements */
	PT_MAX_ELEMENTS = PT_MAX_CALL,
};

enum pt_elements {
	PT_ELEMENTS = 0x00ffffff, /* mask: number of elements that follow */
	PT_MORE = 0x40000000,	  /* flag: fewer elements follow than the
				     pointer has, because the record is full or
				     memory is unreadable */
	PT_NOT_FOLLOWED =
		0x80000000, /* no elements are recorded: pointers are nested too
			       deeply, or elements have no bytes */
	PT_UNREADABLE = 0xffffffff, /* no elements are recorded: even the first
				       is unreadable */
};

enum pt_call_flags {
	PT_CALL_LEFT = 1u << 0, /* the call was left by longjmp() or an
				   exception */
};

struct pt_log_call {
	struct pt_log_head head;
	uint32_t interceptor; /* number of the interceptor, from 1 */
	uint32_t thread;      /* number of the thread that made the call */
	uint32_t pid;	      /* pid of the process that made the call; the log
				 of a forked child also has calls of its
				 parent */
	uint32_t flags;	      /* enum pt_call_flags; 0 in PT_LOG_CALL */
	uint64_t serial;      /* number of the call, from 1, ascending; a forked
				 child continues its parent's numbers */
	uint64_t entry;	      /* address of the function */
	uint64_t back;	      /* return address */
};

enum pt_call_state {
	PT_CALL_WHOLE = 0,
	PT_CALL_UNREADABLE = 1, /* the value's memory is unreadable, so no bytes
				   follow */
	PT_CALL_NO_ROOM = 2,	/* the record is full, so no bytes follow */
};

struct pt_call_value {
	uint16_t parameter; /* index among the interceptor's parameters, or
			       PT_RESULT */
	uint16_t state;	    /* enum pt_call_state */
	uint32_t bytes;
};

/* Record of a function's code. Written once for each function and each
   interceptor with PT_INTERCEPT_PURE that records its calls, before the first
   call; not if the code is unreadable. */
struct pt_log_body {
	struct pt_log_head head;
	uint32_t interceptor;
	uint32_t pid;
	uint64_t entry;
	uint32_t bytes; /* [bytes] of code that follow; at most PT_MAX_BODY */
	uint32_t size;	/* [bytes] of the whole function */
};

#endif
