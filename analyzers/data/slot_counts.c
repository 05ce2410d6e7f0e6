/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slot_counts.c - adds executions to the counts of data objects and of their
   fields; see slot_counts.h */

#include "analyzers/data/slot_counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct pt_access *access_of_slot(const struct an_slot_accesses *s,
					      unsigned access_index)
{
	return &s->block->access[s->access[access_index]];
}

static unsigned access_number(const struct an_slot_accesses *s, unsigned index)
{
	return s->access[index];
}

void an_slot_exclude_current_exec(struct an_slot_accesses *s)
{
	s->n_before_group++;
	s->n_before_range++;
	s->last_excluded = s->exit->n_execs;
}

/* ---- counts ---- */

static void count_accesses(struct an_data_counts *c, const struct pt_access *a,
			   uint64_t n)
{
	if (a->kind != PT_STORE) {
		c->reads += n;
		c->read_bytes += n * a->size;
	}
	if (a->kind != PT_LOAD) {
		c->writes += n;
		c->written_bytes += n * a->size;
	}
}

static void count_accesses_of_field(struct an_field_counts *f,
				    const struct pt_access *a, uint64_t n)
{
	uint64_t reads = a->kind != PT_STORE ? n : 0;
	uint64_t writes = a->kind != PT_LOAD ? n : 0;

	f->reads += reads;
	f->writes += writes;
	f->bytes += (reads + writes) * a->size;
	if (a->size > f->longest)
		f->longest = a->size;
}

/* Count @n executions of the only access of a slot. */
static void count_only_access_of_field(struct an_field_counts *f,
				       const struct an_slot_sums *access,
				       uint64_t n)
{
	uint32_t size =
		access->reads ? access->read_bytes : access->written_bytes;

	f->reads += n * access->reads;
	f->writes += n * access->writes;
	f->bytes += n * (access->read_bytes + access->written_bytes);
	if (size > f->longest)
		f->longest = size;
}

/* Count @n accesses to the field at @offset bytes in a data object of group
   @g. */
static void count_accesses_at_offset(struct an_slot_counts *c,
				     struct an_data_group *g, uint64_t offset,
				     const struct pt_access *a, uint64_t n)
{
	struct an_field_counts *f;

	if (g->fields.cell == NULL && g->fields.element != 0)
		c->before_fields_change(c->cursor, c->slots);
	f = an_field_uses_find_or_add_counts(c->field_uses, g, offset);
	if (f != NULL)
		count_accesses_of_field(f, a, n);
}

/* Count @n_executions executions of the accesses of a slot (recorded base
   address), which are to data objects of group @group. */
static void add_slot_accesses_to_group_counts(struct an_slot_counts *c,
					      const struct an_slot_accesses *s,
					      uint32_t group,
					      uint64_t n_executions)
{
	struct an_data_group *g = &c->owners->group[group];

	if (n_executions == 0)
		return;
	g->counts.reads += n_executions * s->sums.reads;
	g->counts.writes += n_executions * s->sums.writes;
	g->counts.read_bytes += n_executions * s->sums.read_bytes;
	g->counts.written_bytes += n_executions * s->sums.written_bytes;
	for (unsigned i = 0; s->implies_type && i < s->n_accesses; i++)
		an_field_uses_add_votes_for_type(c->field_uses, g, s->block,
						 access_number(s, i),
						 n_executions);
}

static void add_pending_to_group(struct an_slot_counts *c,
				 struct an_slot_accesses *s)
{
	add_slot_accesses_to_group_counts(c, s, s->object.group,
					  s->exit->n_execs - s->n_before_group);
	s->n_before_group = s->exit->n_execs;
}

void an_slot_counts_add_pending_to_previous(struct an_slot_counts *c,
					    struct an_slot_accesses *s)
{
	add_slot_accesses_to_group_counts(c, s, s->previous.group,
					  s->n_previous);
	s->n_previous = 0;
}

/* Add @n executions of the accesses of a slot (recorded base address) to the
   counts of the fields, in the slot's data object, that they are to. */
static void add_executions_to_fields(struct an_slot_counts *c,
				     const struct an_slot_accesses *s,
				     uint64_t n)
{
	uint64_t offset = s->value - s->object.start;

	for (unsigned i = 0; i < s->n_accesses; i++) {
		const struct pt_access *a = access_of_slot(s, i);

		count_accesses_at_offset(c, &c->owners->group[s->object.group],
					 offset + a->delta, a, n);
	}
}

void an_slot_counts_add_pending_to_fields(struct an_slot_counts *c,
					  struct an_slot_accesses *s)
{
	uint64_t n = s->exit->n_execs - s->n_before_range;

	s->n_before_range = s->exit->n_execs;
	if (n == 0 || !s->is_divided)
		return;
	if (s->field != 0)
		count_only_access_of_field(&c->owners->fields.counts[s->field],
					   &s->sums, n);
	else
		add_executions_to_fields(c, s, n);
}

void an_slot_counts_add_all_pending(struct an_slot_counts *c,
				    struct an_slot_accesses *slot)
{
	add_pending_to_group(c, slot);
	an_slot_counts_add_pending_to_previous(c, slot);
	an_slot_counts_add_pending_to_fields(c, slot);
}

/* ---- types of long elements ---- */

static int grow_array_of_slot_lists_to_hold_group(struct an_slot_counts *c,
						  uint32_t group)
{
	uint32_t n = c->n_groups ? c->n_groups : 64;
	struct an_slot_accesses **bigger;

	while (n <= group)
		n *= 2;
	bigger = reallocarray(c->undivided, n, sizeof(*bigger));
	if (bigger == NULL)
		return -ENOMEM;
	memset(bigger + c->n_groups, 0, (n - c->n_groups) * sizeof(*bigger));
	c->undivided = bigger;
	c->n_groups = n;
	return 0;
}

/* Remove a slot (recorded base address) from the list of the group of its data
   object, if it is listed. */
static void remove_slot_from_undivided_list(struct an_slot_counts *c,
					    struct an_slot_accesses *s)
{
	if (!s->is_listed)
		return;
	if (s->previous_listed != NULL)
		s->previous_listed->next_listed = s->next_listed;
	else
		c->undivided[s->object.group] = s->next_listed;
	if (s->next_listed != NULL)
		s->next_listed->previous_listed = s->previous_listed;
	s->is_listed = false;
}

/* Add a slot (recorded base address) to the list of the group of its data
   object, if the group's elements can still be divided by a type. */
static void add_slot_to_undivided_group_list(struct an_slot_counts *c,
					     struct an_slot_accesses *s)
{
	const struct an_data_group *g = &c->owners->group[s->object.group];

	if (!an_data_kind_is_heap_or_pool_block(g->kind) ||
	    !an_group_fields_has_long_untyped_element(&g->fields))
		return;
	if (s->object.group >= c->n_groups &&
	    grow_array_of_slot_lists_to_hold_group(c, s->object.group) != 0) {
		c->field_uses->error = -ENOMEM;
		return;
	}
	s->previous_listed = NULL;
	s->next_listed = c->undivided[s->object.group];
	if (s->next_listed != NULL)
		s->next_listed->previous_listed = s;
	c->undivided[s->object.group] = s;
	s->is_listed = true;
}

/* Add the pending executions of a slot (recorded base address), without the one
   that is being counted, to the fields of its data object's group, whose
   elements are divided by a type next. Clear the range of a slot that is read:
   its values are to the same fields only until then. */
static void add_pending_to_fields_and_clear_range(struct an_slot_counts *c,
						  struct an_slot_accesses *s)
{
	struct an_slot_range *r = an_slot_range_of(s);
	bool is_excluded = s->last_excluded == s->exit->n_execs;

	s->n_before_range -= is_excluded;
	an_slot_counts_add_pending_to_fields(c, s);
	s->n_before_range += is_excluded;
	s->field = 0;
	if (s->object.constant_exit != NULL)
		return;
	r->length = 0;
	s->object.resumed_range = 0;
	if (s->exit == c->exit)
		s->value =
			pt_read_shared_unaligned_u64_once(c->slots + r->word);
}

/* Add the executions before the one that is being counted to the counts of the
   fields of a group, whose elements are then divided into the members of a
   type. Empty the group's list of slots (recorded base addresses). */
static void add_pending_to_fields_unlist_group_slots(struct an_slot_counts *c,
						     uint32_t group)
{
	while (group < c->n_groups && c->undivided[group] != NULL) {
		struct an_slot_accesses *s = c->undivided[group];

		add_pending_to_fields_and_clear_range(c, s);
		remove_slot_from_undivided_list(c, s);
	}
}

/* Divide the elements of a group into fields if access @access of a block
   implies their type. Before that, add the executions before the present one
   that are still pending to the counts of the undivided group. If the group is
   a variable, look up its type at the first access. */
static void divide_elements_by_implied_data_type(struct an_slot_counts *c,
						 uint32_t group,
						 const struct an_block *block,
						 unsigned access)
{
	struct an_data_group *g = &c->owners->group[group];
	bool has_dividing_type =
		an_field_uses_dividing_type(c->field_uses, g, block, access);

	if (has_dividing_type ||
	    (an_data_kind_is_static_or_tls_variable(g->kind) &&
	     !g->has_type_lookup))
		c->before_fields_change(c->cursor, c->slots);
	if (has_dividing_type)
		add_pending_to_fields_unlist_group_slots(c, group);
	an_field_uses_prepare_group_for_access(c->field_uses, g, block, access);
}

/* Divide the groups of data objects that the accesses of slot @s (recorded base
   address) with value @value are to into fields, if the accesses imply a
   type. */
static void
divide_data_groups_of_slot_into_fields(struct an_slot_counts *c,
				       const struct an_slot_accesses *s,
				       uint64_t value)
{
	if (s->is_guarded && value == PT_NOT_DONE)
		return;
	for (unsigned i = 0; i < s->n_accesses; i++)
		divide_elements_by_implied_data_type(
			c,
			an_owners_find_span_or_null_if_no_memory(
				c->owners, value + access_of_slot(s, i)->delta)
				->group,
			s->block, access_number(s, i));
}

/* Divide all groups that the execution being counted accesses into fields, if
   the accesses imply a type. */
static void divide_data_groups_of_exec_into_fields(struct an_slot_counts *c)
{
	const struct an_exit_accesses *e = c->exit;

	for (unsigned i = 0; i < e->n_slots; i++)
		divide_data_groups_of_slot_into_fields(
			c, &e->slot[i],
			i < e->n_read ? pt_read_shared_unaligned_u64_once(
						c->slots + e->range[i].word)
				      : 0);
}

/* Set s->implies_type if an instruction that accesses memory at slot @s
   (recorded base address) implies the type of the data. */
static void find_if_accesses_imply_type(struct an_slot_counts *c,
					struct an_slot_accesses *s)
{
	s->was_type_asked = true;
	for (unsigned i = 0; i < s->n_accesses && !s->implies_type; i++)
		s->implies_type = an_access_types_find_or_infer_structure(
			&c->field_uses->types, s->block, access_number(s, i));
}

/* Let the group of a slot (recorded base address) have the types that the
   slot's accesses imply from now on; their votes are added later. */
static void add_slot_types_to_group_with_zero_votes(struct an_slot_counts *c,
						    struct an_slot_accesses *s)
{
	struct an_data_group *g = &c->owners->group[s->object.group];

	if (g->fields.element == AN_ELEMENT_MIXED)
		return;
	for (unsigned i = 0; s->implies_type && i < s->n_accesses; i++)
		an_field_uses_add_votes_for_type(c->field_uses, g, s->block,
						 access_number(s, i), 0);
}

void an_slot_counts_change_group(struct an_slot_counts *c,
				 struct an_slot_accesses *s, uint32_t group)
{
	add_pending_to_group(c, s);
	remove_slot_from_undivided_list(c, s);
	s->object.group = group;
	if (!c->counts_fields)
		return;
	if (!s->was_type_asked &&
	    an_data_kind_is_heap_or_pool_block(c->owners->group[group].kind))
		find_if_accesses_imply_type(c, s);
	for (unsigned i = 0; i < s->n_accesses; i++)
		divide_elements_by_implied_data_type(c, group, s->block,
						     access_number(s, i));
	add_slot_types_to_group_with_zero_votes(c, s);
	add_slot_to_undivided_group_list(c, s);
}

void an_slot_counts_count_accesses_one_by_one(struct an_slot_counts *c,
					      const struct an_slot_accesses *s,
					      uint64_t slot_base_address)
{
	if (c->counts_fields)
		divide_data_groups_of_exec_into_fields(c);
	for (unsigned i = 0; i < s->n_accesses; i++) {
		const struct pt_access *a = access_of_slot(s, i);
		uint64_t addr = slot_base_address + a->delta;
		const struct an_owner_span *span =
			an_owners_find_span_or_null_if_no_memory(c->owners,
								 addr);
		struct an_data_group *g = &c->owners->group[span->group];

		count_accesses(&g->counts, a, 1);
		if (!c->counts_fields)
			continue;
		an_field_uses_add_votes_for_type(c->field_uses, g, s->block,
						 access_number(s, i), 1);
		count_accesses_at_offset(c, g, addr - span->object_start, a, 1);
	}
}

void an_slot_counts_free_slot_lists_of_groups(struct an_slot_counts *c)
{
	free(c->undivided);
	c->undivided = NULL;
	c->n_groups = 0;
}
