/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cursor.c - applies events (allocations, mappings and so on) in order with
   misses; see cursor.h */

#include "analyzers/data/cursor.h"

#include <errno.h>

void an_data_cursor_init(struct an_data_cursor *c, struct an_owners *owners,
			 const struct an_env *env)
{
	c->owners = c->field_uses.owners = c->accesses.counts.owners = owners;
	c->field_uses.types.env = env;
	c->accesses.counts.field_uses = &c->field_uses;
	c->accesses.counts.counts_fields = c->counts_fields;
}

void an_data_cursor_begin_batch(struct an_data_cursor *c,
				const struct an_batch *batch,
				const struct an_plan *plan_of_block)
{
	c->batch = batch;
	c->next_event = c->next_exec = 0;
	c->next_work = 0;
	c->plan = plan_of_block;
}

static void apply_next_event_store_error(struct an_data_cursor *c)
{
	int err = an_owners_apply_event(c->owners, c->batch,
					&c->batch->event[c->next_event++]);

	if (err)
		c->error = err;
}

/* Return the index in the batch of the execution that follows the next event
   (allocation, mapping and so on) of the stream. */
static size_t
index_of_first_exec_after_next_event(const struct an_data_cursor *c)
{
	return c->batch->event[c->next_event].before_exec -
	       c->batch->first_exec;
}

/* ---- accesses ---- */

/* Count the accesses of the executions before execution @end_exec_index that
   are not yet counted. */
static void count_accesses_before_exec(struct an_data_cursor *c,
				       size_t end_exec_index)
{
	int err = c->next_exec < end_exec_index
			  ? an_exec_accesses_count_by_data_object(
				    &c->accesses, c->batch, c->plan,
				    c->next_exec, end_exec_index)
			  : 0;

	if (err)
		c->error = err;
	if (c->next_exec < end_exec_index)
		c->next_exec = end_exec_index;
}

/* Apply the events before execution @end_exec_index, and count the accesses of
   all executions before it. */
static void apply_events_count_all_accesses_to(struct an_data_cursor *c,
					       size_t end_exec_index)
{
	while (c->next_event < c->batch->n_events &&
	       index_of_first_exec_after_next_event(c) <= end_exec_index) {
		count_accesses_before_exec(
			c, index_of_first_exec_after_next_event(c));
		apply_next_event_store_error(c);
	}
	count_accesses_before_exec(c, end_exec_index);
}

/* ---- misses ---- */

static void count_field_miss(struct an_data_cursor *c, struct an_data_group *g,
			     uint64_t offset, const struct an_miss *m,
			     int missed_level_count)
{
	const struct an_block *b = c->plan[m->block].data->block;
	struct an_field_counts *f;

	if (!c->counts_accesses) {
		an_field_uses_divide_group_elements_by_type(&c->field_uses, g,
							    b, m->row);
		an_field_uses_add_votes_for_type(&c->field_uses, g, b, m->row,
						 1);
	}
	f = an_field_uses_find_or_add_counts(&c->field_uses, g, offset);
	for (int i = 0; f && i < missed_level_count; i++)
		f->misses[i][b->access[m->row].kind == PT_STORE]++;
}

/* Return the key under which the data object that an access found last is
   cached: equal for all executions of the access. */
static uint32_t owner_hint_key_of_access(const struct an_block *b,
					 unsigned access)
{
	return b->id * 37 + access;
}

/* Return the index of the first execution, from @exec on, whose slots (recorded
   addresses) begin after @slot_offset [4 bytes]. */
static size_t first_exec_after_slot(const struct an_batch *b, size_t exec,
				    uint32_t slot_offset)
{
	size_t step = 1, end = exec;

	while (end < b->n_execs &&
	       an_exec_first_slot_word_index(b->exec[end]) <= slot_offset) {
		exec = end + 1;
		end += step;
		step *= 2;
	}
	if (end > b->n_execs)
		end = b->n_execs;
	while (exec < end) {
		size_t middle = exec + (end - exec) / 2;

		if (an_exec_first_slot_word_index(b->exec[middle]) <=
		    slot_offset)
			exec = middle + 1;
		else
			end = middle;
	}
	return exec;
}

/* Apply the events (allocations and so on) before the execution whose slots
   (recorded addresses) begin at @slot_offset [4 bytes], and count the accesses
   of all executions before it, and of itself: the type that they imply is known
   before misses are counted by field. */
static void apply_events_and_count_to_exec_at_slot(struct an_data_cursor *c,
						   uint32_t slot_offset)
{
	size_t end = first_exec_after_slot(c->batch, c->next_exec, slot_offset);

	if (end == c->next_exec)
		return;
	apply_events_count_all_accesses_to(c, end - 1);
	count_accesses_before_exec(c, end);
}

/* Apply the events (allocations and so on) before the execution whose slots
   (recorded addresses) begin at @slot_offset [4 bytes]. */
static void apply_events_before_exec_at_slot(struct an_data_cursor *c,
					     uint32_t slot_offset)
{
	const struct an_batch *b = c->batch;

	while (c->next_event < b->n_events) {
		size_t exec = index_of_first_exec_after_next_event(c);

		if (exec >= b->n_execs ||
		    an_exec_first_slot_word_index(b->exec[exec]) > slot_offset)
			break;
		apply_next_event_store_error(c);
	}
}

/* Return the offset [4 bytes] of the slots of the next execution whose accesses
   must be counted or, if accesses are not counted, of the execution after the
   next event (allocation and so on); UINT32_MAX: there is none. */
static uint32_t
slot_offset_of_next_exec_to_count_or_event(const struct an_data_cursor *c)
{
	const struct an_batch *b = c->batch;
	size_t exec = b->n_execs;

	if (c->counts_accesses)
		exec = c->next_exec;
	else if (c->next_event < b->n_events)
		exec = index_of_first_exec_after_next_event(c);
	return exec < b->n_execs ? an_exec_first_slot_word_index(b->exec[exec])
				 : UINT32_MAX;
}

/* Apply the events (allocations and so on) before the execution whose slots
   (recorded addresses) begin at @slot_offset [4 bytes]. If accesses are
   counted, count those of all executions up to and including this one. */
static inline void
advance_applying_events_to_exec_at_slot(struct an_data_cursor *c,
					uint32_t slot_offset)
{
	if (slot_offset < c->next_work)
		return;
	if (c->counts_accesses)
		apply_events_and_count_to_exec_at_slot(c, slot_offset);
	else
		apply_events_before_exec_at_slot(c, slot_offset);
	c->next_work = slot_offset_of_next_exec_to_count_or_event(c);
}

/* Return the address of access @a of the execution whose slots (recorded
   addresses) are @slots. */
static inline uint64_t address_of_access(const struct pt_access *a,
					 const uint32_t *slots)
{
	return a->slot == PT_NO_SLOT
		       ? a->delta
		       : a->delta + pt_read_shared_unaligned_u64_once(
					    slots + 2 * a->slot);
}

void an_data_cursor_count_miss_of_data_object(struct an_data_cursor *c,
					      const struct an_miss *m,
					      int levels)
{
	const struct an_block *b = c->plan[m->block].data->block;
	const struct pt_access *a = &b->access[m->row];
	uint32_t slot_offset = m->program_order >> AN_EXIT_BITS;
	bool write = a->kind == PT_STORE;
	struct an_data_group *g;
	uint64_t offset;

	advance_applying_events_to_exec_at_slot(c, slot_offset);
	g = an_owners_find_group_or_unknown_of_address(
		c->owners, address_of_access(a, c->batch->slots + slot_offset),
		owner_hint_key_of_access(b, m->row), &offset);
	if (g == NULL) {
		c->error = -ENOMEM;
		return;
	}
	for (int i = 0; i < levels; i++)
		g->counts.misses[i][write]++;
	if (c->counts_fields)
		count_field_miss(c, g, offset, m, levels);
}

void an_data_cursor_count_write_back_of_data_object(
	struct an_data_cursor *c, const struct an_miss *m,
	const struct an_write_back *w)
{
	struct an_data_group *g;
	uint64_t offset;

	advance_applying_events_to_exec_at_slot(c, m->program_order >>
							   AN_EXIT_BITS);
	g = an_owners_find_group_or_unknown_of_address(
		c->owners, w->addr, (uint32_t)(w->addr >> 12), &offset);
	if (g == NULL)
		c->error = -ENOMEM;
	else
		g->counts.write_backs[w->level]++;
}

void an_data_cursor_apply_rest_and_end_batch(struct an_data_cursor *c)
{
	if (c->counts_accesses)
		apply_events_count_all_accesses_to(c, c->batch->n_execs);
	while (c->next_event < c->batch->n_events)
		apply_next_event_store_error(c);
	c->batch = NULL;
}

int an_data_cursor_error(const struct an_data_cursor *c)
{
	return c->error ? c->error : c->field_uses.error;
}

void an_data_cursor_add_pending_to_objects(struct an_data_cursor *c)
{
	an_exec_accesses_add_pending_to_objects(&c->accesses);
}

void an_data_cursor_release(struct an_data_cursor *c)
{
	an_exec_accesses_release(&c->accesses);
	an_access_types_release(&c->field_uses.types);
}
