/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost_rows.c - writes costs of lines and of calls in Callgrind's format
 *
 * The format is described in Valgrind's manual, "Callgrind Format
 * Specification".
 */
#include "analyzers/callgraph/cost_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/output_text.h"
#include "base/tables/array.h"

/* The events in Callgrind's order. */
static const enum an_event event_order[AN_N_EVENTS] = {
	AN_IR,	 AN_DR,	  AN_DW,   AN_I1MR, AN_D1MR,
	AN_D1MW, AN_ILMR, AN_DLMR, AN_DLMW,
};

int an_callrows_append(struct an_callrows *r, const struct an_callrow *row)
{
	int err = al_array_reserve(r->row, r->size, r->n + 1);

	if (!err)
		r->row[r->n++] = *row;
	return err;
}

void an_callrows_release(struct an_callrows *r)
{
	free(r->row);
	*r = (struct an_callrows){0};
}

/* Compare by object, path, name and is_recursive, in this order. A function
   without a name comes before all functions with names. */
static int
compare_functions_by_object_path_name(const struct an_call_function *a,
				      const struct an_call_function *b)
{
	int d;

	if (a->name == NULL || b->name == NULL)
		return (a->name != NULL) - (b->name != NULL);
	d = strcmp(a->object, b->object);
	if (d == 0)
		d = strcmp(a->path, b->path);
	if (d == 0)
		d = strcmp(a->name, b->name);
	return d ? d : a->is_recursive - b->is_recursive;
}

static int compare_rows_by_caller_callee(const void *x, const void *y)
{
	const struct an_callrow *a = x, *b = y;
	int d = compare_functions_by_object_path_name(&a->caller, &b->caller);

	if (d == 0)
		d = strcmp(a->path, b->path);
	if (d == 0)
		d = (a->line > b->line) - (a->line < b->line);
	if (d == 0)
		d = compare_functions_by_object_path_name(&a->callee,
							  &b->callee);
	return d ? d
		 : (a->callee_line > b->callee_line) -
			       (a->callee_line < b->callee_line);
}

static void sort_and_merge_equal_rows(struct an_callrows *r)
{
	size_t last = 0;

	if (r->n == 0)
		return;
	qsort(r->row, r->n, sizeof(*r->row), compare_rows_by_caller_callee);
	for (size_t i = 1; i < r->n; i++) {
		struct an_callrow *to = &r->row[last];

		if (compare_rows_by_caller_callee(to, &r->row[i]) != 0) {
			r->row[++last] = r->row[i];
			continue;
		}
		to->calls += r->row[i].calls;
		for (int e = 0; e < AN_N_EVENTS; e++)
			to->cost[e] += r->row[i].cost[e];
	}
	r->n = last + 1;
}

static const char digits[] = "0123456789";

/*
 * Write @prefix_with_equals_sign and a name. Readers of the format interpret
 * "(12)" at the beginning of a name as its number, and "'2" at the end as a
 * recursion, so these characters are escaped.
 */
static void write_prefix_and_escaped_name(struct an_output *p,
					  const char *prefix_with_equals_sign,
					  const char *name)
{
	const char *quote = strrchr(name, '\'');
	char separators[3] = "";
	int n = 0;

	if (name[0] == '(' && name[1] != '\0' && strchr(digits, name[1]))
		separators[n++] = '(';
	if (quote != NULL && quote[1] != '\0' &&
	    quote[1 + strspn(quote + 1, digits)] == '\0')
		separators[n++] = '\'';
	an_output_write_string_unescaped(p, prefix_with_equals_sign);
	an_output_write_escaped_name(p, name, separators);
}

static void
write_prefix_escaped_name_and_newline(struct an_output *p,
				      const char *prefix_with_equals_sign,
				      const char *name)
{
	write_prefix_and_escaped_name(p, prefix_with_equals_sign, name);
	an_output_write_string_unescaped(p, "\n");
}

static void
write_function_name_with_recursion_mark(struct an_output *p,
					const char *prefix_with_equals_sign,
					const struct an_call_function *f)
{
	write_prefix_and_escaped_name(p, prefix_with_equals_sign, f->name);
	an_output_write_string_unescaped(p, f->is_recursive ? "'2\n" : "\n");
}

static void write_costs_and_newline(struct an_output *p,
				    const uint64_t cost[AN_N_EVENTS])
{
	for (int i = 0; i < AN_N_EVENTS; i++) {
		an_output_write_string_unescaped(p, " ");
		an_output_write_decimal(p, cost[event_order[i]]);
	}
	an_output_write_string_unescaped(p, "\n");
}

static void write_callgrind_header(struct an_output *p)
{
	an_output_write_string_unescaped(
		p, "# callgrind format\nversion: 1\ncreator: alleria\ncmd: ");
	an_output_write_program_and_arguments(p);
	an_output_write_string_unescaped(p, "\npart: 1\n\n");
	an_output_write_cache_descriptions(p);
	an_output_write_string_unescaped(p, "\npositions: line\nevents:");
	for (int i = 0; i < AN_N_EVENTS; i++) {
		an_output_write_string_unescaped(p, " ");
		an_output_write_string_unescaped(p,
						 an_event_name[event_order[i]]);
	}
	an_output_write_string_unescaped(p, "\n");
}

static void write_total_self_costs(struct an_output *p,
				   const struct an_callrows *r,
				   const char *line_prefix)
{
	uint64_t sum[AN_N_EVENTS] = {0};

	for (size_t i = 0; i < r->n; i++)
		for (int e = 0;
		     r->row[i].callee.name == NULL && e < AN_N_EVENTS; e++)
			sum[e] += r->row[i].cost[e];
	an_output_write_string_unescaped(p, line_prefix);
	write_costs_and_newline(p, sum);
}

static void write_row_and_changed_names(struct an_output *p,
					const struct an_callrow *row,
					const struct an_callrow *previous_row)
{
	const char *path = previous_row ? previous_row->path : NULL;

	if (!previous_row ||
	    compare_functions_by_object_path_name(&previous_row->caller,
						  &row->caller) != 0) {
		write_prefix_escaped_name_and_newline(
			p, "\nob=", row->caller.object);
		write_prefix_escaped_name_and_newline(p,
						      "fl=", row->caller.path);
		write_function_name_with_recursion_mark(p, "fn=", &row->caller);
		path = row->caller.path;
	}
	if (strcmp(path, row->path) != 0)
		write_prefix_escaped_name_and_newline(
			p, strcmp(row->path, row->caller.path) ? "fi=" : "fe=",
			row->path);
	if (row->callee.name != NULL) {
		write_prefix_escaped_name_and_newline(
			p, "cob=", row->callee.object);
		if (strcmp(row->callee.path, row->path) != 0)
			write_prefix_escaped_name_and_newline(
				p, "cfi=", row->callee.path);
		write_function_name_with_recursion_mark(p,
							"cfn=", &row->callee);
		an_output_write_string_unescaped(p, "calls=");
		an_output_write_decimal(p, row->calls);
		an_output_write_string_unescaped(p, " ");
		an_output_write_decimal(p, row->callee_line);
		an_output_write_string_unescaped(p, "\n");
	}
	an_output_write_decimal(p, row->line);
	write_costs_and_newline(p, row->cost);
}

static int append_copies_of_all_rows(struct an_callrows *to,
				     const struct an_callrows *from)
{
	int err = 0;

	for (size_t i = 0; i < from->n && !err; i++)
		err = an_callrows_append(to, &from->row[i]);
	return err;
}

int an_callrows_write_callgrind(const struct an_callrows *rows,
				const struct an_env *env)
{
	struct an_callrows r = {0};
	struct an_output p = {.env = env};

	p.error = append_copies_of_all_rows(&r, rows);
	sort_and_merge_equal_rows(&r);
	write_callgrind_header(&p);
	write_total_self_costs(&p, &r, "summary:");
	for (size_t i = 0; i < r.n; i++)
		write_row_and_changed_names(&p, &r.row[i],
					    i ? &r.row[i - 1] : NULL);
	write_total_self_costs(&p, &r, "\ntotals:");
	an_callrows_release(&r);
	return p.error;
}
