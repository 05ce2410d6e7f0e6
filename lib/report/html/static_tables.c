/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * static_tables.c - writes the tables of a page that need no script: the cache
 * levels, and the functions and lines with most misses
 */
#include <stdlib.h>
#include <string.h>

#include "lib/report/html/columns.h"
#include "lib/report/html/page_parts.h"

enum { TOP = 10 };

static const char *text_or_question_marks(const json_t *map, const char *key)
{
	const char *s = json_string_value(json_object_get(map, key));

	return s ? s : "???";
}

static json_int_t number_of_key_or_0(const json_t *map, const char *key)
{
	return json_integer_value(json_object_get(map, key));
}

static const json_t *cache_analysis_or_null(const json_t *report)
{
	return json_object_get(json_object_get(report, "analyses"), "cache");
}

/* ---- levels ---- */

static void write_level_count_cell(FILE *f, const json_t *level,
				   const char *event, const char *label)
{
	fputs("<td role=cell class=n data-level=\"", f);
	al_html_write_text(f, text_or_question_marks(level, "name"));
	fprintf(f,
		"\" data-event=%s data-value=%" JSON_INTEGER_FORMAT
		" data-label=\"%s\">",
		event, number_of_key_or_0(level, event), label);
	al_html_write_count(f, number_of_key_or_0(level, event));
	fputs("</td>", f);
}

/* Write size, ways and line size. */
static void write_geometry(FILE *f, const json_t *level)
{
	json_int_t size = number_of_key_or_0(level, "size"),
		   line = number_of_key_or_0(level, "line");
	json_int_t ways = number_of_key_or_0(level, "assoc");

	fputs("<td role=cell data-label=\"Size, ways, line\">", f);
	al_html_write_size_in_exact_unit(f, size);
	if (line > 0 && ways == size / line && ways > 1)
		fputs(", full, ", f);
	else
		fprintf(f, ", %" JSON_INTEGER_FORMAT "-way, ", ways);
	fprintf(f, "%" JSON_INTEGER_FORMAT "</td>", line);
}

static void write_level_row(FILE *f, const json_t *level,
			    json_int_t instructions)
{
	json_int_t misses = number_of_key_or_0(level, "read_misses") +
			    number_of_key_or_0(level, "write_misses");
	json_int_t accesses = number_of_key_or_0(level, "reads") +
			      number_of_key_or_0(level, "writes");

	fputs("<tr role=row><th role=rowheader scope=row>", f);
	al_html_write_text(f, text_or_question_marks(level, "name"));
	fputs("</th>", f);
	write_geometry(f, level);
	write_level_count_cell(f, level, "reads", "Reads");
	write_level_count_cell(f, level, "read_misses", "Read misses");
	write_level_count_cell(f, level, "writes", "Writes");
	write_level_count_cell(f, level, "write_misses", "Write misses");
	write_level_count_cell(f, level, "writebacks", "Written back");
	fputs("<td role=cell class=n data-label=\"Bytes fetched\">", f);
	al_html_write_count(f, misses * number_of_key_or_0(level, "line"));
	fputs("</td><td role=cell class=n data-label=\"Misses / accesses\">",
	      f);
	al_html_write_percent(f, misses, accesses, 2);
	fputs("</td><td role=cell class=n data-label=\"Misses / 1000 instr\">",
	      f);
	if (instructions > 0)
		fprintf(f, "%.2f",
			1000 * (double)misses / (double)instructions);
	else
		fputs("-", f);
	fputs("</td></tr>\n", f);
}

void al_page_write_cache_levels(FILE *f, const json_t *report)
{
	const json_t *levels =
		json_object_get(cache_analysis_or_null(report), "levels");
	json_int_t instructions = number_of_key_or_0(
		json_object_get(report, "run"), "instructions");

	if (json_array_size(levels) == 0)
		return;
	fputs("<section id=levels><h2>Cache levels</h2>\n"
	      "<table role=table class=stack><thead role=rowgroup><tr role=row>"
	      "<th role=columnheader scope=col>Level</th>"
	      "<th role=columnheader scope=col>Size, ways, line</th>"
	      "<th role=columnheader scope=col class=n>Reads</th>"
	      "<th role=columnheader scope=col class=n>Read misses</th>"
	      "<th role=columnheader scope=col class=n>Writes</th>"
	      "<th role=columnheader scope=col class=n>Write misses</th>"
	      "<th role=columnheader scope=col class=n>Written back</th>"
	      "<th role=columnheader scope=col class=n>Bytes fetched</th>"
	      "<th role=columnheader scope=col class=n>Misses / accesses</th>"
	      "<th role=columnheader scope=col class=n>Misses / 1000 instr</th>"
	      "</tr></thead><tbody role=rowgroup>\n",
	      f);
	for (size_t i = 0; i < json_array_size(levels); i++)
		write_level_row(f, json_array_get(levels, i), instructions);
	fputs("</tbody></table>\n"
	      "<p class=note>Sizes in bytes. Reads of an instruction level are "
	      "fetches; reads of a lower level are the misses of the levels "
	      "above it. A line that is written back is no access of the level "
	      "below. Bytes fetched: misses x length of a "
	      "line.</p></section>\n",
	      f);
}

/* ---- rows with most misses ---- */

/* One or two events; rows are ranked by the sum of their counts. */
struct ranking {
	const char *reads, *writes; /* the events; writes may be NULL */
	const char *level;	    /* name of the level on the page */
	json_int_t total;	    /* count of these events in the whole run */
};

static const struct ranking candidates[] = {
	{"DLmr", "DLmw", "LL", 0},
	{"D1mr", "D1mw", "D1", 0},
	{"I1mr", NULL, "I1", 0},
	{"Ir", NULL, "instructions", 0},
};

static json_int_t sum_ranked_reads_and_writes(const json_t *row,
					      const struct ranking *r)
{
	return number_of_key_or_0(row, r->reads) +
	       (r->writes ? number_of_key_or_0(row, r->writes) : 0);
}

/* Return the candidate with most misses, with a weight of 10 for LL, as in the
   text report; that of instructions if there are no misses. */
static struct ranking
choose_ranking_with_most_weighted_misses(const json_t *totals)
{
	struct ranking best = candidates[3], r;
	double weight, most = 0;

	best.total = sum_ranked_reads_and_writes(totals, &best);
	for (int i = 0; i < 3; i++) {
		r = candidates[i];
		r.total = sum_ranked_reads_and_writes(totals, &r);
		weight = (double)r.total * (i == 0 ? 10 : 1);
		if (weight > most) {
			most = weight;
			best = r;
		}
	}
	return best;
}

/* Set @top to the indices of the TOP rows with the largest counts, in this
   order. Return their number; rows with 0 are left out. */
static size_t find_top_rows(const json_t *rows, const struct ranking *r,
			    size_t top[TOP])
{
	size_t n = 0, k;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_int_t count =
			sum_ranked_reads_and_writes(json_array_get(rows, i), r);

		for (k = n; k > 0; k--) {
			if (sum_ranked_reads_and_writes(
				    json_array_get(rows, top[k - 1]), r) >=
			    count)
				break;
			if (k < TOP)
				top[k] = top[k - 1];
		}
		if (count > 0 && k < TOP) {
			top[k] = i;
			n += n < TOP;
		}
	}
	return n;
}

static void write_html_cells_of_function(FILE *f, const json_t *row)
{
	fputs("<th role=rowheader scope=row>", f);
	al_html_write_text(f, text_or_question_marks(row, "name"));
	fputs(" <small>", f);
	al_html_write_text(f, text_or_question_marks(row, "file"));
	fputs("</small></th><td role=cell data-label=Object>", f);
	al_html_write_text(f, text_or_question_marks(row, "object"));
	fputs("</td>", f);
}

static void write_html_cells_of_source_line(FILE *f, const json_t *row)
{
	fputs("<th role=rowheader scope=row>", f);
	al_html_write_text(f, text_or_question_marks(row, "file"));
	fprintf(f, ":%" JSON_INTEGER_FORMAT, number_of_key_or_0(row, "line"));
	fputs("</th><td role=cell data-label=Function>", f);
	al_html_write_text(f, text_or_question_marks(row, "function"));
	fputs("</td>", f);
}

static void
write_top_row_cells_count_and_share(FILE *f, const json_t *row,
				    const struct ranking *r,
				    void (*write_cells)(FILE *, const json_t *))
{
	json_int_t count = sum_ranked_reads_and_writes(row, r);

	fputs("<tr role=row>", f);
	write_cells(f, row);
	fputs("<td role=cell class=n data-label=Count>", f);
	al_html_write_count(f, count);
	fputs("</td><td role=cell class=n data-label=Share>", f);
	al_html_write_percent(f, count, r->total, 2);
	fputs("</td></tr>\n", f);
}

static void write_table_of_rows_with_most_misses(
	FILE *f, const json_t *report, const char *key,
	const char *const headings[2],
	void (*write_cells)(FILE *, const json_t *))
{
	const json_t *rows =
		json_object_get(cache_analysis_or_null(report), key);
	struct ranking r = choose_ranking_with_most_weighted_misses(
		json_object_get(cache_analysis_or_null(report), "totals"));
	size_t top[TOP], n = find_top_rows(rows, &r, top);

	if (json_array_size(rows) == 0)
		return;
	fprintf(f,
		"<section id=%s><h2>%s</h2><div class=static>\n"
		"<p>The first %zu of %zu by %s%s.</p>\n"
		"<table role=table class=stack><thead role=rowgroup>"
		"<tr role=row><th role=columnheader scope=col>%s</th>"
		"<th role=columnheader scope=col>%s</th>"
		"<th role=columnheader scope=col class=n>Count</th>"
		"<th role=columnheader scope=col class=n>Share</th></tr>"
		"</thead><tbody role=rowgroup>\n",
		key, strcmp(key, "lines") ? "Functions" : "Source lines", n,
		json_array_size(rows), r.level,
		strcmp(r.reads, "Ir") ? " misses" : "", headings[0],
		headings[1]);
	for (size_t i = 0; i < n; i++)
		write_top_row_cells_count_and_share(
			f, json_array_get(rows, top[i]), &r, write_cells);
	fputs("</tbody></table></div></section>\n", f);
}

void al_page_write_top_functions(FILE *f, const json_t *report)
{
	static const char *const headings[2] = {"Function", "Object"};

	write_table_of_rows_with_most_misses(f, report, "functions", headings,
					     write_html_cells_of_function);
}

void al_page_write_top_source_lines(FILE *f, const json_t *report)
{
	static const char *const headings[2] = {"Line", "Function"};

	write_table_of_rows_with_most_misses(f, report, "lines", headings,
					     write_html_cells_of_source_line);
}
