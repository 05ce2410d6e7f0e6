/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_groups.c - lists the compilation units of an object file by their code;
 *                 see unit_groups.h
 */
#include "lib/symbols/unit_groups.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

/* State of al_unitgroups_list(). */
struct listing {
	struct al_unitgroups *list;
	uint64_t text;	   /* ELF address of .text (sh_addr), not its address in
			      memory */
	uint64_t text_end; /* ELF address after the end of .text */
};

/* Append an interval of code of the unit that will be appended next, unless it
   is empty or outside .text. Return: 0; -ENOMEM. An interval that is only
   partly in .text is appended whole. */
static int append_code_interval_in_text_section(struct listing *l,
						uint64_t start, uint64_t end)
{
	struct al_unitgroups *g = l->list;

	if (start >= end || end <= l->text || start >= l->text_end)
		return 0;
	if (al_array_reserve(g->interval, g->intervals_capacity,
			     g->n_intervals + 1))
		return -ENOMEM;
	g->interval[g->n_intervals++] = (struct al_code_interval){
		.start = start, .end = end, .group = (uint32_t)g->n_units};
	return 0;
}

/* Append one interval from the lowest to the highest address in .text of the
   unit's source lines; nothing if it has none. Return: 0; -ENOMEM. */
static int append_address_interval_of_lines(struct listing *l, Dwarf_Die *unit)
{
	uint64_t low = UINT64_MAX, high = 0;
	Dwarf_Lines *lines;
	Dwarf_Addr address;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &address) ||
		    address < l->text || address > l->text_end)
			continue;
		low = address < low ? address : low;
		high = address > high ? address : high;
	}
	return append_code_interval_in_text_section(l, low, high);
}

/* Append the intervals of code in .text of a unit. Return: 0; -ENOMEM. */
static int append_intervals_of_unit(struct listing *l, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	bool has_code = false;
	int err = 0;

	while (!err &&
	       (offset = dwarf_ranges(unit, offset, &base, &start, &end)) > 0) {
		has_code = true;
		err = append_code_interval_in_text_section(l, start, end);
	}
	if (!err && (offset < 0 || !has_code))
		err = append_address_interval_of_lines(l, unit);
	return err;
}

/* Append a unit and its code, if it has source lines and code in .text. Return:
   0; -ENOMEM. */
static int append_unit_if_in_text(struct listing *l, Dwarf_Die *unit)
{
	struct al_unitgroups *g = l->list;
	size_t n_intervals = g->n_intervals;

	if (!dwarf_hasattr(unit, DW_AT_stmt_list) || g->n_units >= AL_NO_UNIT)
		return 0;
	if (append_intervals_of_unit(l, unit))
		return -ENOMEM;
	if (g->n_intervals == n_intervals)
		return 0;
	if (al_array_reserve(g->unit, g->units_capacity, g->n_units + 1))
		return -ENOMEM;
	g->unit[g->n_units] = (struct al_code_unit){
		.die = *unit,
		.group = (uint32_t)g->n_units,
		.next = AL_NO_UNIT,
		.first = AL_NO_UNIT,
	};
	g->n_units++;
	return 0;
}

static int append_compile_units_in_text_section(struct listing *l, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int err = 0;

	while (!err &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit)
			err = append_unit_if_in_text(l, &unit);
	return err;
}

static int compare_intervals_by_start(const void *va, const void *vb)
{
	const struct al_code_interval *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Return the number of the group that a unit is in by the units joined so
   far. */
static uint32_t group_of_unit(struct al_unitgroups *g, uint32_t unit_index)
{
	while (g->unit[unit_index].group != unit_index) {
		g->unit[unit_index].group =
			g->unit[g->unit[unit_index].group].group;
		unit_index = g->unit[unit_index].group;
	}
	return unit_index;
}

/* Sort the intervals by start. Make those that overlap or touch one interval,
   and the groups of their units one group. */
static void sort_and_join_intervals(struct al_unitgroups *g)
{
	size_t n = 0;

	qsort(g->interval, g->n_intervals, sizeof(*g->interval),
	      compare_intervals_by_start);
	for (size_t i = 0; i < g->n_intervals; i++) {
		struct al_code_interval next = g->interval[i];
		struct al_code_interval *last = n ? &g->interval[n - 1] : NULL;

		if (!last || next.start > last->end) {
			g->interval[n++] = next;
			continue;
		}
		if (next.end > last->end)
			last->end = next.end;
		g->unit[group_of_unit(g, next.group)].group =
			group_of_unit(g, last->group);
	}
	g->n_intervals = n;
}

/* Extend each interval to the start of the next one, the last to the end of
   .text. A unit's ranges can leave out the bytes that align its functions, to
   which its source lines extend. */
static void extend_code_intervals_to_start_of_next(struct listing *l)
{
	struct al_unitgroups *g = l->list;

	for (size_t i = 0; i + 1 < g->n_intervals; i++)
		g->interval[i].end = g->interval[i + 1].start;
	if (g->interval[g->n_intervals - 1].end < l->text_end)
		g->interval[g->n_intervals - 1].end = l->text_end;
}

/* Set the group of each interval and each unit to its last value, and link the
   units of each group. */
static void link_units_of_groups(struct al_unitgroups *g)
{
	for (size_t i = 0; i < g->n_intervals; i++)
		g->interval[i].group = group_of_unit(g, g->interval[i].group);
	for (size_t i = g->n_units; i-- > 0;) {
		uint32_t group = group_of_unit(g, (uint32_t)i);

		g->unit[i].group = group;
		g->unit[i].next = g->unit[group].first;
		g->unit[group].first = (uint32_t)i;
	}
}

int al_unitgroups_list(struct al_unitgroups *g, Dwarf *dwarf,
		       uint64_t text_address, uint64_t text_end_address)
{
	struct listing l = {
		.list = g, .text = text_address, .text_end = text_end_address};
	int err = append_compile_units_in_text_section(&l, dwarf);

	if (err) {
		al_unitgroups_release(g);
	} else if (g->n_intervals) {
		sort_and_join_intervals(g);
		extend_code_intervals_to_start_of_next(&l);
		link_units_of_groups(g);
	}
	return err;
}

const struct al_code_interval *
al_unitgroups_find_interval(const struct al_unitgroups *g, uint64_t elf_address)
{
	size_t low = 0, high = g->n_intervals;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct al_code_interval *i = &g->interval[middle];

		if (elf_address < i->start)
			high = middle;
		else if (elf_address >= i->end)
			low = middle + 1;
		else
			return i;
	}
	return NULL;
}

void al_unitgroups_release(struct al_unitgroups *g)
{
	free(g->unit);
	free(g->interval);
	*g = (struct al_unitgroups){0};
}
