/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_table.c - reads the source lines of an object file; see line_table.h
 */
#include "lib/symbols/line_table.h"

#include <dwarf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

/* Limits on a range: Valgrind stores its size in 12 bits and its line in 20
   bits. */
enum { MAX_SIZE = (1 << 12) - 1, MAX_LINE = (1 << 20) - 1 };

/* Limit on the debug information of all open tables [bytes]. A table beyond it
   is read at once, so that the sections of its file need not stay in memory. */
enum { MAX_OPEN_SIZE = 64 << 20 };

static pthread_mutex_t open_size_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t open_size_of_all; /* [bytes] sum of open_size of all tables;
				     under open_size_lock */

/* Names of the source file of the last row; successive rows often have the same
   file. */
struct file {
	const char *home; /* directory in which the unit was compiled, or
			     NULL */
	const char *raw;  /* path as returned by libdw; NULL: no file yet */
	const char *path; /* path of the source file in reports, interned */
	const char *name; /* name of the source file without directory,
			     interned */
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
		return al_intern_question_marks_if_no_memory(strings, raw);
	path = al_intern_question_marks_if_no_memory(strings, joined);
	free(joined);
	return path;
}

/* Set the names in @file for the source file @raw_path_or_null, unless they are
   set for it already; "???" if it is NULL. */
static void set_path_and_base_name_if_changed(struct file *file,
					      const char *raw_path_or_null,
					      struct al_intern *strings)
{
	static const char unknown[] = "???";
	const char *raw = raw_path_or_null ? raw_path_or_null : unknown;
	const char *slash = strrchr(raw, '/');

	if (raw == file->raw)
		return;
	file->raw = raw;
	file->path = al_linetab_prepend_directory_and_intern(
		raw, raw == unknown ? NULL : file->home, strings);
	file->name = al_intern_question_marks_if_no_memory(
		strings, slash ? slash + 1 : raw);
}

/* State of reading the lines of a group of compilation units. */
struct reading {
	const struct al_linetab *table;
	struct al_line_group *group;
	uint32_t group_number;
	size_t capacity; /* allocated elements of the group's array */
	size_t n_closed; /* number of ranges at the start of the group that are
			    not extended any more */
	const struct al_code_interval *interval; /* code interval of the last
						    row, or NULL */
};

/* Append a range to the group. If the last range ends where it begins, has the
   same line number, is not among the group's first n_closed ranges, and the sum
   of their sizes is at most MAX_SIZE, extend the last range instead. Return: 0;
   -ENOMEM. */
static int append_or_join_range(struct reading *r, const struct al_line *line)
{
	struct al_line_group *g = r->group;
	struct al_line *last = g->n > r->n_closed ? &g->line[g->n - 1] : NULL;

	if (last && last->line == line->line &&
	    last->start + last->size == line->start &&
	    last->size + line->size <= MAX_SIZE) {
		last->size += line->size;
		return 0;
	}
	if (al_array_reserve(g->line, r->capacity, g->n + 1))
		return -ENOMEM;
	g->line[g->n++] = *line;
	return 0;
}

/* Return the interval of code that contains @elf_address, if it is of the group
   that is being read; NULL if there is none. */
static const struct al_code_interval *
find_interval_in_current_group(struct reading *r, uint64_t elf_address)
{
	const struct al_code_interval *i = r->interval;

	if (!i || elf_address < i->start || elf_address >= i->end)
		i = al_unitgroups_find_interval(&r->table->units, elf_address);
	r->interval = i;
	return i && i->group == r->group_number ? i : NULL;
}

/* Append the range from a row to @next_row_address, the address of the next
   row; only its first byte if it is longer than MAX_SIZE, and only what is in
   the interval in which it begins. Append nothing if the range is empty or
   outside .text or the group's code, or its address or line is invalid. Return:
   0; -ENOMEM. */
static int append_row_range_if_in_text(struct reading *r, const struct row *row,
				       uint64_t next_row_address,
				       struct file *cached_file_of_last_row)
{
	uint64_t size = next_row_address - row->address;
	const struct al_linetab *t = r->table;
	const struct al_code_interval *i;

	if (!size || !row->address || row->line < 0 || row->line > MAX_LINE)
		return 0;
	if (size > MAX_SIZE)
		size = 1;
	if (row->address + size <= t->text || row->address >= t->text_end)
		return 0;
	i = find_interval_in_current_group(r, row->address);
	if (!i)
		return 0;
	if (size > i->end - row->address)
		size = i->end - row->address;
	set_path_and_base_name_if_changed(cached_file_of_last_row, row->path,
					  t->strings);
	return append_or_join_range(
		r, &(struct al_line){
			   .start = row->address,
			   .size = (uint32_t)size,
			   .line = (uint32_t)row->line,
			   .path = cached_file_of_last_row->path,
			   .file = cached_file_of_last_row->name,
		   });
}

/*
 * Whether a row that is not the mark of a sequence's end is an empty last row:
 * its address is @sequence_end, at which its sequence ended. libdw sorts the
 * mark before other rows of the same address, so such a row seems to extend to
 * the next sequence. The address of an empty last row is outside the unit's
 * code.
 */
static bool is_empty_last_row_of_sequence(Dwarf_Die *unit,
					  const struct row *row,
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

static int append_line_ranges_of_unit(struct reading *r, Dwarf_Die *unit)
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
		else if (!is_empty_last_row_of_sequence(unit, &row,
							sequence_end))
			err = append_row_range_if_in_text(r, &row, next.address,
							  &file);
	}
	return err;
}

/* Append the ranges of the group's units. A unit extends only its own ranges
   and the last range of the unit listed directly before it. Return: 0;
   -ENOMEM. */
static int append_line_ranges_of_unit_group(struct reading *r)
{
	struct al_code_unit *unit = r->table->units.unit;
	uint32_t previous = AL_NO_UNIT, i = unit[r->group_number].first;
	int err = 0;

	for (; !err && i != AL_NO_UNIT; previous = i, i = unit[i].next) {
		if (i != previous + 1)
			r->n_closed = r->group->n;
		err = append_line_ranges_of_unit(r, &unit[i].die);
	}
	return err;
}

static int compare_line_ranges_by_start(const void *va, const void *vb)
{
	const struct al_line *a = va, *b = vb;

	return (a->start > b->start) - (a->start < b->start);
}

/* Sort the ranges, and shorten each to end where the next one begins. */
static void sort_ranges_and_cut_overlaps(struct al_line_group *g)
{
	size_t n = 0;

	qsort(g->line, g->n, sizeof(*g->line), compare_line_ranges_by_start);
	for (size_t i = 0; i < g->n; i++) {
		struct al_line line = g->line[i];

		if (i + 1 < g->n &&
		    g->line[i + 1].start - line.start < line.size)
			line.size =
				(uint32_t)(g->line[i + 1].start - line.start);
		if (line.size)
			g->line[n++] = line;
	}
	g->n = n;
}

/* Shrink the array to its n ranges, unless that fails. */
static void shrink_array_to_used_ranges(struct al_line_group *g)
{
	struct al_line *smaller = realloc(g->line, g->n * sizeof(*smaller));

	if (smaller)
		g->line = smaller;
}

/* Read the lines of a group, unless they were read. If memory is short, it has
   no lines. */
static void read_group_once(struct al_linetab *t, uint32_t group_number)
{
	struct al_line_group *g = &t->group[group_number];
	struct reading r = {
		.table = t, .group = g, .group_number = group_number};

	if (g->is_read)
		return;
	g->is_read = true;
	if (append_line_ranges_of_unit_group(&r) < 0) {
		free(g->line);
		g->line = NULL;
		g->n = 0;
	}
	if (g->n) {
		sort_ranges_and_cut_overlaps(g);
		shrink_array_to_used_ranges(g);
	}
}

/* Close the debug information, which frees the memory of libdw and libelf, and
   subtract its size from that of all open tables. */
static void close_debug_information(struct al_linetab *t)
{
	pthread_mutex_lock(&open_size_lock);
	open_size_of_all -= t->open_size;
	pthread_mutex_unlock(&open_size_lock);
	t->open_size = 0;
	dwarf_end(t->dwarf);
	t->dwarf = NULL;
	al_elf_close_file(&t->file);
}

/* Return the sum of the sizes of the sections that are not loaded into memory
   with the program [bytes]. */
static uint64_t debug_sections_size(Elf *elf)
{
	Elf_Scn *scn = NULL;
	uint64_t size = 0;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    header.sh_type != SHT_NOBITS &&
		    !(header.sh_flags & SHF_ALLOC))
			size += header.sh_size;
	return size;
}

/* Read the lines of all groups, and close the debug information. */
static void read_all_groups_and_close(struct al_linetab *t)
{
	for (size_t i = 0; i < t->units.n_intervals; i++)
		read_group_once(t, t->units.interval[i].group);
	close_debug_information(t);
}

/* Open the debug information in t->file.elf, list its units, and close the
   file's descriptor; libdw has read all sections. Return: 0, or -ENOMEM. */
static int open_and_list_units(struct al_linetab *t)
{
	int err;

	t->dwarf = dwarf_begin_elf(t->file.elf, DWARF_C_READ, NULL);
	if (!t->dwarf)
		return 0;
	dwarf_getalt(t->dwarf); /* libdw needs the descriptor to find the
				   alternate debug file */
	al_elf_close_descriptor(&t->file);
	err = al_unitgroups_list(&t->units, t->dwarf, t->text, t->text_end);
	if (!err && t->units.n_units) {
		t->group = calloc(t->units.n_units, sizeof(*t->group));
		err = t->group ? 0 : -ENOMEM;
	}
	return err;
}

/* Add the size of the table's debug information to that of all open tables.
   Return: false, with nothing added: the sum would be above the limit. */
static bool add_to_size_of_open_tables_under_limit(struct al_linetab *t)
{
	uint64_t size = debug_sections_size(t->file.elf);

	pthread_mutex_lock(&open_size_lock);
	if (open_size_of_all + size <= MAX_OPEN_SIZE) {
		open_size_of_all += size;
		t->open_size = size;
	}
	pthread_mutex_unlock(&open_size_lock);
	return t->open_size == size;
}

int al_linetab_open_debug_file_or_main(struct al_linetab *t,
				       struct al_elf *main,
				       struct al_elf *debug_if_open,
				       struct al_intern *strings)
{
	struct al_elf *file = debug_if_open->elf ? debug_if_open : main;
	GElf_Shdr text;
	int err;

	if (!al_elf_find_section(main->elf, ".text", &text))
		return 0;
	t->text = text.sh_addr;
	t->text_end = text.sh_addr + text.sh_size;
	t->strings = strings;
	t->file = *file;
	file->elf = NULL;
	err = open_and_list_units(t);
	if (err)
		al_linetab_release(t);
	else if (!t->units.n_units)
		close_debug_information(t);
	else if (!add_to_size_of_open_tables_under_limit(t))
		read_all_groups_and_close(t);
	return err;
}

/* Return the range of the group that contains @elf_address; NULL if there is
   none. */
static const struct al_line *find_range_in_group(const struct al_line_group *g,
						 uint64_t elf_address)
{
	size_t lo = 0, hi = g->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct al_line *line = &g->line[mid];

		if (elf_address < line->start)
			hi = mid;
		else if (elf_address - line->start >= line->size)
			lo = mid + 1;
		else
			return line;
	}
	return NULL;
}

const struct al_line *al_linetab_find_range(struct al_linetab *t,
					    uint64_t elf_address)
{
	const struct al_code_interval *i;

	if (elf_address < t->text || elf_address >= t->text_end)
		return NULL;
	i = al_unitgroups_find_interval(&t->units, elf_address);
	if (!i)
		return NULL;
	read_group_once(t, i->group);
	return find_range_in_group(&t->group[i->group], elf_address);
}

void al_linetab_release(struct al_linetab *t)
{
	for (size_t i = 0; t->group && i < t->units.n_units; i++)
		free(t->group[i].line);
	free(t->group);
	al_unitgroups_release(&t->units);
	close_debug_information(t);
	*t = (struct al_linetab){0};
}
