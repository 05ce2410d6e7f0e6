/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ap_calls.h - calls that an image's log tells of
 *
 * Room:    api.
 * Used by: ap_calls.c, ap_callvalue.c, ap_facts.c, ap_order.c.
 * Threads: the profile's lock guards them while they are read; they do not
 *          change after that.
 */
#ifndef AP_CALLS_H
#define AP_CALLS_H

#include "api/ap_profile.h"
#include "lib/al_windows.h"
#include "proto/pt_call.h"

struct ap_intercepted {
	struct alleria_intercepted pub;
	const struct pt_intercept *plan;
};

/* Code of a function. */
struct ap_body {
	struct ap_body *next;
	uint64_t entry;
	uint32_t interceptor;
	uint32_t bytes;
	uint8_t code[];
};

struct ap_call {
	struct alleria_call pub;
	const struct ap_calls *in;
	struct pt_log_call *call; /* its record */
	struct pt_log_call *end;  /* that of its end, or NULL */
};

/* Of an image. */
struct ap_calls {
	struct al_windows view;	   /* of the image's plan */
	struct ap_intercepted *of; /* [view.n[AL_INTERCEPTS]] */
	struct ap_body *body;
	const struct alleria_call **call; /* struct ap_call, by serial */
	size_t n;
	size_t size;
};

void ap_calls_free(struct ap_calls *); /* NULL: nothing */

#endif
