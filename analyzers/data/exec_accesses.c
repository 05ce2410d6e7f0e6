/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exec_accesses.c - counts the accesses of executions by data object; see
   exec_accesses.h */

#include "analyzers/data/exec_accesses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Slot values for which all accesses of a slot are to one data object; and, if
   that is divided into fields, to the same fields. */
struct slot_range {
	uint64_t first;
	uint32_t length; /* 0: not known */
	uint32_t slot;
};

/* Accesses of an exit that depend on one slot; or one access that depends on
   none, whose slot value is 0. Executions are counted by exit_accesses.n_execs;
   those in which guarded accesses did not happen are added to the members of
   this struct that are compared with it. */
struct an_slot_accesses {
	uint64_t stamp;		 /* stamp of the area when the range was set */
	uint64_t object_start;	 /* address of the data object */
	uint64_t n_before_group; /* executions before those in which the data
				    object was of `group` */
	uint64_t n_before_range; /* executions before those with slot values
				    in the range */
	uint64_t last_excluded;	 /* exit_accesses.n_execs when the last
				    execution was added to the two above;
				    UINT64_MAX: none was */
	uint32_t group;
	uint16_t area;	      /* index of the counter of the area */
	uint16_t first_index; /* in exit_accesses.access */
	uint16_t n_accesses;
	bool is_guarded;
	bool is_divided; /* the data object is divided into fields */
	struct exit_accesses *exit;
	/* Neighbours in an_exec_accesses.undivided[group], if is_listed. */
	struct an_slot_accesses *next, *previous;
	bool is_listed;
};

/* Accesses of the executions of a block that leave by one exit. */
struct exit_accesses {
	uint64_t n_execs;
	uint64_t n_changes; /* an_owner_spans.n_changes when the stamps were
			       compared last */
	unsigned n_read;    /* slots that are read; they are the first ones */
	unsigned n_slots;   /* with those of accesses without a slot */
	struct an_slot_accesses *slot; /* [n_slots] */
	const struct an_block *block;
	uint16_t *access; /* numbers of the block's accesses, by slot; those of
			     a slot by address */
	struct slot_range range[]; /* [n_slots] */
};

struct an_block_exits {
	uint32_t n_exits;
	struct exit_accesses *exit[]; /* NULL: not executed yet */
};

/* ---- exits ---- */

static bool do_accesses_share_slot(const struct pt_access *a,
				   const struct pt_access *b)
{
	return a->slot == b->slot && a->slot != PT_NO_SLOT &&
	       (a->flags & PT_GUARDED) == (b->flags & PT_GUARDED);
}

/* Insert access @number into the last slot of @e, before those at greater
   addresses. */
static void insert_access_by_address(struct exit_accesses *e, unsigned number)
{
	struct an_slot_accesses *s = &e->slot[e->n_slots - 1];
	const struct pt_access *access = e->block->access;
	uint16_t *list = e->access + s->first_index;
	unsigned i = s->n_accesses++;

	while (i > 0 && (int64_t)(access[list[i - 1]].delta -
				  access[number].delta) > 0) {
		list[i] = list[i - 1];
		i--;
	}
	list[i] = (uint16_t)number;
}

/* Append to @e the slot of access @first with all of the exit's accesses that
   share it. */
static void append_slot_with_accesses_sharing_it(struct exit_accesses *e,
						 unsigned first,
						 unsigned n_accesses)
{
	const struct pt_access *access = e->block->access;
	const struct an_slot_accesses *before =
		e->n_slots ? &e->slot[e->n_slots - 1] : NULL;
	bool is_read = access[first].slot != PT_NO_SLOT;

	e->range[e->n_slots] = (struct slot_range){.slot = access[first].slot};
	e->slot[e->n_slots++] = (struct an_slot_accesses){
		.first_index = before ? (uint16_t)(before->first_index +
						   before->n_accesses)
				      : 0,
		.is_guarded = is_read && (access[first].flags & PT_GUARDED),
		.last_excluded = UINT64_MAX,
		.exit = e,
	};
	e->n_read += is_read;
	insert_access_by_address(e, first);
	for (unsigned i = first + 1; i < n_accesses; i++)
		if (do_accesses_share_slot(&access[first], &access[i]))
			insert_access_by_address(e, i);
}

/* Whether an access before @access of the block shares its slot. */
static bool does_earlier_access_share_slot(const struct an_block *b,
					   unsigned access)
{
	unsigned i = 0;

	if (b->access[access].slot == PT_NO_SLOT)
		return false;
	while (i < access &&
	       !do_accesses_share_slot(&b->access[i], &b->access[access]))
		i++;
	return i < access;
}

/* Append to @e the slots of its first @n_accesses accesses: those that are
   read, or else the accesses that depend on none. */
static void append_slots(struct exit_accesses *e, unsigned n_accesses,
			 bool is_read)
{
	for (unsigned i = 0; i < n_accesses; i++)
		if ((e->block->access[i].slot != PT_NO_SLOT) == is_read &&
		    !does_earlier_access_share_slot(e->block, i))
			append_slot_with_accesses_sharing_it(e, i, n_accesses);
}

/* Return the accesses of executions of @b that leave by @exit, with no data
   object. NULL: memory is short. */
static struct exit_accesses *
create_exit(struct an_arena *arena, const struct an_block *b, unsigned exit)
{
	unsigned n = b->exit[exit].n_accesses, n_slots = 0;
	struct exit_accesses *e;

	for (unsigned i = 0; i < n; i++)
		n_slots += !does_earlier_access_share_slot(b, i);
	e = an_arena_alloc(arena, sizeof(*e) + n_slots * sizeof(*e->range));
	if (e == NULL)
		return NULL;
	*e = (struct exit_accesses){
		.slot = an_arena_alloc(arena, (n_slots + 1) * sizeof(*e->slot)),
		.block = b,
		.access = an_arena_alloc(arena, (n + 1) * sizeof(*e->access)),
	};
	if (e->slot == NULL || e->access == NULL)
		return NULL;
	append_slots(e, n, true);
	append_slots(e, n, false);
	return e;
}

static struct an_block_exits *create_block_exits(struct an_arena *arena,
						 const struct an_block *b)
{
	size_t size = sizeof(struct an_block_exits) +
		      b->n_exits * sizeof(struct exit_accesses *);
	struct an_block_exits *exits = an_arena_alloc(arena, size);

	if (exits != NULL) {
		memset(exits, 0, size);
		exits->n_exits = b->n_exits;
	}
	return exits;
}

static bool grow_to_hold_block_id(struct an_exec_accesses *x, uint32_t id)
{
	uint32_t n = x->n_blocks ? x->n_blocks : 1024;
	struct an_block_exits **bigger;

	while (n <= id)
		n *= 2;
	bigger = reallocarray(x->block, n, sizeof(*bigger));
	if (bigger == NULL)
		return false;
	memset(bigger + x->n_blocks, 0, (n - x->n_blocks) * sizeof(*bigger));
	x->block = bigger;
	x->n_blocks = n;
	return true;
}

/* Return the accesses of executions of @b that leave by @exit, after creating
   them. NULL: memory is short. */
static struct exit_accesses *add_exit(struct an_exec_accesses *x,
				      const struct an_block *b, unsigned exit)
{
	struct an_block_exits **exits;

	if (b->id >= x->n_blocks && !grow_to_hold_block_id(x, b->id))
		return NULL;
	exits = &x->block[b->id];
	if (*exits == NULL)
		*exits = create_block_exits(&x->arena, b);
	if (*exits == NULL)
		return NULL;
	return (*exits)->exit[exit] = create_exit(&x->arena, b, exit);
}

/* Return the accesses of executions of block @id that leave by @exit; NULL if
   there was none. */
static struct exit_accesses *find_exit(const struct an_exec_accesses *x,
				       uint32_t id, unsigned exit)
{
	return id < x->n_blocks && x->block[id] ? x->block[id]->exit[exit]
						: NULL;
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

/* Count @n accesses to the field at @offset bytes in a data object of group
   @g. */
static void count_field_accesses(struct an_exec_accesses *x,
				 struct an_data_group *g, uint64_t offset,
				 const struct pt_access *a, uint64_t n)
{
	struct an_field_counts *f =
		an_field_uses_find_counts(x->field_uses, g, offset);

	if (f == NULL)
		return;
	f->reads += a->kind != PT_STORE ? n : 0;
	f->writes += a->kind != PT_LOAD ? n : 0;
	if (a->size > f->longest)
		f->longest = a->size;
}

/* Add the executions since the group of slot @i changed to the group's
   counts. */
static void add_pending_to_group(struct an_exec_accesses *x,
				 struct exit_accesses *e, unsigned i)
{
	struct an_slot_accesses *s = &e->slot[i];
	struct an_data_group *g = &x->owners->group[s->group];
	const uint16_t *list = e->access + s->first_index;
	uint64_t n = e->n_execs - s->n_before_group;

	for (unsigned k = 0; n > 0 && k < s->n_accesses; k++) {
		count_accesses(&g->counts, &e->block->access[list[k]], n);
		if (x->counts_fields)
			an_field_uses_add_votes(x->field_uses, g, e->block,
						list[k], n);
	}
	s->n_before_group = e->n_execs;
}

/* Add the executions since the range of slot @i changed to the counts of the
   fields. */
static void add_pending_to_fields(struct an_exec_accesses *x,
				  struct exit_accesses *e, unsigned i)
{
	struct an_slot_accesses *s = &e->slot[i];
	struct an_data_group *g = &x->owners->group[s->group];
	const uint16_t *list = e->access + s->first_index;
	uint64_t n = s->is_divided ? e->n_execs - s->n_before_range : 0;

	for (unsigned k = 0; n > 0 && k < s->n_accesses; k++) {
		const struct pt_access *a = &e->block->access[list[k]];

		count_field_accesses(
			x, g, e->range[i].first + a->delta - s->object_start, a,
			n);
	}
	s->n_before_range = e->n_execs;
}

/* ---- types of long elements ---- */

static int grow_to_hold_group(struct an_exec_accesses *x, uint32_t group)
{
	uint32_t n = x->n_groups ? x->n_groups : 64;
	struct an_slot_accesses **bigger;

	while (n <= group)
		n *= 2;
	bigger = reallocarray(x->undivided, n, sizeof(*bigger));
	if (bigger == NULL)
		return -ENOMEM;
	memset(bigger + x->n_groups, 0, (n - x->n_groups) * sizeof(*bigger));
	x->undivided = bigger;
	x->n_groups = n;
	return 0;
}

/* Remove a slot from the list of the group of its data object. */
static void unlist_slot(struct an_exec_accesses *x, struct an_slot_accesses *s)
{
	if (!s->is_listed)
		return;
	if (s->previous != NULL)
		s->previous->next = s->next;
	else
		x->undivided[s->group] = s->next;
	if (s->next != NULL)
		s->next->previous = s->previous;
	s->is_listed = false;
}

/* List slot @s if the elements of the group of its data object can still be
   divided by a type. */
static void list_slot_if_undivided(struct an_exec_accesses *x,
				   struct an_slot_accesses *s)
{
	const struct an_data_group *g = &x->owners->group[s->group];

	if (!an_data_kind_is_block(g->kind) ||
	    !an_group_fields_can_use_type_size(&g->fields))
		return;
	if (s->group >= x->n_groups && grow_to_hold_group(x, s->group) != 0) {
		x->field_uses->error = -ENOMEM;
		return;
	}
	s->previous = NULL;
	s->next = x->undivided[s->group];
	if (s->next != NULL)
		s->next->previous = s;
	x->undivided[s->group] = s;
	s->is_listed = true;
}

/* Add the executions before the current one to the fields of a group whose
   elements are then divided by a type, and empty the list of its slots. */
static void add_pending_of_undivided_group(struct an_exec_accesses *x,
					   uint32_t group)
{
	while (group < x->n_groups && x->undivided[group] != NULL) {
		struct an_slot_accesses *s = x->undivided[group];
		struct exit_accesses *e = s->exit;
		bool is_current = s->last_excluded == e->n_execs;

		s->n_before_range -= is_current;
		add_pending_to_fields(x, e, (unsigned)(s - e->slot));
		s->n_before_range += is_current;
		unlist_slot(x, s);
	}
}

/* Prepare the fields of a group for access @access of a block. If the access
   implies the type that divides the group's elements, all executions before the
   current one are first counted without that type. */
static void divide_group(struct an_exec_accesses *x, uint32_t group,
			 const struct an_block *block, unsigned access)
{
	struct an_data_group *g = &x->owners->group[group];

	if (an_field_uses_find_dividing_type(x->field_uses, g, block, access))
		add_pending_of_undivided_group(x, group);
	an_field_uses_divide_group(x->field_uses, g, block, access);
}

/* Prepare the fields of all groups that an execution with slots @slots
   accesses. */
static void divide_groups_of_exec(struct an_exec_accesses *x,
				  const struct exit_accesses *e,
				  const uint32_t *slots)
{
	for (unsigned i = 0; i < e->n_slots; i++) {
		const struct an_slot_accesses *s = &e->slot[i];
		const uint16_t *list = e->access + s->first_index;
		uint64_t value = i < e->n_read
					 ? pt_read_shared_unaligned_u64_once(
						   slots + 2 * e->range[i].slot)
					 : 0;

		for (unsigned k = 0; k < s->n_accesses &&
				     !(s->is_guarded && value == PT_NOT_DONE);
		     k++)
			divide_group(
				x,
				an_owners_find_span_of_address(
					x->owners,
					value + e->block->access[list[k]].delta)
					->group,
				e->block, list[k]);
	}
}

/* Count the accesses of slot @s of one execution with slots @slots, of which it
   has the value @value, one by one: they may be to different data objects. */
static void count_each_access(struct an_exec_accesses *x,
			      const struct exit_accesses *e,
			      const struct an_slot_accesses *s, uint64_t value,
			      const uint32_t *slots)
{
	const uint16_t *list = e->access + s->first_index;

	if (x->counts_fields)
		divide_groups_of_exec(x, e, slots);
	for (unsigned k = 0; k < s->n_accesses; k++) {
		const struct pt_access *a = &e->block->access[list[k]];
		uint64_t addr = value + a->delta;
		const struct an_owner_span *span =
			an_owners_find_span_of_address(x->owners, addr);
		struct an_data_group *g = &x->owners->group[span->group];

		count_accesses(&g->counts, a, 1);
		if (!x->counts_fields)
			continue;
		an_field_uses_add_votes(x->field_uses, g, e->block, list[k], 1);
		count_field_accesses(x, g, addr - span->object_start, a, 1);
	}
}

/* ---- ranges ---- */

/* Change the group of slot @i to @group, and have it divided into fields. */
static void change_group(struct an_exec_accesses *x, struct exit_accesses *e,
			 unsigned i, uint32_t group)
{
	struct an_slot_accesses *s = &e->slot[i];
	struct an_data_group *g = &x->owners->group[group];
	const uint16_t *list = e->access + s->first_index;

	add_pending_to_group(x, e, i);
	unlist_slot(x, s);
	s->group = group;
	if (!x->counts_fields)
		return;
	for (unsigned k = 0; k < s->n_accesses; k++)
		divide_group(x, group, e->block, list[k]);
	list_slot_if_undivided(x, s);
	s->is_divided =
		g->fields.element != 0 && g->fields.element != AN_ELEMENT_MIXED;
}

/* Set the range of slot @i to the values for which its accesses, from
   @lowest_addr to @lowest_addr + @distance for slot value @value, are in
   @span. */
static void set_range(struct exit_accesses *e, unsigned i,
		      const struct an_owner_span *span, uint64_t value,
		      uint64_t lowest_addr, uint64_t distance)
{
	struct an_slot_accesses *s = &e->slot[i];
	struct slot_range *r = &e->range[i];

	s->stamp = span->stamp;
	s->area = span->area;
	s->object_start = span->object_start;
	r->first = span->first + (value - lowest_addr);
	r->length = span->extent - (uint32_t)distance + 1;
	if (s->is_divided ||
	    (s->is_guarded && PT_NOT_DONE - r->first < r->length)) {
		r->first = value;
		r->length = 1;
	}
}

/* Count the accesses of slot @i of an execution with slots @slots, whose slot
   value @value is not in the range, and set the range anew. The execution is
   added to e->n_execs later. */
static void count_outside_range(struct an_exec_accesses *x,
				struct exit_accesses *e, unsigned i,
				uint64_t value, const uint32_t *slots)
{
	struct an_slot_accesses *s = &e->slot[i];
	const uint16_t *list = e->access + s->first_index;
	uint64_t lowest = e->block->access[list[0]].delta;
	uint64_t distance =
		e->block->access[list[s->n_accesses - 1]].delta - lowest;
	const struct an_owner_span *span =
		an_owners_find_span_of_address(x->owners, value + lowest);
	bool is_done = !s->is_guarded || value != PT_NOT_DONE;

	if (is_done) {
		add_pending_to_fields(x, e, i);
		if (distance <= span->extent - (value + lowest - span->first)) {
			if (span->group != s->group)
				change_group(x, e, i, span->group);
			set_range(e, i, span, value, value + lowest, distance);
			return;
		}
		count_each_access(x, e, s, value, slots);
		e->range[i].length = 0;
	}
	s->n_before_group++;
	s->n_before_range++;
	s->last_excluded = e->n_execs;
}

/* Clear the ranges of @e in areas in which owners changed. */
static void clear_invalid_ranges(const struct an_owner_spans *spans,
				 struct exit_accesses *e)
{
	for (unsigned i = 0; i < e->n_slots; i++)
		if (e->slot[i].stamp !=
		    an_owner_spans_stamp(spans, e->slot[i].area))
			e->range[i].length = 0;
	e->n_changes = spans->n_changes;
}

/* Count the accesses without a slot whose data objects may have changed. */
static void count_cleared_fixed_accesses(struct an_exec_accesses *x,
					 struct exit_accesses *e,
					 const uint32_t *slots)
{
	for (unsigned i = e->n_read; i < e->n_slots; i++)
		if (e->range[i].length == 0)
			count_outside_range(x, e, i, 0, slots);
}

static void count_exec(struct an_exec_accesses *x, const struct an_batch *batch,
		       struct an_exec exec, struct exit_accesses *e)
{
	const struct an_owner_spans *spans = x->owners->spans;
	const uint32_t *slots = batch->slots + an_exec_slot_offset(exec);

	if (e->n_changes != spans->n_changes) {
		clear_invalid_ranges(spans, e);
		count_cleared_fixed_accesses(x, e, slots);
	}
	for (unsigned i = 0; i < e->n_read; i++) {
		const struct slot_range *r = &e->range[i];
		uint64_t value =
			pt_read_shared_unaligned_u64_once(slots + 2 * r->slot);

		if (value - r->first >= r->length)
			count_outside_range(x, e, i, value, slots);
	}
	e->n_execs++;
}

int an_exec_accesses_count(struct an_exec_accesses *x,
			   const struct an_batch *batch,
			   const struct an_plan *plan_of_block, size_t first,
			   size_t end)
{
	if (an_owners_find_span_of_address(x->owners, 0) == NULL)
		return -ENOMEM;
	for (size_t i = first; i < end; i++) {
		struct an_exec exec = batch->exec[i];
		unsigned exit = an_exec_exit_number(exec);
		struct exit_accesses *e = find_exit(x, exec.block, exit);

		if (e == NULL)
			e = add_exit(x, plan_of_block[exec.block].data->block,
				     exit);
		if (e == NULL)
			return -ENOMEM;
		count_exec(x, batch, exec, e);
	}
	return 0;
}

/* ---- end ---- */

static void add_pending_of_exit(struct an_exec_accesses *x,
				struct exit_accesses *e)
{
	for (unsigned i = 0; e != NULL && i < e->n_slots; i++) {
		add_pending_to_group(x, e, i);
		add_pending_to_fields(x, e, i);
	}
}

void an_exec_accesses_add_pending_counts(struct an_exec_accesses *x)
{
	for (uint32_t id = 0; id < x->n_blocks; id++)
		for (uint32_t i = 0;
		     x->block[id] != NULL && i < x->block[id]->n_exits; i++)
			add_pending_of_exit(x, x->block[id]->exit[i]);
}

void an_exec_accesses_release(struct an_exec_accesses *x)
{
	free(x->block);
	free(x->undivided);
	an_arena_free_all_and_reset(&x->arena);
	x->block = NULL;
	x->undivided = NULL;
	x->n_blocks = x->n_groups = 0;
}
