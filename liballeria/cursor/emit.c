/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit.c - makes records of executions and events; see cursor.h
 */
#include "liballeria/cursor/cursor.h"
#include "liballeria/place.h"
#include "proto/unit.h"

/* Compute the address of access @m of an execution. Return: false if its guard
   was false, so that it was not performed; then *@address is unchanged. */
static inline bool
compute_address_if_performed(const struct ap_static_access *m,
			     const uint32_t *slots, uint64_t *address)
{
	uint64_t value = 0;

	if (m->slot != PT_NO_SLOT) {
		value = pt_read_shared_unaligned_u64_once(slots + 2 * m->slot);
		if (value == PT_NOT_DONE && (m->flags & PT_GUARDED))
			return false;
	}
	*address = value + m->delta;
	return true;
}

unsigned ap_count_performed_accesses(const struct ap_exit *e,
				     const uint32_t *slots)
{
	unsigned n = 0;
	uint64_t address;

	for (unsigned i = 0; i < e->n_accesses; i++)
		n += compute_address_if_performed(&e->access[i], slots,
						  &address);
	return n;
}

unsigned ap_fill_performed_accesses(const struct alleria_cursor *c,
				    const struct ap_execution *f,
				    uint64_t first_access,
				    uint64_t first_instruction,
				    struct alleria_access *out)
{
	const struct ap_static_access *m = f->exit->access;
	struct alleria_access *a = out;
	uint64_t address;

	for (unsigned i = 0; i < f->exit->n_accesses; i++, m++) {
		if (!compute_address_if_performed(m, f->slots, &address))
			continue;
		*a = (struct alleria_access){
			.number = first_access++,
			.address = address,
			.code = m->code,
			.instruction = first_instruction + m->instr,
			.thread = c->thread,
			.process = c->stream->pub.process,
			.size = m->size,
			.kind = m->kind,
			.flags = m->flags,
			.window = m->window,
		};
		if (f->exit->has_values)
			ap_set_read_and_written_value_pointers(a, m, f->slots);
		a++;
	}
	return (unsigned)(a - out);
}

/* Whether instruction number @number lies within the cursor's bounds. */
static bool is_instruction_in_bounds(const struct alleria_cursor *c,
				     uint64_t number)
{
	return number >= c->bounds.instruction_from &&
	       number < c->bounds.instruction_to;
}

void ap_emit_passing_accesses(struct alleria_cursor *c,
			      const struct ap_execution *f)
{
	struct ap_batch *b = &c->batch[ALLERIA_ACCESSES];
	struct alleria_access *a = (struct alleria_access *)b->record + b->n;
	unsigned n =
		ap_fill_performed_accesses(c, f, c->access, c->instruction, a);
	struct alleria_access *out = a;

	if (c->is_within_bounds && !f->passes && !c->filter.on_data) {
		b->n += n;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if ((!f->passes ||
		     f->passes[a[i].instruction - c->instruction]) &&
		    is_instruction_in_bounds(c, a[i].instruction) &&
		    ap_bounds_overlap_accesses(&c->bounds, a[i].number, 1) &&
		    ap_filter_passes_kind_and_address(&c->filter, &a[i]))
			*out++ = a[i];
	b->n += (size_t)(out - a);
}

static bool any_access_passes_or_no_data_filter(const struct alleria_cursor *c,
						const struct alleria_access *a,
						unsigned access_count)
{
	if (!c->filter.on_data)
		return true;
	for (unsigned i = 0; i < access_count; i++)
		if (ap_filter_passes_kind_and_address(&c->filter, &a[i]))
			return true;
	return false;
}

/* Whether instruction @instr_index of an execution passes the filter: its code,
   number, the number of one of its accesses (of the access before, if it has
   none) and, if there are conditions on data, one of its accesses. @a: [@n]
   accesses of the instruction. @first_access_number: number of the first of
   them. */
static bool instr_passes_code_number_and_data_filter(
	const struct alleria_cursor *c, const struct ap_execution *f,
	unsigned instr_index, uint64_t first_access_number,
	const struct alleria_access *a, unsigned n)
{
	return (!f->passes || f->passes[instr_index]) &&
	       is_instruction_in_bounds(c, c->instruction + instr_index) &&
	       ap_bounds_overlap_accesses(&c->bounds, first_access_number, n) &&
	       any_access_passes_or_no_data_filter(c, a, n);
}

void ap_emit_passing_instructions(struct alleria_cursor *c,
				  const struct ap_execution *f)
{
	const struct alleria_block *block = &f->exit->block->pub;
	const uint32_t *window = f->exit->block->window;
	struct ap_batch *b = &c->batch[ALLERIA_INSTRUCTIONS];
	struct alleria_instruction *out =
		(struct alleria_instruction *)b->record + b->n;
	struct alleria_access *a = c->instr_access + c->n_instr_accesses;
	unsigned n_left =
		ap_fill_performed_accesses(c, f, c->access, c->instruction, a);
	uint64_t access = c->access;

	c->n_instr_accesses += n_left;
	for (unsigned i = 0; i < f->exit->n_instrs; i++) {
		unsigned n = 0;

		while (n < n_left && a[n].instruction == c->instruction + i)
			n++;
		if (instr_passes_code_number_and_data_filter(c, f, i, access, a,
							     n))
			*out++ = (struct alleria_instruction){
				.number = c->instruction + i,
				.address = block->code[i].address,
				.first_access = access,
				.access = a,
				.bytes = block->code[i].bytes,
				.thread = c->thread,
				.process = c->stream->pub.process,
				.n_accesses = (uint16_t)n,
				.size = block->code[i].size,
				.flags = i + 1u == block->n_code
						 ? (uint8_t)block->flags
						 : 0,
				.window = window ? window[i] : 0,
			};
		a += n;
		n_left -= n;
		access += n;
	}
	if (out == (struct alleria_instruction *)b->record + b->n)
		c->n_instr_accesses -=
			f->n_accesses; /* remove the accesses of this execution:
					  no record points to them */
	b->n = (size_t)(out - (struct alleria_instruction *)b->record);
}

/* Whether at least one instruction of an execution passes the filter. */
static bool execution_has_passing_instr(const struct alleria_cursor *c,
					const struct ap_execution *f)
{
	struct alleria_access made[PT_MAX_ACCESSES], *a = made;
	unsigned n_left = f->n_accesses;
	uint64_t access = c->access;

	if (c->is_within_bounds && !f->passes && !c->filter.on_data)
		return true;
	ap_fill_performed_accesses(c, f, access, c->instruction, made);
	for (unsigned i = 0; i < f->exit->n_instrs; i++) {
		unsigned n = 0;

		while (n < n_left && a[n].instruction == c->instruction + i)
			n++;
		if (instr_passes_code_number_and_data_filter(c, f, i, access, a,
							     n))
			return true;
		a += n;
		n_left -= n;
		access += n;
	}
	return false;
}

void ap_emit_execution_to_batch_if_passing(struct alleria_cursor *c,
					   const struct ap_execution *f)
{
	struct ap_batch *b = &c->batch[ALLERIA_EXECUTIONS];
	const struct al_desc *d = f->exit->block->desc;
	struct alleria_execution *out = b->record;

	if (!execution_has_passing_instr(c, f))
		return;
	c->slots_offset[b->n] = (uint32_t)(f->slots - c->base);
	out[b->n++] = (struct alleria_execution){
		.instruction = c->instruction,
		.access = c->access,
		.block = &f->exit->block->pub,
		.thread = c->thread,
		.process = c->stream->pub.process,
		.exit = f->exit->index,
		.n_instructions = f->exit->n_instrs,
		.n_accesses = (uint16_t)f->n_accesses,
		.image = (uint16_t)c->stream->pub.number,
		.stamp = d->timestamp_slot == PT_NO_SLOT
				 ? 0
				 : pt_read_shared_unaligned_u64_once(
					   f->slots + 2 * d->timestamp_slot),
	};
}

/* ---- events ---- */

/* Return the time of the cursor's position [ns since the run began], estimated
   within a chunk; without an open chunk, the begin or end time of the image. */
static uint64_t estimated_time_ns_of_cursor(const struct alleria_cursor *c)
{
	const struct alleria_image *i = &c->stream->pub;

	if (!c->head)
		return c->emitted_end ? i->end_ns : i->begin_ns;
	return ap_chunk_estimate_instr_time_ns(
		c->head, c->instruction - i->first_instruction -
				 c->head->before.instructions);
}

static uint64_t range_end_or_max_if_zero(uint64_t to)
{
	return to ? to : UINT64_MAX;
}

/* Whether an event at the cursor's position and time @event_ns passes the
   filter and the last seek, by its numbers, its time and the current thread. */
static bool
event_passes_instr_access_time_thread(const struct alleria_cursor *c,
				      uint64_t event_ns)
{
	const struct alleria_filter *u = &c->filter.user;

	return c->instruction >= u->instruction_from &&
	       c->instruction >= c->seek.instruction_from &&
	       c->instruction < range_end_or_max_if_zero(u->instruction_to) &&
	       c->access >= u->access_from &&
	       c->access >= c->seek.access_from &&
	       c->access < range_end_or_max_if_zero(u->access_to) &&
	       event_ns >= u->time_from &&
	       event_ns < range_end_or_max_if_zero(u->time_to) &&
	       (c->thread == 0 ||
		ap_filter_passes_thread(&c->filter, c->thread));
}

void ap_emit_event_if_passing(struct alleria_cursor *c, unsigned kind,
			      uint64_t value, uint64_t detail)
{
	struct ap_batch *b = &c->batch[ALLERIA_EVENTS];
	struct alleria_event *out = b->record;
	uint64_t ns;

	if (!ap_cursor_returns_kind(c, ALLERIA_EVENTS))
		return;
	ns = estimated_time_ns_of_cursor(c);
	if (!event_passes_instr_access_time_thread(c, ns))
		return;
	out[b->n++] = (struct alleria_event){
		.instruction = c->instruction,
		.access = c->access,
		.time_ns = ns,
		.value = value,
		.detail = detail,
		.thread = c->thread,
		.process = c->stream->pub.process,
		.kind = (uint16_t)kind,
		.image = (uint16_t)c->stream->pub.number,
	};
}
