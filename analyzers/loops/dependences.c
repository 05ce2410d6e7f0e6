/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependences.c - counts dependences through memory between iterations of loops
 *
 * A cell of the shadow has the time of the last access: the number of
 * iterations of chosen loops that the thread had begun by then. A run carries a
 * dependence if the earlier access is in the run, but before the current
 * iteration. The runs of outer loops do not carry it: for them, both accesses
 * are in one iteration.
 */
#include <errno.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

enum { NODE_MASK = (1 << AN_SHADOW_NODE_BITS) - 1 };

/* The later access of a dependence, and its context. */
struct sink {
	struct an_loop_state *state;
	struct an_loop_thread *thread;
	uint32_t node;
	const struct an_loop_run *anti_output_run;
	uint64_t now;		      /* time and node of the access, encoded
					 as in struct an_shadow_cell */
	struct an_shadow_cell before; /* contents of the previous cell of this
					 access, before the access; 0: none */
};

bool an_loops_is_function_chosen(const struct an_loop_state *l,
				 const char *function)
{
	size_t n;

	for (const char *name = l->of; *name; name += n + (name[n] == '+')) {
		n = strcspn(name, "+");
		if ((n == 1 && *name == '*') ||
		    (n == strlen(function) && !strncmp(name, function, n)))
			return true;
	}
	return false;
}

/* ---- times ---- */

/* Append a piece (successive iterations at successive times) that begins with
   the current iteration of @r and its time. If AN_LOOP_PIECES are stored, it
   replaces the oldest. Return: 0 or -ENOMEM. */
static int append_piece_for_current_iteration(struct an_loop_run *r)
{
	size_t i = r->n_pieces % AN_LOOP_PIECES;

	if (i >= r->max_pieces &&
	    al_array_reserve(r->piece, r->max_pieces, i + 1) != 0)
		return -ENOMEM;
	r->piece[i] = (struct an_loop_piece){r->iteration_time, r->iterations};
	r->n_pieces++;
	return 0;
}

int an_loop_run_set_times_at_run_begin(struct an_loop_thread *t,
				       struct an_loop_run *r)
{
	r->begin_time = r->iteration_time = ++t->time;
	r->n_pieces = 0;
	if (t->n_chosen++ == 0)
		t->chosen_begin = r->begin_time;
	return append_piece_for_current_iteration(r);
}

int an_loop_run_advance_time_add_piece_if_gap(struct an_loop_thread *t,
					      struct an_loop_run *r)
{
	bool is_next = r->iteration_time + 1 == ++t->time;

	r->iteration_time = t->time;
	return is_next ? 0 : append_piece_for_current_iteration(r);
}

/* Return the iteration of @r (a run of a loop) that was current at @time, which
   must not be before r->begin_time; 0: no longer known, because its piece was
   replaced. */
static uint64_t iteration_at_time_or_0_if_forgotten(const struct an_loop_run *r,
						    uint64_t time)
{
	size_t end = r->n_pieces,
	       low = end > AN_LOOP_PIECES ? end - AN_LOOP_PIECES : 0;
	uint64_t last = r->iterations;
	const struct an_loop_piece *p;

	if (r->piece[low % AN_LOOP_PIECES].time > time)
		return 0;
	while (end - low > 1) {
		size_t middle = low + (end - low) / 2;

		p = &r->piece[middle % AN_LOOP_PIECES];
		if (p->time > time) {
			end = middle;
			last = p->iteration - 1;
		} else {
			low = middle;
		}
	}
	p = &r->piece[low % AN_LOOP_PIECES];
	return time - p->time < last - p->iteration
		       ? p->iteration + (time - p->time)
		       : last;
}

/* ---- counting ---- */

/* Return @node if it is in the function in which the run of a loop with index
   @run_index began. If it is in a function that was called from there, return
   the node of that call in the function. */
static uint32_t node_in_function_of_run(const struct an_loop_thread *t,
					size_t run_index, uint32_t node)
{
	size_t low = 0, end = t->n_frames;

	while (low < end) {
		size_t middle = low + (end - low) / 2;

		if (t->frame[middle].first_run > run_index)
			end = middle;
		else
			low = middle + 1;
	}
	return low < t->n_frames && t->frame[low].call != AN_NO_NODE
		       ? t->frame[low].call
		       : node;
}

/* Count @iterations_between if it is one of the first AN_DISTANCES different
   distances of @d, and update d->least. */
static void count_distance_and_update_least(struct an_dependence *d,
					    uint64_t iterations_between)
{
	if (d->least == 0 || iterations_between < d->least)
		d->least = iterations_between;
	for (int i = 0; i < AN_DISTANCES; i++) {
		if (d->count[i] == 0)
			d->distance[i] = iterations_between;
		if (d->distance[i] == iterations_between) {
			d->count[i]++;
			return;
		}
	}
}

/* Whether @d has the key @key, as find_or_add_dependence() makes it. */
static bool is_dependence_with_key(const struct an_dependence *d,
				   const struct al_key *key)
{
	return ((uint64_t)d->loop << 2 | d->kind) == key->word[0] &&
	       d->source == key->word[1] && d->sink == key->word[2];
}

/* Find or add the dependence with the key @key, and store its index plus 1 in
   @recent_out. Return: the dependence; NULL if memory is short. */
static struct an_dependence *add_dependence_if_new(struct an_loop_state *l,
						   const struct al_key *key,
						   uint32_t *recent_out)
{
	uint32_t known = l->dependence_keys.n;
	int64_t i = al_key_table_find_or_add_index(&l->dependence_keys, key);

	if (i < 0 || al_array_reserve_zeroed(l->dependence, l->max_dependences,
					     l->dependence_keys.n) != 0)
		return NULL;
	if (i == known)
		l->dependence[i] = (struct an_dependence){
			.loop = (uint32_t)(key->word[0] >> 2),
			.source = (uint32_t)key->word[1],
			.sink = (uint32_t)key->word[2],
			.kind = key->word[0] & 3};
	*recent_out = (uint32_t)i + 1;
	return &l->dependence[i];
}

/* Return the dependence of kind @kind between two nodes that @loop carries,
   which is added if it is new; NULL if memory is short. */
static struct an_dependence *
find_or_add_dependence(struct an_loop_state *l, uint32_t loop, uint32_t source,
		       uint32_t sink, unsigned kind)
{
	struct al_key key = {{(uint64_t)loop << 2 | kind, source, sink}};
	uint32_t *recent =
		&l->recent[(source + 5 * sink + 3 * loop + kind) % AN_RECENT];

	if (*recent != 0 &&
	    is_dependence_with_key(&l->dependence[*recent - 1], &key))
		return &l->dependence[*recent - 1];
	return add_dependence_if_new(l, &key, recent);
}

/* Count a dependence of @s on an access of @source_node at @time, which the run
   of a loop with index @run_index carries. Return: 0 or -ENOMEM. */
static int count_dependence_of_run(const struct sink *s, size_t run_index,
				   uint64_t time, uint32_t source_node,
				   unsigned kind)
{
	struct an_loop_state *l = s->state;
	const struct an_loop_run *r = &s->thread->run[run_index];
	uint32_t header = l->loop[r->loop].header;
	uint64_t iteration = iteration_at_time_or_0_if_forgotten(r, time);
	struct an_dependence *d;

	if (iteration == 0)
		return 0;
	if (l->node[source_node].function != l->node[header].function)
		source_node = AN_NO_NODE;
	d = find_or_add_dependence(
		l, r->loop, source_node,
		node_in_function_of_run(s->thread, run_index, s->node), kind);
	if (d == NULL)
		return -ENOMEM;
	count_distance_and_update_least(d, r->iterations - iteration);
	return 0;
}

/* Count the flow dependence of load @s on the store @earlier_time_and_node,
   encoded as in struct an_shadow_cell, if a run of a chosen loop carries it.
   Return: 0 or -ENOMEM. */
static int count_flow_if_carried(const struct sink *s,
				 uint64_t earlier_time_and_node)
{
	const struct an_loop_thread *t = s->thread;
	uint64_t time = earlier_time_and_node >> AN_SHADOW_NODE_BITS;

	if (time < t->chosen_begin)
		return 0;
	for (size_t i = t->n_runs; i > 0; i--) {
		const struct an_loop_run *r = &t->run[i - 1];

		if (!r->is_chosen)
			continue;
		if (time >= r->iteration_time)
			return 0;
		if (time >= r->begin_time)
			return count_dependence_of_run(s, i - 1, time,
						       earlier_time_and_node &
							       NODE_MASK,
						       AN_DEPENDENCE_FLOW);
	}
	return 0;
}

/* Count the anti or output dependence (@kind) of store @s on the access
   @earlier_time_and_node, encoded as in struct an_shadow_cell, if
   s->anti_output_run, a run of a loop, carries the dependence. Return: 0 or
   -ENOMEM. */
static int count_anti_or_output_if_carried(const struct sink *s,
					   uint64_t earlier_time_and_node,
					   unsigned kind)
{
	const struct an_loop_run *r = s->anti_output_run;
	uint64_t time = earlier_time_and_node >> AN_SHADOW_NODE_BITS;

	if (time < r->begin_time || time >= r->iteration_time)
		return 0;
	return count_dependence_of_run(s, (size_t)(r - s->thread->run), time,
				       earlier_time_and_node & NODE_MASK, kind);
}

/* Count the dependences of store @s on the last load and the last store of its
   cell, which has the contents @before. Skip those that the previous cell of
   this access has, too: they are counted already. Return: 0 or -ENOMEM. */
static int count_anti_and_output_of_cell(const struct sink *s,
					 const struct an_shadow_cell *before)
{
	int err = 0;

	if (before->load != s->before.load)
		err = count_anti_or_output_if_carried(s, before->load,
						      AN_DEPENDENCE_ANTI);
	if (!err && before->store != s->before.store)
		err = count_anti_or_output_if_carried(s, before->store,
						      AN_DEPENDENCE_OUTPUT);
	return err;
}

/* Count the dependences of access @s, of kind @kind, through @cell, and store
   its time and node in @cell. Return: 0 or -ENOMEM. */
static int count_dependences_and_store_access_in_cell(
	struct sink *s, struct an_shadow_cell *cell, enum pt_access_kind kind)
{
	struct an_shadow_cell before = *cell;
	int err = 0;

	if (kind != PT_STORE) {
		if (before.store != s->before.store)
			err = count_flow_if_carried(s, before.store);
		cell->load = s->now;
	}
	if (kind != PT_LOAD) {
		if (s->anti_output_run != NULL && !err)
			err = count_anti_and_output_of_cell(s, &before);
		cell->store = s->now;
	}
	s->before = before;
	return err;
}

/* Count the dependences of the part of access @s that is in one page, and store
   it in the shadow: @size bytes at @address. Return: 0 or -ENOMEM. */
static int count_dependences_and_store_access_in_page(struct sink *s,
						      uint64_t address,
						      unsigned size,
						      enum pt_access_kind kind)
{
	unsigned n;
	struct an_shadow_cell *cell = an_shadow_find_or_add_cells(
		&s->thread->shadow, address, size, &s->state->shadow_bytes, &n);
	int err = 0;

	if (cell == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n && !err; i++)
		err = count_dependences_and_store_access_in_cell(s, &cell[i],
								 kind);
	return err;
}

int an_loops_count_dependences_and_store_access(
	struct an_loop_state *l, struct an_loop_thread *t, uint64_t address,
	const struct pt_access *a, uint32_t instr_node,
	const struct an_loop_run *run_for_anti_and_output_or_null)
{
	struct sink s = {
		.state = l,
		.thread = t,
		.node = instr_node,
		.anti_output_run = run_for_anti_and_output_or_null,
		.now = t->time << AN_SHADOW_NODE_BITS | instr_node,
	};
	unsigned left = a->size;
	int err = 0;

	if (s.anti_output_run != NULL && !s.anti_output_run->is_chosen)
		s.anti_output_run = NULL;
	while (left > 0 && !err) {
		unsigned room = AN_SHADOW_PAGE - address % AN_SHADOW_PAGE;
		unsigned n = left < room ? left : room;

		err = count_dependences_and_store_access_in_page(&s, address, n,
								 a->kind);
		address += n;
		left -= n;
	}
	return err;
}
