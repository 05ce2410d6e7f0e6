/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_report.c - reports the result of a sweep; see sweep_report.h */

#include "analyzers/sweep/sweep_report.h"

#include <stdio.h>
#include <string.h>

#include "analyzers/sweep/miss_curves.h"

enum {
	COLUMNS = 8, /* associativities in one table */
	LINE = 256,  /* [bytes] enough for a line with any numbers */
};

/* ---- JSON and CSV ---- */

static void report_shape(const struct an_shape *shape, const char *level,
			 const struct an_sweepcount *c, struct an_sink *sink)
{
	sink->begin(sink, NULL);
	sink->string(sink, "level", level);
	sink->number(sink, "size", shape->size);
	sink->number(sink, "assoc", shape->assoc);
	sink->number(sink, "line", shape->line);
	sink->number(sink, "reads", c->accesses[AN_READ]);
	sink->number(sink, "read_misses", c->misses[AN_READ]);
	sink->number(sink, "writes", c->accesses[AN_WRITE]);
	sink->number(sink, "write_misses", c->misses[AN_WRITE]);
	sink->end(sink);
}

void an_sweep_report(const struct an_geometry *g,
		     const struct an_sweepcount *count, struct an_sink *sink)
{
	const struct an_sweep *s = g->sweep;

	sink->string(sink, "policy", "LRU");
	sink->begin_list(sink, "configurations");
	for (unsigned i = 0; i < s->n; i++)
		report_shape(&s->shape[i], g->level[s->level].name, &count[i],
			     sink);
	sink->end(sink);
}

static int save_line(const struct an_env *env, const char *line)
{
	return env->write(env->host, line, strlen(line));
}

int an_sweep_write_csv(const struct an_geometry *g,
		       const struct an_sweepcount *count,
		       const struct an_env *env)
{
	const struct an_sweep *s = g->sweep;
	int err = save_line(env, "level,size,assoc,line,reads,read_misses,"
				 "writes,write_misses\n");

	for (unsigned i = 0; i < s->n && !err; i++) {
		const struct an_shape *shape = &s->shape[i];
		const struct an_sweepcount *c = &count[i];
		char line[LINE];

		snprintf(line, sizeof(line),
			 "%s,%llu,%u,%u,%llu,%llu,%llu,%llu\n",
			 g->level[s->level].name,
			 (unsigned long long)shape->size, shape->assoc,
			 shape->line, (unsigned long long)c->accesses[AN_READ],
			 (unsigned long long)c->misses[AN_READ],
			 (unsigned long long)c->accesses[AN_WRITE],
			 (unsigned long long)c->misses[AN_WRITE]);
		err = save_line(env, line);
	}
	return err;
}

/* ---- text ---- */

/* Print a table of associativities from number @from on, as many as fit. */
static void print_table(const struct an_sweepgrid *g, unsigned from,
			struct an_text *text)
{
	unsigned end =
		from + COLUMNS < g->n_assocs ? from + COLUMNS : g->n_assocs;
	char line[LINE], label[AN_LABEL_SIZE];
	size_t used = (size_t)snprintf(line, sizeof(line), "  %-6s", "size");

	for (unsigned a = from; a < end; a++)
		used += (size_t)snprintf(
			line + used, sizeof(line) - used, " %8s",
			an_sweepgrid_format_assoc(label, g->assoc[a]));
	text->line(text, line);
	for (unsigned i = 0; i < g->n_sizes; i++) {
		used = (size_t)snprintf(
			line, sizeof(line), "  %-6s",
			an_sweepgrid_format_size(label, g->size[i]));
		for (unsigned a = from; a < end; a++) {
			double p = an_sweepgrid_percent(g, i, a);

			if (p >= 0)
				snprintf(label, sizeof(label), "%.4f", p);
			used += (size_t)snprintf(line + used,
						 sizeof(line) - used, " %8s",
						 p < 0 ? "-" : label);
		}
		text->line(text, line);
	}
}

static void print_line_size(const struct an_geometry *g,
			    const struct an_sweepcount *count, uint32_t line,
			    struct an_text *text)
{
	struct an_sweepgrid grid;
	char title[LINE];

	snprintf(
		title, sizeof(title),
		"Sweep of %s, lines of %u bytes: misses in percent of accesses",
		g->level[g->sweep->level].name, line);
	text->heading(text, title);
	if (an_sweepgrid_init(&grid, g->sweep, count, line) == 0) {
		for (unsigned a = 0; a < grid.n_assocs; a += COLUMNS)
			print_table(&grid, a, text);
		text->line(text, "");
		an_miss_curves_print(&grid, text);
	}
	an_sweepgrid_release(&grid);
}

void an_sweep_print(const struct an_geometry *g,
		    const struct an_sweepcount *count, struct an_text *text)
{
	uint32_t line = 0;

	while ((line = an_sweepgrid_next_line_size(g->sweep, line)) != 0)
		print_line_size(g, count, line, text);
}
