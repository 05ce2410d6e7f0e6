/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover.c - recovers executions from the units of a chunk; see recover.h */

#include "lib/recover/recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/recover/recover_warmup.h"

enum {
	PREFETCH = 512, /* prefetch distance from the unit being read [4
			   bytes] */
	/* Flags in the bits above the length of a route's units. A length is
	   less than each flag, so units of a route with a flag are not
	   processed by the fast loop, recover_known_block_units(): */
	UNRESOLVED = PT_LENGTH + 1,  /* the route's block is not known yet */
	GUARDED = 2 * UNRESOLVED,    /* the block has conditional accesses */
	UNSELECTED = 4 * UNRESOLVED, /* no lane (thread_filter.h) of the running
				   thread selects the block */
	WARM = 8 * UNRESOLVED, /* a warm lane (recover_warmup.h) may select
				   the block */
};

static unsigned count_thread_classes(const struct al_recoverer *r)
{
	return r->recovery->lanes.n;
}

/* Return the route counters of thread class @class. Context: a thread of this
   class has run in the recoverer's chunks. */
static const struct al_route_counters *
route_counters_of_class(const struct al_recoverer *r, unsigned class)
{
	return class ? &r->class_counters[class - 1] : &r->counters;
}

/* Return the route counters of the running thread's class (al_lanes.class). */
static struct al_route_counters *
route_counters_of_current_class(struct al_recoverer *r)
{
	return (struct al_route_counters *)route_counters_of_class(r, r->class);
}

/* Enlarge the table of route counters of the running thread's class (the
   threads that belong to the same lanes) to all routes (a block and one of its
   exits) of the log. New routes are UNRESOLVED. Return: 0; -ENOMEM. */
static int grow_route_counters_to_all_routes(struct al_recoverer *r)
{
	uint32_t n = r->recovery->blocks.n_routes;
	struct al_route_counters *routes = route_counters_of_current_class(r);
	void *p = realloc(routes->route, n * sizeof(*routes->route));

	if (p == NULL)
		return -ENOMEM;
	routes->route = p;
	for (; routes->n < n; routes->n++)
		routes->route[routes->n] =
			(struct al_route_counter){.count_length = UNRESOLVED};
	return 0;
}

/* Return the low 16 bits of a counter's count_length: the length of the route's
   units in units of 4 bytes, and above it the flags of the route. */
static unsigned
unit_words_and_flags_of_route(const struct al_route_counter *counter)
{
	return (uint16_t)counter->count_length;
}

/* Return an execution as one integer: the block in the low 32 bits, exit and
   slot offset in the high 32 bits. */
static uint64_t pack_block_execution_into_u64(struct an_exec e)
{
	return (uint64_t)e.exit_and_offset << 32 | e.block;
}

static struct an_exec unpack_block_execution_from_u64(uint64_t word)
{
	return (struct an_exec){(uint32_t)word, (uint32_t)(word >> 32)};
}

/* Add block @b to the recoverer's known blocks, allocate the counters of its
   guards if it has guards, and set the counters of its routes for the running
   thread's class to 0. Return: 0; -ENOMEM. */
static int add_known_block_and_zero_route_counters(struct al_recoverer *r,
						   struct al_block *b)
{
	const struct al_desc *d = b->desc;
	struct al_known_block *m;

	if (al_array_reserve_zeroed(r->known, r->n_known, b->pub.id + 1) != 0)
		return -ENOMEM;
	m = &r->known[b->pub.id];
	if (b->skipped != NULL && m->skipped == NULL)
		m->skipped = calloc(d->n_accesses, sizeof(*m->skipped));
	if (b->skipped != NULL && m->skipped == NULL)
		return -ENOMEM;
	m->block = b;
	for (unsigned e = 0; e < d->n_exits; e++)
		route_counters_of_current_class(r)
			->route[d->first_route + e] = (struct al_route_counter){
			d->exit[e].bytes / 4u | (b->skipped ? GUARDED : 0),
			pack_block_execution_into_u64(an_exec(b->pub.id, e, 0)),
		};
	return 0;
}

/* Set the counter of each exit (route) of a block, for the running thread's
   class: count 0, the size [4-byte words] of a unit that leaves by this exit,
   and the flag UNSELECTED. */
static void
reset_block_route_counters_unselected(struct al_recoverer *r,
				      const struct al_desc *block_desc)
{
	for (unsigned e = 0; e < block_desc->n_exits; e++)
		route_counters_of_current_class(r)
			->route[block_desc->first_route + e]
			.count_length =
			block_desc->exit[e].bytes / 4u | UNSELECTED;
}

/* If warm lanes (thread filters of warm-ups) of the running thread may select
   block @d, store @d for warm-up executions and set the flag WARM of its
   routes. Return: 0; -ENOMEM. */
static int store_desc_flag_routes_if_warmup_selects(struct al_recoverer *r,
						    const struct al_desc *d)
{
	bool listed;
	int err = al_recover_store_warmup_desc(r, d, &listed);

	for (unsigned e = 0; listed && e < d->n_exits; e++)
		route_counters_of_current_class(r)
			->route[d->first_route + e]
			.count_length |= WARM;
	return err;
}

/* Find the block of @route, and add it to the executed blocks if it is new and
   a lane (a window's thread filter) of the running thread's class selects it.
   Set the execution counts of all the block's routes to 0 for that class, and
   store the lengths of the routes' units and their flags. Return: 0; -EPROTO if
   the log has no such route; -ENOMEM. Context: lock held. */
static int add_block_and_counters_of_route(struct al_recoverer *r,
					   uint32_t route)
{
	struct al_recovery *all = r->recovery;
	struct al_block *b;
	uint32_t id;
	int err = 0;

	if (route >= all->blocks.n_routes)
		return -EPROTO;
	id = al_blocks_find_block_id_of_route(&all->blocks, route);
	if (route >= route_counters_of_current_class(r)->n)
		err = grow_route_counters_to_all_routes(r);
	if (!err)
		err = al_executed_find_or_add_block(
			&all->executed, &all->blocks, id, r->class, &b);
	if (err)
		return err;
	if (b)
		err = add_known_block_and_zero_route_counters(r, b);
	else
		reset_block_route_counters_unselected(r, all->blocks.desc[id]);
	return err ? err
		   : store_desc_flag_routes_if_warmup_selects(
			     r, all->blocks.desc[id]);
}

/* Call add_block_and_counters_of_route() with the lock held, unless this
   recoverer has already done so for @route and the running thread's class.
   Return: 0; -EPROTO if the log has no such route; -ENOMEM. */
static int add_block_and_exit_of_route_if_unknown(struct al_recoverer *r,
						  uint32_t route)
{
	int err;

	if (route < route_counters_of_current_class(r)->n &&
	    unit_words_and_flags_of_route(
		    &route_counters_of_current_class(r)->route[route]) !=
		    UNRESOLVED)
		return 0;
	pthread_mutex_lock(&r->recovery->lock);
	err = add_block_and_counters_of_route(r, route);
	pthread_mutex_unlock(&r->recovery->lock);
	return err;
}

/* Add @increment to the element of @skips_by_access of each access of block @d
   before exit @exit_index whose guard was false in the unit. @skips_by_access:
   [n_accesses]; NULL: the block has no guards. @slots: first slot of the
   unit. */
static void add_skips_of_false_guarded_accesses(uint64_t *skips_by_access,
						const struct al_desc *d,
						unsigned exit_index,
						const uint32_t *slots,
						uint64_t increment)
{
	for (unsigned i = 0;
	     skips_by_access && i < d->exit[exit_index].n_accesses; i++) {
		const struct pt_access *a = &d->access[i];

		if ((a->flags & PT_GUARDED) && a->slot != PT_NO_SLOT &&
		    pt_read_shared_unaligned_u64_once(slots + 2 * a->slot) ==
			    PT_NOT_DONE)
			skips_by_access[i] += increment;
	}
}

/* Count the execution of a PT_CUT unit of @unit_bytes: a block stopped by a
   fault. @block_or_null: receives the block that represents the part before the
   fault, added if it is new; NULL if no lane of the thread selects an
   instruction of it. Return: 0; -EPROTO; -AL_E_PARTIAL_BYTES; -ENOMEM. Context:
   lock held. */
static int count_fault_stopped_execution(struct al_recoverer *r,
					 unsigned unit_bytes,
					 const uint32_t *unit,
					 struct al_block **block_or_null)
{
	struct al_recovery *all = r->recovery;
	/* the block's id: the third word of 32 bits from the end; the last two
	   are the position, see pt_encode_block_cut_position() */
	const uint32_t *id = unit + unit_bytes / 4 - 3;
	struct al_block *b;
	int err;

	if (unit_bytes < 16)
		return -EPROTO;
	err = al_executed_find_or_add_faulted_part(
		&all->executed, &all->blocks, pt_read_shared_u32_relaxed(id),
		pt_read_shared_unaligned_u64_once(id + 1), r->class, &b);
	if (!err && b && b->desc->exit[0].bytes + 12u != unit_bytes)
		err = -EPROTO;
	*block_or_null = b;
	if (err || !b)
		return err;
	b->exit_count[0]++;
	add_skips_of_false_guarded_accesses(b->skipped, b->desc, 0, unit + 1,
					    1);
	return 0;
}

/* Count the execution of the PT_CUT unit at @c->next, a block stopped by a
   fault, and append it to chunk @p. The part before the fault is a separate
   block; its counter is changed directly, because faults are rare. Return: 0 or
   a negative error. */
static int count_and_append_fault_stopped_execution(
	struct al_recoverer *r, unsigned unit_bytes,
	const struct al_unit_reader *c, struct al_recovered_chunk *p)
{
	struct al_block *b = NULL;
	int err;

	pthread_mutex_lock(&r->recovery->lock);
	err = count_fault_stopped_execution(r, unit_bytes, c->base + c->next,
					    &b);
	if (!err)
		err = al_recover_add_faulted_warmup_execution(r, unit_bytes, c,
							      b, p);
	pthread_mutex_unlock(&r->recovery->lock);
	if (err || !b)
		return err;
	p->exec[p->n_execs++] = an_exec(b->pub.id, 0, (uint32_t)c->next + 1);
	p->n_partial_blocks++;
	return 0;
}

/* Use the route counters of the class (al_lanes.class) of this thread, which
   runs from here on; allocate the counters of the classes from 1 on at first
   use. Does nothing if there is only one class. Return: 0; -ENOMEM. */
static int switch_to_thread_class_of_running(struct al_recoverer *r,
					     uint32_t running_thread)
{
	unsigned n = count_thread_classes(r);

	if (n == 1)
		return 0;
	r->recovery->thread = running_thread;
	r->class = al_lanes_class_of_thread_or_0(&r->recovery->lanes,
						 running_thread);
	if (r->class && !r->class_counters)
		r->class_counters = calloc(n - 1, sizeof(*r->class_counters));
	return r->class && !r->class_counters ? -ENOMEM : 0;
}

/* Append the control unit at @c->next to chunk @p: by its kind as an event, an
   execution stopped by a fault, the exit of a child, the start of a window with
   warmup, or a mark (an_mark). PT_THREAD also switches to the thread's class.
   Return: 0 or a negative error. */
static int append_control_unit_by_kind(struct al_recoverer *r, uint32_t header,
				       const struct al_unit_reader *c,
				       struct al_recovered_chunk *p)
{
	const uint32_t *unit = c->base + c->next;
	unsigned kind = pt_control_unit_kind(header),
		 bytes = pt_unit_length_in_bytes(header);
	uint32_t id = pt_read_shared_u32_relaxed(unit + 1);
	int err = 0;

	if (kind >= PT_FIRST_EVENT)
		return al_recovered_chunk_add_event(p, kind, id, unit + 2,
						    (bytes - 8) / 8);
	switch (kind) {
	case PT_CUT:
		return count_and_append_fault_stopped_execution(r, bytes, c, p);
	case PT_CHILD_EXIT:
		if (bytes < 16)
			return -EPROTO;
		return al_recovered_chunk_add_child_exit(
			p, id,
			(uint32_t)pt_read_shared_unaligned_u64_once(unit + 2));
	case PT_THREAD:
		err = switch_to_thread_class_of_running(r, id);
		break;
	case PT_WINDOW_RECORDS:
		if (bytes < 16 || id >= r->recovery->lanes.n_windows)
			return -EPROTO;
		return al_recovered_chunk_add_warmup_start(
			p, id, pt_read_shared_unaligned_u64_once(unit + 2));
	case PT_WINDOW_OPEN:
	case PT_WINDOW_CLOSE:
		err = id < r->recovery->lanes.n_windows ? 0 : -EPROTO;
		break;
	}
	return err ? err : al_recovered_chunk_add_mark(p, kind, id);
}

/* Count the execution of the block unit at @c->next and append it to chunk @p,
   for a route that recover_known_block_units() cannot process. An execution
   that no lane (thread filter of a window) of the thread selects is not counted
   or appended; one that a lane of a warm-up may select is appended to the
   warm-up executions. Return: 0; -EPROTO; -ENOMEM. */
static int recover_and_append_block_execution(struct al_recoverer *r,
					      uint32_t header,
					      const struct al_unit_reader *c,
					      struct al_recovered_chunk *p)
{
	uint32_t route = pt_block_unit_route(header),
		 first_slot = (uint32_t)c->next + 1;
	int err = add_block_and_exit_of_route_if_unknown(r, route);
	struct al_known_block *known_block;
	struct an_exec e;
	struct al_route_counter *counter;
	unsigned flags;

	if (err)
		return err;
	counter = &route_counters_of_current_class(r)->route[route];
	flags = unit_words_and_flags_of_route(counter);
	if ((flags & PT_LENGTH) != pt_unit_length_in_u32s(header))
		return -EPROTO;
	if (flags & WARM)
		err = al_recover_append_warmup_execution(
			r, header, first_slot, !(flags & UNSELECTED), p);
	if (err || (flags & UNSELECTED))
		return err;
	counter->count_length += AL_COUNT_ONE;
	e = unpack_block_execution_from_u64(counter->exec);
	known_block = &r->known[e.block];
	add_skips_of_false_guarded_accesses(
		known_block->skipped, known_block->block->desc,
		an_exec_exit_number(e), c->base + first_slot, 1);
	p->exec[p->n_execs++] =
		an_exec(e.block, an_exec_exit_number(e), first_slot);
	return 0;
}

/*
 * Count executions and append them to chunk @p, up to the first unit that is
 * not an execution of a known block or whose route has a flag. One comparison
 * with the length of the route's units finds such a unit and checks the length
 * of every other: a control unit's length is even, and a block unit's is odd.
 * Whether the last unit exceeds the end of the chunk is checked once, after the
 * loop.
 */
static void recover_known_block_units(struct al_recoverer *r,
				      struct al_unit_reader *c,
				      struct al_recovered_chunk *p)
{
	const uint32_t *base = c->base;
	struct al_route_counter *table = route_counters_of_current_class(r)
						 ->route,
				*counter = NULL;
	struct an_exec *exec = p->exec + p->n_execs, *first = exec;
	size_t offset = c->next, end = c->end, length = 0;
	uint32_t n_counters = route_counters_of_current_class(r)->n;

	while (offset < end) {
		uint32_t header = pt_read_shared_u32_relaxed(base + offset);
		uint32_t route = pt_block_unit_route(header);
		uint64_t word;

		if (route >= n_counters)
			break;
		length = pt_unit_length_in_u32s(header);
		if (unit_words_and_flags_of_route(&table[route]) != length)
			break;
		counter = &table[route];
		__builtin_prefetch(base + offset + PREFETCH);
		counter->count_length += AL_COUNT_ONE;
		word = counter->exec + ((uint64_t)(offset + 1) << 32);
		memcpy(exec++, &word, sizeof(word));
		offset += length;
	}
	if (offset > end) {
		counter->count_length -= AL_COUNT_ONE;
		exec--;
		offset -= length;
	}
	c->next = offset;
	p->n_execs += (size_t)(exec - first);
}

/* Append the unit at @c->next, of any kind, to chunk @p, and advance @c->next
   past it. After an error, @c->next is unchanged. Return: 0 or a negative
   error. */
static int recover_next_unit(struct al_recoverer *r, struct al_unit_reader *c,
			     struct al_recovered_chunk *p)
{
	uint32_t header = pt_read_shared_u32_relaxed(c->base + c->next);
	unsigned bytes = pt_unit_length_in_bytes(header);
	int err;

	if (bytes == 0 || bytes > 4 * (c->end - c->next))
		return -EPROTO;
	err = pt_unit_is_block(header)
		      ? recover_and_append_block_execution(r, header, c, p)
		      : append_control_unit_by_kind(r, header, c, p);
	if (!err)
		c->next += bytes / 4;
	return err;
}

int al_recover_units(struct al_recoverer *r, struct al_unit_reader *c,
		     struct al_recovered_chunk *p)
{
	int err = switch_to_thread_class_of_running(r, r->recovery->thread);

	while (!err && c->next < c->end) {
		recover_known_block_units(r, c, p);
		if (c->next < c->end)
			err = recover_next_unit(r, c, p);
	}
	return err;
}

uint64_t al_recoverer_exit_count(const struct al_recoverer *r,
				 const struct al_known_block *known_block,
				 unsigned exit_index)
{
	const struct al_block *b = known_block->block;

	return route_counters_of_class(r, b->class)
		       ->route[b->desc->first_route + exit_index]
		       .count_length /
	       AL_COUNT_ONE;
}

void al_recovery_uncount_and_clear_chunk(struct al_recovery *all,
					 struct al_recovered_chunk *p)
{
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < p->n_execs; i++) {
		struct an_exec e = p->exec[i];
		struct al_block *b = all->executed.block[e.block];

		b->exit_count[an_exec_exit_number(e)]--;
		add_skips_of_false_guarded_accesses(
			b->skipped, b->desc, an_exec_exit_number(e),
			p->base + an_exec_first_slot_word_index(e), UINT64_MAX);
	}
	pthread_mutex_unlock(&all->lock);
	al_recovered_chunk_clear(p);
}

void al_recoverer_add_counts_to_blocks(struct al_recoverer *r)
{
	for (uint32_t i = 0; i < r->n_known; i++) {
		const struct al_known_block *m = &r->known[i];
		struct al_block *b = m->block;

		for (unsigned e = 0; b && e < b->desc->n_exits; e++)
			b->exit_count[e] += al_recoverer_exit_count(r, m, e);
		for (unsigned a = 0; m->skipped && a < b->desc->n_accesses; a++)
			b->skipped[a] += m->skipped[a];
	}
}
