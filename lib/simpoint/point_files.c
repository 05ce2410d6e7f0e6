/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point_files.c - writes and reads chosen intervals
 *
 *   NAME.simpoints   "INTERVAL CLUSTER", as SimPoint 3.2 writes it
 *   NAME.weights     "WEIGHT CLUSTER": share of the instructions
 *   NAME.intervals   "START,LENGTH" in instructions, as `intervals` of a window
 *                    file reads it; the first line has the numbers of the run
 *   NAME.yaml        a window file that records these intervals
 *
 * Line n of NAME.simpoints and of NAME.weights, and line n + 1 of
 * NAME.intervals, are about the same interval.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/tables/array.h"
#include "base/text/message.h"
#include "lib/simpoint/simpoint.h"

/* The choice that is written, and the name of its files. */
struct request {
	const struct al_choice *choice;
	const char *base_name; /* name of the files without folder and suffix */
};

/* ---- write ---- */

static int write_chosen_interval_numbers(void *request, FILE *out)
{
	const struct al_choice *c = ((struct request *)request)->choice;

	for (size_t i = 0; i < c->n; i++)
		fprintf(out, "%zu %zu\n", c->chosen[i].interval, i);
	return 0;
}

static int write_weights(void *request, FILE *out)
{
	const struct al_choice *c = ((struct request *)request)->choice;

	for (size_t i = 0; i < c->n; i++)
		fprintf(out, "%.17g %zu\n",
			(double)c->chosen[i].instrs / (double)c->instrs, i);
	return 0;
}

/* Write a line with the totals, then start and length of each chosen interval.
   */
static int write_chosen_interval_ranges(void *request, FILE *out)
{
	const struct al_choice *c = ((struct request *)request)->choice;

	fprintf(out,
		"# interval %" PRIu64 " instructions %" PRIu64
		" intervals %zu\n",
		c->interval, c->instrs, c->n_intervals);
	for (size_t i = 0; i < c->n; i++)
		fprintf(out, "%" PRIu64 ",%" PRIu64 "\n", c->chosen[i].start,
			c->chosen[i].length);
	return 0;
}

/* Write the window file. The value of `intervals` is written in single quotes,
   in which YAML doubles each single quote. */
static int write_window_file_of_intervals(void *request, FILE *out)
{
	const struct request *q = request;
	enum { MAX_WARMUP = 256 << 20 };
	uint64_t warmup = q->choice->interval < MAX_WARMUP ? q->choice->interval
							   : MAX_WARMUP;

	fprintf(out,
		"# records the intervals of %s.simpoints\n"
		"windows:\n"
		"  - name: simpoints\n"
		"    intervals: '",
		q->base_name);
	for (const char *c = q->base_name; *c; c++)
		fprintf(out, *c == '\'' ? "''" : "%c", *c);
	fprintf(out,
		".intervals'\n"
		"    warmup: %" PRIu64 "\n"
		"    profile: [{}]\n",
		warmup);
	return 0;
}

static int write_file(struct request *q, const char *name, const char *suffix,
		      int (*write)(void *, FILE *), char *message)
{
	char *path = NULL;
	int err;

	if (asprintf(&path, "%s%s", name, suffix) < 0)
		return al_message_return_einval(message, "out of memory");
	err = al_file_write_atomically(path, write, q);
	if (err)
		al_message_return_einval(
			message, "'%.200s': %s", path,
			al_replace_output_file_error_text(err));
	free(path);
	return err;
}

int al_choice_write_files(const struct al_choice *c, const char *name,
			  char *message)
{
	const char *slash = strrchr(name, '/');
	struct request q = {c, slash ? slash + 1 : name};
	int err = write_file(&q, name, ".simpoints",
			     write_chosen_interval_numbers, message);

	if (!err)
		err = write_file(&q, name, ".weights", write_weights, message);
	if (!err)
		err = write_file(&q, name, ".intervals",
				 write_chosen_interval_ranges, message);
	return err ? err
		   : write_file(&q, name, ".yaml",
				write_window_file_of_intervals, message);
}

/* ---- read ---- */

/* A file of chosen intervals that is read, and its current line. */
struct chosen_intervals_file {
	FILE *stream;
	char *path;
	char *line;
	size_t line_size;
	unsigned long line_number;
	char *message;
};

static int report_damaged_line(const struct chosen_intervals_file *f,
			       const char *expected)
{
	return al_message_return_einval(f->message, "%.200s:%lu: not '%s'",
					f->path, f->line_number, expected);
}

static int open_chosen_intervals_for_reading(struct chosen_intervals_file *f,
					     const char *name,
					     const char *suffix, char *message)
{
	*f = (struct chosen_intervals_file){.message = message};
	if (asprintf(&f->path, "%s%s", name, suffix) < 0) {
		f->path = NULL;
		return al_message_return_einval(message, "out of memory");
	}
	f->stream = fopen(f->path, "r");
	if (!f->stream)
		return al_message_return_einval(message, "'%.200s': %s",
						f->path, strerror(errno));
	return 0;
}

static void close_chosen_intervals_file(struct chosen_intervals_file *f)
{
	if (f->stream)
		fclose(f->stream);
	free(f->path);
	free(f->line);
}

/* Read the next line of @f into f->line. Return: whether there is one. */
static bool read_next_line(struct chosen_intervals_file *f)
{
	f->line_number++;
	return getline(&f->line, &f->line_size, f->stream) > 0;
}

/* Parse the line as two numbers with @separator between them. Return: whether
   there is nothing else in it, and both are below 2^64. */
static bool parse_two_numbers(const struct chosen_intervals_file *f,
			      char separator, uint64_t *first, uint64_t *second)
{
	char *end;

	if (f->line[0] < '0' || f->line[0] > '9')
		return false;
	errno = 0;
	*first = strtoull(f->line, &end, 10);
	if (*end != separator || end[1] < '0' || end[1] > '9')
		return false;
	*second = strtoull(end + 1, &end, 10);
	return errno == 0 && (*end == '\0' || !strcmp(end, "\n"));
}

static int read_simpoints(struct al_choice *c, struct chosen_intervals_file *f)
{
	uint64_t interval, cluster;
	size_t max = 0;

	while (read_next_line(f)) {
		if (!parse_two_numbers(f, ' ', &interval, &cluster) ||
		    cluster != c->n)
			return report_damaged_line(f, "INTERVAL CLUSTER");
		if (c->n > 0 && interval <= c->chosen[c->n - 1].interval)
			return al_message_return_einval(
				f->message,
				"%.200s:%lu: intervals do not ascend", f->path,
				f->line_number);
		if (al_array_reserve(c->chosen, max, c->n + 1) != 0)
			return al_message_return_einval(f->message,
							"out of memory");
		c->chosen[c->n++] = (struct al_chosen){.interval = interval};
	}
	return c->n > 0 ? 0 : report_damaged_line(f, "INTERVAL CLUSTER");
}

static int read_intervals(struct al_choice *c, struct chosen_intervals_file *f)
{
	if (!read_next_line(f) ||
	    sscanf(f->line,
		   "# interval %" SCNu64 " instructions %" SCNu64
		   " intervals %zu",
		   &c->interval, &c->instrs, &c->n_intervals) != 3 ||
	    c->interval == 0 || c->instrs == 0)
		return report_damaged_line(
			f, "# interval N instructions N intervals N");
	for (size_t i = 0; i < c->n; i++) {
		struct al_chosen *p = &c->chosen[i];

		if (!read_next_line(f) ||
		    !parse_two_numbers(f, ',', &p->start, &p->length) ||
		    p->length == 0)
			return report_damaged_line(f, "START,LENGTH");
		if (p->start > c->instrs || p->length > c->instrs - p->start)
			return al_message_return_einval(
				f->message,
				"%.200s:%lu: the run has only %" PRIu64
				" instructions",
				f->path, f->line_number, c->instrs);
		if (i > 0 && p->start < p[-1].start + p[-1].length)
			return al_message_return_einval(
				f->message, "%.200s:%lu: intervals overlap",
				f->path, f->line_number);
	}
	return read_next_line(f) ? report_damaged_line(f, "the end of the file")
				 : 0;
}

/* Check that the weights, which each were rounded when they were written, sum
   to 1. @f: its current line is the last weight. */
static int check_sum_of_weights(const struct chosen_intervals_file *f,
				double sum)
{
	static const double most_rounded = 0.001;

	if (fabs(sum - 1) <= most_rounded)
		return 0;
	return al_message_return_einval(
		f->message, "%.200s:%lu: the weights sum to %.4g, not to 1",
		f->path, f->line_number, sum);
}

static int read_weights(struct al_choice *c, struct chosen_intervals_file *f)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		char *end = NULL;
		double weight = read_next_line(f) ? strtod(f->line, &end) : 0;

		if (!(weight > 0 && weight <= 1) || end == f->line ||
		    *end != ' ' || strtoull(end + 1, &end, 10) != i ||
		    strcmp(end, "\n") != 0)
			return report_damaged_line(f, "WEIGHT CLUSTER");
		c->chosen[i].instrs =
			(uint64_t)llround(weight * (double)c->instrs);
		sum += weight;
	}
	if (check_sum_of_weights(f, sum))
		return -EINVAL;
	return read_next_line(f) ? report_damaged_line(f, "the end of the file")
				 : 0;
}

static int read_chosen_intervals_file(
	struct al_choice *c, const char *name, const char *suffix,
	int (*read)(struct al_choice *, struct chosen_intervals_file *),
	char *message)
{
	struct chosen_intervals_file f;
	int err = open_chosen_intervals_for_reading(&f, name, suffix, message);

	if (!err)
		err = read(c, &f);
	close_chosen_intervals_file(&f);
	return err;
}

/* Check that the run has the intervals that NAME.simpoints numbers. */
static int check_interval_numbers(const struct al_choice *c, const char *name,
				  char *message)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->chosen[i].interval >= c->n_intervals)
			return al_message_return_einval(
				message,
				"%.200s.simpoints:%zu: the run has only %zu "
				"intervals, from 0",
				name, i + 1, c->n_intervals);
	return 0;
}

int al_choice_read_simpoint_files(struct al_choice *c, const char *name,
				  char *message)
{
	int err = read_chosen_intervals_file(c, name, ".simpoints",
					     read_simpoints, message);

	if (!err)
		err = read_chosen_intervals_file(c, name, ".intervals",
						 read_intervals, message);
	if (!err)
		err = check_interval_numbers(c, name, message);
	return err ? err
		   : read_chosen_intervals_file(c, name, ".weights",
						read_weights, message);
}
