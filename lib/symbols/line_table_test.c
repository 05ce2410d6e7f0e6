/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_table_test.c - compares lines that are read group by group with those of
 *                     all units, read at once, for all addresses of a file
 *
 * The files are the arguments, or else this program and its libraries.
 */
#include "lib/symbols/line_table.h"

#include <dwarf.h>
#include <link.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "tests/tap.h"

/* Lookups are this many addresses apart, modulo the size of .text. */
enum { STRIDE = 1000003 };

/* Limits of a range of line_table.h. */
enum { MAX_SIZE = 4095, MAX_LINE = (1 << 20) - 1 };

/* Range of addresses of one row of a line program, or of several. */
struct range {
	uint64_t start, end;
	size_t order; /* number of ranges that were read before */
	const char *path;
	uint32_t line;
};

/* All ranges of a file. */
struct all_lines {
	struct range *range;
	size_t n;
	size_t capacity;
	uint64_t text, text_end;
	struct al_intern *strings;
};

/* Append a range, or extend the last one. */
static void add_range(struct all_lines *all, const struct range *range)
{
	struct range *last = all->n ? &all->range[all->n - 1] : NULL;

	if (last && last->line == range->line && last->end == range->start &&
	    range->end - last->start <= MAX_SIZE)
		last->end = range->end;
	else if (!al_array_reserve(all->range, all->capacity, all->n + 1))
		all->range[all->n++] = *range;
}

static const char *path_of_row(struct all_lines *all, Dwarf_Die *unit,
			       Dwarf_Line *line)
{
	const char *raw = dwarf_linesrc(line, NULL, NULL);
	Dwarf_Attribute folder;

	return al_linetab_prepend_directory_and_intern(
		raw ? raw : "???",
		raw ? dwarf_formstring(
			      dwarf_attr(unit, DW_AT_comp_dir, &folder))
		    : NULL,
		all->strings);
}

/* Add the range from a row to the next row. @after_sequence: the row begins
   where a sequence ended. */
static void add_row(struct all_lines *all, Dwarf_Die *unit, Dwarf_Line *line,
		    uint64_t next_address, bool after_sequence)
{
	Dwarf_Addr start = 0;
	int number = -1;
	uint64_t size;

	dwarf_lineaddr(line, &start);
	dwarf_lineno(line, &number);
	size = next_address - start;
	if (size > MAX_SIZE)
		size = 1;
	if (!start || next_address == start || number < 0 ||
	    number > MAX_LINE || start + size <= all->text ||
	    start >= all->text_end ||
	    (after_sequence && !dwarf_haspc(unit, start)))
		return;
	add_range(all, &(struct range){start, start + size, all->n,
				       path_of_row(all, unit, line),
				       (uint32_t)number});
}

static void add_unit(struct all_lines *all, Dwarf_Die *unit)
{
	uint64_t sequence_end = 0;
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	for (size_t i = 0; i + 1 < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr start = 0, next = 0;
		bool is_end = false;

		dwarf_lineendsequence(line, &is_end);
		dwarf_lineaddr(line, &start);
		dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &next);
		if (is_end)
			sequence_end = start;
		else
			add_row(all, unit, line, next, start == sequence_end);
	}
}

static int compare_by_start_and_order(const void *va, const void *vb)
{
	const struct range *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void read_all_units(struct all_lines *all, Elf *elf)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (dwarf &&
	       !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit)
			add_unit(all, &unit);
	dwarf_end(dwarf);
	if (all->n)
		qsort(all->range, all->n, sizeof(*all->range),
		      compare_by_start_and_order);
}

/* Return the last range that starts at or before an address, if it contains
   it. */
static const struct range *find_range(const struct all_lines *all,
				      uint64_t address)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (all->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < all->range[low - 1].end ? &all->range[low - 1]
							: NULL;
}

static bool has_equal_line(const struct all_lines *all, struct al_linetab *t,
			   uint64_t address)
{
	const struct range *want = find_range(all, address);
	const struct al_line *got = al_linetab_find_range(t, address);

	if (!want || !got)
		return !want && !got;
	return want->line == got->line && want->path == got->path;
}

/* Return the number of addresses of .text whose lines differ. The addresses are
   looked up in an order that has no pattern. */
static size_t count_differences(const struct all_lines *all,
				struct al_linetab *t)
{
	size_t n_different = 0, size = all->text_end - all->text, offset = 0;
	size_t stride = size % STRIDE ? STRIDE : 1;

	for (size_t i = 0; i < size; i++, offset = (offset + stride) % size)
		n_different += !has_equal_line(all, t, all->text + offset);
	return n_different;
}

static size_t count_read_groups(const struct al_linetab *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->units.n_units; i++)
		n += t->group[i].is_read;
	return n;
}

/* Open an object file and the file that has its debug information. Return:
   whether the object file can be read. */
static bool open_files(const char *path, struct al_elf *main,
		       struct al_elf *debug)
{
	debug->elf = NULL;
	if (al_elf_open_file(main, path))
		return false;
	if (!al_elf_find_section(main->elf, ".debug_info", NULL))
		al_elf_find_and_open_debug_file(debug, path, main->elf);
	return true;
}

static void test_file(const char *path)
{
	struct al_intern strings;
	struct all_lines all = {.strings = &strings};
	struct al_linetab table = {0};
	struct al_elf main, debug;
	GElf_Shdr text;

	if (!open_files(path, &main, &debug))
		return;
	al_intern_init(&strings);
	if (al_elf_find_section(main.elf, ".text", &text)) {
		all.text = text.sh_addr;
		all.text_end = text.sh_addr + text.sh_size;
	}
	read_all_units(&all, debug.elf ? debug.elf : main.elf);
	al_linetab_open_debug_file_or_main(&table, &main, &debug, &strings);
	printf("# %s: %zu ranges, %zu units\n", path, all.n,
	       table.units.n_units);
	ok(count_read_groups(&table) == 0 || !table.dwarf,
	   "no line is read ahead, unless there is too much debug information");
	al_linetab_find_range(&table, all.text);
	ok(count_read_groups(&table) <= 1 || !table.dwarf,
	   "a lookup reads one group");
	is_u64(count_differences(&all, &table), 0, "all lines are equal");
	al_linetab_release(&table);
	al_elf_close_file(&debug);
	al_elf_close_file(&main);
	free(all.range);
	al_intern_release(&strings);
}

static int test_loaded_object(struct dl_phdr_info *info, size_t size,
			      void *data)
{
	(void)size;
	(void)data;
	test_file(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		test_file(argv[i]);
	if (argc < 2)
		dl_iterate_phdr(test_loaded_object, NULL);
	return done_testing();
}
