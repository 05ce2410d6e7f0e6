/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cursor.c - applies events (allocations, mappings and so on) in order with
   misses; see cursor.h */

#include "analyzers/data/cursor.h"

#include <errno.h>

/* Return the index in the batch of the execution that follows the next event
   (allocation, mapping and so on) of the stream. */
static size_t
index_of_first_exec_after_next_event(const struct an_data_cursor *c)
{
	return c->batch->event[c->next_event].before_exec -
	       c->batch->first_exec;
}

/* Return the offset [4 bytes] of the slots of the execution after the next
   event (allocation and so on); UINT32_MAX: there is none. */
static uint32_t slot_offset_after_next_event(const struct an_data_cursor *c)
{
	const struct an_batch *b = c->batch;
	size_t exec = c->next_event < b->n_events
			      ? index_of_first_exec_after_next_event(c)
			      : b->n_execs;

	return exec < b->n_execs ? an_exec_first_slot_word_index(b->exec[exec])
				 : UINT32_MAX;
}

void an_data_cursor_begin_batch(struct an_data_cursor *c,
				const struct an_batch *batch,
				const struct an_plan *plan_of_block)
{
	c->batch = batch;
	c->next_event = c->next_exec = 0;
	c->plan = plan_of_block;
	c->next_event_slot = slot_offset_after_next_event(c);
}

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

/* Apply the next event. If accesses are counted, first count those of the
   executions before it. */
static void apply_next_event_store_error(struct an_data_cursor *c)
{
	int err;

	if (c->counts_accesses)
		count_accesses_before_exec(
			c, index_of_first_exec_after_next_event(c));
	err = an_owners_apply_event(c->owners, c->batch,
				    &c->batch->event[c->next_event++]);
	if (err)
		c->error = err;
}

/* ---- misses ---- */

static void count_field_miss(struct an_data_cursor *c,
			     const struct an_pending_miss *m, bool write)
{
	struct an_field_counts *f;

	if (!c->counts_accesses) {
		an_field_uses_prepare_group_for_access(&c->field_uses, m->group,
						       m->block, m->access);
		an_field_uses_add_votes_for_type(&c->field_uses, m->group,
						 m->block, m->access, 1);
	}
	f = an_field_uses_find_or_add_counts(&c->field_uses, m->group,
					     m->offset);
	for (unsigned i = 0; f && i < m->missed_levels; i++)
		f->misses[i][write]++;
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

/* Find the block and address of the access of a pending miss. */
static void find_address_of_pending_miss(const struct an_data_cursor *c,
					 struct an_pending_miss *m)
{
	m->block = c->plan[m->block_id].data->block;
	m->addr = address_of_access(&m->block->access[m->access],
				    c->batch->slots + m->slot_offset);
}

/* Find the addresses of all pending misses that are not write-backs, if fields
   are counted. No step of the loop depends on the one before: the host loads
   the blocks of many misses at the same time. */
static void compute_addresses_of_pending_misses(struct an_data_cursor *c)
{
	for (unsigned i = 0; c->counts_fields && i < c->n_pending; i++)
		if (c->pending[i].missed_levels > 0)
			find_address_of_pending_miss(c, &c->pending[i]);
}

/* Return the group of the data object that has the c->line_bytes bytes from
   @addr on, or the group "unknown" if no object has any of them; NULL if that
   is not known without a search, if only some of the bytes have this owner, or
   if fields are counted. */
static struct an_data_group *known_group_of_line(const struct an_data_cursor *c,
						 uint64_t addr)
{
	const struct an_owners *o = c->owners;
	const struct an_owner_span *span;

	if (c->counts_fields || o->spans == NULL)
		return NULL;
	span = an_owner_spans_find_by_address(o->spans, addr);
	return span != NULL && span->first + span->extent - addr >=
				       c->line_bytes - 1
		       ? &o->group[span->group]
		       : NULL;
}

static uint32_t owner_hint_key_of_pending_miss(const struct an_pending_miss *m)
{
	return m->missed_levels == 0
		       ? (uint32_t)(m->addr >> 12)
		       : owner_hint_key_of_access(m->block, m->access);
}

/* Find the group of the data object that a pending miss is counted for: that of
   the line, if one object has it; else that of the address. NULL: memory is
   short. */
static void find_group_of_pending_miss(struct an_data_cursor *c,
				       struct an_pending_miss *m)
{
	m->group = known_group_of_line(c, m->addr);
	if (m->group != NULL)
		return;
	if (m->missed_levels > 0 && !c->counts_fields)
		find_address_of_pending_miss(c, m);
	m->group = an_owners_find_group(c->owners, m->addr,
					owner_hint_key_of_pending_miss(m),
					&m->offset);
	if (m->group == NULL)
		c->error = -ENOMEM;
}

/* Find the groups of the pending misses before the execution whose slots begin
   at @end_slot_offset [4 bytes], before which there is no event that is not
   applied. Return: the number of the first pending miss after these. */
static unsigned find_pending_miss_groups_get_end_index(struct an_data_cursor *c,
						       uint32_t end_slot_offset)
{
	unsigned i = c->next_pending;

	for (; i < c->n_pending && c->pending[i].slot_offset < end_slot_offset;
	     i++)
		find_group_of_pending_miss(c, &c->pending[i]);
	return i;
}

/* Whether an access that missed and @writes is counted as a write. A modify is
   counted as a read. */
static bool is_counted_as_write(const struct an_data_cursor *c, bool writes,
				uint32_t block_id, unsigned access)
{
	return writes &&
	       c->plan[block_id].data->block->access[access].kind == PT_STORE;
}

static void count_pending_miss(struct an_data_cursor *c,
			       const struct an_pending_miss *m)
{
	bool write;

	if (m->group == NULL)
		return;
	if (m->missed_levels == 0) {
		m->group->counts.write_backs[m->level]++;
		return;
	}
	write = is_counted_as_write(c, m->writes, m->block_id, m->access);
	for (unsigned i = 0; i < m->missed_levels; i++)
		m->group->counts.misses[i][write]++;
	if (c->counts_fields)
		count_field_miss(c, m, write);
}

/* Count the pending misses of the executions before the one whose slots are
   @slots. From this one on, the fields of a group are others. */
static void count_pending_misses_before_exec(void *cursor,
					     const uint32_t *slots)
{
	struct an_data_cursor *c = cursor;

	while (c->next_pending < c->n_pending &&
	       c->batch->slots + c->pending[c->next_pending].slot_offset <
		       slots)
		count_pending_miss(c, &c->pending[c->next_pending++]);
}

/* Count the pending misses up to number @end - 1, before which there is no
   event that is not applied. If accesses are counted by field, first count
   those of all executions up to that of the last of these misses: they imply
   types, by which the misses are counted. */
static void count_pending_misses_before_event(struct an_data_cursor *c,
					      unsigned end)
{
	if (c->counts_accesses && c->counts_fields)
		count_accesses_before_exec(
			c,
			first_exec_after_slot(c->batch, c->next_exec,
					      c->pending[end - 1].slot_offset));
	while (c->next_pending < end)
		count_pending_miss(c, &c->pending[c->next_pending++]);
}

/* Count the pending misses and write-backs, in order with the events. */
static void count_pending_misses(struct an_data_cursor *c)
{
	compute_addresses_of_pending_misses(c);
	while (c->next_pending < c->n_pending) {
		uint32_t slot_offset = c->pending[c->next_pending].slot_offset;

		apply_events_before_exec_at_slot(c, slot_offset);
		count_pending_misses_before_event(
			c, find_pending_miss_groups_get_end_index(
				   c, slot_offset_after_next_event(c)));
	}
	c->next_pending = c->n_pending = 0;
	c->next_event_slot = slot_offset_after_next_event(c);
}

static void count_pending_misses_if_full(struct an_data_cursor *c)
{
	if (c->n_pending == AN_MAX_PENDING_MISSES)
		count_pending_misses(c);
}

/* Append a pending miss, field by field: a wide load that soon follows several
   narrow stores would wait for them. */
static void append_pending_miss_count_all_if_full(struct an_data_cursor *c,
						  const struct an_miss *m,
						  int n_missed_levels)
{
	struct an_pending_miss *p = &c->pending[c->n_pending++];

	p->addr = m->addr;
	p->slot_offset = m->program_order >> AN_EXIT_BITS;
	p->block_id = m->block;
	p->access = m->row;
	p->writes = m->write;
	p->missed_levels = (uint8_t)n_missed_levels;
	count_pending_misses_if_full(c);
}

static void
append_pending_write_back_count_if_full(struct an_data_cursor *c,
					uint32_t slot_offset,
					const struct an_write_back *w)
{
	struct an_pending_miss *p = &c->pending[c->n_pending++];

	p->addr = w->addr;
	p->slot_offset = slot_offset;
	p->missed_levels = 0;
	p->level = (uint8_t)w->level;
	count_pending_misses_if_full(c);
}

/* As known_group_of_line(), for a miss of the execution whose slots begin at
   @slot_offset [4 bytes]; NULL if an event that is not applied comes before it.
   */
static struct an_data_group *
known_group_before_next_event(const struct an_data_cursor *c, uint64_t addr,
			      uint32_t slot_offset)
{
	return slot_offset < c->next_event_slot ? known_group_of_line(c, addr)
						: NULL;
}

void an_data_cursor_count_miss_of_data_object(struct an_data_cursor *c,
					      const struct an_miss *m,
					      int levels)
{
	struct an_data_group *group = known_group_before_next_event(
		c, m->addr, m->program_order >> AN_EXIT_BITS);

	if (group != NULL) {
		bool write = is_counted_as_write(c, m->write, m->block, m->row);

		for (int i = 0; i < levels; i++)
			group->counts.misses[i][write]++;
		return;
	}
	append_pending_miss_count_all_if_full(c, m, levels);
}

void an_data_cursor_add_write_back_to_object(struct an_data_cursor *c,
					     const struct an_miss *m,
					     const struct an_write_back *w)
{
	uint32_t slot_offset = m->program_order >> AN_EXIT_BITS;
	struct an_data_group *group =
		known_group_before_next_event(c, w->addr, slot_offset);

	if (group != NULL) {
		group->counts.write_backs[w->level]++;
		return;
	}
	append_pending_write_back_count_if_full(c, slot_offset, w);
}

void an_data_cursor_end_batch(struct an_data_cursor *c)
{
	count_pending_misses(c);
	while (c->next_event < c->batch->n_events)
		apply_next_event_store_error(c);
	if (c->counts_accesses)
		count_accesses_before_exec(c, c->batch->n_execs);
	c->batch = NULL;
}

void an_data_cursor_init(struct an_data_cursor *c, struct an_owners *owners,
			 const struct an_env *env)
{
	c->owners = c->field_uses.owners = c->accesses.counts.owners = owners;
	c->field_uses.types.env = env;
	c->accesses.counts.field_uses = &c->field_uses;
	c->accesses.counts.counts_fields = c->counts_fields;
	c->accesses.counts.before_fields_change =
		count_pending_misses_before_exec;
	c->accesses.counts.cursor = c;
}

int an_data_cursor_error(const struct an_data_cursor *c)
{
	return c->error ? c->error : c->field_uses.error;
}

void an_data_cursor_add_pending_to_objects(struct an_data_cursor *c)
{
	an_exec_accesses_add_pending_to_counts(&c->accesses);
}

void an_data_cursor_release(struct an_data_cursor *c)
{
	an_exec_accesses_release(&c->accesses);
	an_access_types_release(&c->field_uses.types);
}
