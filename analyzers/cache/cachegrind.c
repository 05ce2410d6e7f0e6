/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cachegrind.c - writes a cache simulation's result in Cachegrind's format
 *
 * cg_annotate, cg_diff, cg_merge and other tools read such cachegrind.out
 * files. Rows are sorted by name, so the order is the same in every run.
 */
#include "analyzers/cache/cache_result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/output_text.h"

static int compare_rows_by_file_fn_line(const void *x, const void *y)
{
	const struct an_symbol *a =
		&(*(const struct an_cost_row *const *)x)->symbol;
	const struct an_symbol *b =
		&(*(const struct an_cost_row *const *)y)->symbol;
	int d = strcmp(a->file, b->file);

	if (d == 0)
		d = strcmp(a->function, b->function);
	return d ? d : (a->line > b->line) - (a->line < b->line);
}

static void write_event_counts_and_newline(struct an_output *p,
					   const struct an_cost *c)
{
	for (int i = 0; i < AN_N_EVENTS; i++) {
		an_output_write_string_unescaped(p, " ");
		an_output_write_decimal(p, c->event[i]);
	}
	an_output_write_string_unescaped(p, "\n");
}

static void write_cachegrind_header(struct an_output *p)
{
	an_output_write_cache_descriptions(p);
	an_output_write_string_unescaped(p, "cmd: ");
	an_output_write_program_and_arguments(p);
	/* Ends in a space, like Cachegrind's own line: cg_merge compares the
	   lines. */
	an_output_write_string_unescaped(p, "\nevents: ");
	for (int i = 0; i < AN_N_EVENTS; i++) {
		an_output_write_string_unescaped(p, an_event_name[i]);
		an_output_write_string_unescaped(p, " ");
	}
	an_output_write_string_unescaped(p, "\n");
}

static void write_name_line_if_changed(struct an_output *p,
				       const char *key_and_equals_sign,
				       const char *name,
				       const char *previous_name)
{
	if (previous_name != NULL && strcmp(name, previous_name) == 0)
		return;
	an_output_write_string_unescaped(p, key_and_equals_sign);
	an_output_write_escaped_name(p, name, "");
	an_output_write_string_unescaped(p, "\n");
}

/* Write all rows: each file name once, and in it each function name once. */
static void write_rows_with_file_fn_lines(struct an_output *p,
					  const struct an_cost_row *const *row,
					  uint32_t row_count)
{
	const char *file = NULL, *function = NULL;

	for (uint32_t i = 0; i < row_count; i++) {
		const struct an_symbol *who = &row[i]->symbol;

		if (file != NULL && strcmp(who->file, file) != 0)
			function = NULL;
		write_name_line_if_changed(p, "fl=", who->file, file);
		write_name_line_if_changed(p, "fn=", who->function, function);
		file = who->file;
		function = who->function;
		an_output_write_decimal(p, who->line);
		write_event_counts_and_newline(p, &row[i]->cost);
	}
}

int an_cachegrind_write_to_env_output(const struct an_cacheresult *r,
				      const struct an_env *env)
{
	struct an_output p = {.env = env};
	const struct an_cost_row **row = an_cost_table_alloc_sorted_rows(
		&r->lines, compare_rows_by_file_fn_line);

	if (row == NULL && r->lines.n > 0)
		return -ENOMEM;
	write_cachegrind_header(&p);
	write_rows_with_file_fn_lines(&p, row, r->lines.n);
	an_output_write_string_unescaped(&p, "summary:");
	write_event_counts_and_newline(&p, &r->total);
	free(row);
	return p.error;
}
