/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - arguments and results of calls; see calls.h */

#include "vgtool/intercept/calls.h"

#include <pub_tool_libcproc.h>

#include "proto/call.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/intercept/abi.h"
#include "vgtool/intercept/capture.h"
#include "vgtool/core/threads.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/functions.h"
#include "vgtool/window/windows.h"

enum {
	EIGHT = 8, /* [bytes] */
	/* There is always room for a number or a pointer itself. */
	LEAST = PT_X87_BYTES,
	/* Of a record, what values may take beyond that. */
	ROOM = PT_MAX_CALL -
	       (PT_MAX_PARAMETERS + 1) * (sizeof(struct pt_call_value) + LEAST),
};

struct vt_call {
	struct vt_call *next; /* another interceptor of the same call */
	struct pt_log_call told;
	const UChar *arg[]; /* each, behind them all; NULL: unreadable */
};

/* The record that is being made. */
static union {
	struct pt_log_call call;
	struct pt_log_body body;
	UChar bytes[PT_MAX_CALL + sizeof(struct pt_log_body)];
} record;
static UInt n_record;

static ULong serials; /* of calls, in the order in which they are told */

/* Code that has been told. */
struct told {
	struct told *next;
	UInt interceptor;
	Addr entry;
};

static struct told *told;

static Bool paused; /* a forked child goes on with it */

void vt_calls_pause(Bool on)
{
	paused = on;
}

void vt_calls_start(void)
{
	struct told *t;

	while ((t = told) != NULL) {
		told = t->next;
		VG_(free)(t);
	}
}

/* ---- records ---- */

static const struct pt_intercept *intercept_of(const struct vt_call *c)
{
	return vt_given_intercept(c->told.interceptor - 1);
}

static void begin_record(const struct vt_call *c, enum pt_log_kind kind)
{
	record.call = c->told;
	record.call.head.kind = kind;
	n_record = sizeof(record.call);
}

static void end_record(void)
{
	record.call.head.bytes = n_record;
	vt_ring_log(&record, n_record);
}

/* @at: NULL: it cannot be read. */
static void put(const struct vt_call *c, UInt parameter, UInt type,
		const void *at)
{
	UInt begin = n_record + sizeof(struct pt_call_value);
	UInt left = begin < ROOM ? ROOM - begin : 0;
	struct vt_capture capture = {
		.of = intercept_of(c),
		.arg = c->arg,
		.bytes = record.bytes + begin,
		.size = left > LEAST ? left : LEAST,
	};
	struct pt_call_value v = {parameter, PT_CALL_WHOLE, 0};

	if (at == NULL)
		v.state = PT_CALL_UNREADABLE;
	else if (!vt_capture(&capture, type, at))
		v.state = PT_CALL_NO_ROOM;
	v.bytes = capture.n;
	VG_(memcpy)(record.bytes + n_record, &v, sizeof(v));
	n_record = vt_padded(begin + capture.n);
	VG_(memset)
	(record.bytes + begin + capture.n, 0, n_record - begin - capture.n);
}

static void put_parameters(const struct vt_call *c, UInt which)
{
	const struct pt_intercept *in = intercept_of(c);
	UInt i;

	for (i = 0; i < in->n_parameters; i++) {
		const struct pt_parameter *p =
			vt_given_parameter(in->first_parameter + i);

		if (p->flags & which)
			put(c, i, p->type, c->arg[i]);
	}
}

static void put_result(ThreadId tid, const struct vt_call *c)
{
	const struct pt_intercept *in = intercept_of(c);
	UChar registers[VT_IN_REGISTERS];

	if (in->result != PT_NO_TYPE)
		put(c, PT_RESULT, in->result,
		    vt_places_result(tid, in, registers));
}

static UInt size_of_function(Addr entry)
{
	const struct vt_range *r;
	UInt n, size = 0;

	for (n = 0; (r = vt_functions_at(entry, n)) != NULL; n++)
		if (r->start == entry && r->end - entry > size)
			size = r->end - entry;
	return size;
}

static void tell_body(UInt interceptor, Addr entry)
{
	struct vt_memory memory = {0, 0};
	UInt size = size_of_function(entry);
	UInt bytes = size < PT_MAX_BODY ? size : PT_MAX_BODY;
	struct told *t;

	for (t = told; t != NULL; t = t->next)
		if (t->interceptor == interceptor && t->entry == entry)
			return;
	t = VG_(malloc)("vt.calls", sizeof(*t));
	*t = (struct told){told, interceptor, entry};
	told = t;
	if (!vt_memory_can_read(&memory, entry, bytes))
		return;
	record.body = (struct pt_log_body){
		.head = {PT_LOG_BODY, vt_padded(sizeof(record.body) + bytes)},
		.interceptor = interceptor,
		.pid = VG_(getpid)(),
		.entry = entry,
		.bytes = bytes,
		.size = size,
	};
	VG_(memcpy)
	(record.bytes + sizeof(record.body), (const void *)entry, bytes);
	vt_ring_log(&record, record.body.head.bytes);
}

/* ---- calls ---- */

static UInt size_of_parameter(const struct pt_intercept *in, UInt i)
{
	return vt_given_type(vt_given_parameter(in->first_parameter + i)->type)
		->size;
}

/* With room for its arguments, which lie behind their addresses. */
static struct vt_call *new_call(const struct pt_intercept *in)
{
	SizeT bytes =
		sizeof(struct vt_call) + in->n_parameters * sizeof(UChar *);
	UInt i;

	for (i = 0; i < in->n_parameters; i++)
		bytes += VG_ROUNDUP(size_of_parameter(in, i), EIGHT);
	return VG_(malloc)("vt.calls", bytes);
}

static void keep_arguments(ThreadId tid, struct vt_call *c, Addr sp)
{
	const struct pt_intercept *in = intercept_of(c);
	UChar *to = (UChar *)&c->arg[in->n_parameters];
	UChar registers[VT_IN_REGISTERS];
	UInt i, bytes;

	for (i = 0; i < in->n_parameters; i++, to += VG_ROUNDUP(bytes, EIGHT)) {
		const void *at = vt_places_argument(
			tid, vt_given_parameter(in->first_parameter + i), sp,
			registers);

		bytes = size_of_parameter(in, i);
		c->arg[i] = at == NULL ? NULL : to;
		if (at != NULL)
			VG_(memcpy)(to, at, bytes);
	}
}

static struct vt_call *begin(ThreadId tid, UInt interceptor, Addr entry,
			     Addr sp)
{
	const struct pt_intercept *in = vt_given_intercept(interceptor - 1);
	struct vt_call *c = new_call(in);

	c->told = (struct pt_log_call){
		.interceptor = interceptor,
		.thread = vt_events_number(tid),
		.pid = VG_(getpid)(),
		.serial = serials,
		.entry = entry,
		.back = *(const Addr *)sp,
	};
	keep_arguments(tid, c, sp);
	if (in->flags & PT_INTERCEPT_PURE)
		tell_body(interceptor, entry);
	begin_record(c, PT_LOG_CALL);
	put_parameters(c, PT_PARAMETER_IN);
	end_record();
	return c;
}

static Bool has(const struct vt_call *c, UInt interceptor)
{
	for (; c != NULL; c = c->next)
		if (c->told.interceptor == interceptor)
			return True;
	return False;
}

struct vt_call *vt_calls_begin(ThreadId tid, Addr entry, Addr sp)
{
	struct vt_call *all = NULL, *c;
	ULong lanes;
	UInt lane, i;

	if (vt_given->intercepts.n == 0 || paused || !vt_ring_is_attached())
		return NULL;
	lanes = vt_windows_lanes_of(vt_events_number(tid));
	serials++;
	for (lane = 0; lane < vt_given->lanes.n; lane++) {
		i = lanes >> lane & 1 ? vt_scope_intercept(lane, entry) : 0;
		if (i == 0 || has(all, i))
			continue;
		c = begin(tid, i, entry, sp);
		c->next = all;
		all = c;
	}
	return all;
}

void vt_calls_left(ThreadId tid, const struct vt_call *c, Bool returned)
{
	for (; c != NULL; c = c->next) {
		begin_record(c, PT_LOG_RETURN);
		if (!returned) {
			record.call.flags |= PT_CALL_LEFT;
		} else {
			put_parameters(c, PT_PARAMETER_OUT);
			put_result(tid, c);
		}
		end_record();
	}
}

void vt_calls_forget(struct vt_call *c)
{
	struct vt_call *next;

	for (; c != NULL; c = next) {
		next = c->next;
		VG_(free)(c);
	}
}
