/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_accesses.c - counts the accesses of executions by data object; see
   exec_accesses.h */

#include "analyzers/data/exec_accesses.h"

#include <errno.h>

/* ---- ranges ---- */

/* Shorten the range of values of a slot (recorded base address) to @value if
   the slot has guarded accesses and the range contains PT_NOT_DONE, the value
   with which they do not happen. */
static void
shrink_range_to_value_if_has_not_done(const struct an_slot_accesses *s,
				      struct an_slot_range *r, uint64_t value)
{
	if (s->is_guarded && PT_NOT_DONE - r->first < r->length) {
		r->first = value;
		r->length = 1;
	}
}

/* Set the range of values of a slot (recorded base address) to those around
   @value for which all its accesses are to the data object, at most
   MAX_DISTANCE away. */
static void set_range_to_object(const struct an_slot_accesses *s,
				struct an_slot_range *r, uint64_t value)
{
	enum { MAX_DISTANCE = 1 << 30 };
	uint64_t before = value - s->object.values_first;
	uint64_t after = s->object.values_length - before;

	if (before > MAX_DISTANCE)
		before = MAX_DISTANCE;
	if (after > MAX_DISTANCE)
		after = MAX_DISTANCE;
	r->first = value - before;
	r->length = (uint32_t)(before + after);
}

/* Reduce *@before and *@after, the numbers of slot values (recorded base
   addresses) before and after the present one, to those for which an access at
   @offset bytes in an element is in the same cell (part of the element that has
   counts of its own). @f: describes the elements and cells. */
static void limit_distances_to_cell(const struct an_group_fields *f,
				    uint64_t offset, uint64_t *before,
				    uint64_t *after)
{
	uint64_t in_cell = offset % f->cell_bytes;
	uint64_t rest = f->cell_bytes - 1 - in_cell;

	if (rest > f->element - 1 - offset)
		rest = f->element - 1 - offset;
	if (in_cell < *before)
		*before = in_cell;
	if (rest < *after)
		*after = rest;
}

/* Set the range of values of a slot (recorded base address) to those around
   @value for which its accesses are to the same cells (parts that have counts
   of their own) of the data object. */
static void set_range_to_cells(const struct an_group_fields *f,
			       const struct an_slot_accesses *s,
			       struct an_slot_range *r, uint64_t value)
{
	const struct an_exit_accesses *e = s->exit;
	const uint16_t *list = e->access + s->first_index;
	uint64_t before =
		f->cell_bytes > 1 ? value - s->object.values_first : 0;
	uint64_t after =
		f->cell_bytes > 1 ? s->object.values_length - 1 - before : 0;

	for (unsigned i = 0; before + after > 0 && i < s->n_accesses; i++)
		limit_distances_to_cell(f,
					(value +
					 e->block->access[list[i]].delta -
					 s->object.start) %
						f->element,
					&before, &after);
	r->first = value - before;
	r->length = (uint32_t)(before + after + 1);
}

/* Set the range of values of a slot (recorded base address) with one access to
   those around @value for which the access is to the same cell (part that has
   counts of its own) of the data object, and find the counts of its field. */
static void set_range_to_cell(const struct an_group_fields *f,
			      struct an_slot_accesses *s,
			      struct an_slot_range *r, uint64_t value)
{
	uint64_t offset = value + s->lowest - s->object.start;
	uint64_t before = 0, after = 0;

	if (offset >= f->element)
		offset %= f->element;
	if (f->cell_bytes > 1) {
		before = value - s->object.values_first;
		after = s->object.values_length - 1 - before;
		limit_distances_to_cell(f, offset, &before, &after);
	}
	r->first = value - before;
	r->length = (uint32_t)(before + after + 1);
	s->value = value;
	s->field = f->cell ? f->cell[offset / f->cell_bytes] : 0;
	shrink_range_to_value_if_has_not_done(s, r, value);
}

/* Set the range of values of a slot (recorded base address) to some around
   @value for which its accesses are to its data object and, if that is divided
   into fields, to the same cells (parts that have counts of their own). */
static void set_range(const struct an_slot_counts *c,
		      struct an_slot_accesses *s, uint64_t value)
{
	struct an_slot_range *r = an_slot_range_of(s);
	const struct an_group_fields *f =
		&c->owners->group[s->object.group].fields;

	s->value = value;
	s->field = 0;
	s->is_divided = c->counts_fields && f->element != 0 &&
			f->element != AN_ELEMENT_MIXED;
	if (s->is_divided && s->n_accesses == 1) {
		set_range_to_cell(f, s, r, value);
		return;
	}
	if (s->is_divided)
		set_range_to_cells(f, s, r, value);
	else
		set_range_to_object(s, r, value);
	shrink_range_to_value_if_has_not_done(s, r, value);
}

/* Set the range of values of a slot (recorded base address) anew for @value,
   with which its accesses are still to its present data object, but to other
   cells (parts that have counts of their own). */
static inline void set_range_in_same_object(const struct an_slot_counts *c,
					    struct an_slot_accesses *s,
					    uint64_t value)
{
	if (s->is_divided && s->n_accesses == 1)
		set_range_to_cell(&c->owners->group[s->object.group].fields, s,
				  an_slot_range_of(s), value);
	else
		set_range(c, s, value);
}

/* Extend e->first_addr..e->last_addr, the addresses that the ranges of slot
   values of exit @e lead to, to include those of object @o. */
static void include_addresses_of_object(struct an_exit_accesses *e,
					const struct an_slot_object *o)
{
	if (e->first_addr > e->last_addr) {
		e->first_addr = o->first_addr;
		e->last_addr = o->last_addr;
		return;
	}
	if (o->first_addr < e->first_addr)
		e->first_addr = o->first_addr;
	if (o->last_addr > e->last_addr)
		e->last_addr = o->last_addr;
}

/* Find the data object that contains all accesses of slot @s (recorded base
   address) with value @value, and set the range of slot values. Return: false
   if they are in several data objects, or only some of them are in one. */
static bool find_object_and_set_range(struct an_slot_counts *c,
				      struct an_slot_accesses *s,
				      uint64_t value)
{
	uint64_t lowest_addr = value + s->lowest;
	struct an_owner_extent extent;

	an_owners_find_extent_of_address(c->owners, lowest_addr, &extent);
	if (s->distance > extent.last - lowest_addr)
		return false;
	if (!s->is_divided && s->object.values_length != 0) {
		an_slot_counts_add_pending_to_previous(c, s);
		s->previous = s->object;
	}
	if (extent.group != s->object.group)
		an_slot_counts_change_group(c, s, extent.group);
	s->object = (struct an_slot_object){
		.values_first = extent.first - s->lowest,
		.values_length = extent.last - extent.first - s->distance + 1,
		.first_addr = extent.first,
		.last_addr = extent.last,
		.start = extent.object_start,
		.group = extent.group,
	};
	include_addresses_of_object(s->exit, &s->object);
	set_range(c, s, value);
	return true;
}

/* Count the accesses of slot @s (recorded base address) of an execution whose
   value @value is not in the slot's range. Set the range anew if all of them
   are to one data object other than s->previous. @slots: all slots of the
   execution. The execution is added to the exit's n_execs later. */
static __attribute__((noinline)) void
count_value_outside_range_and_update_range(struct an_slot_counts *c,
					   struct an_slot_accesses *s,
					   uint64_t value,
					   const uint32_t *slots)
{
	c->exit = s->exit;
	c->slots = slots;
	if (s->is_guarded && value == PT_NOT_DONE) {
		an_slot_exclude_current_exec_from_pending(s);
		return;
	}
	if (value - s->previous.values_first < s->previous.values_length) {
		s->n_previous++;
		an_slot_exclude_current_exec_from_pending(s);
		return;
	}
	an_slot_counts_add_pending_to_fields(c, s);
	if (value - s->object.values_first < s->object.values_length) {
		set_range_in_same_object(c, s, value);
	} else if (!find_object_and_set_range(c, s, value)) {
		an_slot_counts_count_one_by_one(c, s, value);
		an_slot_exclude_current_exec_from_pending(s);
	}
}

/* ---- changes of owners ---- */

/* Forget data object @o if owners (data objects) of its addresses may have
   changed since spans->n_changes was @n_changes. @all: range that contains all
   addresses whose owners have changed since then. Return: whether the object
   was forgotten. */
static bool forget_object_if_changed(const struct an_owner_spans *spans,
				     struct an_slot_object *o,
				     struct an_changed_addresses all,
				     uint64_t n_changes)
{
	if (o->first_addr > all.last || o->last_addr < all.first ||
	    !an_owner_spans_did_change(spans, n_changes, o->first_addr,
				       o->last_addr))
		return false;
	o->first_addr = 1;
	o->last_addr = 0;
	o->values_length = 0;
	return true;
}

/* Clear the ranges of slot values of an exit of a block that lead to addresses
   of which the owners may have changed since n_changes was @n_changes. */
static void clear_invalid_ranges(struct an_owner_spans *spans,
				 struct an_exit_accesses *e, uint64_t n_changes)
{
	struct an_changed_addresses all =
		an_owner_spans_union_of_changes(spans, n_changes);
	struct an_slot_accesses *end = e->slot + e->n_slots;

	e->first_addr = 1;
	e->last_addr = 0;
	for (struct an_slot_accesses *s = e->slot; s < end; s++) {
		struct an_slot_object *o = &s->object, *p = &s->previous;

		if (forget_object_if_changed(spans, o, all, n_changes))
			an_slot_range_of(s)->length = 0;
		forget_object_if_changed(spans, p, all, n_changes);
		if (o->first_addr <= o->last_addr)
			include_addresses_of_object(e, o);
		if (p->first_addr <= p->last_addr)
			include_addresses_of_object(e, p);
	}
}

/* Clear the ranges of slot values of an exit that changes of the owners (data
   objects) of addresses may have made invalid. Then count, for the present
   execution, whose slots are @slots, the accesses at constant addresses whose
   range is empty: count_execution() does not check them, since they have no
   slot. */
static __attribute__((noinline)) void
clear_ranges_and_count_fixed(struct an_slot_counts *c,
			     struct an_exit_accesses *e, const uint32_t *slots)
{
	struct an_owner_spans *spans = c->owners->spans;
	uint64_t n_changes = e->n_changes;

	e->n_changes = spans->n_changes;
	clear_invalid_ranges(spans, e, n_changes);
	for (unsigned i = e->n_read; i < e->n_slots; i++)
		if (e->range[i].length == 0)
			count_value_outside_range_and_update_range(
				c, &e->slot[i], 0, slots);
}

/* Whether the ranges of slot values of an exit are still valid, because only
   owners (data objects) of other addresses have changed. False: not known. */
static inline bool
try_confirm_ranges_are_valid(const struct an_owner_spans *spans,
			     struct an_exit_accesses *e)
{
	uint64_t n = spans->n_changes - e->n_changes;
	struct an_changed_addresses all;

	if (e->n_changes == 0 || n > spans->n_unions)
		return false;
	all = spans->change_union[n - 1];
	if (e->first_addr <= all.last && e->last_addr >= all.first)
		return false;
	e->n_changes = spans->n_changes;
	return true;
}

/* Clear the ranges of slot values of an exit of a block that are no longer
   valid because the owners of their addresses have changed. @slots: slots of
   the execution to be counted. */
static __attribute__((noinline)) void
clear_ranges_unless_confirmed_valid(struct an_slot_counts *c,
				    struct an_exit_accesses *e,
				    const uint32_t *slots)
{
	if (!try_confirm_ranges_are_valid(c->owners->spans, e))
		clear_ranges_and_count_fixed(c, e, slots);
}

/* ---- executions ---- */

/* Count an execution that left its block by exit @e. @slots: its slots
   (recorded base addresses). */
static inline __attribute__((always_inline)) void
count_execution(struct an_slot_counts *c, struct an_exit_accesses *e,
		const uint32_t *slots)
{
	const struct an_slot_range *r = e->range;

	for (unsigned n = e->n_read; n > 0; n--, r++) {
		uint64_t value =
			pt_read_shared_unaligned_u64_once(slots + r->word);

		if (__builtin_expect(value - r->first >= r->length, 0))
			count_value_outside_range_and_update_range(
				c, &e->slot[e->n_read - n], value, slots);
	}
	e->n_execs++;
}

int an_exec_accesses_count(struct an_exec_accesses *x,
			   const struct an_batch *batch,
			   const struct an_plan *plan_of_block, size_t first,
			   size_t end)
{
	const uint32_t *const slots = batch->slots;
	const struct an_exec *const exec = batch->exec;
	uint64_t n_changes;

	if (an_owners_find_span_or_null_if_no_memory(x->counts.owners, 0) ==
	    NULL)
		return -ENOMEM;
	n_changes = x->counts.owners->spans->n_changes;
	for (size_t i = first; i < end; i++) {
		unsigned exit = an_exec_exit_number(exec[i]);
		const uint32_t *at =
			slots + an_exec_first_slot_word_index(exec[i]);
		struct an_exit_accesses *e =
			an_exit_table_find(&x->exits, exec[i].block, exit);

		if (__builtin_expect(e == NULL, 0))
			e = an_exit_table_add(
				&x->exits,
				plan_of_block[exec[i].block].data->block, exit);
		if (__builtin_expect(e == NULL, 0))
			return -ENOMEM;
		if (e->n_changes != n_changes)
			clear_ranges_unless_confirmed_valid(&x->counts, e, at);
		count_execution(&x->counts, e, at);
	}
	return 0;
}

/* ---- end ---- */

static void add_pending_of_exit(struct an_slot_counts *c,
				struct an_exit_accesses *e)
{
	for (unsigned i = 0; e != NULL && i < e->n_slots; i++)
		an_slot_counts_add_all_pending(c, &e->slot[i]);
}

void an_exec_accesses_add_pending_to_objects(struct an_exec_accesses *x)
{
	const struct an_exit_table *t = &x->exits;

	for (uint32_t id = 0; id < t->n_blocks; id++)
		for (uint32_t i = 0;
		     t->block[id] != NULL && i < t->block[id]->n_exits; i++)
			add_pending_of_exit(&x->counts, t->block[id]->exit[i]);
}

void an_exec_accesses_release(struct an_exec_accesses *x)
{
	an_slot_counts_free_undivided_array(&x->counts);
	an_exit_table_release(&x->exits);
}
