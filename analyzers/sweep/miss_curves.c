/* SPDX-License-Identifier: GPL-2.0-or-later */
/* miss_curves.c - plots miss ratio curves as text; see size_grid.h */

#include "analyzers/sweep/size_grid.h"

#include <stdio.h>
#include <string.h>

enum {
	HEIGHT = 16,
	WIDTH = 66,
	MARGIN = 11,  /* [columns] to the left of the canvas */
	MAX_STEP = 8, /* [columns] maximum distance of neighbouring sizes on the
			 axis */
	MAX_CURVES = 12,
	MAX_LINE = 128, /* [bytes] size of the buffer of a line of text */
};

struct canvas {
	/* [percent] value of the upper edge */
	double max_percent;
	unsigned step;
	char cell[HEIGHT][WIDTH + 1];
};

/* Return the greatest miss percentage in the first @n_curves curves; 0 if they
   have no positive one. */
static double max_miss_percent_of_curves(const struct an_sweepgrid *g,
					 unsigned n_curves)
{
	double top = 0;

	for (unsigned i = 0; i < g->n_sizes; i++)
		for (unsigned a = 0; a < n_curves; a++) {
			double p = an_sweepgrid_miss_percent(g, i, a);

			top = p > top ? p : top;
		}
	return top;
}

static char *canvas_cell_on_axis_up_to_max_percent(struct canvas *c,
						   unsigned column,
						   double percent)
{
	double up = c->max_percent > 0 ? percent / c->max_percent * (HEIGHT - 1)
				       : 0;
	unsigned y = (unsigned)(up + 0.5);

	return &c->cell[HEIGHT - 1 - (y < HEIGHT ? y : HEIGHT - 1)][column];
}

/* Draw dots between the points of sizes @size_index and @size_index + 1 of a
   curve, without the points themselves, and only in blank cells. Draw none if
   the curve has no value at one of the two sizes. */
static void draw_curve_dots_to_next_size(struct canvas *c,
					 const struct an_sweepgrid *g,
					 unsigned curve, unsigned size_index)
{
	double from = an_sweepgrid_miss_percent(g, size_index, curve);
	double to = an_sweepgrid_miss_percent(g, size_index + 1, curve);

	for (unsigned x = 1; from >= 0 && to >= 0 && x < c->step; x++) {
		char *cell = canvas_cell_on_axis_up_to_max_percent(
			c, size_index * c->step + x,
			from + (to - from) * x / c->step);

		if (*cell == ' ')
			*cell = '.';
	}
}

/* Draw the first @n_curves curves, each with its own letter at each size and
   with dots between. If letters coincide, that of the last curve is visible. */
static void draw_curves(struct canvas *c, const struct an_sweepgrid *g,
			unsigned n_curves)
{
	for (unsigned a = 0; a < n_curves; a++)
		for (unsigned i = 0; i + 1 < g->n_sizes; i++)
			draw_curve_dots_to_next_size(c, g, a, i);
	for (unsigned a = 0; a < n_curves; a++)
		for (unsigned i = 0; i < g->n_sizes; i++) {
			double p = an_sweepgrid_miss_percent(g, i, a);

			if (p >= 0)
				*canvas_cell_on_axis_up_to_max_percent(
					c, i * c->step, p) = (char)('a' + a);
		}
}

/* Print the lines of the canvas to the right of the vertical axis, with its
   percentage at each fifth line. Trailing blanks in @c are removed. */
static void print_canvas_lines_with_percent_axis(struct canvas *c,
						 struct an_text *text)
{
	char line[MAX_LINE];

	for (unsigned y = 0; y < HEIGHT; y++) {
		char *row = c->cell[y];

		for (size_t end = strlen(row); end && row[end - 1] == ' ';)
			row[--end] = 0;
		if (y % 5 == 0)
			snprintf(line, sizeof(line), "%8.3f %%|%s",
				 c->max_percent * (HEIGHT - 1 - y) /
					 (HEIGHT - 1),
				 row);
		else
			snprintf(line, sizeof(line), "%*s|%s", MARGIN - 1, "",
				 row);
		text->line(text, line);
	}
}

/* Print the horizontal axis and, in a line below it, the labels of every k-th
   size, where k is the least number that leaves 6 columns for a label. */
static void print_size_axis_and_labels(const struct canvas *c,
				       const struct an_sweepgrid *g,
				       struct an_text *text)
{
	char line[MAX_LINE], label[AN_LABEL_SIZE];
	unsigned every = (6 + c->step - 1) / c->step;
	size_t used;

	memset(line, '-', sizeof(line));
	memset(line, ' ', MARGIN - 1);
	line[MARGIN - 1] = '+';
	line[MARGIN + (g->n_sizes - 1) * c->step + 1] = 0;
	text->line(text, line);
	used = (size_t)snprintf(line, sizeof(line), "%*s", MARGIN, "");
	for (unsigned i = 0; i < g->n_sizes; i += every)
		used += (size_t)snprintf(
			line + used, sizeof(line) - used, "%-*s",
			(int)(every * c->step),
			an_sweepgrid_format_size(label, g->size[i]));
	while (used > 0 && line[used - 1] == ' ')
		line[--used] = 0;
	text->line(text, line);
}

static void print_letters_of_associativities(const struct an_sweepgrid *g,
					     unsigned n_curves,
					     struct an_text *text)
{
	char line[MAX_LINE] = "", entry[AN_LABEL_SIZE + 8],
	     label[AN_LABEL_SIZE];

	for (unsigned a = 0; a < n_curves; a++) {
		snprintf(entry, sizeof(entry), "  %c %s", (char)('a' + a),
			 an_sweepgrid_format_full_or_n_way(label, g->assoc[a]));
		if (strlen(line) + strlen(entry) > MARGIN + WIDTH) {
			text->line(text, line);
			line[0] = 0;
		}
		strcat(line, entry);
	}
	text->line(text, line);
}

void an_miss_curves_print(const struct an_sweepgrid *g, struct an_text *text)
{
	unsigned n_curves = g->n_assocs < MAX_CURVES ? g->n_assocs : MAX_CURVES;
	struct canvas c = {.max_percent =
				   max_miss_percent_of_curves(g, n_curves)};

	if (g->n_sizes < 2 || g->n_sizes > WIDTH)
		return;
	c.step = (WIDTH - 1) / (g->n_sizes - 1);
	c.step = c.step < MAX_STEP ? c.step : MAX_STEP;
	for (unsigned y = 0; y < HEIGHT; y++) {
		memset(c.cell[y], ' ', WIDTH);
		c.cell[y][WIDTH] = 0;
	}
	draw_curves(&c, g, n_curves);
	print_canvas_lines_with_percent_axis(&c, text);
	print_size_axis_and_labels(&c, g, text);
	print_letters_of_associativities(g, n_curves, text);
}
