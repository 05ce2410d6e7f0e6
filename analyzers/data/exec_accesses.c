/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_accesses.c - counts the accesses of executions by data object; see
   exec_accesses.h */

#include "analyzers/data/exec_accesses.h"

#include <errno.h>

/* ---- ranges ---- */

/* Shorten the range of values of a slot (recorded base address) to
   @replacement_value if the slot has guarded accesses and the range contains
   PT_NOT_DONE, the value with which they do not happen. */
static void
exclude_not_done_value_from_slot_range(const struct an_slot_accesses *s,
				       struct an_slot_range *r,
				       uint64_t replacement_value)
{
	if (s->is_guarded && PT_NOT_DONE - r->first < r->length) {
		r->first = replacement_value;
		r->length = 1;
	}
}

/* Set the range of values of a slot (recorded base address) to those around
   @slot_value for which all its accesses are to the data object, at most
   MAX_DISTANCE away. */
static void set_slot_range_within_object(const struct an_slot_accesses *s,
					 struct an_slot_range *r,
					 uint64_t slot_value)
{
	enum { MAX_DISTANCE = 1 << 30 };
	uint64_t before = slot_value - s->object.values_first;
	uint64_t after = s->object.values_length - before;

	if (before > MAX_DISTANCE)
		before = MAX_DISTANCE;
	if (after > MAX_DISTANCE)
		after = MAX_DISTANCE;
	r->first = slot_value - before;
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
   @slot_value for which its accesses are to the same cells (parts that have
   counts of their own) of the data object. */
static void set_slot_value_range_to_same_cells(const struct an_group_fields *f,
					       const struct an_slot_accesses *s,
					       struct an_slot_range *r,
					       uint64_t slot_value)
{
	uint64_t before =
		f->cell_bytes > 1 ? slot_value - s->object.values_first : 0;
	uint64_t after =
		f->cell_bytes > 1 ? s->object.values_length - 1 - before : 0;

	for (unsigned i = 0; before + after > 0 && i < s->n_accesses; i++)
		limit_distances_to_cell(f,
					(slot_value +
					 s->block->access[s->access[i]].delta -
					 s->object.start) %
						f->element,
					&before, &after);
	r->first = slot_value - before;
	r->length = (uint32_t)(before + after + 1);
}

/* Set the range of values of a slot (recorded base address) with one access to
   those around @slot_value for which the access is to the same cell (part that
   has counts of its own) of the data object, and find the counts of its field.
   */
static void set_slot_range_to_cell(const struct an_group_fields *f,
				   struct an_slot_accesses *s,
				   struct an_slot_range *r, uint64_t slot_value)
{
	uint64_t offset = slot_value + s->lowest - s->object.start;
	uint64_t before = 0, after = 0;

	if (offset >= f->element)
		offset %= f->element;
	if (f->cell_bytes > 1) {
		before = slot_value - s->object.values_first;
		after = s->object.values_length - 1 - before;
		limit_distances_to_cell(f, offset, &before, &after);
	}
	r->first = slot_value - before;
	r->length = (uint32_t)(before + after + 1);
	s->value = slot_value;
	s->field = f->cell ? f->cell[offset / f->cell_bytes] : 0;
	exclude_not_done_value_from_slot_range(s, r, slot_value);
}

/* Set the range of values of a slot (recorded base address) to some around
   @slot_value for which its accesses are to its data object and, if that is
   divided into fields, to the same cells (parts that have counts of their own).
   */
static void
set_slot_value_range_to_cells_or_object(const struct an_slot_counts *c,
					struct an_slot_accesses *s,
					uint64_t slot_value)
{
	struct an_slot_range *r = an_slot_range_of(s);
	const struct an_group_fields *f =
		&c->owners->group[s->object.group].fields;

	s->value = slot_value;
	s->field = 0;
	s->is_divided = c->counts_fields && f->element != 0 &&
			f->element != AN_ELEMENT_MIXED;
	if (s->is_divided && s->n_accesses == 1) {
		set_slot_range_to_cell(f, s, r, slot_value);
		return;
	}
	if (s->is_divided)
		set_slot_value_range_to_same_cells(f, s, r, slot_value);
	else
		set_slot_range_within_object(s, r, slot_value);
	exclude_not_done_value_from_slot_range(s, r, slot_value);
}

/* Set the range of values of a slot (recorded base address) anew for
   @slot_value, with which its accesses are still to its present data object,
   perhaps to other cells (parts that have counts of their own). */
static inline void set_slot_range_to_other_cells(const struct an_slot_counts *c,
						 struct an_slot_accesses *s,
						 uint64_t slot_value)
{
	const struct an_group_fields *f =
		&c->owners->group[s->object.group].fields;

	if (s->is_divided && s->n_accesses == 1 &&
	    f->element != AN_ELEMENT_MIXED)
		set_slot_range_to_cell(f, s, an_slot_range_of(s), slot_value);
	else
		set_slot_value_range_to_cells_or_object(c, s, slot_value);
}

/* Copy the data object of a slot (recorded base address) to `previous`. */
static void store_object_as_previous(struct an_slot_accesses *s)
{
	struct an_slot_object *o = &s->object, *p = &s->previous;

	an_extent_user_change_extent(&p->user, o->user.extent);
	p->values_first = o->values_first;
	p->values_length = o->values_length;
	p->start = o->start;
	p->group = o->group;
}

/* Set the data object of a slot (recorded base address) to that of extent @e.
   Store the one before as `previous`, unless it is divided into fields or its
   extent is suspended. */
static void change_slot_object_store_old_as_previous(struct an_slot_counts *c,
						     struct an_slot_accesses *s,
						     struct an_owner_extent *e)
{
	if (!s->is_divided && s->object.values_length != 0) {
		an_slot_counts_add_pending_to_previous(c, s);
		store_object_as_previous(s);
	}
	if (e->group != s->object.group)
		an_slot_counts_change_group(c, s, e->group);
	an_extent_user_change_extent(&s->object.user, e);
	s->object.values_first = e->first - s->lowest;
	s->object.values_length = e->last - e->first - s->distance + 1;
	s->object.start = e->object_start;
}

/* Find the data object that contains all accesses of slot @s (recorded base
   address) with value @value, and set the range of slot values. Return: false
   if they are in several data objects, or only some of them are in one, or
   memory is short. */
static bool try_set_object_of_all_slot_accesses(struct an_slot_counts *c,
						struct an_slot_accesses *s,
						uint64_t value)
{
	uint64_t lowest_addr = value + s->lowest;
	struct an_owner_extent *e =
		an_owners_find_or_add_extent(c->owners, lowest_addr);

	if (e == NULL || s->distance > e->last - lowest_addr)
		return false;
	if (s->object.user.extent == e) { /* the search resumed extent @e */
		set_slot_range_to_other_cells(c, s, value);
		return true;
	}
	change_slot_object_store_old_as_previous(c, s, e);
	set_slot_value_range_to_cells_or_object(c, s, value);
	return true;
}

/* If all accesses of slot @s (recorded base address) with @value, which is not
   known to lead to s->object or s->previous, are to one data object, make it
   the slot's object: the execution is counted later, with others. Else count
   the accesses of the execution one by one. */
static void set_slot_object_or_count(struct an_slot_counts *c,
				     struct an_slot_accesses *s, uint64_t value)
{
	if (try_set_object_of_all_slot_accesses(c, s, value))
		return;
	an_slot_counts_count_accesses_one_by_one(c, s, value);
	an_slot_exclude_current_exec(s);
}

/* Let executions of exit @e compare the values of the exit's slots up to the
   last one with a constant address (not read) and an unknown range; if there is
   none, the values of the slots that are read. */
static void set_number_of_compared_slots(struct an_exit_accesses *e)
{
	unsigned n = e->n_slots;

	while (n > e->n_read && e->range[n - 1].length != 0)
		n--;
	e->n_compared = n;
}

/* Count the access of slot @s, which is not read because the access has a
   constant address, unless the range of its value is known. */
static void count_constant_address_access(struct an_slot_counts *c,
					  struct an_slot_accesses *s)
{
	if (an_slot_range_of(s)->length != 0)
		return;
	an_slot_counts_add_pending_to_fields(c, s);
	set_slot_object_or_count(c, s, 0);
	set_number_of_compared_slots(s->exit);
}

/* Count the accesses of slot @s (recorded base address) of an execution whose
   value @value is not in the slot's range. Set the range anew if all of them
   are to one data object other than s->previous. @exec_slots: all slots of the
   execution. The execution is added to the exit's n_execs later. */
static __attribute__((noinline)) void
count_exec_outside_slot_range(struct an_slot_counts *c,
			      struct an_slot_accesses *s, uint64_t value,
			      const uint32_t *exec_slots)
{
	c->exit = s->exit;
	c->slots = exec_slots;
	if (s->object.constant_exit != NULL) {
		count_constant_address_access(c, s);
		return;
	}
	if (s->is_guarded && value == PT_NOT_DONE) {
		an_slot_exclude_current_exec(s);
		return;
	}
	if (value - s->previous.values_first < s->previous.values_length) {
		s->n_previous++;
		an_slot_exclude_current_exec(s);
		return;
	}
	an_slot_counts_add_pending_to_fields(c, s);
	if (value - s->object.values_first < s->object.values_length)
		set_slot_range_to_other_cells(c, s, value);
	else
		set_slot_object_or_count(c, s, value);
}

/* ---- changes of owners ---- */

/* Suspend data object @user of a slot (recorded base address): no value of the
   slot is known to lead to the object any more, because its extent was
   suspended: see an_owner_extents.suspend_use. */
static void suspend_slot_value_range_to_object(struct an_extent_user *user)
{
	struct an_slot_object *o = (struct an_slot_object *)user;

	o->resumed_length = o->values_length;
	o->values_length = 0;
	if (o->range == NULL)
		return;
	o->resumed_range = o->range->length;
	o->range->length = 0;
	if (o->constant_exit != NULL)
		set_number_of_compared_slots(o->constant_exit);
}

/* Resume data object @user of a slot (recorded base address): values of the
   slot lead to the object as before suspend_slot_value_range_to_object(). */
static void restore_value_range_of_resumed_object(struct an_extent_user *user)
{
	struct an_slot_object *o = (struct an_slot_object *)user;

	o->values_length = o->resumed_length;
	if (o->range == NULL)
		return;
	o->range->length = o->resumed_range;
	if (o->constant_exit != NULL)
		set_number_of_compared_slots(o->constant_exit);
}

/* ---- executions ---- */

/* Count an execution that left its block by exit @e. @slots: its slots
   (recorded base addresses). */
static inline __attribute__((always_inline)) void
count_exec_and_update_slot_ranges(struct an_slot_counts *c,
				  struct an_exit_accesses *e,
				  const uint32_t *slots)
{
	const struct an_slot_range *end = e->range + e->n_compared;

	for (struct an_slot_range *r = e->range; r < end; r++) {
		uint64_t value =
			pt_read_shared_unaligned_u64_once(slots + r->word);

		if (__builtin_expect(value - r->first >= r->length, 0))
			count_exec_outside_slot_range(c, &e->slot[r - e->range],
						      value, slots);
	}
	e->n_execs++;
}

/* Count executions from @exec on, up to @end or the first one that left its
   block by an exit that is not yet added. Return: the first one that is not
   counted. */
static const struct an_exec *count_executions_until_exit_not_in_table(
	struct an_exec_accesses *x, const uint32_t *slots,
	const struct an_exec *exec, const struct an_exec *end)
{
	for (; exec < end; exec++) {
		struct an_exit_accesses *e = an_exit_table_find(
			&x->exits, exec->block, an_exec_exit_number(*exec));

		if (__builtin_expect(e == NULL, 0))
			break;
		count_exec_and_update_slot_ranges(
			&x->counts, e,
			slots + an_exec_first_slot_word_index(*exec));
	}
	return exec;
}

int an_exec_accesses_count_by_data_object(struct an_exec_accesses *x,
					  const struct an_batch *batch,
					  const struct an_plan *plan_of_block,
					  size_t first, size_t end)
{
	const struct an_exec *exec = batch->exec + first;

	if (an_owners_find_span_or_null_if_no_memory(x->counts.owners, 0) ==
		    NULL ||
	    an_owners_alloc_extents(x->counts.owners,
				    suspend_slot_value_range_to_object,
				    restore_value_range_of_resumed_object) != 0)
		return -ENOMEM;
	while ((exec = count_executions_until_exit_not_in_table(
			x, batch->slots, exec, batch->exec + end)) <
	       batch->exec + end)
		if (an_exit_table_add(&x->exits,
				      plan_of_block[exec->block].data->block,
				      an_exec_exit_number(*exec)) == NULL)
			return -ENOMEM;
	return 0;
}

/* ---- end ---- */

static void add_pending_of_exit_slots_to_counts(struct an_slot_counts *c,
						struct an_exit_accesses *e)
{
	for (unsigned i = 0; e != NULL && i < e->n_slots; i++)
		an_slot_counts_add_all_pending(c, &e->slot[i]);
}

void an_exec_accesses_add_pending_to_counts(struct an_exec_accesses *x)
{
	const struct an_exit_table *t = &x->exits;

	for (uint32_t id = 0; id < t->n_blocks; id++)
		for (uint32_t i = 0;
		     t->block[id] != NULL && i < t->block[id]->n_exits; i++)
			add_pending_of_exit_slots_to_counts(
				&x->counts, t->block[id]->exit[i]);
}

void an_exec_accesses_release(struct an_exec_accesses *x)
{
	an_slot_counts_free_slot_lists_of_groups(&x->counts);
	an_exit_table_release(&x->exits);
}
