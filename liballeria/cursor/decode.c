/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode.c - decodes the units of a chunk; see cursor.h
 *
 * A batch ends at a thread switch, at a block whose code lies in other mappings
 * than the code before it and, if a cursor returns events and other records, at
 * each event.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "liballeria/cursor/cursor.h"
#include "liballeria/descriptors.h"
#include "liballeria/names.h"
#include "proto/unit.h"

enum {
	/* result of a decode function that is no error: the batch must be
	   returned before the next unit is decoded */
	BATCH_ENDS = 1
};

/* ---- blocks ---- */

/* Advance c->log_offset to the length of the log at which @b was described, if
   it is greater. Return: 0; BATCH_ENDS: the mappings change, so the records
   before must be returned first. Context: lock held. */
static int advance_log_offset_or_end_batch(struct alleria_cursor *c,
					   const struct ap_block *b)
{
	uint64_t log_offset = ap_log_offset_after_desc(c->stream, b->desc);

	if (log_offset <= c->log_offset)
		return 0;
	if (log_offset >= c->mappings_change) {
		if (ap_cursor_has_records_in_any_batch(c))
			return BATCH_ENDS;
		c->mappings_change = al_mappings_find_next_change(
			&c->stream->blocks.mappings, log_offset);
	}
	c->log_offset = log_offset;
	return 0;
}

/* Find or make the block of @route (a block and one of its exits) for the class
   of the current thread, and store the exits of all routes of this block in
   c->exit[]. Return: 0; BATCH_ENDS: the mappings change; -ENOMEM; -EPROTO;
   another -errno. */
static int cache_exits_of_block_with_route(struct alleria_cursor *c,
					   uint32_t route)
{
	const struct ap_block *b;
	uint32_t first, last;
	int err;

	pthread_mutex_lock(&c->profile->lock);
	err = ap_block_find_or_make_by_route(c->stream, route, c->class, &b);
	if (!err)
		err = advance_log_offset_or_end_batch(c, b);
	pthread_mutex_unlock(&c->profile->lock);
	if (err)
		return err;
	first = b->desc->first_route;
	last = first + b->pub.n_exits - 1u;
	if (al_array_reserve_zeroed(c->exit, c->n_exits, last + 1))
		return -ENOMEM;
	for (uint32_t i = first; i <= last; i++)
		c->exit[i] = &b->exit[i - first];
	return 0;
}

/* Find which instructions of a block pass the filter's conditions on code; they
   are evaluated once for each block. *@passes: receives a flag for each
   instruction, or NULL if there are no such conditions. *@any: receives whether
   at least one passes. Return: 0; -ENOMEM. */
static int find_or_compute_passing_instrs(struct alleria_cursor *c,
					  const struct ap_block *b,
					  const uint8_t **passes, bool *any)
{
	struct ap_code_filter_result *p;

	*passes = NULL;
	*any = true;
	if (!c->filter.on_code)
		return 0;
	if (al_array_reserve_zeroed(c->passes, c->n_passes, b->pub.number + 1u))
		return -ENOMEM;
	p = &c->passes[b->pub.number];
	if (!p->instr) {
		p->instr = malloc(b->pub.n_code);
		if (!p->instr)
			return -ENOMEM;
		for (unsigned i = 0; i < b->pub.n_code; i++) {
			p->instr[i] = ap_filter_passes_instr(&c->filter,
							     c->profile, b, i);
			p->any |= p->instr[i];
		}
	}
	*passes = p->instr;
	*any = p->any;
	return 0;
}

/* ---- executions ---- */

/* Whether the execution at the cursor's position cannot have a record within
   the bounds, by the numbers of its instructions, its accesses, and the access
   before them. */
static bool is_execution_out_of_bounds(const struct alleria_cursor *c,
				       const struct ap_execution *f)
{
	const struct ap_bounds *b = &c->bounds;

	return c->instruction + f->exit->n_instrs <= b->instruction_from ||
	       c->instruction >= b->instruction_to ||
	       !ap_bounds_overlap_accesses(b, c->access ? c->access - 1 : 0,
					   f->n_accesses + 1);
}

static void emit_passing_records_besides_branches(struct alleria_cursor *c,
						  const struct ap_execution *f)
{
	if (ap_cursor_returns_kind(c, ALLERIA_ACCESSES))
		ap_emit_passing_accesses(c, f);
	if (ap_cursor_returns_kind(c, ALLERIA_INSTRUCTIONS))
		ap_emit_passing_instructions(c, f);
	if (ap_cursor_returns_kind(c, ALLERIA_EXECUTIONS))
		ap_emit_execution_to_batch_if_passing(c, f);
}

/* Append the records of an execution with exit @e, as far as they pass the
   filter, and add its instructions and accesses to the cursor's numbers.
   Return: 0; -ENOMEM; -EPROTO. */
static int emit_execution_and_advance_numbers(struct alleria_cursor *c,
					      const struct ap_exit *e,
					      const uint32_t *slots)
{
	struct ap_execution f = {.exit = e, .slots = slots};
	bool any = true;
	int err = 0;

	f.n_accesses = e->has_guards ? ap_count_performed_accesses(e, slots)
				     : e->n_accesses;
	if (c->thread_passes && e->n_instrs > 0) {
		if (ap_cursor_returns_kind(c, ALLERIA_BRANCHES))
			err = ap_emit_branches_update_position(c, &f);
		if (!err &&
		    (c->is_within_bounds || !is_execution_out_of_bounds(c, &f)))
			err = find_or_compute_passing_instrs(c, e->block,
							     &f.passes, &any);
		else
			any = false;
		if (!err && any)
			emit_passing_records_besides_branches(c, &f);
	}
	c->instruction += e->n_instrs;
	c->access += f.n_accesses;
	return err;
}

static int emit_execution_of_block_unit_and_advance(struct alleria_cursor *c,
						    uint32_t unit_header)
{
	uint32_t route = pt_block_unit_route(unit_header);
	const struct ap_exit *e;
	int err = 0;

	if (route >= c->n_exits || !c->exit[route])
		err = cache_exits_of_block_with_route(c, route);
	if (err)
		return err;
	e = c->exit[route];
	if (e->length != pt_unit_length_in_u32s(unit_header))
		return -EPROTO;
	err = emit_execution_and_advance_numbers(c, e,
						 c->base + c->next_unit + 1);
	c->next_unit += e->length;
	return err;
}

/* Decode the unit of a block that was stopped by a fault, and set has_fault if
   the cursor returns events; do nothing if no window records the block. The
   caller advances past the unit. @unit_bytes: its length. Return: 0;
   BATCH_ENDS; -EPROTO; another -errno. */
static int emit_execution_of_faulted_block_unit(struct alleria_cursor *c,
						unsigned unit_bytes)
{
	const uint32_t *unit = c->base + c->next_unit;
	const uint32_t *tail = unit + unit_bytes / 4 - 3;
	const struct ap_block *b;
	int err;

	if (unit_bytes < 16)
		return -EPROTO;
	pthread_mutex_lock(&c->profile->lock);
	err = ap_block_find_or_make_partial(
		c->stream, pt_read_shared_u32_relaxed(tail),
		pt_read_shared_unaligned_u64_once(tail + 1), c->class, &b);
	if (!err && b)
		err = advance_log_offset_or_end_batch(c, b);
	pthread_mutex_unlock(&c->profile->lock);
	if (!err && !b)
		return 0;
	if (!err && b->desc->exit[0].bytes + 12u != unit_bytes)
		err = -EPROTO;
	if (!err)
		err = emit_execution_and_advance_numbers(c, &b->exit[0],
							 unit + 1);
	if (err)
		return err;
	c->has_fault = ap_cursor_returns_kind(c, ALLERIA_EVENTS);
	c->fault_address = b->pub.code[b->pub.n_code - 1].address;
	return 0;
}

/* Fill @record with access @number. @prototype: members that are equal up to
   the next thread switch. @slots: those of the execution that left its block by
   @exit. @first_instruction: number of this execution's first instruction. */
static inline void fill_access(struct alleria_access *record,
			       const struct alleria_access *prototype,
			       uint64_t number, uint64_t first_instruction,
			       const struct ap_exit *exit,
			       const struct ap_static_access *static_access,
			       const uint32_t *slots)
{
	uint64_t value = static_access->slot == PT_NO_SLOT
				 ? 0
				 : pt_read_shared_unaligned_u64_once(
					   slots + 2 * static_access->slot);

	*record = *prototype;
	record->number = number;
	record->address = value + static_access->delta;
	record->code = static_access->code;
	record->instruction = first_instruction + static_access->instr;
	record->size = static_access->size;
	record->kind = static_access->kind;
	record->flags = static_access->flags;
	record->window = static_access->window;
	if (exit->has_values)
		ap_set_read_and_written_value_pointers(record, static_access,
						       slots);
}

/* Decode executions into access records until the batch is full, up to the
   first other unit, or one whose route (block and exit) is not cached in
   c->exit[] or has guarded accesses. Only for cursors that return accesses
   alone, if all accesses of the current thread in the chunk pass. */
static void decode_unguarded_units_to_accesses(struct alleria_cursor *c)
{
	struct ap_batch *out = &c->batch[ALLERIA_ACCESSES];
	struct alleria_access *record = out->record, *last = record + AP_BATCH;
	const struct alleria_access prototype = {
		.thread = c->thread,
		.process = c->stream->pub.process,
	};
	const uint32_t *base = c->base;
	uint64_t access = c->access, instruction = c->instruction;
	size_t next_unit = c->next_unit;

	for (record += out->n; next_unit < c->end && record < last;) {
		uint32_t header = pt_read_shared_u32_relaxed(base + next_unit);
		uint32_t route = pt_block_unit_route(header);
		const uint32_t *slots = base + next_unit + 1;
		const struct ap_exit *exit;
		const struct ap_static_access *static_access;

		if (route >= c->n_exits || !c->exit[route])
			break;
		exit = c->exit[route];
		if (exit->has_guards ||
		    exit->length != pt_unit_length_in_u32s(header) ||
		    next_unit + exit->length > c->end)
			break;
		static_access = exit->access;
		for (unsigned i = 0; i < exit->n_accesses;
		     i++, static_access++, record++)
			fill_access(record, &prototype, access++, instruction,
				    exit, static_access, slots);
		instruction += exit->n_instrs;
		next_unit += exit->length;
	}
	out->n = (size_t)(record - (struct alleria_access *)out->record);
	c->access = access;
	c->instruction = instruction;
	c->next_unit = next_unit;
}

/* ---- control units ---- */

/* Whether the cursor returns records other than events. */
static bool returns_records_besides_events(const struct alleria_cursor *c)
{
	return c->kinds != 1u << ALLERIA_EVENTS;
}

static int switch_thread_and_emit_event_or_fail(struct alleria_cursor *c,
						uint32_t thread_number)
{
	c->thread = thread_number;
	c->thread_passes = ap_filter_passes_thread(&c->filter, thread_number);
	ap_emit_event_if_passing(c, ALLERIA_THREAD_SWITCH, 0, 0);
	return ap_exits_switch_to_thread_class(c);
}

/* Emit the event ALLERIA_MARK for the named mark with number @mark_id. Return:
   0; -EPROTO: no such mark was described. */
static int emit_mark_event_or_fail_if_undescribed(struct alleria_cursor *c,
						  uint32_t mark_id)
{
	const struct al_mark *m;
	uint32_t kind = 0;

	pthread_mutex_lock(&c->profile->lock);
	m = al_marks_find(&c->stream->blocks.marks, mark_id);
	if (m)
		kind = m->kind;
	pthread_mutex_unlock(&c->profile->lock);
	if (kind)
		ap_emit_event_if_passing(c, ALLERIA_MARK, mark_id, kind);
	return kind ? 0 : -EPROTO;
}

static int apply_control_unit_and_emit_event(struct alleria_cursor *c,
					     unsigned kind, unsigned unit_bytes)
{
	const uint32_t *unit = c->base + c->next_unit;
	uint32_t id = pt_read_shared_u32_relaxed(unit + 1);
	int err = 0;

	switch (kind) {
	case PT_THREAD:
		return id ? switch_thread_and_emit_event_or_fail(c, id)
			  : -EPROTO;
	case PT_THREAD_START:
		if (id == 0)
			return -EPROTO;
		if (ap_cursor_returns_kind(c, ALLERIA_BRANCHES))
			err = ap_position_mark_thread_as_just_started(c, id);
		ap_emit_event_if_passing(c, ALLERIA_THREAD_START, id, 0);
		break;
	case PT_THREAD_END:
		ap_emit_event_if_passing(c, ALLERIA_THREAD_END, id, 0);
		break;
	case PT_SIGNAL:
		if (ap_cursor_returns_kind(c, ALLERIA_BRANCHES))
			err = ap_position_mark_thread_as_in_signal(c,
								   c->thread);
		ap_emit_event_if_passing(c, ALLERIA_SIGNAL, id, 0);
		break;
	case PT_CHILD_EXIT:
		if (unit_bytes < 16)
			return -EPROTO;
		ap_emit_event_if_passing(
			c, ALLERIA_CHILD_EXIT, id,
			pt_read_shared_unaligned_u64_once(unit + 2));
		break;
	case PT_MARK:
		return emit_mark_event_or_fail_if_undescribed(c, id);
	case PT_WINDOW_OPEN:
		ap_emit_event_if_passing(c, ALLERIA_WINDOW_BEGIN, id, 0);
		break;
	case PT_WINDOW_CLOSE:
		ap_emit_event_if_passing(c, ALLERIA_WINDOW_END, id, 0);
		break;
	case PT_CORE:
		ap_emit_event_if_passing(c, ALLERIA_CORE, id, 0);
		break;
	case PT_WRITTEN:
		if (unit_bytes < 24)
			return -EPROTO;
		ap_emit_event_if_passing(
			c, ALLERIA_WRITTEN,
			pt_read_shared_unaligned_u64_once(unit + 2),
			pt_read_shared_unaligned_u64_once(unit + 4));
		break;
	default:
		if (kind >= PT_FIRST_EVENT)
			err = ap_cursor_emit_data_event(c, kind, id, unit + 2,
							unit_bytes / 8 - 1);
	}
	return err;
}

/* Decode a control unit and advance past it. Return: 0; -errno; BATCH_ENDS if
   the batch must be returned first, before this unit or, if it made an event,
   after it. */
static int decode_control_unit_or_end_batch(struct alleria_cursor *c,
					    uint32_t unit_header)
{
	unsigned kind = pt_control_unit_kind(unit_header),
		 bytes = pt_unit_length_in_bytes(unit_header);
	bool is_split = ap_cursor_returns_kind(c, ALLERIA_EVENTS) &&
			returns_records_besides_events(c);
	int err;

	if (kind == PT_CUT)
		err = emit_execution_of_faulted_block_unit(c, bytes);
	else if (ap_cursor_has_records_in_any_batch(c) &&
		 (is_split || kind == PT_THREAD))
		return BATCH_ENDS;
	else if (bytes < 8)
		err = -EPROTO;
	else
		err = apply_control_unit_and_emit_event(c, kind, bytes);
	if (!err)
		c->next_unit += bytes / 4;
	return err					? err
	       : is_split && c->batch[ALLERIA_EVENTS].n ? BATCH_ENDS
							: 0;
}

/* Emit the event of the pending fault. Return: 0; BATCH_ENDS if the batches
   must be returned now: the fault is still pending if they had records before
   it. */
static int emit_pending_fault(struct alleria_cursor *c)
{
	if (returns_records_besides_events(c) &&
	    ap_cursor_has_records_in_any_batch(c))
		return BATCH_ENDS;
	c->has_fault = false;
	ap_emit_event_if_passing(c, ALLERIA_FAULT, c->fault_address, 0);
	return returns_records_besides_events(c) &&
			       ap_cursor_has_records_in_any_batch(c)
		       ? BATCH_ENDS
		       : 0;
}

/* Emit the pending fault; if there is none, decode the next unit. Return: 0;
   BATCH_ENDS: the batches must be returned first; -errno. */
static int emit_fault_or_decode_unit(struct alleria_cursor *c)
{
	uint32_t header;

	if (c->has_fault)
		return emit_pending_fault(c);
	header = pt_read_shared_u32_relaxed(c->base + c->next_unit);
	if (pt_unit_length_in_u32s(header) == 0 ||
	    pt_unit_length_in_u32s(header) > c->end - c->next_unit)
		return -EPROTO;
	return pt_unit_is_block(header)
		       ? emit_execution_of_block_unit_and_advance(c, header)
		       : decode_control_unit_or_end_batch(c, header);
}

static bool is_cursor_past_an_end_bound(const struct alleria_cursor *c)
{
	return c->instruction >= c->bounds.instruction_to ||
	       c->access > c->bounds.access_to;
}

int ap_cursor_decode_open_chunk(struct alleria_cursor *c)
{
	bool quick = c->kinds == 1u << ALLERIA_ACCESSES &&
		     c->is_within_bounds && !c->filter.on_code &&
		     !c->filter.on_data;
	int err = 0;

	while (!err && (c->next_unit < c->end || c->has_fault) &&
	       !ap_cursor_has_any_full_batch(c)) {
		if (quick && c->thread_passes)
			decode_unguarded_units_to_accesses(c);
		if ((c->next_unit < c->end || c->has_fault) &&
		    !ap_cursor_has_any_full_batch(c))
			err = emit_fault_or_decode_unit(c);
		if (!c->is_within_bounds && is_cursor_past_an_end_bound(c)) {
			c->next_unit = c->end;
			c->has_fault = false;
		}
	}
	return err == BATCH_ENDS ? 0 : err;
}
