/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.c - opens and closes cursors, and returns their records; see cursor.h
 */
#include "liballeria/cursor/cursor.h"

#include "liballeria/cursor/skip_by_page.h"
#include "liballeria/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static const size_t record_size[AP_KINDS] = {
	[ALLERIA_ACCESSES] = sizeof(struct alleria_access),
	[ALLERIA_INSTRUCTIONS] = sizeof(struct alleria_instruction),
	[ALLERIA_EXECUTIONS] = sizeof(struct alleria_execution),
	[ALLERIA_BRANCHES] = sizeof(struct alleria_branch),
	[ALLERIA_EVENTS] = sizeof(struct alleria_event),
};

/* Allocate the arrays for the kinds of records that the cursor returns, its
   unpacker and its decoder. Return: 0; ALLERIA_E_MEMORY, after which the caller
   closes the cursor. */
static int alloc_batches_unpacker_and_decoder(struct alleria_cursor *c)
{
	/* Units are decoded while no array has AP_BATCH records; the last unit
	   may add up to ALLERIA_MAX_ACCESSES. */
	size_t n = AP_BATCH + ALLERIA_MAX_ACCESSES;
	bool out_of_memory = false;

	for (unsigned i = ALLERIA_ACCESSES; i < AP_KINDS; i++)
		if (ap_cursor_returns_kind(c, i)) {
			c->batch[i].record = malloc(n * record_size[i]);
			out_of_memory |= !c->batch[i].record;
		}
	if (ap_cursor_returns_kind(c, ALLERIA_INSTRUCTIONS)) {
		c->instr_access = malloc(n * sizeof(*c->instr_access));
		out_of_memory |= !c->instr_access;
	}
	if (ap_cursor_returns_kind(c, ALLERIA_EXECUTIONS)) {
		c->slots_offset = malloc(n * sizeof(*c->slots_offset));
		out_of_memory |= !c->slots_offset;
	}
	c->unpacker = pf_unpacker_new();
	c->coder = pf_coder_new();
	return out_of_memory || !c->unpacker || !c->coder ? ALLERIA_E_MEMORY
							  : 0;
}

/* Check that the filter's conditions can apply to the cursor's kinds of
   records, and that the profile has data addresses if they are needed. Return:
   0; ALLERIA_E_ARGUMENT; ALLERIA_E_UNRECORDED. */
static int
check_filter_suits_kinds_and_addresses(const struct alleria_cursor *c)
{
	const struct ap_filter *f = &c->filter;
	const struct alleria_profile *p = c->profile;

	if (c->kinds == 1u << ALLERIA_EVENTS && (f->on_code || f->on_data))
		return ALLERIA_E_ARGUMENT;
	if (c->kinds == 1u << ALLERIA_BRANCHES && f->on_data)
		return ALLERIA_E_ARGUMENT;
	if (p->n_order == 0)
		return 0;
	if ((f->user.data_from || f->user.data_to) &&
	    !(p->run.has & ALLERIA_HAS_ADDRESSES))
		return ALLERIA_E_UNRECORDED;
	return 0;
}

int ap_cursor_open_for_kinds(struct alleria_profile *p, unsigned kinds,
			     const struct alleria_filter *filter,
			     struct alleria_cursor **out)
{
	struct alleria_cursor *c = calloc(1, sizeof(*c));
	int err;

	*out = NULL;
	if (!c)
		return ALLERIA_E_MEMORY;
	c->profile = p;
	c->kinds = kinds;
	err = ap_filter_check_and_copy(&c->filter, p, filter);
	if (!err)
		err = check_filter_suits_kinds_and_addresses(c);
	if (!err)
		err = alloc_batches_unpacker_and_decoder(c);
	if (err)
		alleria_cursor_close(c);
	else
		*out = c;
	return err;
}

int alleria_cursor_open(struct alleria_profile *p, enum alleria_what what,
			const struct alleria_filter *filter,
			struct alleria_cursor **out)
{
	*out = NULL;
	if (what < ALLERIA_ACCESSES || what > ALLERIA_EVENTS)
		return ALLERIA_E_ARGUMENT;
	return ap_cursor_open_for_kinds(p, 1u << what, filter, out);
}

void alleria_cursor_close(struct alleria_cursor *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < AP_KINDS; i++)
		free(c->batch[i].record);
	ap_routes_free_current_stream_caches(c);
	ap_position_release(c);
	ap_cursor_free_passing_page_numbers(c);
	free(c->instr_access);
	free(c->slots_offset);
	free(c->words);
	pf_unpacker_free(c->unpacker);
	pf_coder_free(c->coder);
	ap_filter_release(&c->filter);
	free(c);
}

int ap_cursor_set_message_return_error(struct alleria_cursor *c, int error,
				       const char *text)
{
	snprintf(c->message, sizeof(c->message), "%s", text);
	return error;
}

const char *alleria_cursor_error(const struct alleria_cursor *c)
{
	return c->message;
}

/* ---- records ---- */

/* Set *@records_pointer_out to the next records of kind @what, at most @max_n,
   which were not returned yet; if there are none, refill all batches first.
   Return: their number; 0 at the end; enum alleria_error. */
static long point_to_next_records_refill_if_none(struct alleria_cursor *c,
						 enum alleria_what what,
						 size_t max_n,
						 void *records_pointer_out)
{
	struct ap_batch *b = &c->batch[what];
	const char *next_record;
	size_t n;
	int got;

	if (!ap_cursor_returns_kind(c, what))
		return ALLERIA_E_ARGUMENT;
	if (b->returned == b->n) {
		got = ap_cursor_fill_record_batches_0_at_end(c);
		if (got <= 0)
			return got;
	}
	n = b->n - b->returned;
	if (n > max_n)
		n = max_n;
	next_record = (const char *)b->record + b->returned * record_size[what];
	memcpy(records_pointer_out, &next_record, sizeof(next_record));
	b->returned += n;
	return (long)n;
}

long alleria_accesses(struct alleria_cursor *c,
		      const struct alleria_access **out)
{
	return point_to_next_records_refill_if_none(c, ALLERIA_ACCESSES,
						    SIZE_MAX, out);
}

long alleria_instructions(struct alleria_cursor *c,
			  const struct alleria_instruction **out)
{
	return point_to_next_records_refill_if_none(c, ALLERIA_INSTRUCTIONS,
						    SIZE_MAX, out);
}

long alleria_executions(struct alleria_cursor *c,
			const struct alleria_execution **out)
{
	return point_to_next_records_refill_if_none(c, ALLERIA_EXECUTIONS,
						    SIZE_MAX, out);
}

long alleria_branches(struct alleria_cursor *c,
		      const struct alleria_branch **out)
{
	return point_to_next_records_refill_if_none(c, ALLERIA_BRANCHES,
						    SIZE_MAX, out);
}

long alleria_events(struct alleria_cursor *c, const struct alleria_event **out)
{
	return point_to_next_records_refill_if_none(c, ALLERIA_EVENTS, SIZE_MAX,
						    out);
}

int alleria_name_in_batch(struct alleria_cursor *c, uint64_t address,
			  struct alleria_name *out)
{
	int err;

	if (!c->stream)
		return ALLERIA_E_RANGE;
	pthread_mutex_lock(&c->profile->lock);
	err = ap_find_name_at_log_offset_or_unknown(c->stream, address,
						    c->log_offset, out);
	pthread_mutex_unlock(&c->profile->lock);
	return ap_alleria_error_of_negative_errno(err);
}

int alleria_next_access(struct alleria_cursor *c,
			const struct alleria_access **out)
{
	return (int)point_to_next_records_refill_if_none(c, ALLERIA_ACCESSES, 1,
							 out);
}

int alleria_next_instruction(struct alleria_cursor *c,
			     const struct alleria_instruction **out)
{
	return (int)point_to_next_records_refill_if_none(
		c, ALLERIA_INSTRUCTIONS, 1, out);
}

int alleria_next_execution(struct alleria_cursor *c,
			   const struct alleria_execution **out)
{
	return (int)point_to_next_records_refill_if_none(c, ALLERIA_EXECUTIONS,
							 1, out);
}

int alleria_next_branch(struct alleria_cursor *c,
			const struct alleria_branch **out)
{
	return (int)point_to_next_records_refill_if_none(c, ALLERIA_BRANCHES, 1,
							 out);
}

int alleria_next_event(struct alleria_cursor *c,
		       const struct alleria_event **out)
{
	return (int)point_to_next_records_refill_if_none(c, ALLERIA_EVENTS, 1,
							 out);
}

long alleria_execution_accesses(struct alleria_cursor *c,
				const struct alleria_execution *execution,
				struct alleria_access *out)
{
	const struct ap_batch *b = &c->batch[ALLERIA_EXECUTIONS];
	const struct alleria_execution *first = b->record;
	const struct ap_block *block;
	struct ap_execution f;

	if (!ap_cursor_returns_kind(c, ALLERIA_EXECUTIONS) ||
	    execution < first || execution >= first + b->n)
		return ALLERIA_E_ARGUMENT;
	block = (const struct ap_block *)execution->block;
	f = (struct ap_execution){
		.exit = &block->exit[execution->exit],
		.slots = c->base + c->slots_offset[execution - first],
	};
	return ap_fill_performed_accesses(c, &f, execution->access,
					  execution->instruction, out);
}
