/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cursor.c - applies events in order with misses; see cursor.h */

#include "analyzers/data/cursor.h"

#include <errno.h>

void an_data_cursor_begin_batch(struct an_data_cursor *c,
				const struct an_batch *batch,
				const struct an_plan *plan_of_block)
{
	c->batch = batch;
	c->next_event = c->next_exec = 0;
	c->plan = plan_of_block;
}

static void apply_next_event(struct an_data_cursor *c)
{
	int err = an_owners_apply_event(c->owners, c->batch,
					&c->batch->event[c->next_event++]);

	if (err)
		c->error = err;
}

/* Return the index in the batch of the execution that follows the next
   event. */
static size_t exec_index_after_next_event(const struct an_data_cursor *c)
{
	return c->batch->event[c->next_event].before_exec -
	       c->batch->first_exec;
}

/* Apply the events that remain before execution @exec_index of the batch. */
static void apply_events_before_exec(struct an_data_cursor *c,
				     size_t exec_index)
{
	while (c->next_event < c->batch->n_events &&
	       exec_index_after_next_event(c) <= exec_index)
		apply_next_event(c);
}

/* ---- fields ---- */

/* Look up the type of the variable of group @g and store it in g->type; NULL if
   it is unknown or larger than the variable. Set the group's element size to
   the size of the type, else to that of the variable. */
static void store_variable_type_and_element_size(struct an_data_cursor *c,
						 struct an_data_group *g)
{
	const struct an_env *env = c->types.env;
	const struct an_data_file *f = &c->owners->file[g->file - 1];
	uint64_t bytes = g->counts.bytes / g->counts.objects;

	g->has_type_lookup = true;
	g->type = g->kind == AN_DATA_TLS
			  ? env->thread_variable_type(env->host, f->path,
						      g->start)
			  : env->variable_type(env->host, f->path,
					       f->code_start, g->start);
	if (g->type != NULL && g->type->size > bytes)
		g->type = NULL;
	an_group_fields_set_or_mix_element_size(
		&g->fields, g->type ? g->type->size : bytes);
}

/* Divide the elements of a group of heap blocks by the structure, if any, that
   access @access of block of code @b implies. @counts_as_vote: also count a
   vote for this type; misses do not vote if all accesses are counted. */
static void apply_type_implied_by_access(struct an_data_cursor *c,
					 struct an_data_group *g,
					 const struct an_block *b,
					 unsigned access, bool counts_as_vote)
{
	const struct an_type *type =
		an_access_types_find_cached_or_infer(&c->types, b, access);

	if (type == NULL)
		return;
	if (an_group_fields_use_type_size_if_divides(&c->owners->fields,
						     &g->fields, type) != 0)
		c->error = -ENOMEM;
	if (counts_as_vote)
		an_group_fields_increase_votes_of_type(&g->fields, type, 1);
}

/* Return the counts of the field at @offset bytes in a data object of group @g,
   after looking up the type of a variable the first time; NULL: the object is
   not divided. */
static struct an_field_counts *
find_or_add_field_counts(struct an_data_cursor *c, struct an_data_group *g,
			 uint64_t offset)
{
	if (an_data_kind_is_variable(g->kind) && !g->has_type_lookup)
		store_variable_type_and_element_size(c, g);
	return an_group_fields_find_or_add_counts(&c->owners->fields,
						  &g->fields, offset);
}

/* ---- accesses ---- */

/* Return the key of the hint with which the owner of an access's address is
   searched: equal for all executions of the access. */
static uint32_t owner_hint_key_of_access(const struct an_block *b,
					 unsigned access)
{
	return b->id * 37 + access;
}

static void count_field_access(struct an_data_cursor *c,
			       struct an_data_group *g, uint64_t offset,
			       const struct an_block *b, unsigned access)
{
	const struct pt_access *a = &b->access[access];
	struct an_field_counts *f;

	if (an_data_kind_is_block(g->kind))
		apply_type_implied_by_access(c, g, b, access, true);
	f = find_or_add_field_counts(c, g, offset);
	if (f != NULL) {
		f->reads += a->kind != PT_STORE;
		f->writes += a->kind != PT_LOAD;
		if (a->size > f->longest)
			f->longest = a->size;
	}
}

static void count_access_for_its_owner(struct an_data_cursor *c,
				       const struct an_block *b,
				       unsigned access, uint64_t addr)
{
	const struct pt_access *a = &b->access[access];
	uint64_t offset;
	struct an_data_group *g = an_owners_find_group_or_unknown_of_address(
		c->owners, addr, owner_hint_key_of_access(b, access), &offset);

	if (g == NULL) {
		c->error = -ENOMEM;
		return;
	}
	if (a->kind != PT_STORE) {
		g->counts.reads++;
		g->counts.read_bytes += a->size;
	}
	if (a->kind != PT_LOAD) {
		g->counts.writes++;
		g->counts.written_bytes += a->size;
	}
	if (c->counts_fields)
		count_field_access(c, g, offset, b, access);
}

static void count_accesses_of_next_exec(struct an_data_cursor *c)
{
	struct an_exec e = c->batch->exec[c->next_exec];
	const struct an_block *b = c->plan[e.block].data->block;
	unsigned n = b->exit[an_exec_exit_number(e)].n_accesses;

	for (unsigned i = 0; i < n; i++) {
		const struct pt_access *a = &b->access[i];
		uint64_t base =
			a->slot == PT_NO_SLOT
				? 0
				: an_exec_slot_value(c->batch, e, a->slot);

		if (a->slot == PT_NO_SLOT || !(a->flags & PT_GUARDED) ||
		    base != PT_NOT_DONE)
			count_access_for_its_owner(c, b, i, base + a->delta);
	}
	c->next_exec++;
}

/* Apply the events before execution @end_exec_index, and count the accesses of
   all executions before it. */
static void apply_events_count_all_accesses_to(struct an_data_cursor *c,
					       size_t end_exec_index)
{
	while (c->next_exec < end_exec_index) {
		apply_events_before_exec(c, c->next_exec);
		count_accesses_of_next_exec(c);
	}
	apply_events_before_exec(c, end_exec_index);
}

/* ---- misses ---- */
static void count_field_miss(struct an_data_cursor *c, struct an_data_group *g,
			     uint64_t offset, const struct an_miss *m,
			     int missed_level_count)
{
	const struct an_block *b = c->plan[m->block].data->block;
	struct an_field_counts *f;

	if (an_data_kind_is_block(g->kind))
		apply_type_implied_by_access(c, g, b, m->row,
					     !c->counts_accesses);
	f = find_or_add_field_counts(c, g, offset);
	for (int i = 0; f && i < missed_level_count; i++)
		f->misses[i][b->access[m->row].kind == PT_STORE]++;
}

/* Apply the events before the execution whose slots begin at @slot_offset and,
   if accesses are counted, count those of all executions before it. */
static void apply_events_and_count_before_exec_at_slot(struct an_data_cursor *c,
						       uint32_t slot_offset)
{
	const struct an_batch *b = c->batch;
	size_t exec = c->next_exec;

	if (c->counts_accesses) {
		while (exec < b->n_execs &&
		       an_exec_slot_offset(b->exec[exec]) < slot_offset)
			exec++;
		apply_events_count_all_accesses_to(c, exec);
		return;
	}
	while (c->next_event < b->n_events) {
		exec = exec_index_after_next_event(c);
		if (exec >= b->n_execs ||
		    an_exec_slot_offset(b->exec[exec]) > slot_offset)
			break;
		apply_next_event(c);
	}
}

void an_data_cursor_count_miss(struct an_data_cursor *c,
			       const struct an_miss *m, int levels,
			       unsigned smallest_line)
{
	const struct an_block *b = c->plan[m->block].data->block;
	uint32_t offset = m->program_order >> AN_EXIT_BITS;
	bool write = b->access[m->row].kind == PT_STORE;
	struct an_data_group *g;
	struct an_ref r;
	uint64_t at;

	apply_events_and_count_before_exec_at_slot(c, offset);
	an_block_compute_access_addr_is_performed(b, smallest_line, m->row,
						  c->batch->slots + offset, &r);
	g = an_owners_find_group_or_unknown_of_address(
		c->owners, r.addr, owner_hint_key_of_access(b, m->row), &at);
	if (g == NULL) {
		c->error = -ENOMEM;
		return;
	}
	for (int i = 0; i < levels; i++)
		g->counts.misses[i][write]++;
	if (c->counts_fields)
		count_field_miss(c, g, at, m, levels);
}

void an_data_cursor_count_write_back(struct an_data_cursor *c,
				     const struct an_miss *m,
				     const struct an_write_back *w)
{
	struct an_data_group *g;
	uint64_t offset;

	apply_events_and_count_before_exec_at_slot(c, m->program_order >>
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
		apply_next_event(c);
	c->batch = NULL;
}
