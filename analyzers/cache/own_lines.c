/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_lines.c - charges code of inlined headers to the user's own lines; see
   own_lines.h */

#include "analyzers/cache/own_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTE = 64 /* [bytes] of a note without the name of the file */ };

/* Return the line that the instructions of an inlined row are charged to: the
   line of the call if @s is source of the system, else the line of @s itself.
   The function and the call of the returned symbol are unset. */
static struct an_symbol
copy_line_or_call_line_if_system(const struct an_symbol *s)
{
	struct an_symbol line = *s;

	line.function = NULL;
	line.call_line = 0;
	line.call_file = line.call_path = NULL;
	if (s->is_system_source) {
		line.file = s->call_file;
		line.path = s->call_path;
		line.line = s->call_line;
	}
	line.is_system_source = false;
	return line;
}

/* Move the cost of an inlined row from its line to the line of the call if it
   is source of the system; else do nothing. Return: 0 or -ENOMEM. */
static int move_system_source_cost_to_call_line(struct an_own_lines *o,
						const struct an_cost_row *row)
{
	struct an_symbol from = row->symbol,
			 to = copy_line_or_call_line_if_system(&row->symbol);
	int64_t line_index;

	if (!row->symbol.is_system_source)
		return 0;
	from.function = NULL;
	from.call_line = 0;
	from.call_file = NULL;
	line_index = an_cost_table_find_row_index(&o->lines, &from);
	if (line_index >= 0)
		an_cost_subtract(&o->lines.row[line_index].cost, &row->cost);
	return an_cost_table_add(&o->lines, &to, &row->cost);
}

/* Copy the lines of @r to o->lines, where they have the same row indices, and
   move the cost of inlined source of the system to the lines of the calls.
   Return: 0 or -ENOMEM. */
static int copy_lines_move_system_to_calls(struct an_own_lines *o,
					   const struct an_cacheresult *r)
{
	int err = 0;

	for (uint32_t i = 0; i < r->lines.n && !err; i++)
		err = an_cost_table_add(&o->lines, &r->lines.row[i].symbol,
					&r->lines.row[i].cost);
	for (uint32_t i = 0; i < r->inlined.n && !err; i++)
		err = move_system_source_cost_to_call_line(o,
							   &r->inlined.row[i]);
	return err;
}

/* Whether row @a executes more instructions than row @b or, if both execute
   equally many, the name of its function sorts before that of @b. */
static bool is_executed_more_or_first_by_name(const struct an_cost_row *a,
					      const struct an_cost_row *b)
{
	uint64_t p = a->cost.event[AN_IR], q = b->cost.event[AN_IR];

	return p != q ? p > q
		      : strcmp(a->symbol.function, b->symbol.function) < 0;
}

/* Set o->function of each line: as in the result @r; for a line that is not
   in @r->lines, the function that executes most instructions of the inlined
   code that is charged to the line. Return: 0 or -ENOMEM. */
static int store_function_of_each_source_line(struct an_own_lines *o,
					      const struct an_cacheresult *r)
{
	const char **function = an_cacheresult_alloc_line_functions(r);
	const struct an_cost_row **best =
		calloc(o->lines.n + 1, sizeof(const struct an_cost_row *));
	int err = function && best ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < r->lines.n && !err; i++)
		o->function[i] = function[i];
	for (uint32_t i = 0; i < r->inlined.n && !err; i++) {
		const struct an_cost_row *row = &r->inlined.row[i];
		struct an_symbol line =
			copy_line_or_call_line_if_system(&row->symbol);
		int64_t line_index =
			an_cost_table_find_row_index(&o->lines, &line);

		if (line_index < r->lines.n ||
		    (best[line_index] &&
		     !is_executed_more_or_first_by_name(row, best[line_index])))
			continue;
		best[line_index] = row;
		o->function[line_index] = row->symbol.function;
	}
	free(best);
	free(function);
	return err;
}

/* The pair of an inlined line and the call that it was inlined at which has
   most misses at a level, among the pairs that are charged to one line. */
struct most_missing {
	const struct an_cost_row *row;
	uint64_t misses; /* of all these pairs together */
	unsigned n;	 /* number of pairs of line and call that have misses */
};

/* Compare pairs of line and call: most misses of @level first, then by name. */
static int compare_line_call_pairs_by_misses_desc(const struct an_cost_row *a,
						  const struct an_cost_row *b,
						  unsigned level)
{
	uint64_t p = a->cost.misses[level], q = b->cost.misses[level];
	int d = p != q ? (p < q) - (p > q)
		       : strcmp(a->symbol.file, b->symbol.file);

	if (d == 0)
		d = (a->symbol.line > b->symbol.line) -
		    (a->symbol.line < b->symbol.line);
	if (d == 0)
		d = strcmp(a->symbol.call_file, b->symbol.call_file);
	if (d == 0)
		d = (a->symbol.call_line > b->symbol.call_line) -
		    (a->symbol.call_line < b->symbol.call_line);
	return d;
}

/* Return "inlined stl_tree.h:780" if @most->row is source of the system,
   "inlined at main.c:30" with the line of the call if it is not; followed by
   " and N more" if N more pairs have misses. The string is allocated in @m. ""
   if memory is short. */
static const char *
describe_inlined_line_or_call(struct al_model *m,
			      const struct most_missing *most)
{
	const struct an_symbol *s = &most->row->symbol;
	const char *file = s->is_system_source ? s->file : s->call_file;
	uint32_t line = s->is_system_source ? s->line : s->call_line;
	size_t size = strlen(file) + NOTE;
	char more[32] = "", *text = al_model_alloc_uninitialised(m, size);

	if (text == NULL)
		return "";
	if (most->n > 1)
		snprintf(more, sizeof(more), " and %u more", most->n - 1);
	snprintf(text, size, "inlined %s%s:%u%s",
		 s->is_system_source ? "" : "at ", file, line, more);
	return text;
}

/* Count the misses of a pair at each level. @most: [AN_MAX_LEVELS] by level, of
   the line that the pair is charged to. */
static void count_misses_of_line_call_pair(struct most_missing *most,
					   const struct an_cost_row *pair)
{
	for (unsigned i = 0; i < AN_MAX_LEVELS; i++) {
		uint64_t misses = pair->cost.misses[i];

		if (misses == 0)
			continue;
		most[i].misses += misses;
		most[i].n++;
		if (most[i].row == NULL ||
		    compare_line_call_pairs_by_misses_desc(pair, most[i].row,
							   i) < 0)
			most[i].row = pair;
	}
}

/* Return the note of a line at @level; "" if the line has no number or no
   misses, if inlined code has less than half of its misses, or if memory is
   short. */
static const char *create_note_of_inlined_code_in_line(
	struct al_model *m, const struct an_cost_row *line,
	const struct most_missing *most, unsigned level)
{
	if (line->symbol.line == 0 || most->n == 0 ||
	    most->misses < line->cost.misses[level] - most->misses)
		return "";
	return describe_inlined_line_or_call(m, most);
}

/* Set o->note of each line. Return: 0 or -ENOMEM. */
static int fill_inlining_notes_of_lines_from_pairs(
	struct an_own_lines *o, struct al_model *m,
	const struct an_cost_table *line_call_pairs)
{
	struct most_missing(*most)[AN_MAX_LEVELS] =
		calloc(o->lines.n + 1, sizeof(*most));

	if (most == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < line_call_pairs->n; i++) {
		struct an_symbol line = copy_line_or_call_line_if_system(
			&line_call_pairs->row[i].symbol);

		count_misses_of_line_call_pair(
			most[an_cost_table_find_row_index(&o->lines, &line)],
			&line_call_pairs->row[i]);
	}
	for (uint32_t i = 0; i < o->lines.n; i++)
		for (unsigned k = 0; k < AN_MAX_LEVELS; k++)
			o->note[i][k] = create_note_of_inlined_code_in_line(
				m, &o->lines.row[i], &most[i][k], k);
	free(most);
	return 0;
}

/* Set o->note of each line from the inlined rows of @r, in which rows that
   differ only in the function are added up first. Return: 0 or -ENOMEM. */
static int fill_inlining_notes(struct an_own_lines *o, struct al_model *m,
			       const struct an_cacheresult *r)
{
	struct an_cost_table pairs = {0};
	int err = 0;

	for (uint32_t i = 0; i < r->inlined.n && !err; i++) {
		struct an_symbol pair = r->inlined.row[i].symbol;

		pair.function = NULL;
		err = an_cost_table_add(&pairs, &pair, &r->inlined.row[i].cost);
	}
	if (!err)
		err = fill_inlining_notes_of_lines_from_pairs(o, m, &pairs);
	an_cost_table_release(&pairs);
	return err;
}

int an_own_lines_charge_system_code(struct an_own_lines *o,
				    const struct an_cacheresult *r,
				    struct al_model *model_that_frees_notes)
{
	int err;

	*o = (struct an_own_lines){0};
	if (r->lines.n == 0)
		return 0;
	err = copy_lines_move_system_to_calls(o, r);
	o->function = calloc(o->lines.n + 1, sizeof(*o->function));
	o->note = calloc(o->lines.n + 1, sizeof(*o->note));
	if (!err && (!o->function || !o->note))
		err = -ENOMEM;
	if (!err)
		err = store_function_of_each_source_line(o, r);
	return err ? err : fill_inlining_notes(o, model_that_frees_notes, r);
}

void an_own_lines_release(struct an_own_lines *o)
{
	an_cost_table_release(&o->lines);
	free(o->function);
	free(o->note);
}
