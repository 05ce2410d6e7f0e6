/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_table.c - reads the source lines of an object file; see line_table.h
 */
#include "lib/symbols/line_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "lib/symbols/elf.h"

/* Limits on a range: Valgrind stores its size in 12 bits and its line in 20
   bits. */
enum { MAX_SIZE = (1 << 12) - 1, MAX_LINE = (1 << 20) - 1 };

/* Names of the source file of the last row; successive rows often have the same
   file. */
struct file {
	const char *home; /* directory in which the unit was compiled, or
			     NULL */
	const char *raw;  /* path as returned by libdw; NULL: no file yet */
	const char *path; /* path to report, interned */
	const char *name; /* file name without directory, interned */
};

/* A row of a line program. */
struct row {
	uint64_t address;
	int line;
	const char *path;
	bool is_end; /* end of a sequence of rows; @address follows its last
			byte */
};

/* Copy a row of the line program to @row. Return: false if libdw cannot read
   it; @row is then partly set. */
static bool copy_line_program_row(Dwarf_Line *line, struct row *row)
{
	Dwarf_Addr address;

	if (!line || dwarf_lineaddr(line, &address) ||
	    dwarf_lineno(line, &row->line) ||
	    dwarf_lineendsequence(line, &row->is_end))
		return false;
	row->address = address;
	row->path = dwarf_linesrc(line, NULL, NULL);
	return true;
}

const char *al_linetab_prepend_directory_and_intern(const char *raw,
						    const char *directory,
						    struct al_intern *strings)
{
	const char *path;
	char *joined;

	if (raw[0] == '/' || !directory ||
	    asprintf(&joined, "%s/%s", directory, raw) < 0)
		return al_intern(strings, raw);
	path = al_intern(strings, joined);
	free(joined);
	return path;
}

/* Set the names in @file for the source file @raw_path_or_null, unless they are
   set for it already; "???" if it is NULL. */
static void set_path_and_base_name_if_changed(struct file *file,
					      const char *raw_path_or_null,
					      struct al_intern *strings)
{
	const char *slash;

	if (!raw_path_or_null)
		raw_path_or_null = "???";
	if (raw_path_or_null == file->raw)
		return;
	slash = strrchr(raw_path_or_null, '/');
	file->raw = raw_path_or_null;
	file->path = al_linetab_prepend_directory_and_intern(
		raw_path_or_null, file->home, strings);
	file->name = al_intern(strings, slash ? slash + 1 : raw_path_or_null);
}

/* Append a range to the table. If the last range ends where it begins, has the
   same line number, and the sum of their sizes is at most MAX_SIZE, extend the
   last range instead. Return: 0; -ENOMEM. */
static int append_or_join_range(struct al_linetab *t,
				const struct al_line *line)
{
	struct al_line *last = t->n ? &t->line[t->n - 1] : NULL;

	if (last && last->line == line->line &&
	    last->start + last->size == line->start &&
	    last->size + line->size <= MAX_SIZE) {
		last->size += line->size;
		return 0;
	}
	if (al_array_reserve(t->line, t->capacity, t->n + 1))
		return -ENOMEM;
	t->line[t->n++] = *line;
	return 0;
}

/* Append the range from a row to @next_row_address, the address of the next
   row; only its first byte if it is longer than MAX_SIZE. Append nothing if the
   range is empty or outside .text, or its address or line is invalid. Return:
   0; -ENOMEM. */
static int append_row_range_if_in_text(struct al_linetab *t,
				       const struct row *row,
				       uint64_t next_row_address,
				       struct file *file,
				       struct al_intern *strings)
{
	uint64_t size = next_row_address - row->address;

	if (!size || !row->address || row->line < 0 || row->line > MAX_LINE)
		return 0;
	if (size > MAX_SIZE)
		size = 1;
	if (row->address + size <= t->text || row->address >= t->text_end)
		return 0;
	set_path_and_base_name_if_changed(file, row->path, strings);
	return append_or_join_range(t, &(struct al_line){
					       .start = row->address,
					       .size = (uint32_t)size,
					       .line = (uint32_t)row->line,
					       .path = file->path,
					       .file = file->name,
				       });
}

/*
 * Whether a row is an empty last row of the sequence that ended at
 * @sequence_end. libdw sorts the end of a sequence before rows of the same
 * address, so such a row seems to extend to the next sequence. It is outside
 * the unit's code.
 */
static bool is_empty_last_row(Dwarf_Die *unit, const struct row *row,
			      uint64_t sequence_end)
{
	return row->address == sequence_end && !dwarf_haspc(unit, sequence_end);
}

/* Return the directory in which a unit was compiled; NULL if not known. */
static const char *unit_directory_or_null(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static int append_line_ranges_of_unit(struct al_linetab *t, Dwarf_Die *unit,
				      struct al_intern *strings)
{
	struct file file = {.home = unit_directory_or_null(unit)};
	uint64_t sequence_end = 0;
	struct row row, next;
	Dwarf_Lines *lines;
	size_t n;
	int err = 0;

	if (dwarf_getsrclines(unit, &lines, &n) || n < 2 ||
	    !copy_line_program_row(dwarf_onesrcline(lines, 0), &row))
		return 0;
	for (size_t i = 1; i < n && !err; i++, row = next) {
		if (!copy_line_program_row(dwarf_onesrcline(lines, i), &next))
			break;
		if (row.is_end)
			sequence_end = row.address;
		else if (!is_empty_last_row(unit, &row, sequence_end))
			err = append_row_range_if_in_text(t, &row, next.address,
							  &file, strings);
	}
	return err;
}

static int append_line_ranges_of_all_units(struct al_linetab *t, Elf *elf,
					   struct al_intern *strings)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	int err = 0;

	if (!dwarf)
		return 0;
	while (!err &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit)
			err = append_line_ranges_of_unit(t, &unit, strings);
	dwarf_end(dwarf);
	return err;
}

static int compare_line_ranges_by_start(const void *va, const void *vb)
{
	const struct al_line *a = va, *b = vb;

	return (a->start > b->start) - (a->start < b->start);
}

/* Sort the ranges, and shorten each to end where the next one begins. */
static void sort_ranges_and_cut_overlaps(struct al_linetab *t)
{
	size_t n = 0;

	qsort(t->line, t->n, sizeof(*t->line), compare_line_ranges_by_start);
	for (size_t i = 0; i < t->n; i++) {
		struct al_line line = t->line[i];

		if (i + 1 < t->n &&
		    t->line[i + 1].start - line.start < line.size)
			line.size =
				(uint32_t)(t->line[i + 1].start - line.start);
		if (line.size)
			t->line[n++] = line;
	}
	t->n = n;
}

/* Shrink the array to its n ranges, unless that fails. */
static void shrink_array_to_used_ranges(struct al_linetab *t)
{
	struct al_line *smaller = realloc(t->line, t->n * sizeof(*smaller));

	if (smaller) {
		t->line = smaller;
		t->capacity = t->n;
	}
}

int al_linetab_read_debug_or_main(struct al_linetab *t, Elf *main,
				  Elf *debug_or_null, struct al_intern *strings)
{
	GElf_Shdr text;
	int err;

	if (!al_elf_find_section(main, ".text", &text))
		return 0;
	t->text = text.sh_addr;
	t->text_end = text.sh_addr + text.sh_size;
	err = append_line_ranges_of_all_units(
		t, debug_or_null ? debug_or_null : main, strings);
	if (err < 0) {
		al_linetab_release(t);
		return err;
	}
	if (t->n) {
		sort_ranges_and_cut_overlaps(t);
		shrink_array_to_used_ranges(t);
	}
	return 0;
}

const struct al_line *al_linetab_find_range(const struct al_linetab *t,
					    uint64_t elf_address)
{
	size_t lo = 0, hi = t->n;

	if (elf_address < t->text || elf_address >= t->text_end)
		return NULL;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct al_line *line = &t->line[mid];

		if (elf_address < line->start)
			hi = mid;
		else if (elf_address - line->start >= line->size)
			lo = mid + 1;
		else
			return line;
	}
	return NULL;
}

void al_linetab_release(struct al_linetab *t)
{
	free(t->line);
	*t = (struct al_linetab){0};
}
