/* SPDX-License-Identifier: GPL-2.0-or-later */
/* type_text.c - prints the members of a type with their counts */

#include <stdbool.h>
#include <string.h>

#include "base/text/line_writer.h"
#include "cli/print/profile_text.h"
#include "lib/report/type_members.h"

enum {
	MAX_ROWS = 10, /* maximum number of rows of data objects that are
			  printed */
	WIDTH = 13,    /* [characters] width of a column of counts */
};

static void print_number(FILE *file, int width, uint64_t number)
{
	char text[AL_NUMBER_BYTES];

	fprintf(file, "%*s", width, al_number_format_grouped(text, number));
}

/* Print a name without control characters. */
static void print_name_unprintable_as_question_marks(FILE *file,
						     const char *name)
{
	struct al_text text;

	al_text_init(&text, file, false);
	al_text_write(&text, AL_PLAIN, name);
}

static bool is_hole_between_members(const struct al_type_member *m)
{
	return strcmp(m->name, "(hole)") == 0;
}

/* ---- data objects ---- */

static void print_first_rows_of_data_objects(const struct al_type_members *t,
					     FILE *file)
{
	char objects[AL_NUMBER_BYTES], bytes[AL_NUMBER_BYTES];

	for (size_t i = 0; i < t->n_rows && i < MAX_ROWS; i++) {
		const struct al_data_row *r = &t->row[i];

		fputs("  ", file);
		print_name_unprintable_as_question_marks(file, r->label);
		fprintf(file, ": %s object%s, %s bytes\n",
			al_number_format_grouped(objects, r->objects),
			r->objects == 1 ? "" : "s",
			al_number_format_grouped(bytes, r->bytes));
	}
	if (t->n_rows > MAX_ROWS)
		fprintf(file, "  ... and %zu more\n", t->n_rows - MAX_ROWS);
}

/* ---- members ---- */

static void print_column_titles(const struct al_type_members *t, FILE *file)
{
	char title[WIDTH];

	fprintf(file, "\n  offset    size%*s%*s", WIDTH, "reads", WIDTH,
		"writes");
	for (unsigned i = 0; i < t->n_levels; i++) {
		snprintf(title, sizeof(title), "%.5s misses", t->level[i]);
		fprintf(file, "%*s", WIDTH, title);
	}
	fputs("  member\n", file);
}

static void print_read_write_and_miss_counts(const struct al_type_members *t,
					     const struct al_type_member *m,
					     FILE *file)
{
	print_number(file, WIDTH, m->reads);
	print_number(file, WIDTH, m->writes);
	for (unsigned i = 0; i < t->n_levels; i++)
		print_number(file, WIDTH, m->misses[i]);
}

static void print_member(const struct al_type_members *t,
			 const struct al_type_member *m, FILE *file)
{
	print_number(file, 8, m->offset);
	print_number(file, 8, m->size);
	print_read_write_and_miss_counts(t, m, file);
	fputs("  ", file);
	print_name_unprintable_as_question_marks(file, m->name);
	putc('\n', file);
}

/* Print a border with the number of the cache line that @offset lies in, unless
   @previous_offset lies in the same line. @offset, @previous_offset: [bytes] in
   the type. */
static void print_line_border_if_new_line(const struct al_type_members *t,
					  uint64_t previous_offset,
					  uint64_t offset, FILE *file)
{
	uint64_t line = offset / t->line;

	if (previous_offset / t->line != line)
		fprintf(file, "  ---- cache line %llu ----\n",
			(unsigned long long)line);
}

static void print_members_and_borders(const struct al_type_members *t,
				      FILE *file)
{
	uint64_t previous = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (t->line)
			print_line_border_if_new_line(
				t, previous, t->member[i].offset, file);
		previous = t->member[i].offset;
		print_member(t, &t->member[i], file);
	}
}

static struct al_type_member sum_all_members(const struct al_type_members *t)
{
	static char name[] = "(sum)";
	struct al_type_member sum = {.size = t->size, .name = name};

	for (size_t i = 0; i < t->n; i++) {
		sum.reads += t->member[i].reads;
		sum.writes += t->member[i].writes;
		for (unsigned k = 0; k < t->n_levels; k++)
			sum.misses[k] += t->member[i].misses[k];
	}
	return sum;
}

/* ---- summary ---- */

static void print_hole_bytes_and_line_size(const struct al_type_members *t,
					   FILE *file)
{
	uint64_t bytes = 0;
	unsigned holes = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!is_hole_between_members(&t->member[i]))
			continue;
		holes++;
		bytes += t->member[i].size;
	}
	if (holes)
		fprintf(file, "%u hole%s with %llu byte%s. ", holes,
			holes == 1 ? "" : "s", (unsigned long long)bytes,
			bytes == 1 ? "" : "s");
	fprintf(file,
		"Lines of %llu bytes, if an object begins at a line border.\n",
		(unsigned long long)t->line);
}

/* Whether any access was counted before the type was known, and therefore for
   none of the members. */
static bool has_accesses_before_type_was_known(const struct al_type_members *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->member[i].name, "(before the type was known)") ==
			    0 &&
		    (t->member[i].reads || t->member[i].writes))
			return true;
	return false;
}

/* Print the names of the members of which no byte was accessed. */
static void print_unused_members(const struct al_type_members *t, FILE *file)
{
	const char *separator =
		has_accesses_before_type_was_known(t)
			? "Not accessed since the type was known: "
			: "Never accessed: ";

	for (size_t i = 0; i < t->n; i++) {
		const struct al_type_member *m = &t->member[i];

		if (is_hole_between_members(m) || m->used_bytes || m->reads ||
		    m->writes)
			continue;
		fputs(separator, file);
		print_name_unprintable_as_question_marks(file, m->name);
		separator = ", ";
	}
	if (*separator == ',')
		fputs(".\n", file);
}

/* Print a type as text: its size, a table of its members with their accesses
   and misses, and the members that were never accessed.
   @with_place_of_declaration: print where the type is declared. */
static void
print_type_with_accesses_of_its_members(const struct al_type_members *t,
					bool with_place_of_declaration,
					FILE *file)
{
	const struct al_type_member sum = sum_all_members(t);
	char objects[AL_NUMBER_BYTES], bytes[AL_NUMBER_BYTES];

	print_name_unprintable_as_question_marks(file, t->type);
	if (with_place_of_declaration && *t->declaration) {
		fputs(" of ", file);
		print_name_unprintable_as_question_marks(file, t->declaration);
	}
	fprintf(file, ": %llu bytes; %s object%s with %s bytes\n",
		(unsigned long long)t->size,
		al_number_format_grouped(objects, t->objects),
		t->objects == 1 ? "" : "s",
		al_number_format_grouped(bytes, t->bytes));
	print_first_rows_of_data_objects(t, file);
	print_column_titles(t, file);
	print_members_and_borders(t, file);
	print_member(t, &sum, file);
	putc('\n', file);
	print_hole_bytes_and_line_size(t, file);
	print_unused_members(t, file);
}

void cl_types_print_members(const struct al_types_of_name *types, FILE *file)
{
	if (types->n > 1)
		fprintf(file, "%zu different types have this name.\n\n",
			types->n);
	for (size_t i = 0; i < types->n; i++) {
		if (i > 0)
			putc('\n', file);
		print_type_with_accesses_of_its_members(&types->type[i],
							types->n > 1, file);
	}
}
