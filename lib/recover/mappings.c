/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mappings.c - stores the object files that an exec image maps; see
   mappings.h */

#include "lib/recover/mappings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

void al_mappings_release(struct al_mappings *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->mapping[i]);
	free(m->mapping);
	free(m->live);
	*m = (struct al_mappings){0};
}

/* Enlarge both arrays if they are full, so that each has room for one more
   mapping. Return: 0; -ENOMEM. */
static int reserve_one_more_mapping(struct al_mappings *m)
{
	size_t size = m->size;

	return al_array_reserve(m->mapping, size, m->n + 1)
		       ?: al_array_reserve(m->live, m->size, m->n + 1);
}

/* Return the index in m->live of the first mapping whose last byte is at or
   after @addr; m->n_live if there is none. */
static size_t first_live_index_ending_at_or_after(const struct al_mappings *m,
						  uint64_t addr)
{
	size_t low = 0, high = m->n_live; /* the result is in [low, high] */

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct al_mapping *mapping = m->live[middle];

		if (mapping->start + (mapping->size - 1) < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct al_mapping *al_mappings_find_live_at(const struct al_mappings *m,
						  uint64_t addr)
{
	size_t i = first_live_index_ending_at_or_after(m, addr);

	return i < m->n_live && m->live[i]->start <= addr ? m->live[i] : NULL;
}

void al_mappings_end_all_overlapping(struct al_mappings *m,
				     uint64_t start_address,
				     uint64_t byte_count, uint64_t log_offset)
{
	size_t first = first_live_index_ending_at_or_after(m, start_address),
	       end = first;

	while (end < m->n_live &&
	       (m->live[end]->start < start_address ||
		m->live[end]->start - start_address < byte_count))
		m->live[end++]->log_end = log_offset;
	if (end == first)
		return;
	memmove(m->live + first, m->live + end,
		(m->n_live - end) * sizeof(*m->live));
	m->n_live -= end - first;
}

/* End the current mappings that overlap @mapping, and then insert it into
   m->live, sorted by address. */
static void insert_live_and_end_overlapping(struct al_mappings *m,
					    struct al_mapping *mapping)
{
	size_t index;

	al_mappings_end_all_overlapping(m, mapping->start, mapping->size,
					mapping->log_start);
	index = first_live_index_ending_at_or_after(m, mapping->start);
	memmove(m->live + index + 1, m->live + index,
		(m->n_live - index) * sizeof(*m->live));
	m->live[index] = mapping;
	m->n_live++;
}

int al_mappings_add_copy_end_overlapping(struct al_mappings *m,
					 const struct al_mapping *mapping)
{
	struct al_mapping *copy;

	if (reserve_one_more_mapping(m) != 0)
		return -ENOMEM;
	copy = malloc(sizeof(*copy));
	if (copy == NULL)
		return -ENOMEM;
	*copy = *mapping;
	copy->log_end = UINT64_MAX;
	copy->number = (uint32_t)m->n;
	m->mapping[m->n++] = copy;
	insert_live_and_end_overlapping(m, copy);
	return 0;
}

static bool is_mapped_at_log_offset(const struct al_mapping *mapping,
				    uint64_t log_offset)
{
	return mapping->log_start <= log_offset &&
	       log_offset < mapping->log_end;
}

int al_mappings_copy_live_at_log_offset(struct al_mappings *m,
					const struct al_mappings *parent,
					uint64_t log_offset)
{
	int err = 0;

	for (size_t i = 0; i < parent->n && !err; i++) {
		struct al_mapping mapping = *parent->mapping[i];

		if (!is_mapped_at_log_offset(&mapping, log_offset))
			continue;
		mapping.log_start = 0;
		err = al_mappings_add_copy_end_overlapping(m, &mapping);
	}
	return err;
}

const struct al_mapping *
al_mappings_find_at_log_offset(const struct al_mappings *m, uint64_t addr,
			       uint64_t log_offset)
{
	const struct al_mapping *live = al_mappings_find_live_at(m, addr);

	if (live != NULL && live->log_start <= log_offset)
		return live;
	for (size_t i = 0; i < m->n; i++)
		if (is_mapped_at_log_offset(m->mapping[i], log_offset) &&
		    addr - m->mapping[i]->start < m->mapping[i]->size)
			return m->mapping[i];
	return NULL;
}

/* Return @candidate if it is above @lower_bound and below @smallest, else
   @smallest. */
static uint64_t min_above_bound(uint64_t smallest, uint64_t candidate,
				uint64_t lower_bound)
{
	return candidate > lower_bound && candidate < smallest ? candidate
							       : smallest;
}

uint64_t al_mappings_find_next_change(const struct al_mappings *m,
				      uint64_t log_offset)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < m->n; i++) {
		next = min_above_bound(next, m->mapping[i]->log_start,
				       log_offset);
		next = min_above_bound(next, m->mapping[i]->log_end,
				       log_offset);
	}
	return next;
}
