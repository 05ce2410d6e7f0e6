/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_runs.c - lists runs of slot values; see value_runs.h */

#include "analyzers/entropy/value_runs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

int an_value_runs_add_slots_of_block(struct an_value_runs *r,
				     const struct an_near_block *k)
{
	if (al_array_reserve(r->exit, r->max_blocks, r->n_blocks + 1) != 0 ||
	    al_array_reserve(r->last, r->max_last, r->n_last + k->n) != 0)
		return -ENOMEM;
	r->exit[r->n_blocks++] = k->exit;
	for (const struct an_near_accesses *a = k->first_slot; a;
	     a = a->next_slot)
		r->last[r->n_last++] = (struct an_last_run){.slot = a->slot};
	if (k->n > r->max_slots)
		r->max_slots = k->n;
	return 0;
}

/* Add an execution to the last run of each slot that it reads. Where the value
   of the slot has changed, append the run that ended to a list, which has room
   for it. No branch depends on the values: the processor would predict it
   wrong. Return: the new end of the list. */
static struct an_value_run *add_exec_to_value_runs_list_ended_ones(
	struct an_value_runs *r, const struct an_batch *b, struct an_exec e,
	struct an_value_run *end)
{
	const struct an_near_exit *x =
		&r->exit[e.block][an_exec_exit_number(e)];
	struct an_last_run *last = r->last + x->first_number;

	for (uint32_t i = 0; i < x->n; i++) {
		uint64_t value = an_exec_slot_value(b, e, last[i].slot);
		bool ends = (value != last[i].slot_value) |
			    (last[i].n_execs == UINT32_MAX);

		*end = (struct an_value_run){last[i].slot_value,
					     last[i].n_execs,
					     x->first_number + i};
		end += ends;
		last[i].n_execs = (ends ? 0 : last[i].n_execs) + 1;
		last[i].slot_value = value;
	}
	return end;
}

int an_value_runs_list_ended(struct an_value_runs *r, const struct an_batch *b,
			     struct an_value_run_list *list)
{
	int err = al_array_reserve(list->run, list->size, r->list_size);

	for (size_t i = 0; i < b->n_execs && !err; i++) {
		struct an_value_run *end;

		err = al_array_reserve(list->run, list->size,
				       list->n + r->max_slots);
		if (err)
			break;
		end = add_exec_to_value_runs_list_ended_ones(
			r, b, b->exec[i], list->run + list->n);
		list->n = (size_t)(end - list->run);
	}
	if (list->size > r->list_size)
		r->list_size = list->size;
	return err;
}

int an_value_runs_list_last(struct an_value_runs *r,
			    struct an_value_run_list *list)
{
	if (al_array_reserve(list->run, list->size, list->n + r->n_last) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_last; i++)
		list->run[list->n++] = (struct an_value_run){
			r->last[i].slot_value, r->last[i].n_execs, (uint32_t)i};
	r->n_last = 0;
	return 0;
}

void an_value_runs_release(struct an_value_runs *r)
{
	free(r->exit);
	free(r->last);
	*r = (struct an_value_runs){0};
}

void an_value_run_list_free_runs(struct an_value_run_list *list)
{
	free(list->run);
	*list = (struct an_value_run_list){.n = 0};
}
