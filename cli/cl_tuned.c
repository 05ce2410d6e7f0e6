/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_tuned.c - the settings that were tried, and how they did
 *
 * Room:    cli.
 */
#include "cli/cl_tuned.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_json.h"

#define CHANCE 1.02 /* times as long: no worse */

static char *size_text(uint64_t bytes, char out[24])
{
	bool mega = bytes % (1 << 20) == 0;

	snprintf(out, 24, "%llu%c",
		 (unsigned long long)(bytes >> (mega ? 20 : 10)),
		 mega ? 'M' : 'K');
	return out;
}

char *cl_trial_options(const struct cl_trial *t, char out[80])
{
	char size[24];

	if (t->adaptive)
		snprintf(out, 80, "--workers=adaptive");
	else
		snprintf(out, 80,
			 "--workers=%llu --buffers=%llu --buffer-size=%s",
			 (unsigned long long)t->value[CL_WORKERS],
			 (unsigned long long)t->value[CL_BUFFERS],
			 size_text(t->value[CL_BUFFER_SIZE], size));
	return out;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct al_pipeline cl_median(struct al_pipeline *p, unsigned n)
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
		for (unsigned i = 0; i < n; i++)
			memcpy(&value[i], (char *)&p[i] + members[m],
			       sizeof(value[i]));
		qsort(value, n, sizeof(value[0]), compare);
		memcpy((char *)&median + members[m], &value[(n - 1) / 2],
		       sizeof(value[0]));
	}
	return median;
}

bool cl_tuned_again(struct cl_tuned *s, struct cl_trial *next)
{
	const struct cl_trial *t;

	for (t = s->trial; t < next; t++)
		if (!memcmp(t->value, next->value, sizeof(t->value))) {
			next->figures = t->figures;
			s->n++;
			return true;
		}
	return false;
}

static double wall(const struct cl_trial *t)
{
	return (double)t->figures.wall_ns;
}

const struct cl_trial *cl_tuned_best(const struct cl_tuned *s, unsigned from)
{
	const struct cl_trial *t, *end = s->trial + s->n, *best = NULL;

	for (t = s->trial + from; t < end; t++)
		if (!t->adaptive && (!best || wall(t) < wall(best)))
			best = t;
	for (t = s->trial + from; t < best; t++)
		if (!t->adaptive && wall(t) <= wall(best) * CHANCE)
			return t;
	return best;
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void print_row(const struct cl_trial *t, FILE *out)
{
	const struct al_pipeline *f = &t->figures;
	char size[24];

	if (t->adaptive)
		fprintf(out, "%23s", "adaptive");
	else
		fprintf(out, "%7llu %7llu %7s",
			(unsigned long long)t->value[CL_WORKERS],
			(unsigned long long)t->value[CL_BUFFERS],
			size_text(t->value[CL_BUFFER_SIZE], size));
	fprintf(out, " %8.2f %8.2f %8.2f %8.2f %9llu %9.1f\n",
		seconds(f->wall_ns), seconds(f->wait_ns), seconds(f->idle_ns),
		seconds(f->busy_ns), (unsigned long long)f->buffers,
		(double)f->unused / (1 << 20));
}

void cl_tuned_print(const struct cl_tuned *s, FILE *out)
{
	static const char *const names[] = {"workers", "buffers",
					    "buffer size"};
	const struct cl_trial *best = cl_tuned_best(s, 0);
	char options[80];

	fprintf(out,
		"workers buffers    size   wall s   wait s   idle s   busy s "
		"  buffers unused MiB\n");
	for (unsigned i = 0; i < s->n; i++) {
		const struct cl_trial *t = &s->trial[i];

		if (t->adaptive)
			fputc('\n', out);
		else if (!i || t->varied != t[-1].varied)
			fprintf(out, "\nby %s\n", names[t->varied]);
		print_row(t, out);
	}
	fprintf(out, "\nbest: %s\n", cl_trial_options(best, options));
}

static void write_trial(struct an_sink *out, const struct cl_trial *t,
			const char *key)
{
	const struct al_pipeline *f = &t->figures;
	char options[80];

	out->begin(out, key);
	out->string(out, "options", cl_trial_options(t, options));
	if (!t->adaptive) {
		out->number(out, "workers", t->value[CL_WORKERS]);
		out->number(out, "buffers", t->value[CL_BUFFERS]);
		out->number(out, "buffer_bytes", t->value[CL_BUFFER_SIZE]);
	}
	out->number(out, "wall_ns", f->wall_ns);
	out->number(out, "program_wait_ns", f->wait_ns);
	out->number(out, "worker_idle_ns", f->idle_ns);
	out->number(out, "worker_busy_ns", f->busy_ns);
	out->number(out, "buffers_processed", f->buffers);
	out->number(out, "unused_bytes", f->unused);
	out->end(out);
}

void cl_tuned_write(const struct cl_tuned *s, char *const *command, FILE *file)
{
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, file);
	out->begin(out, NULL);
	out->begin_list(out, "command");
	for (; *command; command++)
		out->string(out, NULL, *command);
	out->end(out);
	out->number(out, "runs", s->runs);
	out->begin_list(out, "settings");
	for (unsigned i = 0; i < s->n; i++)
		write_trial(out, &s->trial[i], NULL);
	out->end(out);
	write_trial(out, cl_tuned_best(s, 0), "best");
	out->end(out);
}
