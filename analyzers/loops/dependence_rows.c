/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependence_rows.c - turns dependences between instructions into dependences
 * between source lines, and decides whether they forbid vectors
 *
 * The instructions of a body are ordered by address, from the header on; those
 * before the header are last. A vector instruction does the work of several
 * iterations before the next instruction begins. So a dependence whose source
 * is before its sink in this order permits vectors. Each other dependence
 * limits the number of elements of a vector to its distance, unless it is that
 * of a reduction or an induction variable.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"
#include "base/tables/compare.h"

/* The instructions of a loop whose dependences become those of a row of the
   result. */
struct body {
	struct an_loop_state *state;
	const struct an_loop *loop;
	const struct an_instr_node **instr; /* [n] by address, from the
					       header on; then those before
					       the header */
	/* [n] whether the instruction accesses the address at which the
	   dependence carries a value to a later iteration */
	bool *is_at_value;
	bool is_source_an_induction; /* the source of the dependence that is
					added to the row stores an induction
					variable */
	bool *changes;		     /* [n] of an_is_induction() */
	bool *is_reached; /* [n] of is_executed_in_every_iteration() */
	size_t n;
};

/* ---- order of instructions ---- */

static int compare_dependences_by_loop(const void *one, const void *other)
{
	const struct an_dependence *a = one, *b = other;
	int order = al_compare_u64(a->loop, b->loop);

	if (!order)
		order = al_compare_u64(a->source, b->source);
	if (!order)
		order = al_compare_u64(a->sink, b->sink);
	return order ? order : al_compare_u64(a->kind, b->kind);
}

void an_loops_group_dependences_by_loop(struct an_loop_state *l)
{
	struct an_dependence_state *d = &l->dependences;
	uint32_t n = d->keys.n;

	if (n > 0)
		qsort(d->dependence, n, sizeof(*d->dependence),
		      compare_dependences_by_loop);
	for (uint32_t i = 0; i < n; i++) {
		struct an_loop *loop = &l->loop[d->dependence[i].loop];

		if (loop->n_dependences++ == 0)
			loop->first_dependence = i;
	}
}

static int compare_instr_pointers_by_address(const void *one, const void *other)
{
	const struct an_instr_node
		*a = *(const struct an_instr_node *const *)one,
		*b = *(const struct an_instr_node *const *)other;
	int order = al_compare_u64(a->address, b->address);

	return order ? order : al_compare_u64(a->version, b->version);
}

/* Return the index of the first instruction at or after @address in b->instr;
   b->n if there is none. The array is searched linearly; it is still sorted by
   address only. */
static size_t index_of_first_instr_not_before_address(const struct body *b,
						      uint64_t address)
{
	size_t i = 0;

	while (i < b->n && b->instr[i]->address < address)
		i++;
	return i;
}

/* Fill b->instr with the instructions of the loop's body, the first
   @body_instr_count nodes of l->found: by address, from the header on, then
   those before the header. Set l->position of each node to its index in
   b->instr. Return: 0 or -ENOMEM. */
static int list_body_instrs_by_address_header_first(struct body *b,
						    uint32_t body_instr_count)
{
	struct an_loop_state *l = b->state;
	const struct an_instr_node **sorted;
	size_t first;

	b->n = body_instr_count;
	b->instr = malloc(2 * b->n * sizeof(*b->instr));
	b->is_at_value = malloc(3 * b->n * sizeof(*b->is_at_value));
	if (b->instr == NULL || b->is_at_value == NULL ||
	    al_array_reserve(l->position, l->max_positions, l->code.n_nodes))
		return -ENOMEM;
	b->changes = b->is_at_value + b->n;
	b->is_reached = b->changes + b->n;
	for (uint32_t i = 0; i < body_instr_count; i++)
		b->instr[i] = &l->code.node[l->found[i]];
	qsort(b->instr, b->n, sizeof(*b->instr),
	      compare_instr_pointers_by_address);
	first = index_of_first_instr_not_before_address(
		b, l->code.node[b->loop->header].address);
	sorted = b->instr + b->n;
	for (size_t i = 0; i < b->n; i++)
		sorted[i] = b->instr[(first + i) % b->n];
	for (size_t i = 0; i < b->n; i++) {
		b->instr[i] = sorted[i];
		l->position[sorted[i] - l->code.node] = (uint32_t)i;
	}
	return 0;
}

static bool is_node_in_loop_body(const struct body *b, uint32_t node)
{
	return node != AN_NO_NODE &&
	       b->state->node[node].stamp == b->state->stamp;
}

/* Whether the source of @d, whose sink is in the body, is not in the body, or
   not before the sink in its order. */
static bool is_source_after_sink_or_outside_body(const struct body *b,
						 const struct an_dependence *d)
{
	const uint32_t *position = b->state->position;

	return !is_node_in_loop_body(b, d->source) ||
	       position[d->source] >= position[d->sink];
}

/* ---- accumulated values ---- */

/* Whether an access was executed in a loop, in each run of its innermost loop
   at one address only: all counted strides are 0. */
static bool is_address_fixed(const struct an_strides *s)
{
	for (int i = 0; i < AN_COUNTED_VALUES; i++)
		if (s->counts.found[i].count > 0 &&
		    s->counts.found[i].value != 0)
			return false;
	return s->counts.others == 0 && an_strides_has_execution(s);
}

/* Whether an access of instruction @node is at the fixed address @address. */
static bool has_access_to_fixed_address(const struct an_loop_state *l,
					uint32_t node, uint64_t address)
{
	const struct an_loop_node *n = &l->node[node];

	for (unsigned i = 0; i < n->n_accesses; i++) {
		const struct an_strides *s =
			an_loops_strides_of_access_or_empty(n, i);

		if (is_address_fixed(s) &&
		    an_strides_has_last_address(s, address))
			return true;
	}
	return false;
}

/* Find a lane in which the last executions of @a and of @b accessed the same
   address, and store it in @address_out. Return: false if there is no such
   lane. */
static bool find_common_last_address(const struct an_strides *a,
				     const struct an_strides *b,
				     uint64_t *address_out)
{
	const struct an_stride_lane *of_a, *of_b;

	for (unsigned i = 0; (of_a = an_strides_lane_or_null(a, i)) &&
			     (of_b = an_strides_lane_or_null(b, i));
	     i++) {
		*address_out = of_a->address;
		if (of_a->run != 0 && of_b->run != 0 &&
		    of_a->address == of_b->address)
			return true;
	}
	return false;
}

/* Store the fixed address that nodes @one_node and @other_node both access in
   @address_out. Return: false: there is none. */
static bool find_common_fixed_address(const struct an_loop_state *l,
				      uint32_t one_node, uint32_t other_node,
				      uint64_t *address_out)
{
	const struct an_loop_node *one = &l->node[one_node],
				  *other = &l->node[other_node];

	for (unsigned i = 0; i < one->n_accesses; i++)
		for (unsigned k = 0; k < other->n_accesses; k++) {
			const struct an_strides *
				a = an_loops_strides_of_access_or_empty(one, i),
			       *b = an_loops_strides_of_access_or_empty(other,
									k);

			if (is_address_fixed(a) && is_address_fixed(b) &&
			    find_common_last_address(a, b, address_out))
				return true;
		}
	return false;
}

/* Set b->is_at_value for the fixed address at which @d carries a value to a
   later iteration. Return: false: there is none. */
static bool mark_instrs_at_dependence_address(const struct body *b,
					      const struct an_dependence *d)
{
	const struct an_loop_state *l = b->state;
	uint64_t address;

	if (d->kind != AN_DEPENDENCE_FLOW ||
	    !is_node_in_loop_body(b, d->source) ||
	    !is_node_in_loop_body(b, d->sink) ||
	    l->position[d->source] < l->position[d->sink] ||
	    !find_common_fixed_address(l, d->source, d->sink, &address))
		return false;
	for (size_t i = 0; i < b->n; i++)
		b->is_at_value[i] = has_access_to_fixed_address(
			l, (uint32_t)(b->instr[i] - l->code.node), address);
	return true;
}

static bool is_node_in_loop_body_and_reached(const struct body *b,
					     uint32_t node)
{
	return is_node_in_loop_body(b, node) &&
	       b->is_reached[b->state->position[node]];
}

/* Whether an edge of the body leads to @node from a node with
   b->is_reached. */
static bool has_edge_from_reached_node(const struct body *b, uint32_t node)
{
	const struct an_loop_state *l = b->state;
	uint32_t in = l->node[node].in;

	if (in & AN_ONLY_EDGE_FROM)
		return is_node_in_loop_body_and_reached(
			b, in & ~(uint32_t)AN_ONLY_EDGE_FROM);
	for (; in != 0; in = l->edge[in - 1].next)
		if (is_node_in_loop_body_and_reached(b, l->edge[in - 1].from))
			return true;
	return false;
}

/* Set b->is_reached of the nodes that an iteration can reach from the header
   without passing the one at position @avoided, which is not the header's. The
   body is searched again until nothing changes: few times, because most edges
   lead to higher addresses. */
static void set_reached_without_node(const struct body *b, size_t avoided)
{
	bool grows = true;

	memset(b->is_reached, 0, b->n * sizeof(*b->is_reached));
	b->is_reached[b->state->position[b->loop->header]] = true;
	while (grows) {
		grows = false;
		for (size_t i = 0; i < b->n; i++)
			if (i != avoided && !b->is_reached[i] &&
			    has_edge_from_reached_node(
				    b, (uint32_t)(b->instr[i] -
						  b->state->code.node)))
				grows = b->is_reached[i] = true;
	}
}

/* Whether each iteration executes the instruction at @position in b->instr
   once: it is in no loop inside, and every executed path from the header to the
   header passes it. */
static bool is_executed_in_every_iteration(const struct body *b,
					   size_t position)
{
	const struct an_loop_state *l = b->state;
	uint32_t node = (uint32_t)(b->instr[position] - l->code.node);

	if (l->node[node].loop != (uint32_t)(b->loop - l->loop) + 1)
		return false;
	if (node == b->loop->header)
		return true;
	set_reached_without_node(b, position);
	return !has_edge_from_reached_node(b, b->loop->header);
}

/* Whether each iteration executes all instructions that change the value by
   b->changes, and the store. @load, @store: as an_is_induction(). */
static bool are_changes_in_every_iteration(const struct body *b, size_t load,
					   size_t store)
{
	for (size_t i = load; i <= store; i++)
		if ((b->changes[i] || i == store) &&
		    !is_executed_in_every_iteration(b, i))
			return false;
	return true;
}

/* Whether each iteration adds a constant to the value that @d carries, an
   induction variable. */
static bool is_induction(const struct body *b, const struct an_dependence *d)
{
	const uint32_t *position = b->state->position;

	return mark_instrs_at_dependence_address(b, d) &&
	       an_is_induction(b->instr, b->is_at_value, position[d->sink],
			       position[d->source], b->changes) &&
	       are_changes_in_every_iteration(b, position[d->sink],
					      position[d->source]);
}

/* Whether the source of @d stores an induction variable. */
static bool is_source_an_induction(const struct body *b,
				   const struct an_dependence *d)
{
	const struct an_dependence *all =
		b->state->dependences.dependence + b->loop->first_dependence;

	for (uint32_t i = 0; i < b->loop->n_dependences; i++)
		if (all[i].source == d->source && is_induction(b, &all[i]))
			return true;
	return false;
}

/* Whether @d carries a value that is only accumulated: no other instruction of
   the body accesses it. */
static bool is_reduction(const struct body *b, const struct an_dependence *d)
{
	return mark_instrs_at_dependence_address(b, d) &&
	       an_is_reduction(b->instr, b->n, b->is_at_value);
}

/* ---- rows ---- */

static int
add_dependence_or_its_count_to_row(struct an_loop_row *r,
				   const struct an_loop_dependence *d)
{
	for (size_t i = 0; i < r->n_dependences; i++) {
		struct an_loop_dependence *known = &r->dependence[i];

		if (known->source_line == d->source_line &&
		    known->line == d->line && known->kind == d->kind &&
		    known->is_reduction == d->is_reduction &&
		    known->forbids == d->forbids &&
		    known->distance == d->distance) {
			known->count += d->count;
			return 0;
		}
	}
	if (al_array_reserve_zeroed(r->dependence, r->max_dependences,
				    r->n_dependences + 1) != 0)
		return -ENOMEM;
	r->dependence[r->n_dependences++] = *d;
	return 0;
}

/* Return the source line of @node; 0: unknown. */
static uint32_t line_of_node_or_0(const struct an_loop_state *l, uint32_t node)
{
	const struct an_instr_node *in;
	struct an_symbol symbol;

	if (node == AN_NO_NODE)
		return 0;
	in = &l->code.node[node];
	l->env->symbol(l->env->host, in->block, in->instr, &symbol);
	return symbol.line;
}

static void
update_vectorisable_and_vector_limit(struct an_loop_row *r,
				     const struct an_loop_dependence *d,
				     uint64_t least_distance)
{
	if (!d->forbids && !d->is_reduction)
		return;
	if (d->is_reduction) {
		if (r->vectorisable < AN_VECTORISABLE_REDUCTION)
			r->vectorisable = AN_VECTORISABLE_REDUCTION;
		return;
	}
	r->vectorisable = AN_VECTORISABLE_NO;
	if (r->vector_limit == 0 || least_distance < r->vector_limit)
		r->vector_limit = least_distance;
}

/* Add @d to row @r unless the loop does not carry it or it is harmless. A run
   does not end when control leaves the loop (see runs.c), so code after the
   loop can be the sink; it is in no iteration. Return: 0 or -ENOMEM. */
static int add_dependence_to_row_unless_harmless(const struct body *b,
						 struct an_loop_row *r,
						 const struct an_dependence *d)
{
	struct an_loop_dependence row = {.kind = d->kind};
	bool backward;
	int err = 0;

	if (!is_node_in_loop_body(b, d->sink))
		return 0;
	backward = is_source_after_sink_or_outside_body(b, d);
	if (d->kind != AN_DEPENDENCE_FLOW
		    ? !backward || !is_node_in_loop_body(b, d->source)
		    : b->is_source_an_induction)
		return 0;
	row.source_line = line_of_node_or_0(b->state, d->source);
	row.line = line_of_node_or_0(b->state, d->sink);
	row.is_reduction = is_reduction(b, d);
	row.forbids = backward && !row.is_reduction;
	update_vectorisable_and_vector_limit(r, &row, d->least);
	for (int i = 0; i < AN_COUNTED_VALUES && !err; i++) {
		row.distance = d->distances.found[i].value;
		row.count = d->distances.found[i].count;
		if (row.count == 0)
			break;
		err = add_dependence_or_its_count_to_row(r, &row);
	}
	return err;
}

/* Add dependence @i of the loop to row @r unless it is harmless. Those of one
   source are adjacent. Return: 0 or -ENOMEM. */
static int add_indexed_dependence_unless_harmless(struct body *b,
						  struct an_loop_row *r,
						  uint32_t i)
{
	const struct an_dependence *d = b->state->dependences.dependence +
					b->loop->first_dependence + i;

	if (i == 0 || d[-1].source != d->source)
		b->is_source_an_induction = is_source_an_induction(b, d);
	return add_dependence_to_row_unless_harmless(b, r, d);
}

/* Whether some iterations of the loop, those of loops inside aside, do not
   execute an instruction with counts[], [b->n]. */
static bool do_some_iterations_not_count(const struct body *b,
					 const bool *counts)
{
	const struct an_loop_state *l = b->state;
	uint32_t loop_number = (uint32_t)(b->loop - l->loop) + 1;

	for (size_t i = 0; i < b->n; i++)
		if (counts[i] &&
		    l->node[b->instr[i] - l->code.node].loop == loop_number &&
		    !is_executed_in_every_iteration(b, i))
			return true;
	return false;
}

/* Set r->vectorisable and r->has_register_recurrence by the values that
   registers carry between iterations. */
static void set_vectorisable_by_carried_registers(struct an_loop_row *r,
						  const struct body *b)
{
	static const uint8_t vectorisable[] = {
		[AN_CARRIES_NOTHING] = AN_VECTORISABLE_YES,
		[AN_CARRIES_COUNTER] = AN_VECTORISABLE_YES,
		[AN_CARRIES_REDUCTION] = AN_VECTORISABLE_REDUCTION,
		[AN_CARRIES_RECURRENCE] = AN_VECTORISABLE_NO};
	bool *counts = b->is_at_value;
	enum an_register_carry carry =
		an_register_carry(b->instr, b->n, b->changes, counts);

	if (carry != AN_CARRIES_RECURRENCE &&
	    do_some_iterations_not_count(b, counts))
		carry = AN_CARRIES_RECURRENCE;
	r->vectorisable = vectorisable[carry];
	r->has_register_recurrence = carry == AN_CARRIES_RECURRENCE;
}

int an_loops_add_dependences_to_row(struct an_loop_state *l,
				    struct an_loop_row *r, uint32_t loop_index,
				    uint32_t body_size)
{
	const struct an_loop *loop = &l->loop[loop_index];
	struct body b = {.state = l, .loop = loop};
	int err = 0;

	if (!loop->is_chosen || r->iterations == r->entries)
		return 0;
	r->vectorisable = AN_VECTORISABLE_YES;
	err = list_body_instrs_by_address_header_first(&b, body_size);
	if (!err)
		set_vectorisable_by_carried_registers(r, &b);
	for (uint32_t i = 0; i < loop->n_dependences && !err; i++)
		err = add_indexed_dependence_unless_harmless(&b, r, i);
	free(b.instr);
	free(b.is_at_value);
	return err;
}

int an_loop_row_merge_dependences(struct an_loop_row *into,
				  const struct an_loop_row *from)
{
	int err = 0;

	into->has_register_recurrence |= from->has_register_recurrence;
	if (from->vectorisable > into->vectorisable)
		into->vectorisable = from->vectorisable;
	if (from->vector_limit != 0 &&
	    (into->vector_limit == 0 ||
	     from->vector_limit < into->vector_limit))
		into->vector_limit = from->vector_limit;
	for (size_t i = 0; i < from->n_dependences && !err; i++)
		err = add_dependence_or_its_count_to_row(into,
							 &from->dependence[i]);
	return err;
}
