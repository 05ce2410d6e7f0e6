/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - records arguments and results of intercepted calls
 *
 * An interceptor records calls that begin while its window is open. The return
 * of such a call is recorded whenever it happens.
 */
#ifndef VGTOOL_INTERCEPT_CALLS_H
#define VGTOOL_INTERCEPT_CALLS_H

#include "vgtool/core/prelude.h"
#include "vgtool/core/memory.h"

/* An intercepted call that has not ended, as one interceptor records it; or a
   list of such records of the same call, one for each interceptor. */
struct vt_call;

/* Free the list of functions whose code was logged, so that it is logged again.
   Call when a new recording plan is used. */
void vt_calls_free_functions_of_logged_code(void);

/* Pause or resume recording: calls that begin while @is_paused are not
   recorded. */
void vt_calls_set_paused(Bool is_paused);

/**
 * vt_calls_record_begin_per_interceptor() - Record the call of a
 * function that is about to run.
 * @entry: address of the function.
 * @sp: address of the return address.
 *
 * Return: a list of calls, for vt_calls_record_ends_of_list() and
 * vt_calls_free_linked_list(); NULL: nothing is recorded: no interceptor
 * applies, calls are paused, or there is no ring.
 */
struct vt_call *vt_calls_record_begin_per_interceptor(ThreadId tid, Addr entry,
						      Addr sp);

/* Log the end of a call once for each element of its list. @returned: whether
   the function has returned; False if the call ended otherwise, for example by
   longjmp(), and has no result. The list is not freed; the caller frees it by
   vt_calls_free_linked_list(). */
void vt_calls_record_ends_of_list(ThreadId tid, const struct vt_call *,
				  Bool returned);

void vt_calls_free_linked_list(struct vt_call *);

struct pt_intercept;

/*
 * State of encoding a value of the program as bytes of the log; proto/call.h
 * describes the encoding. Unreadable memory is encoded as such, and values that
 * exceed the record are cut. Space for an element is reserved before the
 * element is encoded, so none is encoded in part. At most PT_MAX_FOLLOWED
 * pointers in a row are followed, so cyclic pointers end.
 */
struct vt_capture {
	const struct pt_intercept *intercept;
	const UChar *const *arg; /* address of the value of each parameter;
				    NULL: unreadable */
	UChar *bytes;		 /* output buffer */
	UInt n;
	UInt size;
	UInt reserved; /* [bytes] reserved after `n` for values whose encoding
			  has begun */
	struct vt_readable_range readable;
};

/* Append the encoded value of type @type_index (index in the plan's types) at
   the readable address @value_addr to the output buffer. Return: False if the
   buffer is too small for the value itself; then nothing is appended. True even
   if there was no room for all elements that its pointers point to. */
Bool vt_capture_append_value_if_room(struct vt_capture *, UInt type_index,
				     const void *value_addr);

#endif
