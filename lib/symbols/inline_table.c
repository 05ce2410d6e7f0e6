/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inline_table.c - reads the inlined calls of an object file; see
 *                  inline_table.h
 */
#include "lib/symbols/inline_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "lib/symbols/types/entry_walk.h"
#include "lib/symbols/line_table.h"

/* State of al_inlines_read(). */
struct reading {
	struct al_inlines *table;
	struct al_intern *strings;
	Dwarf_Files *files;    /* source files of the unit */
	const char *directory; /* folder of the unit's compilation, or NULL */
	int err;
};

/* Return the unsigned value of attribute @attribute_name (DW_AT_...) of an
   entry; 0 if the entry has no such attribute. */
static uint64_t entry_attribute_number_or_0(Dwarf_Die *die,
					    unsigned attribute_name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, attribute_name, &attribute),
			       &value)
		       ? 0
		       : value;
}

static int append_range(struct al_inlines *t, const struct al_inlined *range)
{
	int err = al_array_reserve(t->range, t->capacity, t->n + 1);

	if (!err)
		t->range[t->n++] = *range;
	return err;
}

/* Append the ranges of code of an inlined call to the table; no range if the
   line or the file of the call is not known. On error, set the reader's
   error. */
static void append_ranges_of_inlined_call(struct reading *r, Dwarf_Die *die)
{
	size_t file = entry_attribute_number_or_0(die, DW_AT_call_file);
	uint64_t line = entry_attribute_number_or_0(die, DW_AT_call_line);
	const char *raw =
		r->files ? dwarf_filesrc(r->files, file, NULL, NULL) : NULL;
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	if (!raw || !line || line > UINT32_MAX)
		return;
	while (!r->err &&
	       (offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
		if (start < end)
			r->err = append_range(
				r->table,
				&(struct al_inlined){
					start, end,
					al_linetab_prepend_directory_and_intern(
						raw, r->directory, r->strings),
					(uint32_t)line, 0});
}

static int append_ranges_if_inlined_call(void *reading, Dwarf_Die *entry,
					 int tag)
{
	struct reading *r = reading;

	if (tag == DW_TAG_inlined_subroutine)
		append_ranges_of_inlined_call(r, entry);
	return r->err;
}

static void set_folder_and_files_of_unit(void *reading, Dwarf_Die *unit)
{
	struct reading *r = reading;
	Dwarf_Attribute attribute;
	size_t n;

	r->directory =
		dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (dwarf_getsrcfiles(unit, &r->files, &n))
		r->files = NULL;
}

static int compare_ranges_outermost_first(const void *va, const void *vb)
{
	const struct al_inlined *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->outer > b->outer) - (a->outer < b->outer);
}

/* Sort the ranges by start, longer ones first, equal ones in the order in which
   they were read, and set `outer` of each to the number of the last range
   before it that contains its start. */
static void sort_ranges_and_link_to_outer(struct al_inlines *t)
{
	uint32_t open = 0;

	for (size_t i = 0; i < t->n; i++)
		t->range[i].outer = (uint32_t)i;
	if (t->n > 0)
		qsort(t->range, t->n, sizeof(*t->range),
		      compare_ranges_outermost_first);
	for (size_t i = 0; i < t->n; i++) {
		while (open && t->range[open - 1].end <= t->range[i].start)
			open = t->range[open - 1].outer;
		t->range[i].outer = open;
		open = (uint32_t)i + 1;
	}
}

int al_inlines_read(struct al_inlines *t, Elf *elf, struct al_intern *strings)
{
	struct reading r = {.table = t, .strings = strings};
	struct al_entry_visitor visitor = {set_folder_and_files_of_unit,
					   append_ranges_if_inlined_call, &r};
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

	if (!dwarf)
		return 0;
	al_debug_entries_visit(dwarf, &visitor);
	dwarf_end(dwarf);
	if (r.err)
		al_inlines_release(t);
	else if (t->n)
		sort_ranges_and_link_to_outer(t);
	return r.err;
}

/* Return range number @range_number_or_0 (index + 1), which starts at or before
   @elf_address, if it ends after @elf_address, or else the innermost of the
   ranges around it that does; NULL if there is none or the number is 0. */
static const struct al_inlined *
find_range_or_outer_around(const struct al_inlines *t,
			   uint32_t range_number_or_0, uint64_t elf_address)
{
	while (range_number_or_0 &&
	       t->range[range_number_or_0 - 1].end <= elf_address)
		range_number_or_0 = t->range[range_number_or_0 - 1].outer;
	return range_number_or_0 ? &t->range[range_number_or_0 - 1] : NULL;
}

const struct al_inlined *al_inlines_find_innermost(const struct al_inlines *t,
						   uint64_t elf_address)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (t->range[mid].start <= elf_address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return find_range_or_outer_around(t, (uint32_t)lo, elf_address);
}

const struct al_inlined *
al_inlines_find_outer_around(const struct al_inlines *t,
			     const struct al_inlined *inner,
			     uint64_t elf_address)
{
	return find_range_or_outer_around(t, inner->outer, elf_address);
}

void al_inlines_release(struct al_inlines *t)
{
	free(t->range);
	*t = (struct al_inlines){0};
}
