/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vt_capture.h - values of the program's as bytes of the log
 *
 * Room:    vgtool.
 * Used by: vt_calls.c.
 *
 * pt_call.h has the encoding. The program's memory may be anything: what cannot
 * be read is told so, and what is too much is cut.
 */
#ifndef VT_CAPTURE_H
#define VT_CAPTURE_H

#include "vgtool/vt_room.h"

struct pt_intercept;

struct vt_capture {
	const struct pt_intercept *of;
	const ULong *arg; /* of each of its parameters: first 8 bytes */
	UChar *bytes;	  /* what there is */
	UInt n;
	UInt size;
	Addr readable, readable_end; /* memory that is known to be */
	Bool full;		     /* something had no room */
};

/* Appends a value that lies at @at. */
void vt_capture(struct vt_capture *, UInt type, const void *at);

/* Whether the program has memory there that can be read. */
Bool vt_capture_can_read(struct vt_capture *, Addr at, ULong bytes);

#endif
