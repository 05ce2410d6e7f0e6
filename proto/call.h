/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - calls of functions that somebody intercepts, in the log
 *
 * Interceptors, their parameters and types are those of the plan (window.h)
 * that the process was recorded by. A call is told when it begins, and when it
 * returns; both have its serial. One that is left by other means is told so;
 * one that does not end, not at all. A forked child tells nothing of calls that
 * it was forked in.
 *
 *   PT_LOG_CALL    struct pt_log_call, then each parameter that is an input
 *   PT_LOG_RETURN  the same, then each that is an output, then the result
 *   PT_LOG_BODY    struct pt_log_body, then the code
 *
 * Each value is a struct pt_call_value, then its bytes, padded to 8:
 *
 *   a number, a character   as it lies in memory; of x87's 10 bytes, and 6 of 0
 *   a struct                its fields, in order, without gaps
 *   a pointer               address [8 bytes], enum pt_elements [4 bytes], then
 *                           so many elements, in the order in which the pointer
 *                           is followed
 */
#ifndef PROTO_CALL_H
#define PROTO_CALL_H

#include "proto/log.h"

enum {
	PT_MAX_CALL = 1 << 16, /* [bytes] of a call's record */
	PT_MAX_BODY = 1 << 16, /* of a function's code */
	PT_MAX_FOLLOWED = 64,  /* pointers, one behind the other */
	PT_RESULT = 0xffff,    /* in place of a parameter */
	PT_POINTER_BYTES = 12, /* before the elements */
	PT_MAX_ELEMENTS = PT_MAX_CALL,
};

enum pt_elements {
	PT_ELEMENTS = 0x00ffffff, /* how many */
	PT_MORE = 0x40000000,	  /* there are more, or memory ends */
	PT_NOT_FOLLOWED = 0x80000000,
	PT_UNREADABLE = 0xffffffff, /* not even the first */
};

enum pt_call_flags {
	PT_CALL_LEFT = 1u << 0, /* it did not return: longjmp(), exceptions */
};

struct pt_log_call {
	struct pt_log_head head;
	uint32_t interceptor; /* from 1 */
	uint32_t thread;      /* number */
	uint32_t pid;	      /* a child's log may begin with its parent's */
	uint32_t flags;	      /* enum pt_call_flags, of PT_LOG_RETURN */
	uint64_t serial;      /* in its image, growing from 1 */
	uint64_t entry;	      /* address of the function */
	uint64_t back;	      /* that it returns to */
};

enum pt_call_state {
	PT_CALL_WHOLE = 0,
	PT_CALL_UNREADABLE =
		1,	     /* it lies where nothing can be read: no bytes */
	PT_CALL_NO_ROOM = 2, /* not even itself, without what it leads to */
};

struct pt_call_value {
	uint16_t parameter; /* index in the interceptor's, or PT_RESULT */
	uint16_t state;	    /* enum pt_call_state */
	uint32_t bytes;
};

/* Once for each function of an interceptor with PT_INTERCEPT_PURE, before its
   first call. */
struct pt_log_body {
	struct pt_log_head head;
	uint32_t interceptor;
	uint32_t pid;
	uint64_t entry;
	uint32_t bytes; /* of code told: PT_MAX_BODY at most */
	uint32_t size;	/* of it all */
};

#endif
