/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trials.c - stores the settings that were tried and picks the best
 */
#include "cli/tune/trials.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"

/* A median time is slower only if it exceeds this multiple of the best one. */
#define TOLERANCE 1.02

enum {
	ENOUGH_RUNS = 6
}; /* minimum runs of each of two trials for which
			     disjoint intervals alone show a difference */

static char *format_size_in_k_or_m(uint64_t bytes, char out[24])
{
	bool mega = bytes % (1 << 20) == 0;

	snprintf(out, 24, "%llu%c",
		 (unsigned long long)(bytes >> (mega ? 20 : 10)),
		 mega ? 'M' : 'K');
	return out;
}

char *cl_trial_format_options(const struct cl_trial *t, char out[80])
{
	char size[24];

	if (t->adaptive)
		snprintf(out, 80, "--workers=adaptive");
	else
		snprintf(out, 80,
			 "--workers=%llu --buffers=%llu --buffer-size=%s",
			 (unsigned long long)t->value[CL_WORKERS],
			 (unsigned long long)t->value[CL_BUFFERS],
			 format_size_in_k_or_m(t->value[CL_BUFFER_SIZE], size));
	return out;
}

static int compare_uint64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return the median over the runs of each figure, computed for each figure
   separately; of an even number of runs, the lower median. */
static struct al_pipeline
compute_median_of_each_figure(const struct al_pipeline *runs,
			      unsigned run_count)
{
	static const size_t members[] = {
		offsetof(struct al_pipeline, wall_ns),
		offsetof(struct al_pipeline, wait_ns),
		offsetof(struct al_pipeline, idle_ns),
		offsetof(struct al_pipeline, busy_ns),
		offsetof(struct al_pipeline, buffers),
		offsetof(struct al_pipeline, unused),
	};
	struct al_pipeline median = {0};
	uint64_t value[CL_MAX_RUNS];

	for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++) {
		for (unsigned i = 0; i < run_count; i++)
			memcpy(&value[i], (const char *)&runs[i] + members[m],
			       sizeof(value[i]));
		qsort(value, run_count, sizeof(value[0]), compare_uint64);
		memcpy((char *)&median + members[m],
		       &value[(run_count - 1) / 2], sizeof(value[0]));
	}
	return median;
}

void cl_trial_add_run_update_medians(struct cl_trial *t,
				     const struct al_pipeline *run)
{
	t->run[t->n_runs++] = *run;
	t->figures = compute_median_of_each_figure(t->run, t->n_runs);
}

static double median_wall_time_ns(const struct cl_trial *t)
{
	return (double)t->figures.wall_ns;
}

/*
 * The confidence interval of the median, between two symmetric order
 * statistics. Its confidence is at least 94 % from six runs on, and lower with
 * fewer runs.
 */
struct interval {
	uint64_t low, high; /* [ns] bounds of the confidence interval of the
			       median */
};

static struct interval
wall_time_median_confidence_interval(const struct cl_trial *t)
{
	/* from[i]: minimum number of runs for which the interval leaves out the
	   i + 1 lowest and the i + 1 highest times. */
	static const unsigned char from[] = {9, 12, 15, 17, 20, 23, 25, 28};
	uint64_t value[CL_MAX_RUNS];
	unsigned out = 0;

	for (unsigned i = 0; i < t->n_runs; i++)
		value[i] = t->run[i].wall_ns;
	qsort(value, t->n_runs, sizeof(value[0]), compare_uint64);
	while (out < sizeof(from) && t->n_runs >= from[out])
		out++;
	return (struct interval){value[out], value[t->n_runs - 1 - out]};
}

static uint64_t interval_width_ns(struct interval i)
{
	return i.high - i.low;
}

/*
 * Whether the confidence interval of @t lies above that of @best and does not
 * overlap with it. If either trial has fewer than ENOUGH_RUNS runs, disjoint
 * intervals are often due to chance, so the gap between them must then exceed
 * the width of the wider one.
 */
static bool is_slower_by_gap_between_intervals(const struct cl_trial *t,
					       const struct cl_trial *best)
{
	struct interval x = wall_time_median_confidence_interval(best),
			y = wall_time_median_confidence_interval(t);
	uint64_t most = interval_width_ns(x) > interval_width_ns(y)
				? interval_width_ns(x)
				: interval_width_ns(y);

	if (t->n_runs >= ENOUGH_RUNS && best->n_runs >= ENOUGH_RUNS)
		most = 0;
	return y.low > x.high && y.low - x.high > most;
}

/* Whether the median time of @t exceeds that of @best by more than TOLERANCE.
   */
static bool is_median_slower_by_tolerance(const struct cl_trial *t,
					  const struct cl_trial *best)
{
	return median_wall_time_ns(t) > median_wall_time_ns(best) * TOLERANCE;
}

/* Return the trial with the shortest median time of those with an index in
   [@first_trial, @end_trial) that are not adaptive; NULL: there is none. */
static const struct cl_trial *
find_fastest_nonadaptive_trial(const struct cl_trials *s, unsigned first_trial,
			       unsigned end_trial)
{
	const struct cl_trial *best = NULL;

	for (const struct cl_trial *t = s->trial + first_trial;
	     t < s->trial + end_trial; t++)
		if (!t->adaptive &&
		    (!best ||
		     median_wall_time_ns(t) < median_wall_time_ns(best)))
			best = t;
	return best;
}

/* Whether the median time of @t exceeds that of @best by more than TOLERANCE
   and, if both have more than one run, their intervals confirm this. */
static bool is_significantly_slower(const struct cl_trial *t,
				    const struct cl_trial *best)
{
	return is_median_slower_by_tolerance(t, best) &&
	       (t->n_runs < 2 || best->n_runs < 2 ||
		is_slower_by_gap_between_intervals(t, best));
}

const struct cl_trial *
cl_trials_first_not_slower_than_best(const struct cl_trials *s,
				     unsigned first_trial)
{
	const struct cl_trial *best =
		find_fastest_nonadaptive_trial(s, first_trial, s->n);

	for (const struct cl_trial *t = s->trial + first_trial; t < best; t++)
		if (!t->adaptive && !is_significantly_slower(t, best))
			return t;
	return best;
}

bool cl_trials_has_slower_than_fastest(const struct cl_trials *s,
				       unsigned first_trial, unsigned end_trial)
{
	const struct cl_trial *best =
		find_fastest_nonadaptive_trial(s, first_trial, end_trial);

	for (const struct cl_trial *t = s->trial + first_trial;
	     best && t < s->trial + end_trial; t++)
		if (!t->adaptive && t->n_runs > 1 && best->n_runs > 1 &&
		    is_significantly_slower(t, best))
			return true;
	return false;
}

struct cl_trial *cl_trials_find_next_to_repeat(struct cl_trials *s,
					       unsigned first_trial,
					       unsigned max_runs)
{
	const struct cl_trial *best =
		find_fastest_nonadaptive_trial(s, first_trial, s->n);
	struct cl_trial *b = best ? &s->trial[best - s->trial] : NULL;
	struct cl_trial *next;

	for (struct cl_trial *t = s->trial + first_trial;
	     b && t < s->trial + s->n; t++) {
		if (t->adaptive || !is_median_slower_by_tolerance(t, b) ||
		    is_slower_by_gap_between_intervals(t, b))
			continue;
		next = b->n_runs < t->n_runs ? b : t;
		if (next->n_runs < max_runs)
			return next;
	}
	return NULL;
}

static double ns_to_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void print_trial_table_line(const struct cl_trial *t, FILE *out)
{
	const struct al_pipeline *f = &t->figures;
	char size[24];

	if (t->adaptive)
		fprintf(out, "%23s", "adaptive");
	else
		fprintf(out, "%7llu %7llu %7s",
			(unsigned long long)t->value[CL_WORKERS],
			(unsigned long long)t->value[CL_BUFFERS],
			format_size_in_k_or_m(t->value[CL_BUFFER_SIZE], size));
	fprintf(out, " %8.2f %8.2f %8.2f %8.2f %9llu %9.1f\n",
		ns_to_seconds(f->wall_ns), ns_to_seconds(f->wait_ns),
		ns_to_seconds(f->idle_ns), ns_to_seconds(f->busy_ns),
		(unsigned long long)f->buffers, (double)f->unused / (1 << 20));
}

/* Return the end, exclusive, of the range of trials from @first_trial on that
   vary the same factor; @first_trial if that trial is adaptive. */
static unsigned find_end_of_factor_group(const struct cl_trials *s,
					 unsigned first_trial)
{
	unsigned end = first_trial;

	while (end < s->n && !s->trial[end].adaptive &&
	       s->trial[end].varied == s->trial[first_trial].varied)
		end++;
	return end;
}

static void print_trials_of_varied_factor(const struct cl_trials *s,
					  unsigned first_trial,
					  unsigned end_trial, FILE *out)
{
	static const char *const names[] = {"workers", "buffers",
					    "buffer size"};

	fprintf(out, "\nby %s%s\n", names[s->trial[first_trial].varied],
		cl_trials_has_slower_than_fastest(s, first_trial, end_trial)
			? ""
			: ": no difference beyond that from run to run");
	for (unsigned i = first_trial; i < end_trial; i++)
		print_trial_table_line(&s->trial[i], out);
}

/* Whether there is a factor whose trials include one that is significantly
   slower than the fastest of them. */
static bool has_factor_with_significant_effect(const struct cl_trials *s)
{
	for (unsigned i = 0, end; i < s->n && !s->trial[i].adaptive; i = end) {
		end = find_end_of_factor_group(s, i);
		if (cl_trials_has_slower_than_fastest(s, i, end))
			return true;
	}
	return false;
}

void cl_trials_print_table_and_best(const struct cl_trials *s, FILE *out)
{
	const struct cl_trial *best =
		cl_trials_first_not_slower_than_best(s, 0);
	char options[80];

	fprintf(out,
		"workers buffers    size   wall s   wait s   idle s   busy s "
		"  buffers unused MiB\n");
	for (unsigned i = 0, end; i < s->n; i = end) {
		end = find_end_of_factor_group(s, i);
		if (end > i) {
			print_trials_of_varied_factor(s, i, end, out);
			continue;
		}
		fputc('\n', out);
		print_trial_table_line(&s->trial[i], out);
		end = i + 1;
	}
	if (has_factor_with_significant_effect(s))
		fprintf(out, "\nbest: %s\n",
			cl_trial_format_options(best, options));
	else
		fprintf(out, "\nbest: no difference; as good as any, %s\n",
			cl_trial_format_options(best, options));
}

static void write_trial_json(struct an_sink *out, const struct cl_trial *t,
			     const char *key)
{
	const struct al_pipeline *f = &t->figures;
	char options[80];

	out->begin(out, key);
	out->string(out, "options", cl_trial_format_options(t, options));
	if (!t->adaptive) {
		out->number(out, "workers", t->value[CL_WORKERS]);
		out->number(out, "buffers", t->value[CL_BUFFERS]);
		out->number(out, "buffer_bytes", t->value[CL_BUFFER_SIZE]);
	}
	out->number(out, "runs", t->n_runs);
	out->number(out, "wall_ns", f->wall_ns);
	out->number(out, "wall_low_ns",
		    wall_time_median_confidence_interval(t).low);
	out->number(out, "wall_high_ns",
		    wall_time_median_confidence_interval(t).high);
	out->number(out, "program_wait_ns", f->wait_ns);
	out->number(out, "worker_idle_ns", f->idle_ns);
	out->number(out, "worker_busy_ns", f->busy_ns);
	out->number(out, "buffers_processed", f->buffers);
	out->number(out, "unused_bytes", f->unused);
	out->end(out);
}

void cl_trials_write_json(const struct cl_trials *s, char *const *command,
			  FILE *file)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, file);
	out->begin(out, NULL);
	out->begin_list(out, "command");
	for (; *command; command++)
		out->string(out, NULL, *command);
	out->end(out);
	al_json_write_bool(out, "difference",
			   has_factor_with_significant_effect(s));
	out->begin_list(out, "settings");
	for (unsigned i = 0; i < s->n; i++)
		write_trial_json(out, &s->trial[i], NULL);
	out->end(out);
	write_trial_json(out, cl_trials_first_not_slower_than_best(s, 0),
			 "best");
	out->end(out);
}
