/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependences.c - counts strides and dependences of the accesses of a chunk;
   see dependences.h */

#include "analyzers/loops/dependences.h"

#include <errno.h>

#include "analyzers/loops/dependence_counts.h"
#include "base/tables/array.h"

/* The cells of an access of 1, 2, 4 or 8 aligned bytes. */
struct place {
	/* The cells of the first and of the last 4 bytes of an access of 4 or 8
	   bytes, which are the same one if they have a cell in common; or the
	   first cell of the unit of a smaller access. */
	struct an_shadow_cell *cell, *last_cell;
	unsigned first, size; /* offset of the access in its unit; [bytes] of
				 the access */
};

/* ---- accesses ---- */

/* Set @place_out to the cells of an access. Return: false: it is not aligned,
   or has another size, or the cache of pages lacks its page, or the page has
   larger cells than the access. */
static inline bool find_place(const struct an_shadow *shadow,
			      const struct an_loop_access *a, uint64_t address,
			      struct place *place_out)
{
	uint64_t number = address / AN_SHADOW_PAGE;
	unsigned at = address % AN_SHADOW_PAGE, size = a->size;
	const struct an_shadow_page *p =
		an_shadow_cache_slot_of_page(shadow, number);

	if (p->number_plus_1 != number + 1 || p->shift > a->max_cell_shift ||
	    (at & (size - 1)) != 0)
		return false;
	place_out->first = at % AN_SHADOW_UNIT;
	place_out->size = size;
	if (size < AN_SHADOW_UNIT)
		at -= place_out->first;
	place_out->cell = &p->cell[at >> p->shift];
	place_out->last_cell = place_out->cell + ((size & 8) >> 1 >> p->shift);
	return true;
}

/* Set @access_out to the last load or store of the bytes of an access.
   @first_cell_member, @last_cell_member: that of p->cell and p->last_cell.
   Return: false: there are several. */
static inline bool get_last_access_if_single(const struct place *p,
					     const uint64_t *first_cell_member,
					     const uint64_t *last_cell_member,
					     uint64_t *access_out)
{
	*access_out = *first_cell_member;
	if (p->size >= AN_SHADOW_UNIT)
		return (*access_out & AN_SHADOW_SPLIT) == 0 &&
		       *access_out == *last_cell_member;
	*access_out =
		an_shadow_last_access_of_byte(first_cell_member, p->first);
	return p->size == 1 ||
	       *access_out == an_shadow_last_access_of_byte(first_cell_member,
							    p->first + 1);
}

/* Set the last load or store of the bytes of an access. @member_of_first_cell,
   @member_of_last_cell: as above. */
static inline void set_last_access_in_first_and_last_cell(
	const struct place *p, uint64_t *member_of_first_cell,
	uint64_t *member_of_last_cell, uint64_t now)
{
	if (p->size >= AN_SHADOW_UNIT)
		*member_of_first_cell = *member_of_last_cell = now;
	else
		an_shadow_set_last_access_of_bytes(member_of_first_cell,
						   p->first, p->first + p->size,
						   now);
}

/* Count the flow dependence of load @a, and store it in the shadow. */
static inline void
count_flow_and_store_load(const struct an_dependence_context *c,
			  const struct an_loop_access *a, uint64_t address,
			  const struct place *p)
{
	uint64_t store;

	if (!get_last_access_if_single(p, &p->cell->store, &p->last_cell->store,
				       &store)) {
		an_dependences_count_access_of_any_size(c, a, address, false);
		return;
	}
	set_last_access_in_first_and_last_cell(p, &p->cell->load,
					       &p->last_cell->load,
					       c->now | (uint64_t)a->node << 1);
	an_dependences_count_flow_if_carried(c, a->node, store);
}

/* Count the dependences of @a, which stores, and store it in the shadow.
   @counts_anti_and_output: whether it counts these, too. */
static inline void count_store_dependences_and_note_store(
	const struct an_dependence_context *c, const struct an_loop_access *a,
	uint64_t address, const struct place *p, bool counts_anti_and_output)
{
	uint64_t load = 0, store, now = c->now | (uint64_t)a->node << 1;

	if (!get_last_access_if_single(p, &p->cell->store, &p->last_cell->store,
				       &store) ||
	    (counts_anti_and_output &&
	     !get_last_access_if_single(p, &p->cell->load, &p->last_cell->load,
					&load))) {
		an_dependences_count_access_of_any_size(c, a, address,
							counts_anti_and_output);
		return;
	}
	set_last_access_in_first_and_last_cell(p, &p->cell->store,
					       &p->last_cell->store, now);
	if (a->kind == PT_MODIFY) {
		set_last_access_in_first_and_last_cell(
			p, &p->cell->load, &p->last_cell->load, now);
		an_dependences_count_flow_if_carried(c, a->node, store);
	}
	if (!counts_anti_and_output)
		return;
	an_dependences_count_of_store(c, a->node, load, AN_DEPENDENCE_ANTI);
	an_dependences_count_of_store(c, a->node, store, AN_DEPENDENCE_OUTPUT);
}

/* Count the dependences that runs of chosen loops carry to access @a, and store
   the access in the shadow. @moved: whether it is not at the address of its
   previous execution in a loop; false if there is none. */
static inline __attribute__((always_inline)) void
count_dependences_and_set_last_access(const struct an_dependence_context *c,
				      const struct an_loop_access *a,
				      uint64_t address, bool moved)
{
	bool counts_anti_and_output =
		a->kind != PT_LOAD && moved && c->run != NULL;
	struct place p;

	if (!find_place(&c->thread->shadow, a, address, &p))
		an_dependences_count_access_of_any_size(c, a, address,
							counts_anti_and_output);
	else if (a->kind == PT_LOAD)
		count_flow_and_store_load(c, a, address, &p);
	else if (a->kind == PT_MODIFY || counts_anti_and_output)
		count_store_dependences_and_note_store(c, a, address, &p,
						       counts_anti_and_output);
	else
		set_last_access_in_first_and_last_cell(
			&p, &p.cell->store, &p.last_cell->store,
			c->now | (uint64_t)a->node << 1);
}

/* Set @address_out to the address of an access. Return: whether it was done.
   @slots: the slots (recorded addresses) of the execution. */
static inline bool get_address_if_done(const struct an_loop_access *a,
				       const uint32_t *slots,
				       uint64_t *address_out)
{
	uint64_t base = 0;

	if (a->has_slot)
		base = pt_read_shared_unaligned_u64_once(slots + a->slot_word);
	*address_out = base + a->delta;
	return !a->is_guarded || base != PT_NOT_DONE;
}

/* ---- groups ---- */

/* Set @lane_out to the lane of the run of @g in @s. @is_first: it is lane 0;
   while a run of a chosen loop is active, a constant, so that no access looks
   at it. Return: 0 or -ENOMEM. */
static inline __attribute__((always_inline)) int
find_or_add_lane_of_loop_run(struct an_dependence_state *d,
			     struct an_strides *s,
			     const struct an_loop_access_group *g,
			     bool is_first, struct an_stride_lane **lane_out)
{
	*lane_out =
		is_first ? &s->first
			 : an_strides_find_or_add_lane(s, g->lane, &d->lanes);
	return *lane_out == NULL ? -ENOMEM : 0;
}

/* Count the strides of the accesses of @g that are in a loop. @slots: of the
   execution. Return: 0 or -ENOMEM. */
static int count_strides_of_group(struct an_dependence_state *d,
				  const struct an_loop_access_group *g,
				  const uint32_t *slots)
{
	struct an_stride_lane *lane;
	uint64_t address;

	for (unsigned i = 0; i < g->n_accesses; i++) {
		struct an_strides *s = g->access[i].strides;

		if (s == NULL ||
		    !get_address_if_done(&g->access[i], slots, &address))
			continue;
		if (find_or_add_lane_of_loop_run(d, s, g, g->lane == 0,
						 &lane) != 0)
			return -ENOMEM;
		an_strides_count(s, lane, address, g->run);
	}
	return 0;
}

/* Return the run of @t with number @number; NULL: it is not one of a chosen
   loop. Most are the newest one. */
static struct an_chosen_run *
find_run_or_null(const struct an_dependence_thread *t, uint64_t number)
{
	for (size_t i = t->n_runs; i > 0 && t->run[i - 1].number >= number; i--)
		if (t->run[i - 1].number == number)
			return &t->run[i - 1];
	return NULL;
}

/* Set the members of @c for the accesses of @g in the current iterations of the
   thread, which has runs. */
static void
set_times_and_run_of_access_group(struct an_dependence_context *c,
				  const struct an_loop_access_group *g)
{
	const struct an_dependence_thread *t = c->thread;
	const struct an_chosen_run *newest = &t->run[t->n_runs - 1];

	c->begin = t->run[0].begin_time << AN_SHADOW_TIME_SHIFT;
	c->span = (newest->iteration_time << AN_SHADOW_TIME_SHIFT) - c->begin;
	c->now = t->time << AN_SHADOW_TIME_SHIFT;
	c->run_number = g->run;
	c->run = find_run_or_null(t, g->run);
	if (c->run != NULL) {
		c->run_begin = c->run->begin_time << AN_SHADOW_TIME_SHIFT;
		c->run_span = (c->run->iteration_time << AN_SHADOW_TIME_SHIFT) -
			      c->run_begin;
	}
}

/* Count the strides and dependences of the accesses of @g, while a run of a
   chosen loop is active. @slots: of the execution. @is_first_lane: g->lane is
   0. Return: 0 or -ENOMEM. */
static inline __attribute__((always_inline)) int
count_strides_and_dependences_of_group(const struct an_dependence_context *c,
				       const struct an_loop_access_group *g,
				       const uint32_t *slots,
				       bool is_first_lane)
{
	const struct an_loop_access *a = g->access, *end = a + g->n_accesses;
	uint64_t run_number = g->run;

	for (; a < end; a++) {
		struct an_strides *s = a->strides;
		struct an_stride_lane *lane;
		bool moved = false;
		uint64_t address;

		if (!get_address_if_done(a, slots, &address))
			continue;
		if (s != NULL && run_number != 0) {
			if (find_or_add_lane_of_loop_run(c->state, s, g,
							 is_first_lane, &lane))
				return -ENOMEM;
			moved = lane->run != 0 && lane->address != address;
			an_strides_count(s, lane, address, run_number);
		}
		count_dependences_and_set_last_access(c, a, address, moved);
	}
	return 0;
}

/* Count like count_strides_and_dependences_of_group() a group whose run has
   another lane than 0. */
static __attribute__((noinline)) int
count_strides_and_dependences_other_lane(const struct an_dependence_context *c,
					 const struct an_loop_access_group *g,
					 const uint32_t *slots)
{
	return count_strides_and_dependences_of_group(c, g, slots, false);
}

/* Follow the event of @g, and count its accesses. @c: of the previous group; of
   none if c->thread is NULL. */
static inline void apply_event_and_count_accesses_of_group(
	struct an_dependence_state *d, struct an_dependence_context *c,
	const struct an_loop_access_group *g, const uint32_t *chunk_slots)
{
	const uint32_t *slots;
	int err;

	if (g->event != AN_LOOP_NO_EVENT) {
		an_dependences_apply_event(d, g);
		c->thread = NULL;
	}
	if (g->event >= AN_LOOP_FIRST_WITHOUT_ACCESSES || g->n_accesses == 0)
		return;
	slots = chunk_slots + g->first_slot_word;
	if (d->thread[d->running].n_runs == 0) {
		if (g->run != 0 && count_strides_of_group(d, g, slots) != 0)
			d->error = -ENOMEM;
		return;
	}
	if (c->thread == NULL || c->run_number != g->run) {
		c->thread = &d->thread[d->running];
		set_times_and_run_of_access_group(c, g);
	}
	err = __builtin_expect(g->lane == 0, 1)
		      ? count_strides_and_dependences_of_group(c, g, slots,
							       true)
		      : count_strides_and_dependences_other_lane(c, g, slots);
	if (err)
		d->error = err;
}

int an_dependences_count_of_access_groups(struct an_dependence_state *d,
					  struct an_loop_inflight *in,
					  const uint32_t *chunk_slots)
{
	struct an_dependence_context c = {.state = d};

	if (d->n_threads == 0)
		d->error = al_array_reserve_zeroed(d->thread, d->n_threads, 1);
	for (size_t i = 0; i < in->n_groups && !d->error; i++)
		apply_event_and_count_accesses_of_group(d, &c, &in->group[i],
							chunk_slots);
	in->n_groups = 0;
	return d->error;
}
