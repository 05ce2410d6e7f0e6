/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_calls.c - arguments and results of calls; see vt_calls.h */

#include "vgtool/vt_calls.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_machine.h>

#include "proto/pt_call.h"
#include "vgtool/vt_capture.h"
#include "vgtool/vt_events.h"
#include "vgtool/vt_functions.h"
#include "vgtool/vt_given.h"
#include "vgtool/vt_objects.h"
#include "vgtool/vt_ring.h"
#include "vgtool/vt_scope.h"
#include "vgtool/vt_windows.h"

enum {
	/* Of a record, what values may take beyond their first bytes. */
	ROOM = PT_MAX_CALL - (PT_MAX_PARAMETERS + 1) * 32,
};

struct vt_call {
	struct vt_call *next; /* another interceptor of the same call */
	struct pt_log_call told;
	ULong arg[];
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

void vt_calls_start(void)
{
	struct told *t;

	while ((t = told) != NULL) {
		told = t->next;
		VG_(free)(t);
	}
}

/* ---- registers ---- */

static ULong read_register(ThreadId tid, UInt offset)
{
	ULong value;

	VG_(get_shadow_regs_area)
	(tid, (UChar *)&value, 0, offset, sizeof(value));
	return value;
}

static ULong read_argument(ThreadId tid, const struct pt_parameter *p, Addr sp)
{
	static const UInt integer[] = {
		offsetof(VexGuestAMD64State, guest_RDI),
		offsetof(VexGuestAMD64State, guest_RSI),
		offsetof(VexGuestAMD64State, guest_RDX),
		offsetof(VexGuestAMD64State, guest_RCX),
		offsetof(VexGuestAMD64State, guest_R8),
		offsetof(VexGuestAMD64State, guest_R9),
	};
	const UInt vector = offsetof(VexGuestAMD64State, guest_YMM0);
	const UInt next = offsetof(VexGuestAMD64State, guest_YMM1) - vector;
	struct vt_capture memory = {.n = 0};
	Addr at = sp + 8 + 8 * (Addr)p->slot;

	switch (p->place) {
	case PT_IN_INTEGER:
		return read_register(tid, integer[p->slot]);
	case PT_IN_VECTOR:
		return read_register(tid, vector + p->slot * next);
	default:
		return vt_capture_can_read(&memory, at, 8) ? *(const ULong *)at
							   : 0;
	}
}

static ULong read_result(ThreadId tid, UInt type)
{
	if (vt_given_type(type)->kind == PT_TYPE_FLOAT)
		return read_register(tid,
				     offsetof(VexGuestAMD64State, guest_YMM0));
	return read_register(tid, offsetof(VexGuestAMD64State, guest_RAX));
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

/* There is always room for a pointer itself. */
static void put(const struct vt_call *c, UInt parameter, UInt type,
		const ULong *value)
{
	UInt at = n_record + sizeof(struct pt_call_value);
	UInt left = n_record < ROOM ? ROOM - n_record : 0;
	struct vt_capture capture = {
		.of = intercept_of(c),
		.arg = c->arg,
		.bytes = record.bytes + at,
		.size = left > PT_POINTER_BYTES ? left : PT_POINTER_BYTES,
	};
	struct pt_call_value v = {parameter, 0};

	vt_capture(&capture, type, value);
	v.bytes = capture.n;
	VG_(memcpy)(record.bytes + n_record, &v, sizeof(v));
	n_record = vt_padded(at + capture.n);
	VG_(memset)
	(record.bytes + at + capture.n, 0, n_record - at - capture.n);
}

static void put_parameters(const struct vt_call *c, UInt which)
{
	const struct pt_intercept *in = intercept_of(c);
	UInt i;

	for (i = 0; i < in->n_parameters; i++) {
		const struct pt_parameter *p =
			vt_given_parameter(in->first_parameter + i);

		if (p->flags & which)
			put(c, i, p->type, &c->arg[i]);
	}
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
	struct vt_capture memory = {.n = 0};
	UInt size = size_of_function(entry);
	UInt bytes = size < PT_MAX_BODY ? size : PT_MAX_BODY;
	struct told *t;

	for (t = told; t != NULL; t = t->next)
		if (t->interceptor == interceptor && t->entry == entry)
			return;
	t = VG_(malloc)("vt.calls", sizeof(*t));
	*t = (struct told){told, interceptor, entry};
	told = t;
	if (!vt_capture_can_read(&memory, entry, bytes))
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

static struct vt_call *begin(ThreadId tid, UInt interceptor, Addr entry,
			     Addr sp)
{
	const struct pt_intercept *in = vt_given_intercept(interceptor - 1);
	struct vt_call *c =
		VG_(calloc)("vt.calls", 1,
			    sizeof(*c) + in->n_parameters * sizeof(c->arg[0]));
	UInt i;

	c->told = (struct pt_log_call){
		.interceptor = interceptor,
		.thread = vt_events_number(tid),
		.pid = VG_(getpid)(),
		.serial = serials,
		.entry = entry,
		.back = *(const Addr *)sp,
	};
	for (i = 0; i < in->n_parameters; i++)
		c->arg[i] = read_argument(
			tid, vt_given_parameter(in->first_parameter + i), sp);
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

	if (vt_given->intercepts.n == 0 || !vt_ring_is_attached())
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
		UInt type = intercept_of(c)->result;
		ULong result;

		begin_record(c, PT_LOG_RETURN);
		if (!returned)
			record.call.flags |= PT_CALL_LEFT;
		else
			put_parameters(c, PT_PARAMETER_OUT);
		if (returned && type != PT_NO_TYPE) {
			result = read_result(tid, type);
			put(c, PT_RESULT, type, &result);
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
