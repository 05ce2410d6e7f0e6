/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_report.c - reports the result of a cache simulation as JSON and as text
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/cache_result.h"
#include "analyzers/grouped_number.h"
#include "base/text/printable.h"

enum {
	TOP = 10,
	WIDTH = 80,
	NAME_COLUMN = 26, /* [columns] before it: misses and share */
	NUMBER = AN_GROUPED_SIZE,
	LINE = 256, /* [bytes] enough for a line with any numbers */
};

static void put_events(const struct an_cost *cost, struct an_sink *sink)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		sink->number(sink, an_event_name[i], cost->event[i]);
}

void an_cacheresult_report_totals(const struct an_cacheresult *r,
				  struct an_sink *sink)
{
	put_events(&r->total, sink);
}

static void put_level(const struct an_level *level,
		      const struct an_level_counts *c, struct an_sink *sink)
{
	sink->begin(sink, NULL);
	sink->string(sink, "name", level->name);
	sink->number(sink, "size", level->size);
	sink->number(sink, "assoc", level->assoc);
	sink->number(sink, "line", level->line);
	sink->number(sink, "reads", c->reads);
	sink->number(sink, "read_misses", c->read_misses);
	sink->number(sink, "writes", c->writes);
	sink->number(sink, "write_misses", c->write_misses);
	sink->number(sink, "writebacks", c->writebacks);
	sink->end(sink);
}

static void put_function(const struct an_cost_row *row, struct an_sink *sink)
{
	sink->begin(sink, NULL);
	sink->string(sink, "name", row->symbol.function);
	sink->string(sink, "file", row->symbol.file);
	sink->string(sink, "object", row->symbol.object);
	put_events(&row->cost, sink);
	sink->end(sink);
}

static void put_functions(const struct an_cost_table *t, struct an_sink *sink)
{
	const struct an_cost_row **row =
		an_cost_table_sorted_rows(t, an_cost_row_compare);

	sink->begin_list(sink, "functions");
	for (uint32_t i = 0; row != NULL && i < t->n; i++)
		put_function(row[i], sink);
	sink->end(sink);
	free(row);
}

static void put_line(const struct an_cost_row *row, const char *function,
		     struct an_sink *sink)
{
	sink->begin(sink, NULL);
	sink->string(sink, "file", row->symbol.file);
	sink->number(sink, "line", row->symbol.line);
	sink->string(sink, "object", row->symbol.object);
	put_events(&row->cost, sink);
	sink->string(sink, "path", row->symbol.path ?: "???");
	sink->string(sink, "function", function ?: "???");
	sink->end(sink);
}

static void put_lines(const struct an_cacheresult *r, struct an_sink *sink)
{
	const struct an_cost_table *t = &r->lines;
	const struct an_cost_row **row =
		an_cost_table_sorted_rows(t, an_cost_row_compare);
	const char **function = an_cacheresult_line_functions(r);

	sink->begin_list(sink, "lines");
	for (uint32_t i = 0; row != NULL && function != NULL && i < t->n; i++)
		put_line(row[i], function[row[i] - t->row], sink);
	sink->end(sink);
	free(function);
	free(row);
}

static const char *describe_level(const struct an_cacheresult *r,
				  const struct an_geometry *g, int level)
{
	if (level == g->first_data && r->partition_sums.n > 1)
		return "in parts";
	if (level == g->first_data && an_hierarchy_max_partitions(g, 2) < 2)
		return "whole: it shares accesses of instructions, or has one "
		       "set, an odd number of sets or more than 64 ways";
	if (level == g->first_data)
		return "whole: not asked for parts";
	if (level == g->first_instruction)
		return "whole: ahead of the others";
	return "whole: takes what the first levels miss, in order";
}

void an_cacheresult_report_load(const struct an_cacheresult *r,
				const struct an_geometry *g,
				struct an_sink *sink)
{
	sink->begin(sink, "levels");
	for (int i = 0; i < g->n_levels; i++)
		sink->string(sink, g->level[i].name, describe_level(r, g, i));
	sink->end(sink);
	if (r->partition_sums.n > 1)
		an_partition_sums_report(&r->partition_sums, sink);
}

void an_cacheresult_report(const struct an_cacheresult *r,
			   const struct an_geometry *g, struct an_sink *sink)
{
	sink->begin_list(sink, "levels");
	for (int i = 0; i < g->n_levels; i++)
		put_level(&g->level[i], &r->level[i], sink);
	sink->end(sink);
	sink->begin(sink, "totals");
	put_events(&r->total, sink);
	sink->end(sink);
	put_functions(&r->functions, sink);
	put_lines(r, sink);
}

/* Return the rate @part / @whole in percent, "-" if @whole is 0. */
static const char *format_rate(char to[NUMBER], uint64_t part, uint64_t whole)
{
	if (whole == 0)
		return "-";
	snprintf(to, NUMBER, "%.2f%%", 100.0 * (double)part / (double)whole);
	return to;
}

static void print_level(const struct an_level *level,
			const struct an_level_counts *c, struct an_text *text)
{
	char n[6][NUMBER], line[LINE];

	snprintf(line, sizeof(line), "  %-4s %14s %12s %7s  %14s %12s %7s",
		 level->name, an_format_grouped(n[0], c->reads),
		 an_format_grouped(n[1], c->read_misses),
		 format_rate(n[2], c->read_misses, c->reads),
		 an_format_grouped(n[3], c->writes),
		 an_format_grouped(n[4], c->write_misses),
		 format_rate(n[5], c->write_misses, c->writes));
	text->line(text, line);
}

static void print_writebacks(const struct an_cacheresult *r,
			     const struct an_geometry *g, struct an_text *text)
{
	char line[LINE] = "  written back, lines:", n[NUMBER];
	size_t used = strlen(line);

	for (int i = 0; i < g->n_levels; i++)
		if (g->level[i].kind != AN_INSTRUCTION && used < WIDTH)
			used += (size_t)snprintf(
				line + used, sizeof(line) - used, "  %s %s",
				g->level[i].name,
				an_format_grouped(n, r->level[i].writebacks));
	text->line(text, line);
}

/* Return a copy of @s without default template arguments. If it is longer than
   @most bytes, it is cut and ends in "...". The caller frees it; NULL if memory
   is short. */
static char *copy_function(const char *s, size_t most)
{
	char *copy = strdup(s);

	if (copy == NULL)
		return NULL;
	al_template_drop_defaults(copy);
	if (strlen(copy) > most)
		strcpy(copy + most - 3, "...");
	return copy;
}

/* Return "function  [object]" of at most @most bytes. The object is left out if
   it needs more than half of @most. The caller frees the string; NULL if memory
   is short. */
static char *function_name(const struct an_symbol *who, size_t most)
{
	size_t suffix_size = strlen(who->object) + strlen("  []");
	bool has_object = suffix_size <= most / 2;
	char *name, *function;

	function = copy_function(who->function,
				 has_object ? most - suffix_size : most);
	name = function ? malloc(strlen(function) + suffix_size + 1) : NULL;
	if (name != NULL && has_object)
		snprintf(name, strlen(function) + suffix_size + 1, "%s  [%s]",
			 function, who->object);
	else if (name != NULL)
		strcpy(name, function);
	free(function);
	return name;
}

/* Return "file:line", or "no line known  [object]" if the line is 0. A name
   longer than @most bytes is cut at its beginning. The caller frees the string;
   NULL if memory is short. */
static char *line_name(const struct an_symbol *who, size_t most)
{
	const char *file = who->line ? who->file : "no line known  [";
	size_t n = strlen(who->file) + strlen(who->object) + NUMBER + 20;
	char *name = malloc(n);
	size_t len;

	if (name == NULL)
		return NULL;
	if (who->line != 0)
		len = (size_t)snprintf(name, n, "%s:%u", file, who->line);
	else
		len = (size_t)snprintf(name, n, "%s%s]", file, who->object);
	if (len > most) {
		memmove(name, name + len - most, most + 1);
		memcpy(name, "...", 3);
	}
	return name;
}

static void print_row(const struct an_cost_row *row, int level, uint64_t all,
		      struct an_text *text)
{
	size_t most = text->columns ? text->columns - NAME_COLUMN : SIZE_MAX;
	char number[NUMBER], share[NUMBER], *name, *line;
	uint64_t misses = row->cost.misses[level];

	name = row->symbol.function ? function_name(&row->symbol, most)
				    : line_name(&row->symbol, most);
	line = name ? malloc(LINE + strlen(name)) : NULL;
	if (line != NULL) {
		snprintf(line, LINE + strlen(name), "  %14s %7s  %s",
			 an_format_grouped(number, misses),
			 format_rate(share, misses, all), name);
		text->line(text, line);
	}
	free(line);
	free(name);
}

static void print_top(const struct an_cost_table *t, int level, uint64_t all,
		      const char *heading, struct an_text *text)
{
	const struct an_cost_row *top[TOP];
	unsigned n = an_cost_table_top_misses(t, level, top, TOP);

	text->line(text, heading);
	for (unsigned i = 0; i < n; i++)
		print_row(top[i], level, all, text);
}

/* Return a table with one row for each function: @rows has one for each
   function and each source file inlined into it. */
static struct an_cost_table whole_functions(const struct an_cost_table *rows)
{
	struct an_cost_table whole = {0};

	for (uint32_t i = 0; i < rows->n; i++) {
		struct an_symbol who = rows->row[i].symbol;

		who.file = "";
		if (an_cost_table_add(&whole, &who, &rows->row[i].cost) < 0)
			break; /* memory is short: the list stays incomplete */
	}
	return whole;
}

void an_cacheresult_print(const struct an_cacheresult *r,
			  const struct an_geometry *g, struct an_text *text)
{
	text->heading(text, "Cache levels");
	text->line(text, "                reads       misses    rate          "
			 "writes       misses    rate");
	for (int i = 0; i < g->n_levels; i++)
		print_level(&g->level[i], &r->level[i], text);
	print_writebacks(r, g, text);
}

void an_cacheresult_print_top(const struct an_cacheresult *r,
			      const struct an_geometry *g, struct an_text *text)
{
	struct an_cost_table functions = whole_functions(&r->functions);
	char line[WIDTH];

	for (int i = 0; i < g->n_levels; i++) {
		uint64_t all = r->total.misses[i];

		if (all == 0)
			continue;
		snprintf(line, sizeof(line), "Where %s misses",
			 g->level[i].name);
		text->heading(text, line);
		print_top(&functions, i, all,
			  "          misses   share  function", text);
		print_top(&r->lines, i, all,
			  "          misses   share  source line", text);
	}
	an_cost_table_release(&functions);
}
