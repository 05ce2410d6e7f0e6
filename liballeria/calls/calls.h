/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - calls that logs tell of
 *
 * Threads: one at a time.
 *
 * A log is read twice, block by block. The first time tells which calls end in
 * another block than that in which they began, and keeps the records of these
 * ends; the second time gives the calls, in the order in which they began.
 */
#ifndef LIBALLERIA_CALLS_CALLS_H
#define LIBALLERIA_CALLS_CALLS_H

#include <alleria/alleria.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/config/window/windows.h"
#include "proto/call.h"

struct ap_intercepted {
	struct alleria_intercepted pub;
	const struct pt_intercept *plan;
};

/* Interceptors of an image's plan. */
struct ap_intercepts {
	struct al_windows view;	   /* of the plan, which must outlive it */
	struct ap_intercepted *of; /* [view.n[AL_INTERCEPTS]] */
};

struct ap_call {
	struct alleria_call pub;
	const struct ap_intercepts *by;
	const struct pt_log_call *call; /* its record */
	const struct pt_log_call *end;	/* that of its end, or NULL */
};

/* ---- call_log.c ---- */

/* Code of a function. */
struct ap_body {
	struct ap_body *next;
	uint64_t entry;
	uint32_t interceptor;
	uint32_t bytes;
	uint8_t code[];
};

/* A call that has begun, or the end of one. */
struct ap_callmark {
	uint64_t serial;
	uint32_t interceptor;
	uint32_t block;		       /* number, where it has begun */
	const struct pt_log_call *end; /* or NULL */
};

struct ap_callmarks {
	struct ap_callmark *mark; /* ascending */
	size_t n, size;
};

/* The log of an image. */
struct ap_calllog {
	const struct ap_intercepts *by;
	uint32_t pid;
	uint32_t block;		  /* number of it, from 1 */
	uint64_t serial;	  /* of the last call */
	struct ap_callmarks open; /* the first time: not ended yet */
	struct ap_callmarks far;  /* ends in another block; copies */
	struct ap_callmarks near; /* the second time: ends in this block */
	struct ap_body *body;
	const char *at, *to; /* of the block: what is left */
};

void ap_calllog_init(struct ap_calllog *, const struct ap_intercepts *,
		     uint32_t pid);
void ap_calllog_release(struct ap_calllog *);

/* The first time. 0; -EBADMSG; -ENOMEM. */
int ap_calllog_scan(struct ap_calllog *, const void *block, size_t bytes);

/* The first time is over. */
void ap_calllog_rewind(struct ap_calllog *);

/* The second time: @block stays there while it is asked for calls. 0;
   -ENOMEM. */
int ap_calllog_take(struct ap_calllog *, const void *block, size_t bytes);

/* The next call of the block, but for what is known of its image. 1; 0: there
   is none left; -EBADMSG; -ENOMEM. */
int ap_calllog_next(struct ap_calllog *, struct ap_call *out);

/* ---- calls.c ---- */

/* Of a plan that was checked. 0; -ENOMEM, with nothing to be released. */
int ap_intercepts_init(struct ap_intercepts *, const void *plan);
void ap_intercepts_release(struct ap_intercepts *);

#endif
