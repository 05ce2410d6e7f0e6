/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_counter.c - counts the accesses of runs of executions; see run_counter.h
 *
 * The addresses of many programs are spread over more memory than the host's
 * caches hold. So the cells (counts) of many runs are found and loaded into the
 * host's cache before the first of them is changed.
 */

#include "analyzers/entropy/run_counter.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

/* Cells of as many near accesses are found before the first is changed. */
enum { FOUND_AHEAD = 128 };

/* Counts, in the table of counts by address, that a run (executions with one
   value of a slot) increases: those of a group of near accesses. */
struct cells {
	const struct an_value_run *run;
	const struct an_near_accesses *near;
	uint32_t *first; /* of the lowest address */
	unsigned shift;	 /* log2 of the bytes of a cell */
};

static int append_near_accesses_of_new_blocks(struct an_run_counter *c,
					      size_t total_block_count)
{
	const struct an_near_block *b;

	while ((b = (const struct an_near_block *)an_chain_reader_next_or_null(
			&c->reader, total_block_count)) != NULL) {
		if (al_array_reserve(c->near, c->max_near, c->n_near + b->n) !=
		    0)
			return -ENOMEM;
		for (struct an_near_accesses *a = b->first_slot; a;
		     a = a->next_slot)
			c->near[c->n_near++] = a;
	}
	return 0;
}

static bool are_accesses_skipped_by_guard(const struct an_value_run *r,
					  const struct an_near_accesses *a)
{
	return a->is_guarded & (r->slot_value == PT_NOT_DONE);
}

/* Find the cells of near accesses of a run, and load the first one into the
   host's cache. Return: true if each access has a cell, all in one unit; false
   also if the accesses did not happen. */
static bool find_and_prefetch_cells(const struct an_run_counter *c,
				    const struct an_value_run *r,
				    const struct an_near_accesses *a,
				    struct cells *cells_out)
{
	uint64_t lowest = r->slot_value + a->lowest_delta;
	uint64_t in_unit = lowest % AN_COUNT_UNIT;
	const struct an_count_unit *u = an_address_counts_find_bucket(
		&c->counts, lowest / AN_COUNT_UNIT);
	unsigned in_cell = (1u << u->shift) - 1;

	*cells_out = (struct cells){r, a, u->count + (in_unit >> u->shift),
				    u->shift};
	__builtin_prefetch(cells_out->first, 1);
	return u->count != NULL && in_unit + a->distance < AN_COUNT_UNIT &&
	       !((lowest | a->offset_bits) & in_cell) &&
	       !are_accesses_skipped_by_guard(r, a);
}

/* Append the cells of all near accesses of a run to @n found ones. Return: the
   number of cells then; 0 if not all are found, or they are more than
   FOUND_AHEAD. */
static size_t append_run_cells_if_all_are_found(const struct an_run_counter *c,
						const struct an_value_run *r,
						struct cells cells[FOUND_AHEAD],
						size_t n)
{
	for (const struct an_near_accesses *a = c->near[r->slot_number]; a;
	     a = a->next_of_slot)
		if (n == FOUND_AHEAD ||
		    !find_and_prefetch_cells(c, r, a, &cells[n++]))
			return 0;
	return n;
}

/* Count near accesses of a run in their cells. Return: as
   an_address_counts_add(). */
static int count_execution_run_accesses_in_cells(struct an_run_counter *c,
						 struct cells cells)
{
	const struct an_near_access *access = cells.near->access,
				    *end = access + cells.near->n;
	uint64_t n_execs = cells.run->n_execs;
	int err = 0;

	for (; access < end; access++) {
		uint32_t *cell = &cells.first[access->offset >> cells.shift];
		uint64_t n = n_execs * access->times;

		if (*cell + n <= UINT32_MAX)
			*cell += (uint32_t)n;
		else if (!err)
			err = an_address_counts_add(
				&c->counts,
				cells.run->slot_value +
					cells.near->lowest_delta +
					access->offset,
				n);
	}
	return err;
}

/* Count near accesses of a run, for each of which a cell is added if there is
   none. Return: as an_address_counts_add(). */
static int count_near_accesses_and_add_cells(struct an_run_counter *c,
					     const struct an_value_run *r,
					     const struct an_near_accesses *a)
{
	int err = 0;

	if (r->n_execs == 0 || are_accesses_skipped_by_guard(r, a))
		return 0;
	for (unsigned i = 0; i < a->n && !err; i++)
		err = an_address_counts_add(
			&c->counts,
			r->slot_value + a->lowest_delta + a->access[i].offset,
			(uint64_t)r->n_execs * a->access[i].times);
	return err;
}

static int count_run_accesses_and_add_cells(struct an_run_counter *c,
					    const struct an_value_run *r)
{
	const struct an_near_accesses *a;
	int err = 0;

	for (a = c->near[r->slot_number]; a && !err; a = a->next_of_slot)
		err = count_near_accesses_and_add_cells(c, r, a);
	return err;
}

/* Count the accesses of the first of @n runs: of those runs whose cells are all
   found, until FOUND_AHEAD cells are found; if fewer are, also of the next run,
   whose missing cells are added. This can move other cells. Return: as
   an_address_counts_add(). @n_counted_out: receives the number of runs
   counted. */
static int
count_accesses_of_runs_until_cells_added(struct an_run_counter *c,
					 const struct an_value_run *run,
					 size_t n, size_t *n_counted_out)
{
	struct cells cells[FOUND_AHEAD];
	size_t n_cells = 0, n_runs = 0, n_next;
	int err = 0;

	while (n_runs < n && (n_next = append_run_cells_if_all_are_found(
				      c, &run[n_runs], cells, n_cells)) != 0) {
		n_cells = n_next;
		n_runs++;
	}
	for (size_t i = 0; i < n_cells && !err; i++)
		err = count_execution_run_accesses_in_cells(c, cells[i]);
	if (n_runs < n && n_cells < FOUND_AHEAD && !err)
		err = count_run_accesses_and_add_cells(c, &run[n_runs++]);
	*n_counted_out = n_runs;
	return err;
}

int an_run_counter_count_accesses_of_runs(struct an_run_counter *c,
					  size_t n_blocks,
					  struct an_value_run_list *list)
{
	int err = append_near_accesses_of_new_blocks(c, n_blocks);
	size_t n;

	if (!err)
		err = an_address_counts_reserve_unit(&c->counts);
	for (size_t i = 0; i < list->n && !err; i += n)
		err = count_accesses_of_runs_until_cells_added(c, list->run + i,
							       list->n - i, &n);
	list->n = 0;
	return err;
}

void an_run_counter_free_near_accesses(struct an_run_counter *c)
{
	free(c->near);
	c->near = NULL;
	c->n_near = c->max_near = 0;
}
