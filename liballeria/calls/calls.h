/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - reads intercepted calls from the logs of images
 *
 * Threads: one at a time.
 *
 * A log is read twice, block by block. The first pass copies the records of
 * returns whose call is in an earlier block. The second pass returns the calls,
 * in the order in which they began.
 */
#ifndef LIBALLERIA_CALLS_CALLS_H
#define LIBALLERIA_CALLS_CALLS_H

#include <alleria/alleria.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/config/window/windows.h"
#include "proto/call.h"

/* A function with `intercept` in the window file, which defines the parts of a
   run to be recorded: its public description and its entry in the recording
   plan. */
struct ap_intercepted {
	struct alleria_intercepted pub;
	const struct pt_intercept *plan;
};

/* All functions that the recording plan of an exec image intercepts. */
struct ap_intercepts {
	struct al_windows view; /* parts of the plan; the plan must outlive this
				   struct */
	struct ap_intercepted *function; /* [view.n[AL_INTERCEPTS]] */
};

/* An intercepted call with its records in the log. */
struct ap_call {
	struct alleria_call pub;
	const struct ap_intercepts *intercepts;
	const struct pt_log_call *call; /* record of the call */
	const struct pt_log_call *end;	/* record of its return, or NULL */
};

/* ---- call_log.c ---- */

/* Machine code of an intercepted function, as recorded in the log. */
struct ap_body {
	struct ap_body *next;
	uint64_t entry;
	uint32_t interceptor;
	uint32_t bytes;
	uint8_t code[];
};

/* An intercepted call in the log: one whose return was not read yet, or one
   with its return. */
struct ap_pending_call {
	uint64_t serial;
	uint32_t interceptor;
	uint32_t block;		       /* number of the block of the log in
					  which the call began; 0 in
					  block_returns */
	const struct pt_log_call *end; /* record of the return; NULL: not read
					  yet */
};

struct ap_pending_calls {
	/* [n] of room for [size]; sorted by serial number, then interceptor,
	   before it is searched */
	struct ap_pending_call *call;
	size_t n, size;
};

/* State of reading the log of an image. */
struct ap_call_log {
	const struct ap_intercepts *intercepts;
	uint32_t pid;
	uint32_t block;	 /* first pass: number of the block being read, counted
			    from 1 */
	uint64_t serial; /* first pass: serial number of the last call */
	struct ap_pending_calls
		open_calls; /* first pass: list of the calls whose return was
			       not read yet */
	struct ap_pending_calls
		later_returns; /* calls whose return is in a later block than
				  the call; `end` is an owned copy of its
				  record */
	struct ap_pending_calls
		block_returns; /* second pass: returns in the open block */
	struct ap_body *body;
	const char *pos, *end; /* part of the block that was not read yet */
};

/* Initialise a reader of the intercepted calls in the log of an image of
   process @pid. */
void ap_call_log_init(struct ap_call_log *, const struct ap_intercepts *,
		      uint32_t pid);
void ap_call_log_release(struct ap_call_log *);

/* First pass: read the next block of the log, and match its returns with the
   open calls. Records of returns whose call is in an earlier block are copied.
   Return: 0; -EBADMSG: a record is malformed, a return has no call, or a call
   is out of order or recorded twice; -ENOMEM. */
int ap_call_log_pair_calls_in_first_pass(struct ap_call_log *,
					 const void *block, size_t bytes);

/* End the first pass: forget the calls that have no return, and sort, for the
   second pass, the returns that are in a later block than their call. */
void ap_call_log_end_first_pass_sort_returns(struct ap_call_log *);

/* Second pass: open a block of the log, and list the returns in it. A block
   with a malformed record is opened too: ap_call_log_read_next_call_if_any()
   returns -EBADMSG after the calls before the damage. @block must stay valid
   while calls are read from it or used. Return: 0; -ENOMEM. */
int ap_call_log_open_block_and_list_returns(struct ap_call_log *,
					    const void *block, size_t bytes);

/* Fill @out with the next call of the open block, except its members `process`
   and `image`. Return: 1; 0: no more calls in the block; -EBADMSG; -ENOMEM. */
int ap_call_log_read_next_call_if_any(struct ap_call_log *,
				      struct ap_call *out);

/* ---- calls.c ---- */

/* Build the descriptions of the functions with `intercept` in a valid recording
   plan. Return: 0; -ENOMEM, with nothing to release. */
int ap_intercepts_init_from_plan(struct ap_intercepts *, const void *plan);
void ap_intercepts_release(struct ap_intercepts *);

#endif
