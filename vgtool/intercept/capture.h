/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - encodes values of the program as bytes of the log
 *
 * proto/call.h describes the encoding. Unreadable memory is encoded as such,
 * and what exceeds the record is cut. Space for an element is reserved before
 * the element is encoded, so none is encoded in part. Each pointer that is
 * followed fills bytes of the record, so cyclic pointers end when the record is
 * full.
 */
#ifndef VGTOOL_INTERCEPT_CAPTURE_H
#define VGTOOL_INTERCEPT_CAPTURE_H

#include "vgtool/core/memory.h"

struct pt_intercept;

struct vt_capture {
	const struct pt_intercept *intercept;
	const UChar *const *arg; /* address of each of its parameters; NULL:
				    unreadable */
	UChar *bytes;		 /* output buffer */
	UInt n;
	UInt size;
	UInt reserved; /* [bytes] reserved after n for values whose encoding has
		      begun */
	struct vt_readable_range readable;
};

/* Append the value at address @at. Return: whether it had room; elements of its
   pointers may have been cut. */
Bool vt_capture(struct vt_capture *, UInt type, const void *at);

#endif
