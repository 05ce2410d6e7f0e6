/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation_plot.c - plots the numbers of workers and buffers that were
 *                     adapted, over time; see adaptation.h
 */
#include "lib/report/adaptation.h"

#include <string.h>

enum { MARGIN = 10, COLUMNS = 80 - MARGIN, ROWS = 5 };

/* A column of the plot: the state of the run in the time that it covers. */
struct column {
	bool has_period; /* the period of a decision overlaps the column */
	char phase;
	unsigned workers, buffers; /* number of active workers, and number of
				      buffers of all programs, at the end of
				      the column's time */
	unsigned resumed, suspended;
	double idle; /* [percent] part of the active workers' time without a
			job */
	/* [percent] part of the programs' time in which they waited for the
	   daemon */
	double wait;
};

struct plot {
	FILE *file;
	uint64_t start_ns, end_ns;
	unsigned width; /* number of columns used */
	struct column column[COLUMNS];
};

static uint64_t period_start_ns(const struct al_decision *d)
{
	return d->end_ns > d->span_ns ? d->end_ns - d->span_ns : 0;
}

static uint64_t column_start_ns(const struct plot *p, unsigned column_index)
{
	double share = (double)column_index / p->width;

	return p->start_ns +
	       (uint64_t)((double)(p->end_ns - p->start_ns) * share);
}

static double percent_at_most_100(double part, double whole)
{
	double p = whole > 0 ? part / whole * 100 : 0;

	return p < 100 ? p : 100;
}

/* Return the number of workers that were active in the period before a
   decision; for the first decision, the number after it. */
static unsigned active_workers_before_decision(const struct al_decisions *d,
					       size_t decision_index)
{
	return d->item[decision_index ? decision_index - 1 : 0].workers;
}

/* Sums over the parts of periods that lie in a column: time without a job and
   time of active workers, time that programs waited and time of programs. */
struct sums {
	double idle, workers, wait, programs;
};

/* Add the period that ended with a decision, of which @ns_in_column lie in the
   column. */
static void add_period_to_column_sums(struct sums *s,
				      const struct al_decisions *d,
				      size_t decision_index,
				      double ns_in_column)
{
	const struct al_decision *it = &d->item[decision_index];
	double part = it->span_ns ? ns_in_column / (double)it->span_ns : 0;

	s->idle += (double)it->idle_ns * part;
	s->wait += (double)it->wait_ns * part;
	s->workers +=
		(double)active_workers_before_decision(d, decision_index) *
		ns_in_column;
	s->programs += (double)it->programs * ns_in_column;
}

/* Set the phase of the column and its numbers of workers and buffers to those
   after a decision. Add 1 to c->resumed if the decision added workers, to
   c->suspended if it removed workers. */
static void set_plot_column_to_state_after_decision(
	struct column *c, const struct al_decisions *d, size_t decision_index)
{
	const struct al_decision *it = &d->item[decision_index];
	unsigned before = active_workers_before_decision(d, decision_index);

	c->phase = it->phase_after;
	c->workers = it->workers;
	c->buffers = it->buffers;
	c->resumed += it->workers > before;
	c->suspended += it->workers < before;
}

/* Compute for a column of the plot the phase, workers and buffers after its
   last decision, and the idle and waiting time [percent]. */
static struct column compute_plot_column(const struct plot *p,
					 const struct al_decisions *d,
					 unsigned column_index)
{
	uint64_t from = column_start_ns(p, column_index),
		 to = column_start_ns(p, column_index + 1);
	struct column c = {.has_period = false};
	struct sums s = {0, 0, 0, 0};

	for (size_t i = 0; i < d->n; i++) {
		const struct al_decision *it = &d->item[i];
		uint64_t a =
			period_start_ns(it) > from ? period_start_ns(it) : from;
		uint64_t b = it->end_ns < to ? it->end_ns : to;

		if (a >= b)
			continue;
		if (!c.has_period &&
		    i) { /* begin with the numbers that the previous decision
			    set */
			c.phase = it->phase_before;
			c.workers = d->item[i - 1].workers;
			c.buffers = d->item[i - 1].buffers;
		} else if (!c.has_period) {
			c.phase = it->phase_before;
			c.workers = it->workers;
			c.buffers = it->buffers;
		}
		c.has_period = true;
		add_period_to_column_sums(&s, d, i, (double)(b - a));
		if (it->end_ns <= to)
			set_plot_column_to_state_after_decision(&c, d, i);
	}
	c.idle = percent_at_most_100(s.idle, s.workers);
	c.wait = percent_at_most_100(s.wait, s.programs);
	return c;
}

/* Print @label and one line with a character for each column: the result of
   @sign(), or a space if the period of no decision overlaps the column. */
static void print_label_and_column_signs(const struct plot *p,
					 const char *label,
					 char (*sign)(const struct column *))
{
	char line[COLUMNS + 1] = "";
	unsigned i, n;

	for (i = 0; i < p->width; i++)
		line[i] = p->column[i].has_period ? sign(&p->column[i]) : ' ';
	for (n = p->width; n && line[n - 1] == ' '; n--)
		line[n - 1] = '\0';
	fprintf(p->file, "%-*s%s\n", MARGIN, label, line);
}

static char adaptation_phase_letter(const struct column *c)
{
	return c->phase;
}

static char worker_change_sign_star_if_both(const struct column *c)
{
	if (c->resumed && c->suspended)
		return '*';
	return c->resumed ? '+' : c->suspended ? '-' : ' ';
}

static double workers_at_column_end(const struct column *c)
{
	return c->workers;
}

static double buffer_count_at_column_end(const struct column *c)
{
	return c->buffers;
}

static double workers_idle_percent_of_plot_column(const struct column *c)
{
	return c->idle;
}

static double programs_wait_percent_of_plot_column(const struct column *c)
{
	return c->wait;
}

static double
highest_column_value_at_least_1(const struct plot *p,
				double (*value)(const struct column *))
{
	double most = 1;

	for (unsigned i = 0; i < p->width; i++)
		if (p->column[i].has_period && value(&p->column[i]) > most)
			most = value(&p->column[i]);
	return most;
}

/* Return the character of row @row_from_bottom, counted from the bottom, of a
   bar that has ROWS rows at @max_value: '#' if the bar fills at least three
   quarters of the row, '.' if at least a quarter, else a space. */
static char bar_character(double value, double max_value, int row_from_bottom)
{
	double filled = value / max_value * ROWS - row_from_bottom;

	return filled >= 0.75 ? '#' : filled >= 0.25 ? '.' : ' ';
}

static void
print_vertical_bar_per_column(const struct plot *p, const char *label,
			      double max_value,
			      double (*value)(const struct column *))
{
	char line[COLUMNS + 1];
	unsigned i;
	int row;

	fprintf(p->file, "%s\n", label);
	for (row = ROWS - 1; row >= 0; row--) {
		for (i = 0; i < p->width; i++)
			line[i] = p->column[i].has_period
					  ? bar_character(value(&p->column[i]),
							  max_value, row)
					  : ' ';
		while (i && line[i - 1] == ' ')
			i--;
		line[i] = '\0';
		if (row == ROWS - 1)
			fprintf(p->file, "%*.0f |%s\n", MARGIN - 2, max_value,
				line);
		else
			fprintf(p->file, "%*s |%s\n", MARGIN - 2, "", line);
	}
}

static void print_time_axis(const struct plot *p)
{
	char line[COLUMNS + 1] = "";

	memset(line, '-', p->width);
	fprintf(p->file, "%*d +%s\n", MARGIN - 2, 0, line);
	fprintf(p->file, "%*s%-*.2f%10.2f s\n", MARGIN, "",
		(int)p->width > 12 ? (int)p->width - 12 : 0,
		(double)p->start_ns / 1e9, (double)p->end_ns / 1e9);
}

static void
print_decision_count_and_settings(const struct plot *p,
				  const struct al_decisions *d,
				  const struct al_adaptive *settings)
{
	fprintf(p->file,
		"%zu decisions, one every %u ms; TP %u %%, TAY1 %u %%, TAY2 %u "
		"%%, TAZ %u %%\nat most %u workers, %u buffers a program\n\n",
		d->n, settings->period, settings->tp, settings->tay1,
		settings->tay2, settings->taz, settings->workers,
		settings->buffers);
}

/* Return the number of columns: one for each adaptation period
   (settings->period [ms]) in the plotted time, but at least one for each
   decision, and COLUMNS at most. */
static unsigned
count_columns_one_per_period_or_decision(const struct plot *p,
					 const struct al_decisions *d,
					 const struct al_adaptive *settings)
{
	uint64_t period = settings->period * UINT64_C(1000000);
	uint64_t periods = (p->end_ns - p->start_ns + period - 1) / period;
	uint64_t n = periods > d->n ? periods : d->n;

	return n < COLUMNS ? (unsigned)n : COLUMNS;
}

void al_plot_adaptive_decisions(const struct al_decisions *d,
				const struct al_adaptive *settings, FILE *file)
{
	struct plot p = {.file = file};
	unsigned i;

	print_decision_count_and_settings(&p, d, settings);
	if (!d->n)
		return;
	p.start_ns = period_start_ns(&d->item[0]);
	p.end_ns = d->item[d->n - 1].end_ns;
	p.width = count_columns_one_per_period_or_decision(&p, d, settings);
	for (i = 0; i < p.width; i++)
		p.column[i] = compute_plot_column(&p, d, i);
	print_label_and_column_signs(&p, "phase", adaptation_phase_letter);
	print_label_and_column_signs(&p, "workers",
				     worker_change_sign_star_if_both);
	fprintf(file, "%*s(+ created or resumed, - suspended, * both)\n",
		MARGIN, "");
	print_vertical_bar_per_column(
		&p, "workers",
		highest_column_value_at_least_1(&p, workers_at_column_end),
		workers_at_column_end);
	print_vertical_bar_per_column(
		&p, "buffers",
		highest_column_value_at_least_1(&p, buffer_count_at_column_end),
		buffer_count_at_column_end);
	print_vertical_bar_per_column(&p, "workers idle, %", 100,
				      workers_idle_percent_of_plot_column);
	print_vertical_bar_per_column(&p, "programs waiting, %", 100,
				      programs_wait_percent_of_plot_column);
	print_time_axis(&p);
}
