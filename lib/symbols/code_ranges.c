/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_ranges.c - finds the entry of an address; see code_ranges.h */

#include "lib/symbols/code_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

static int append_range(struct al_code_ranges *r, uint64_t start, uint64_t end,
			const Dwarf_Die *entry)
{
	if (al_array_reserve(r->range, r->capacity, r->n + 1) != 0)
		return -ENOMEM;
	r->range[r->n] = (struct al_code_range){
		.start = start, .end = end, .number = r->n, .entry = *entry};
	r->n++;
	return 0;
}

int al_code_ranges_add_of_entry(struct al_code_ranges *r, Dwarf_Die *entry)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	int err = 0;

	while (!err &&
	       (offset = dwarf_ranges(entry, offset, &base, &start, &end)) > 0)
		err = append_range(r, start, end, entry);
	return err;
}

static int compare_start_then_number(const void *va, const void *vb)
{
	const struct al_code_range *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void al_code_ranges_sort(struct al_code_ranges *r)
{
	uint64_t furthest_end = 0;

	if (r->n > 0)
		qsort(r->range, r->n, sizeof(*r->range),
		      compare_start_then_number);
	for (size_t i = 0; i < r->n; i++) {
		if (r->range[i].end > furthest_end)
			furthest_end = r->range[i].end;
		r->range[i].furthest_end = furthest_end;
	}
}

struct al_code_range *al_code_ranges_find(const struct al_code_ranges *r,
					  uint64_t address)
{
	struct al_code_range *found = NULL;
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (r->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && r->range[low - 1].furthest_end > address; low--)
		if (r->range[low - 1].end > address &&
		    (found == NULL || r->range[low - 1].number < found->number))
			found = &r->range[low - 1];
	return found;
}

void al_code_ranges_release(struct al_code_ranges *r)
{
	free(r->range);
	*r = (struct al_code_ranges){0};
}
