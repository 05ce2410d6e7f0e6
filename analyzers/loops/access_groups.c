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

void an_loops_free_access_list_after_chunk(struct an_loop_state *l,
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
					uint64_t run_number_or_0)
{
	struct an_loop_access_list *list = an_loops_alloc_access_list(1);

	if (list == NULL)
		return -ENOMEM;
	list->access[0] = *access;
	an_loops_free_access_list_after_chunk(l, list);
	return an_loops_append_access_group(
		l->inflight_of_batch,
		(struct an_loop_access_group){.access = list->access,
					      .run = run_number_or_0,
					      .first_slot_word =
						      first_slot_word,
					      .n_accesses = 1});
}

/* ---- counting ---- */

/* Count the stride of an access that has no slot or is guarded; do nothing if
   its slot shows that the access was not done (PT_NOT_DONE). */
static void count_stride_if_access_performed(const struct an_loop_access *a,
					     const uint32_t *slots,
					     uint64_t run_number)
{
	uint64_t base = 0;

	if (a->has_slot)
		base = pt_read_shared_unaligned_u64_once(slots + a->slot_word);
	if (!a->is_guarded || base != PT_NOT_DONE)
		an_strides_count(a->strides, base + a->delta, run_number);
}

/* Count the strides of the accesses of @g. @slots: the slots (recorded
   addresses) of the execution. */
static inline void count_strides_of_group(struct an_loop_access_group g,
					  const uint32_t *slots)
{
	const struct an_loop_access *end = g.access + g.n_accesses;

	for (const struct an_loop_access *a = g.access; a < end; a++) {
		uint64_t base;

		if (!a->is_plain) {
			count_stride_if_access_performed(a, slots, g.run);
			continue;
		}
		base = pt_read_shared_unaligned_u64_once(slots + a->slot_word);
		an_strides_count(a->strides, base + a->delta, g.run);
	}
}

void an_loops_count_strides_of_groups(struct an_loop_inflight *in,
				      const uint32_t *chunk_slots)
{
	const struct an_loop_access_group *group = in->group,
					  *end = group + in->n_groups;

	for (; group < end; group++)
		count_strides_of_group(*group,
				       chunk_slots + group->first_slot_word);
	in->n_groups = 0;
}

void an_loops_free_replaced_access_lists(struct an_loop_inflight *in)
{
	while (in->replaced != NULL) {
		struct an_loop_access_list *next = in->replaced->next;

		free(in->replaced);
		in->replaced = next;
	}
}
