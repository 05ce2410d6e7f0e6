/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_groups.c - lists the accesses whose strides are counted when the
   executions of their chunk have been followed, and counts them; see loops.h */

#include <errno.h>
#include <stdlib.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"

/* ---- listing ---- */

struct an_loop_access_list *an_loops_alloc_access_list(size_t access_count)
{
	struct an_loop_access_list *list =
		malloc(sizeof(*list) + access_count * (sizeof(*list->access) +
						       sizeof(*list->place)));

	if (list == NULL)
		return NULL;
	list->next = NULL;
	list->place = (void *)&list->access[access_count];
	return list;
}

void an_loops_defer_free_of_access_list(struct an_loop_state *l,
					struct an_loop_access_list *list)
{
	list->next = l->inflight_of_batch->replaced;
	l->inflight_of_batch->replaced = list;
}

int an_loops_grow_groups(struct an_loop_inflight *in, size_t more)
{
	return al_array_reserve(in->group, in->max_groups, in->n_groups + more);
}

int an_loops_append_group_of_one_access(struct an_loop_state *l,
					const struct an_loop_access *access,
					uint32_t first_slot_word,
					const struct an_loop_run *run_or_null)
{
	struct an_loop_access_list *list = an_loops_alloc_access_list(1);

	if (list == NULL)
		return -ENOMEM;
	list->access[0] = *access;
	an_loops_defer_free_of_access_list(l, list);
	return an_loops_append_access_group(
		l->inflight_of_batch,
		(struct an_loop_access_group){
			.access = list->access,
			.run = run_or_null ? run_or_null->number : 0,
			.lane = run_or_null ? run_or_null->lane : 0,
			.first_slot_word = first_slot_word,
			.n_accesses = 1});
}

/* ---- counting ---- */

/* Count the stride, in @lane, of an access that may lack a slot or have a
   guard; do nothing if its slot shows that the access was not done
   (PT_NOT_DONE). */
static void count_stride_if_access_performed(const struct an_loop_access *a,
					     struct an_stride_lane *lane,
					     const uint32_t *slots,
					     uint64_t run_number)
{
	uint64_t base = 0;

	if (a->has_slot)
		base = pt_read_shared_unaligned_u64_once(slots + a->slot_word);
	if (!a->is_guarded || base != PT_NOT_DONE)
		an_strides_count(a->strides, lane, base + a->delta, run_number);
}

/* Count the strides of the accesses of @g, whose run has lane 0. @slots: the
   slots (recorded addresses) of the execution. */
static inline void count_strides_in_first_lane(struct an_loop_access_group g,
					       const uint32_t *slots)
{
	const struct an_loop_access *end = g.access + g.n_accesses;

	for (const struct an_loop_access *a = g.access; a < end; a++) {
		uint64_t base;

		if (!a->is_plain) {
			count_stride_if_access_performed(a, &a->strides->first,
							 slots, g.run);
			continue;
		}
		base = pt_read_shared_unaligned_u64_once(slots + a->slot_word);
		an_strides_count(a->strides, &a->strides->first,
				 base + a->delta, g.run);
	}
}

/* Count the strides of the accesses of @g, whose run has another lane than 0.
   Return: 0 or -ENOMEM. */
static __attribute__((noinline)) int
count_strides_in_other_lane(const struct an_loop_access_group *g,
			    const uint32_t *slots, struct an_arena *arena)
{
	for (unsigned i = 0; i < g->n_accesses; i++) {
		struct an_stride_lane *lane = an_strides_find_or_add_lane(
			g->access[i].strides, g->lane, arena);

		if (lane == NULL)
			return -ENOMEM;
		count_stride_if_access_performed(&g->access[i], lane, slots,
						 g->run);
	}
	return 0;
}

int an_loops_count_strides_of_groups(struct an_loop_inflight *in,
				     const uint32_t *chunk_slots,
				     struct an_arena *arena)
{
	const struct an_loop_access_group *group = in->group,
					  *end = group + in->n_groups;
	int err = 0;

	for (; group < end && !err; group++) {
		const uint32_t *slots = chunk_slots + group->first_slot_word;

		if (__builtin_expect(group->lane == 0, 1))
			count_strides_in_first_lane(*group, slots);
		else
			err = count_strides_in_other_lane(group, slots, arena);
	}
	in->n_groups = 0;
	return err;
}

void an_loops_free_deferred_access_lists(struct an_loop_inflight *in)
{
	while (in->replaced != NULL) {
		struct an_loop_access_list *next = in->replaced->next;

		free(in->replaced);
		in->replaced = next;
	}
}
