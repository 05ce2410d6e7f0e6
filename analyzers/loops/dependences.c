/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependences.c - counts strides and dependences of the accesses of a chunk; see
   dependences.h */

#include "analyzers/loops/dependences.h"

#include <errno.h>

#include "analyzers/loops/dependence_counts.h"
#include "base/tables/array.h"

/* The cells of an access of 1, 2, 4 or 8 aligned bytes. */
struct place {
	/* The cells of the first and of the last 4 bytes of an access of 4 or 8
	   bytes, which are the same one if they have a cell in common; or the
	   first cell of the unit of a smaller access, twice. NULL: another
	   access, or its cells are missing or too large. */
	struct an_shadow_cell *cell, *last_cell;
	unsigned first; /* the access's first byte in its unit */
	unsigned size;	/* [bytes] */
};

/* ---- accesses ---- */

/* Return the cells of an access of @size bytes. */
static inline struct place find_place(const struct an_shadow *shadow,
				      uint64_t address, unsigned size)
{
	struct place place = {.first = address % AN_SHADOW_UNIT, .size = size};
	unsigned at = address % AN_SHADOW_PAGE;
	const struct an_shadow_page *p;

	if (size > 8 || (size & (size - 1)) != 0 || (at & (size - 1)) != 0 ||
	    shadow->n_buckets == 0)
		return place;
	p = an_shadow_find_page_or_free_bucket(shadow,
					       address / AN_SHADOW_PAGE);
	if (p->cell == NULL || 1u << p->shift > size)
		return place;
	if (size < AN_SHADOW_UNIT)
		at -= place.first;
	place.cell = &p->cell[at >> p->shift];
	place.last_cell = place.cell + ((size & 8) >> 1 >> p->shift);
	return place;
}

/* Set @access_out to the last load or store of the bytes of an access. @member,
   @last_member: that of p->cell and p->last_cell. Return: false: there are
   several. */
static inline bool get_last_access_if_single(const struct place *p,
					     const uint64_t *member,
					     const uint64_t *last_member,
					     uint64_t *access_out)
{
	*access_out = *member;
	if (p->size >= AN_SHADOW_UNIT)
		return (*member & AN_SHADOW_WHOLE) && *member == *last_member;
	*access_out = an_shadow_last_access_of_byte(member, p->first);
	return p->size == 1 || *access_out == an_shadow_last_access_of_byte(
						      member, p->first + 1);
}

/* Set the last load or store of the bytes of an access. @member, @last_member:
   as above. */
static inline void set_last_access(const struct place *p, uint64_t *member,
				   uint64_t *last_member, uint64_t now)
{
	if (p->size >= AN_SHADOW_UNIT)
		*member = *last_member = now;
	else
		an_shadow_set_last_access_of_bytes(member, p->first,
						   p->first + p->size, now);
}

/* Count the flow dependences of load @a, and store it in the shadow, like
   count_dependences_and_store_access(). */
static inline int
count_flow_and_store_load(const struct an_dependence_context *c,
			  const struct an_loop_access *a, uint64_t address,
			  const struct place *p)
{
	uint64_t store;

	if (!get_last_access_if_single(p, &p->cell->store, &p->last_cell->store,
				       &store))
		return an_dependences_count_access_of_any_size(c, a, address,
							       false);
	set_last_access(p, &p->cell->load, &p->last_cell->load,
			c->now | (uint64_t)a->node << 1);
	return an_dependences_count_flow_if_carried(c, a->node, store);
}

/* Count the anti and output dependences of store @a, and store it in the shadow,
   like count_dependences_and_store_access(). */
static inline int
count_anti_and_output_and_store_store(const struct an_dependence_context *c,
				      const struct an_loop_access *a,
				      uint64_t address, const struct place *p)
{
	uint64_t load, store;
	int err;

	if (!get_last_access_if_single(p, &p->cell->load, &p->last_cell->load,
				       &load) ||
	    !get_last_access_if_single(p, &p->cell->store, &p->last_cell->store,
				       &store))
		return an_dependences_count_access_of_any_size(c, a, address,
							       true);
	set_last_access(p, &p->cell->store, &p->last_cell->store,
			c->now | (uint64_t)a->node << 1);
	err = an_dependences_count_anti_or_output_if_carried(
		c, a->node, load, AN_DEPENDENCE_ANTI);
	return err ? err
		   : an_dependences_count_anti_or_output_if_carried(
			     c, a->node, store, AN_DEPENDENCE_OUTPUT);
}

/* Count the dependences that runs of chosen loops carry to access @a, and store
   the access in the shadow. @moved: whether it is not at the address of its
   previous execution. Return: 0; -ENOMEM, also if the cells would exceed
   AN_MAX_SHADOW. */
static inline int
count_dependences_and_store_access(const struct an_dependence_context *c,
				   const struct an_loop_access *a,
				   uint64_t address, bool moved)
{
	bool counts_anti_and_output =
		a->kind != PT_LOAD && moved && c->run != NULL;
	struct place p = find_place(&c->thread->shadow, address, a->size);

	if (p.cell == NULL || a->kind > PT_STORE)
		return an_dependences_count_access_of_any_size(
			c, a, address, counts_anti_and_output);
	if (a->kind == PT_LOAD)
		return count_flow_and_store_load(c, a, address, &p);
	if (counts_anti_and_output)
		return count_anti_and_output_and_store_store(c, a, address, &p);
	set_last_access(&p, &p.cell->store, &p.last_cell->store,
			c->now | (uint64_t)a->node << 1);
	return 0;
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

/* Count the strides of the accesses of @g that are in a loop. @slots: of the
   execution. */
static void count_strides_of_group(const struct an_loop_access_group *g,
				   const uint32_t *slots)
{
	uint64_t address;

	for (unsigned i = 0; i < g->n_accesses; i++)
		if (g->access[i].strides != NULL &&
		    get_address_if_done(&g->access[i], slots, &address))
			an_strides_count(g->access[i].strides, address, g->run);
}

/* Return the run of @t with number @number; NULL: it is not one of a chosen
   loop. Most are the newest one. */
static const struct an_chosen_run *
find_run_or_null(const struct an_dependence_thread *t, uint64_t number)
{
	for (size_t i = t->n_runs; i > 0 && t->run[i - 1].number >= number; i--)
		if (t->run[i - 1].number == number)
			return &t->run[i - 1];
	return NULL;
}

/* Set the members of @c for accesses in run number @run_number. */
static inline void set_context(struct an_dependence_context *c,
			       uint64_t run_number)
{
	const struct an_dependence_thread *t = c->thread;
	const struct an_chosen_run *newest = &t->run[t->n_runs - 1];

	c->begin = t->run[0].begin_time << AN_SHADOW_TIME_SHIFT;
	c->span = (newest->iteration_time << AN_SHADOW_TIME_SHIFT) - c->begin;
	c->now = t->time << AN_SHADOW_TIME_SHIFT | AN_SHADOW_WHOLE;
	c->run = find_run_or_null(t, run_number);
	if (c->run != NULL) {
		c->run_begin = c->run->begin_time << AN_SHADOW_TIME_SHIFT;
		c->run_span = (c->run->iteration_time << AN_SHADOW_TIME_SHIFT) -
			      c->run_begin;
	}
}

/* Count the strides and dependences of the accesses of @g, while a run of a
   chosen loop is active. @slots: of the execution. Return: 0 or -ENOMEM. */
static int
count_strides_and_dependences_of_group(struct an_dependence_context *c,
				       const struct an_loop_access_group *g,
				       const uint32_t *slots)
{
	const struct an_loop_access *a = g->access, *end = a + g->n_accesses;
	int err = 0;

	set_context(c, g->run);
	for (; a < end && !err; a++) {
		struct an_strides *s = a->strides;
		bool moved = false;
		uint64_t address;

		if (!get_address_if_done(a, slots, &address))
			continue;
		if (s != NULL && g->run != 0) {
			moved = s->run == 0 || s->address != address;
			an_strides_count(s, address, g->run);
		}
		err = count_dependences_and_store_access(c, a, address, moved);
	}
	return err;
}

/* Follow the event of @g, and count its accesses. Return: 0; -ENOMEM;
   -EOVERFLOW. */
static inline int count_group(struct an_dependence_state *d,
			      const struct an_loop_access_group *g,
			      const uint32_t *chunk_slots)
{
	struct an_dependence_context c = {.state = d,
					  .thread = &d->thread[d->running]};
	int err = 0;

	if (g->event >= AN_LOOP_FIRST_WITHOUT_ACCESSES)
		return an_dependences_follow_event(d, g);
	if (g->event == AN_LOOP_ITERATES)
		err = an_dependences_iterate_newest_run(c.thread);
	if (err || g->n_accesses == 0)
		return err;
	if (c.thread->n_runs > 0)
		return count_strides_and_dependences_of_group(
			&c, g, chunk_slots + g->first_slot_word);
	if (g->run != 0)
		count_strides_of_group(g, chunk_slots + g->first_slot_word);
	return 0;
}

int an_dependences_count_groups(struct an_dependence_state *d,
				struct an_loop_inflight *in,
				const uint32_t *chunk_slots)
{
	int err = 0;

	if (d->n_threads == 0)
		err = al_array_reserve_zeroed(d->thread, d->n_threads, 1);
	for (size_t i = 0; i < in->n_groups && !err; i++)
		err = count_group(d, &in->group[i], chunk_slots);
	in->n_groups = 0;
	return err;
}
