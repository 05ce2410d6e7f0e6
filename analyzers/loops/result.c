/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result.c - reduces the state to rows; see loops.h */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* Work data of an_loops_make_row_of_each_loop(). */
struct work {
	struct an_loop_state *state;
	uint64_t *executed; /* by node: executions of the instruction */
	uint32_t *depth;    /* by loop: loops that contain its header, itself
			       included */
	uint32_t *from;	    /* nodes from which the back edges of one loop
			       come */
	size_t max_from;
	uint64_t back; /* sum of the executions of the back edges from the nodes
			  in `from` */
};

/* Count the executions of the instructions of @b, and add those that repeat the
   instruction before to its repetitions. Return: 0 or -ENOMEM. */
static int count_instr_executions_of_block(struct work *w,
					   const struct an_loop_block *b)
{
	int err = 0;

	for (unsigned e = 0; e < b->block->n_exits; e++) {
		uint64_t count = b->block->exit_count[e];
		unsigned n = b->block->exit[e].n_instrs;

		for (unsigned k = 0; k < n; k++)
			w->executed[b->node[k]] += count;
		for (unsigned k = 1; k < n && !err; k++)
			if (an_loops_is_rep_prefix_repetition(
				    w->state, b->node[k - 1], b->node[k]))
				err = an_loops_add_repetitions(
					w->state, b->node[k], count);
	}
	return err;
}

/* Count the executions of each instruction and of all, and complete the
   repetitions. Return: 0 or -ENOMEM. */
static int count_instr_executions_and_total(struct work *w)
{
	int err = 0;

	for (size_t i = 0; i < w->state->n_blocks && !err; i++)
		err = count_instr_executions_of_block(w, &w->state->block[i]);
	for (uint32_t i = 0; i < w->state->code.n_nodes; i++)
		w->state->rows.instructions += w->executed[i];
	return err;
}

/* Return the executions of @node that are no repetitions of an instruction with
   a rep prefix. */
static uint64_t executions_without_repetitions(const struct work *w,
					       uint32_t node)
{
	const struct an_loop_state *l = w->state;

	return w->executed[node] -
	       (node < l->max_repetitions ? l->repetitions[node] : 0);
}

/* Add the executions of the back edges inside blocks to l->back_count. */
static void count_executions_of_in_block_back_edges(struct an_loop_state *l)
{
	for (size_t i = 0; i < l->n_blocks; i++) {
		const struct an_loop_block *b = &l->block[i];

		for (unsigned k = 1; k < b->block->n_instrs; k++) {
			int64_t back = an_loops_inner_back_edge_number(l, b, k);

			for (unsigned e = 0; back > 0 && e < b->block->n_exits;
			     e++)
				if (b->block->exit[e].n_instrs > k)
					l->back_count[back] +=
						b->block->exit_count[e];
		}
	}
}

/* List in w->from the sources of those back edges of @loop that its header
   dominates in the final graph, and sum their executions in w->back. The others
   are no back edges any more. Return: number of sources; -ENOMEM. */
static int64_t list_sources_of_dominated_back_edges(struct work *w,
						    const struct an_loop *loop)
{
	size_t n = 0;

	w->back = 0;
	/* The header has a back edge, so its edges are in a list. */
	for (uint32_t i = w->state->node[loop->header].in; i != 0;
	     i = w->state->edge[i - 1].next) {
		struct an_loop_edge *e = &w->state->edge[i - 1];
		int64_t body;

		if (e->back == 0)
			continue;
		body = an_loops_list_body_or_0_if_irreducible(
			w->state, loop->header, &e->from, 1);
		if (body < 0)
			return body;
		if (body == 0) {
			e->back = 0;
			continue;
		}
		if (al_array_reserve_zeroed(w->from, w->max_from, n + 1) != 0)
			return -ENOMEM;
		w->from[n++] = e->from;
		w->back += w->state->back_count[e->back];
	}
	return (int64_t)n;
}

/* ---- strides ---- */
static int add_to_stride_count_of_line(struct an_loop_row *r, const char *file,
				       uint32_t line, int64_t stride_bytes,
				       uint64_t count)
{
	for (size_t i = 0; i < r->n_strides; i++)
		if (r->stride[i].line == line && r->stride[i].file == file &&
		    r->stride[i].stride == stride_bytes) {
			r->stride[i].count += count;
			return 0;
		}
	if (al_array_reserve_zeroed(r->stride, r->max_strides,
				    r->n_strides + 1) != 0)
		return -ENOMEM;
	r->stride[r->n_strides++] =
		(struct an_loop_stride){file, line, stride_bytes, count};
	return 0;
}

/* Add a source line to the list of lines of row @r unless the list has it.
   Return: 0 or -ENOMEM. */
static int add_line_to_row_if_new(struct an_loop_row *r,
				  const struct an_loop_line *line)
{
	for (size_t i = 0; i < r->n_lines; i++)
		if (r->line[i].line == line->line &&
		    r->line[i].file == line->file &&
		    r->line[i].function == line->function)
			return 0;
	if (al_array_reserve_zeroed(r->line, r->max_lines, r->n_lines + 1) != 0)
		return -ENOMEM;
	r->line[r->n_lines++] = *line;
	return 0;
}

/* Add the strides of the accesses of node @node_index, which is in the loop of
   @r but in no loop inside it, to the row @r, and its line if the loop is
   chosen. Return: 0 or -ENOMEM. */
static int add_line_and_strides_of_node_to_row(struct work *w,
					       struct an_loop_row *r,
					       uint32_t node_index)
{
	const struct an_loop_state *l = w->state;
	const struct an_loop_node *n = &l->node[node_index];
	const struct an_instr_node *in = &l->code.node[node_index];
	struct an_symbol symbol;
	int err = 0;

	l->env->symbol(l->env->host, in->block, in->instr, &symbol);
	if (l->loop[n->loop - 1].is_chosen)
		err = add_line_to_row_if_new(
			r, &(struct an_loop_line){symbol.function, symbol.file,
						  symbol.line});
	for (unsigned a = 0; a < n->n_accesses; a++) {
		const struct an_strides *s =
			an_loops_strides_of_access_or_empty(n, a);

		for (int k = 0; k < AN_COUNTED_VALUES && !err; k++)
			if (s->counts.found[k].count > 0)
				err = add_to_stride_count_of_line(
					r, symbol.file, symbol.line,
					(int64_t)s->counts.found[k].value,
					s->counts.found[k].count);
	}
	return err;
}

/* Whether all counted strides of an access are 0: its executions in one run of
   the loop were at one address, which may differ in other runs. */
static bool is_at_fixed_address(const struct an_strides *s)
{
	for (int k = 0; k < AN_COUNTED_VALUES; k++)
		if (s->counts.found[k].count > 0 &&
		    s->counts.found[k].value != 0)
			return false;
	return s->counts.others == 0;
}

/* Whether access @a with the strides @s shows that its loop does more than
   wait: its address changes; or it stores, but not by an atomic modify, more
   bytes than a counter has, or at an address that is not known. */
static bool does_access_do_more_than_wait(const struct pt_access *a,
					  const struct an_strides *s)
{
	bool stores = a->kind == PT_STORE ||
		      (a->kind == PT_MODIFY && !(a->flags & PT_ATOMIC));

	return !is_at_fixed_address(s) ||
	       (stores &&
		(a->size > sizeof(uint64_t) || s->counts.found[0].count == 0));
}

/* Whether the instruction of node @node_index shows that its loop does more
   than wait: it calls, has an access that shows it, or accesses several
   addresses. @address_out: set to the unchanging address that it accesses; 0:
   it has none, or the address is not known. */
static bool does_node_do_more_than_wait(const struct an_loop_state *l,
					uint32_t node_index,
					uint64_t *address_out)
{
	const struct an_instr_node *in = &l->code.node[node_index];
	const struct an_loop_node *n = &l->node[node_index];
	unsigned ordinal = 0;

	*address_out = 0;
	if (in->branch_kind == AN_BRANCH_CALL)
		return true;
	for (unsigned i = 0; i < in->block->n_accesses; i++) {
		const struct pt_access *a = &in->block->access[i];
		const struct an_strides *s;

		if (a->instr != in->instr || ordinal == n->n_accesses)
			continue;
		s = an_loops_strides_of_access_or_empty(n, ordinal++);
		if (does_access_do_more_than_wait(a, s) ||
		    (*address_out != 0 && *address_out != s->first.address))
			return true;
		if (s->counts.found[0].count > 0)
			*address_out = s->first.address;
	}
	return false;
}

/* Compare two instructions by their distance from the address @header, for
   qsort_r(). */
static int compare_distance_from_header(const void *a, const void *b,
					void *header)
{
	const struct an_loop_instr *n = a, *m = b;
	uint64_t from = *(const uint64_t *)header;
	uint64_t x = n->node->address - from, y = m->node->address - from;

	return (x > y) - (x < y);
}

/* Whether the loop whose body is the first @count nodes of l->found only waits:
   it has no calls, accesses memory at unchanging addresses alone, and
   an_only_waits() is true. @body: [count] receives its instructions. */
static bool is_waiting_loop_body(const struct an_loop_state *l, uint32_t count,
				 struct an_loop_instr *body)
{
	uint64_t header = l->code.node[l->found[0]].address;

	for (uint32_t i = 0; i < count; i++) {
		body[i].node = &l->code.node[l->found[i]];
		if (does_node_do_more_than_wait(l, l->found[i],
						&body[i].address))
			return false;
	}
	qsort_r(body, count, sizeof(*body), compare_distance_from_header,
		&header);
	return an_only_waits(body, count);
}

/* Set r->is_spin from the body of the loop. Return: 0 or -ENOMEM. */
static int set_is_spin(struct an_loop_row *r, const struct an_loop_state *l,
		       uint32_t body_node_count)
{
	struct an_loop_instr *body = malloc(body_node_count * sizeof(*body));

	if (body == NULL)
		return -ENOMEM;
	r->is_spin = is_waiting_loop_body(l, body_node_count, body);
	free(body);
	return 0;
}

/* ---- rows ---- */

static void free_row_arrays(struct an_loop_row *r)
{
	free(r->stride);
	free(r->line);
	free(r->dependence);
}

static int append_row_shallow_copy(struct an_loop_rows *rows,
				   const struct an_loop_row *r)
{
	if (al_array_reserve_zeroed(rows->row, rows->max, rows->n + 1) != 0)
		return -ENOMEM;
	rows->row[rows->n++] = *r;
	return 0;
}

/* Add the executed instructions of the first @body_node_count nodes of
   l->found, the body of loop @loop_index, to row @r; also a node's line and
   strides if it is in no inner loop. Set r->is_spin and r->has_inner_loop.
   Return: 0 or -ENOMEM. */
static int add_body_counts_lines_and_strides_to_row(struct work *w,
						    struct an_loop_row *r,
						    uint32_t loop_index,
						    uint32_t body_node_count)
{
	struct an_loop_state *l = w->state;
	int err = 0;

	for (uint32_t i = 0; i < body_node_count && !err; i++) {
		uint32_t node = l->found[i];

		r->instructions += w->executed[node];
		if (l->node[node].loop == loop_index + 1)
			err = add_line_and_strides_of_node_to_row(w, r, node);
		else
			r->has_inner_loop = true;
	}
	return err ? err : set_is_spin(r, l, body_node_count);
}

/* Set r->least and r->most. An entry before the loop was found has no run, and
   one iteration. If there are more runs than entries, because the loop was left
   and continued, as in a coroutine, set the least and the most iterations that
   the numbers of entries and iterations allow. */
static void set_least_and_most_iterations(struct an_loop_row *r,
					  const struct an_loop *loop)
{
	r->least = loop->runs < r->entries ? 1 : loop->least;
	r->most = loop->most;
	if (loop->runs > r->entries) {
		r->least = r->entries == 1 ? r->iterations : 1;
		r->most = r->iterations - r->entries + 1;
	}
}

/* Add the row of loop @loop_index unless it is irreducible. Return: 0 or
   -ENOMEM. */
static int add_row_of_loop_if_natural(struct work *w, uint32_t loop_index)
{
	struct an_loop_state *l = w->state;
	const struct an_loop *loop = &l->loop[loop_index];
	const struct an_instr_node *in = &l->code.node[loop->header];
	int64_t n_from = list_sources_of_dominated_back_edges(w, loop), n;
	struct an_loop_row r = {
		.address = in->address,
		.version = in->version,
		.depth = w->depth[loop_index],
		.iterations = executions_without_repetitions(w, loop->header),
	};
	int err;

	if (n_from <= 0)
		return (int)n_from;
	n = an_loops_list_body_or_0_if_irreducible(l, loop->header, w->from,
						   (size_t)n_from);
	if (n < 0)
		return (int)n;
	l->env->symbol(l->env->host, in->block, in->instr, &r.symbol);
	r.entries = r.iterations - w->back;
	set_least_and_most_iterations(&r, loop);
	err = add_body_counts_lines_and_strides_to_row(w, &r, loop_index,
						       (uint32_t)n);
	if (!err)
		err = an_loops_add_dependences_to_row(l, &r, loop_index,
						      (uint32_t)n);
	if (!err)
		err = append_row_shallow_copy(&l->rows, &r);
	if (err)
		free_row_arrays(&r);
	return err;
}

/* Search the final bodies of all loops, and set body_size and w->depth of each
   loop (depth: number of loops that contain its header, itself included) and
   the innermost loop of each node. Return: 0 or -ENOMEM. */
static int set_loop_sizes_depths_and_loop_of_nodes(struct work *w)
{
	struct an_loop_state *l = w->state;

	for (uint32_t i = 0; i < l->code.n_nodes; i++)
		l->node[i].loop = 0;
	for (uint32_t i = 0; i < l->n_loops; i++) {
		int64_t n_from =
			list_sources_of_dominated_back_edges(w, &l->loop[i]);
		int64_t n;

		if (n_from < 0)
			return (int)n_from;
		if (n_from == 0)
			continue;
		n = an_loops_list_body_or_0_if_irreducible(
			l, l->loop[i].header, w->from, (size_t)n_from);
		if (n < 0)
			return (int)n;
		l->loop[i].body_size = (uint32_t)n;
		for (uint32_t k = 0; k < n; k++) {
			struct an_loop_node *node = &l->node[l->found[k]];

			if (node->header_of)
				w->depth[node->header_of - 1]++;
			if (node->loop == 0 ||
			    l->loop[node->loop - 1].body_size > n)
				node->loop = i + 1;
		}
	}
	return 0;
}

int an_loops_make_row_of_each_loop(struct an_loop_state *l)
{
	struct work w = {
		.state = l,
		.executed = calloc(l->code.n_nodes + 1u, sizeof(*w.executed)),
		.depth = calloc(l->n_loops + 1, sizeof(*w.depth)),
	};
	int err = -ENOMEM;

	if (w.executed && w.depth) {
		err = count_instr_executions_and_total(&w);
		count_executions_of_in_block_back_edges(l);
		an_loops_group_dependences_by_loop(l);
		if (!err)
			err = set_loop_sizes_depths_and_loop_of_nodes(&w);
	}
	for (uint32_t i = 0; i < l->n_loops && !err; i++)
		err = add_row_of_loop_if_natural(&w, i);
	if (!err)
		err = an_loops_add_irreducible_region_rows(l, w.executed);
	free(w.executed);
	free(w.depth);
	free(w.from);
	return err;
}

/* ---- merging ---- */

static bool is_same_loop_address_and_function(const struct an_loop_row *a,
					      const struct an_loop_row *b)
{
	return a->address == b->address && a->version == b->version &&
	       a->symbol.function == b->symbol.function &&
	       a->symbol.object == b->symbol.object &&
	       a->symbol.line == b->symbol.line;
}

static int merge_row_counts_and_lists(struct an_loop_row *to,
				      const struct an_loop_row *from)
{
	int err = 0;

	to->entries += from->entries;
	to->iterations += from->iterations;
	to->instructions += from->instructions;
	to->is_spin &= from->is_spin;
	to->has_inner_loop |= from->has_inner_loop;
	if (from->least < to->least)
		to->least = from->least;
	if (from->most > to->most)
		to->most = from->most;
	if (from->depth > to->depth)
		to->depth = from->depth;
	for (size_t i = 0; i < from->n_strides && !err; i++)
		err = add_to_stride_count_of_line(
			to, from->stride[i].file, from->stride[i].line,
			from->stride[i].stride, from->stride[i].count);
	for (size_t i = 0; i < from->n_lines && !err; i++)
		err = add_line_to_row_if_new(to, &from->line[i]);
	return err ? err : an_loop_row_merge_dependences(to, from);
}

int an_loop_rows_merge(struct an_loop_rows *into,
		       const struct an_loop_rows *from)
{
	size_t known = into->n;
	int err = 0;

	into->instructions += from->instructions;
	if (from->irreducible > 0)
		an_loop_rows_add_irreducible_count(
			into, from->irreducible,
			&from->most_executed_irreducible);
	for (size_t i = 0; i < from->n && !err; i++) {
		struct an_loop_row r = {.least = UINT64_MAX, .is_spin = true};
		size_t k = 0;

		while (k < known && !is_same_loop_address_and_function(
					    &into->row[k], &from->row[i]))
			k++;
		if (k == known) {
			r.address = from->row[i].address;
			r.version = from->row[i].version;
			r.symbol = from->row[i].symbol;
			k = into->n;
			err = append_row_shallow_copy(into, &r);
		}
		if (!err)
			err = merge_row_counts_and_lists(&into->row[k],
							 &from->row[i]);
	}
	return err;
}

void an_loop_rows_release(struct an_loop_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free_row_arrays(&rows->row[i]);
	free(rows->row);
	*rows = (struct an_loop_rows){0};
}
