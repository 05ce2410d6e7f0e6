/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dependence_cells.c - counts the dependences of accesses cell by cell; see
   dependence_counts.h */

#include <errno.h>

#include "analyzers/loops/dependence_counts.h"
#include "base/tables/array.h"

bool an_dependences_try_find_or_add(struct an_dependence_state *d,
				    struct an_chosen_run *r,
				    uint32_t source_node, uint32_t sink_node,
				    enum an_dependence_kind kind,
				    struct an_recent_dependence *recent)
{
	bool is_inside = d->function[source_node] == d->function[r->header];
	struct an_dependence new = {.loop = r->loop,
				    .source = is_inside ? source_node
							: AN_NO_NODE,
				    .sink = sink_node,
				    .kind = (uint8_t)kind};
	struct al_key key = {
		{(uint64_t) new.loop << 2 | kind, new.source, new.sink}};
	uint32_t known = d->keys.n;
	int64_t i = al_key_table_find_or_add_index(&d->keys, &key);

	if (i < 0 || al_array_reserve_zeroed(d->dependence, d->max_dependences,
					     d->keys.n) != 0) {
		d->error = -ENOMEM;
		return false;
	}
	if (i == known)
		d->dependence[i] = new;
	*recent = (struct an_recent_dependence){
		an_recent_dependence_key(source_node, sink_node, kind), r->loop,
		(uint32_t)i + 1};
	return true;
}

/* The later access of a dependence. */
struct sink {
	const struct an_dependence_context *context;
	uint32_t node;
	bool loads, stores;
	bool counts_anti_and_output;
	uint64_t now;		      /* its time and node */
	struct an_shadow_cell before; /* contents of the previous cell of this
					 access, before the access; 0: none */
};

/* Count the dependences of access @s through a cell with the contents @before.
   Skip those that the previous cell of this access has, too: they are counted
   already. */
static void count_dependences_of_cell(struct sink *s,
				      struct an_shadow_cell before)
{
	const struct an_dependence_context *c = s->context;
	bool is_new_store = before.store != s->before.store,
	     is_new_load = before.load != s->before.load;

	if (s->loads && is_new_store)
		an_dependences_count_flow_if_carried(c, s->node, before.store);
	if (s->counts_anti_and_output && is_new_load)
		an_dependences_count_of_store(c, s->node, before.load,
					      AN_DEPENDENCE_ANTI);
	if (s->counts_anti_and_output && is_new_store)
		an_dependences_count_of_store(c, s->node, before.store,
					      AN_DEPENDENCE_OUTPUT);
	s->before = before;
}

/* Count the dependences of access @s through the bytes @first_byte to @end_byte
   - 1 of the unit whose first cell is @u, and store the access as their last
   one. */
static void count_dependences_and_set_unit_access(struct sink *s,
						  struct an_shadow_cell *u,
						  unsigned first_byte,
						  unsigned end_byte)
{
	for (unsigned i = first_byte; i < end_byte; i++)
		count_dependences_of_cell(
			s, (struct an_shadow_cell){
				   an_shadow_last_access_of_byte(&u->store, i),
				   an_shadow_last_access_of_byte(&u->load, i)});
	if (s->loads)
		an_shadow_set_last_access_of_bytes(&u->load, first_byte,
						   end_byte, s->now);
	if (s->stores)
		an_shadow_set_last_access_of_bytes(&u->store, first_byte,
						   end_byte, s->now);
}

/* Count the dependences of access @s through @cell, which has 4 or 8 bytes, and
   store the access in it. */
static void count_dependences_and_set_cell_access(struct sink *s,
						  struct an_shadow_cell *cell)
{
	struct an_shadow_cell before = *cell;

	if (s->loads)
		cell->load = s->now;
	if (s->stores)
		cell->store = s->now;
	count_dependences_of_cell(s, before);
}

/* Count the dependences of the part of access @s that is in one page, and store
   it in the shadow: @size bytes at @address. Return: 0 or -ENOMEM. */
static int count_dependences_store_access_in_page(struct sink *s,
						  uint64_t address,
						  unsigned size)
{
	const struct an_shadow_page *p = an_shadow_find_or_add_page(
		&s->context->thread->shadow, address, size,
		&s->context->state->shadow_bytes);
	unsigned at = address % AN_SHADOW_PAGE, end = at + size;

	if (p == NULL)
		return -ENOMEM;
	for (; p->shift > 0 && at < end; at += 1u << p->shift)
		count_dependences_and_set_cell_access(s,
						      &p->cell[at >> p->shift]);
	while (at < end) {
		unsigned first = at % AN_SHADOW_UNIT, unit = at - first;
		unsigned left = end - unit;

		count_dependences_and_set_unit_access(
			s, &p->cell[unit], first,
			left < AN_SHADOW_UNIT ? left : AN_SHADOW_UNIT);
		at = unit + AN_SHADOW_UNIT;
	}
	return 0;
}

void an_dependences_count_access_of_any_size(
	const struct an_dependence_context *c, const struct an_loop_access *a,
	uint64_t address, bool counts_anti_and_output)
{
	struct sink s = {.context = c,
			 .node = a->node,
			 .loads = a->kind != PT_STORE,
			 .stores = a->kind != PT_LOAD,
			 .counts_anti_and_output = counts_anti_and_output,
			 .now = c->now | (uint64_t)a->node << 1};
	unsigned left = a->size;

	while (left > 0) {
		unsigned room = AN_SHADOW_PAGE - address % AN_SHADOW_PAGE;
		unsigned n = left < room ? left : room;

		if (count_dependences_store_access_in_page(&s, address, n) !=
		    0) {
			c->state->error = -ENOMEM;
			return;
		}
		address += n;
		left -= n;
	}
}
