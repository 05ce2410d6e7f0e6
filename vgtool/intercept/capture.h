/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - values of the program's as bytes of the log
 *
 * proto/call.h has the encoding. The program's memory may be anything: what
 * cannot be read is told so, and what is too much is cut. What an element needs
 * for itself is set aside before it is begun, so that none is ever in part, and
 * whatever is looked at is told: pointers in circles cost no more than the
 * bytes that they fill.
 */
#ifndef VGTOOL_INTERCEPT_CAPTURE_H
#define VGTOOL_INTERCEPT_CAPTURE_H

#include "vgtool/core/memory.h"

struct pt_intercept;

struct vt_capture {
	const struct pt_intercept *of;
	const UChar *const *arg; /* each of its parameters; NULL: unreadable */
	UChar *bytes;		 /* what there is */
	UInt n;
	UInt size;
	UInt owed; /* [bytes] set aside behind n, for what has been begun */
	struct vt_memory readable;
};

/* Appends a value that lies at @at. Return: whether it had room; what it leads
   to may have been cut. */
Bool vt_capture(struct vt_capture *, UInt type, const void *at);

#endif
