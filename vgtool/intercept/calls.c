/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - records arguments and results of calls; see calls.h */

#include "vgtool/intercept/calls.h"

#include <pub_tool_libcproc.h>

#include "proto/call.h"
#include "vgtool/core/plan_view.h"
#include "vgtool/intercept/abi.h"
#include "vgtool/core/threads.h"
#include "vgtool/transport/objects.h"
#include "vgtool/transport/ring.h"
#include "vgtool/window/filter.h"
#include "vgtool/window/functions.h"
#include "vgtool/window/windows.h"

enum {
	WORD = 8, /* [bytes] */
	/* [bytes] reserved for each value, enough for a number or a pointer
	   itself */
	MIN_VALUE = PT_X87_BYTES,
	/* [bytes] offset in a record up to which a value may be longer than
	   MIN_VALUE; the rest is reserved for the heads of all values and
	   MIN_VALUE bytes of each */
	VALUE_BYTES = PT_MAX_CALL -
		      (PT_MAX_PARAMETERS + 1) *
			      (sizeof(struct pt_call_value) + MIN_VALUE),
};

struct vt_call {
	struct vt_call *next; /* record of the same call by another
				 interceptor */
	struct pt_log_call log;
	const UChar *arg[]; /* copies of the arguments, stored after this
			       array; NULL: unreadable */
};

/* The record that is being written. */
static union {
	struct pt_log_call call;
	struct pt_log_body body;
	UChar bytes[PT_MAX_CALL + sizeof(struct pt_log_body)];
} record;
static UInt record_bytes;

static ULong last_serial; /* number of the last call that was checked for
			interceptors; a call that has none uses a number, too */

/* A function and an interceptor that logs code: the function's code has been
   logged for this interceptor, or is unreadable. */
struct recorded_body {
	struct recorded_body *next;
	UInt interceptor;
	Addr entry;
};

static struct recorded_body *bodies;

static Bool paused; /* calls that begin are not recorded; a forked child
		       inherits this */

void vt_calls_set_paused(Bool is_paused)
{
	paused = is_paused;
}

void vt_calls_free_functions_of_logged_code(void)
{
	struct recorded_body *t;

	while ((t = bodies) != NULL) {
		bodies = t->next;
		VG_(free)(t);
	}
}

/* ---- records ---- */

static const struct pt_intercept *
plan_intercept_of_call(const struct vt_call *c)
{
	return vt_plan_intercept(c->log.interceptor - 1);
}

static void begin_call_record(const struct vt_call *c, enum pt_log_kind kind)
{
	record.call = c->log;
	record.call.head.kind = kind;
	record_bytes = sizeof(record.call);
}

static void set_record_length_and_append_to_log(void)
{
	record.call.head.bytes = record_bytes;
	vt_ring_await_room_and_append_log(&record, record_bytes);
}

/* Append a value of type @type_index at @addr to the record that is being
   written, and pad it to 8 bytes. If @addr is NULL or the value does not fit,
   append only its state: unreadable or no room. @parameter_index: index among
   the interceptor's parameters, or PT_RESULT. */
static void append_value_to_call_record(const struct vt_call *c,
					UInt parameter_index, UInt type_index,
					const void *addr)
{
	UInt start = record_bytes + sizeof(struct pt_call_value);
	UInt free_bytes = start < VALUE_BYTES ? VALUE_BYTES - start : 0;
	struct vt_capture capture = {
		.intercept = plan_intercept_of_call(c),
		.arg = c->arg,
		.bytes = record.bytes + start,
		.size = free_bytes > MIN_VALUE ? free_bytes : MIN_VALUE,
	};
	struct pt_call_value v = {parameter_index, PT_CALL_WHOLE, 0};

	if (addr == NULL)
		v.state = PT_CALL_UNREADABLE;
	else if (!vt_capture_append_value_if_room(&capture, type_index, addr))
		v.state = PT_CALL_NO_ROOM;
	v.bytes = capture.n;
	VG_(memcpy)(record.bytes + record_bytes, &v, sizeof(v));
	record_bytes = vt_record_bytes_padded_to_8(start + capture.n);
	VG_(memset)
	(record.bytes + start + capture.n, 0, record_bytes - start - capture.n);
}

static void append_arguments_with_any_flag(const struct vt_call *c,
					   UInt flag_mask)
{
	const struct pt_intercept *in = plan_intercept_of_call(c);
	UInt i;

	for (i = 0; i < in->n_parameters; i++) {
		const struct pt_parameter *p =
			vt_plan_parameter(in->first_parameter + i);

		if (p->flags & flag_mask)
			append_value_to_call_record(c, i, p->type, c->arg[i]);
	}
}

static void append_call_result_if_any(ThreadId tid, const struct vt_call *c)
{
	const struct pt_intercept *in = plan_intercept_of_call(c);
	UChar registers[VT_MAX_REGISTER_BYTES];

	if (in->result != PT_NO_TYPE)
		append_value_to_call_record(
			c, PT_RESULT, in->result,
			vt_abi_find_or_read_result(tid, in, registers));
}

/* Return the size [bytes] of the largest known function that begins at @entry;
   0 if there is none. */
static UInt largest_function_size_at_entry_or_0(Addr entry)
{
	const struct vt_function_range *r;
	UInt n, size = 0;

	for (n = 0; (r = vt_functions_find_nth_range_at(entry, n)) != NULL; n++)
		if (r->start == entry && r->end - entry > size)
			size = r->end - entry;
	return size;
}

/* Log the first PT_MAX_BODY bytes of the function at @entry, once for each
   interceptor and entry, if they are readable. */
static void log_code_bytes_once_per_interceptor(UInt interceptor_number,
						Addr entry)
{
	struct vt_readable_range memory = {0, 0};
	UInt size = largest_function_size_at_entry_or_0(entry);
	UInt bytes = size < PT_MAX_BODY ? size : PT_MAX_BODY;
	struct recorded_body *t;

	for (t = bodies; t != NULL; t = t->next)
		if (t->interceptor == interceptor_number && t->entry == entry)
			return;
	t = VG_(malloc)("vt.calls", sizeof(*t));
	*t = (struct recorded_body){bodies, interceptor_number, entry};
	bodies = t;
	if (!vt_memory_is_readable_cached(&memory, entry, bytes))
		return;
	record.body = (struct pt_log_body){
		.head = {PT_LOG_BODY, vt_record_bytes_padded_to_8(
					      sizeof(record.body) + bytes)},
		.interceptor = interceptor_number,
		.pid = VG_(getpid)(),
		.entry = entry,
		.bytes = bytes,
		.size = size,
	};
	VG_(memcpy)
	(record.bytes + sizeof(record.body), (const void *)entry, bytes);
	vt_ring_await_room_and_append_log(&record, record.body.head.bytes);
}

/* ---- calls ---- */
static UInt parameter_size(const struct pt_intercept *in, UInt parameter_index)
{
	return vt_plan_type(
		       vt_plan_parameter(in->first_parameter + parameter_index)
			       ->type)
		->size;
}

/* Allocate a struct vt_call, with room for copies of the arguments after the
   array of their addresses. */
static struct vt_call *
allocate_call_with_argument_room(const struct pt_intercept *in)
{
	SizeT bytes =
		sizeof(struct vt_call) + in->n_parameters * sizeof(UChar *);
	UInt i;

	for (i = 0; i < in->n_parameters; i++)
		bytes += VG_ROUNDUP(parameter_size(in, i), WORD);
	return VG_(malloc)("vt.calls", bytes);
}

static void copy_arguments_into_call(ThreadId tid, struct vt_call *c, Addr sp)
{
	const struct pt_intercept *in = plan_intercept_of_call(c);
	UChar *to = (UChar *)&c->arg[in->n_parameters];
	UChar registers[VT_MAX_REGISTER_BYTES];
	UInt i, bytes;

	for (i = 0; i < in->n_parameters; i++, to += VG_ROUNDUP(bytes, WORD)) {
		const void *argument = vt_abi_find_or_read_argument(
			tid, vt_plan_parameter(in->first_parameter + i), sp,
			registers);

		bytes = parameter_size(in, i);
		c->arg[i] = argument == NULL ? NULL : to;
		if (argument != NULL)
			VG_(memcpy)(to, argument, bytes);
	}
}

/* Create a struct vt_call with copies of the arguments, and log the beginning
   of the call and, at the first one if the interceptor has PT_INTERCEPT_PURE,
   the function's code. Return the struct, to be freed by
   vt_calls_free_linked_list(). */
static struct vt_call *create_call_and_log_begin(ThreadId tid,
						 UInt interceptor_number,
						 Addr entry, Addr sp)
{
	const struct pt_intercept *in =
		vt_plan_intercept(interceptor_number - 1);
	struct vt_call *c = allocate_call_with_argument_room(in);

	c->log = (struct pt_log_call){
		.interceptor = interceptor_number,
		.thread = vt_thread_number(tid),
		.pid = VG_(getpid)(),
		.serial = last_serial,
		.entry = entry,
		.back = *(const Addr *)sp,
	};
	copy_arguments_into_call(tid, c, sp);
	if (in->flags & PT_INTERCEPT_PURE)
		log_code_bytes_once_per_interceptor(interceptor_number, entry);
	begin_call_record(c, PT_LOG_CALL);
	append_arguments_with_any_flag(c, PT_PARAMETER_IN);
	set_record_length_and_append_to_log();
	return c;
}

static Bool call_list_has_interceptor(const struct vt_call *call_list,
				      UInt interceptor_number)
{
	for (; call_list != NULL; call_list = call_list->next)
		if (call_list->log.interceptor == interceptor_number)
			return True;
	return False;
}

struct vt_call *vt_calls_record_begin_per_interceptor(ThreadId tid, Addr entry,
						      Addr sp)
{
	struct vt_call *calls = NULL, *c;
	ULong lanes;
	UInt lane, i;

	if (vt_recording_plan->intercepts.n == 0 || paused ||
	    !vt_ring_is_attached())
		return NULL;
	lanes = vt_windows_recording_lanes_of_thread(vt_thread_number(tid));
	last_serial++;
	for (lane = 0; lane < vt_recording_plan->lanes.n; lane++) {
		i = lanes >> lane & 1
			    ? vt_filter_interceptor_number_or_0(lane, entry)
			    : 0;
		if (i == 0 || call_list_has_interceptor(calls, i))
			continue;
		c = create_call_and_log_begin(tid, i, entry, sp);
		c->next = calls;
		calls = c;
	}
	return calls;
}

void vt_calls_record_ends_of_list(ThreadId tid, const struct vt_call *calls,
				  Bool returned)
{
	for (; calls != NULL; calls = calls->next) {
		begin_call_record(calls, PT_LOG_RETURN);
		if (!returned) {
			record.call.flags |= PT_CALL_LEFT;
		} else {
			append_arguments_with_any_flag(calls, PT_PARAMETER_OUT);
			append_call_result_if_any(tid, calls);
		}
		set_record_length_and_append_to_log();
	}
}

void vt_calls_free_linked_list(struct vt_call *c)
{
	struct vt_call *next;

	for (; c != NULL; c = next) {
		next = c->next;
		VG_(free)(c);
	}
}
