/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vector_file.c - reads basic-block vectors and projects them
 *
 * Lines "T:id:count ..." are basic blocks, "M:line:count ..." the lines of data
 * of the interval before, which has at most one line M; other lines must be
 * empty or begin with #. Each vector is divided by its sum. The element (id, d)
 * of the projection's matrix is uniform in [-1, 1) and depends only on id, d
 * and the seed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "base/text/message.h"
#include "lib/simpoint/simpoint.h"

/* The file of basic-block vectors that is read. */
struct vector_file {
	FILE *stream;
	const char *path;
	char *line;
	size_t line_size;
	unsigned long line_number;
	uint64_t seed;
	char *message;
	bool has_memory; /* whether a line M of the last interval was read */
};

static int report_damage(const struct vector_file *f, const char *reason)
{
	return al_message_return_einval(f->message, "%.200s:%lu: %s", f->path,
					f->line_number, reason);
}

/* Return a hash of @x in which each bit depends on all bits of @x (one step of
   splitmix64). */
static uint64_t mix_bits(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static double matrix_element(uint64_t seed, uint64_t id, unsigned dimension)
{
	uint64_t bits = mix_bits(mix_bits(seed ^ mix_bits(id)) + dimension);

	return (double)(bits >> 11) * 0x1p-52 - 1;
}

/* Parse "DIGITS" at *@text, and advance *@text past it. Return: whether there
   are digits of a number below 2^64. */
static bool parse_digits(const char **text, uint64_t *number_out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*number_out = strtoull(*text, &end, 10);
	*text = end;
	return errno == 0;
}

/* Parse ":ID:COUNT" and spaces at *@text, and advance *@text past them. Return:
   whether ":ID:COUNT" is there. */
static bool parse_element(const char **text, uint64_t *id, uint64_t *count)
{
	if (*(*text)++ != ':' || !parse_digits(text, id) || *(*text)++ != ':' ||
	    !parse_digits(text, count))
		return false;
	*text += strspn(*text, " \t\r\n");
	return true;
}

/* Set @projected_point_out, [AL_PROJECTED], which must be 0, to the projection
   of the elements of the line, divided by the sum of their counts.
   @count_sum_out receives the sum. Return: 0; -EINVAL with a message. */
static int project_vector_of_current_line(const struct vector_file *f,
					  double *projected_point_out,
					  uint64_t *count_sum_out)
{
	const char *text = f->line + 1;
	uint64_t id, count;

	*count_sum_out = 0;
	while (*text != '\0' && *text != '\n') {
		if (!parse_element(&text, &id, &count))
			return report_damage(f, "not ':number:count'");
		if (__builtin_add_overflow(*count_sum_out, count,
					   count_sum_out))
			return report_damage(f, "counts above 2^64");
		for (unsigned d = 0; d < AL_PROJECTED; d++)
			projected_point_out[d] +=
				(double)count * matrix_element(f->seed, id, d);
	}
	if (*count_sum_out == 0)
		return 0;
	for (unsigned d = 0; d < AL_PROJECTED; d++)
		projected_point_out[d] /= (double)*count_sum_out;
	return 0;
}

static int append_interval(struct al_intervals *s, uint64_t length)
{
	size_t n = s->n + 1;

	if (al_array_reserve(s->start, s->max_starts, n) != 0 ||
	    al_array_reserve(s->length, s->max_lengths, n) != 0 ||
	    al_array_reserve(s->point, s->max_points, n) != 0)
		return -ENOMEM;
	s->start[s->n] = s->instrs;
	s->length[s->n] = length;
	s->instrs += length;
	s->n++;
	return 0;
}

static int parse_current_code_vector_line(struct al_intervals *s,
					  struct vector_file *f)
{
	struct al_point p = {{0}};
	uint64_t length, sum;
	int err = project_vector_of_current_line(f, p.coordinate, &length);

	if (err)
		return err;
	if (length == 0 || __builtin_add_overflow(s->instrs, length, &sum))
		return report_damage(f, "no interval has so many instructions");
	err = append_interval(s, length);
	if (err)
		return err;
	s->point[s->n - 1] = p;
	f->has_memory = false;
	return 0;
}

static int parse_current_memory_vector_line(struct al_intervals *s,
					    struct vector_file *f)
{
	uint64_t sum;

	if (s->n == 0)
		return report_damage(f, "a line M before the first line T");
	if (f->has_memory)
		return report_damage(f, "a second line M of one interval");
	f->has_memory = true;
	return project_vector_of_current_line(
		f, s->point[s->n - 1].coordinate + AL_PROJECTED, &sum);
}

static int parse_current_line_by_letter(struct al_intervals *s,
					struct vector_file *f)
{
	switch (f->line[0]) {
	case 'T':
		return parse_current_code_vector_line(s, f);
	case 'M':
		return parse_current_memory_vector_line(s, f);
	case '#':
	case '\n':
		return 0;
	default:
		return report_damage(f, "begins neither with T, M nor #");
	}
}

static int read_all_lines(struct al_intervals *s, struct vector_file *f)
{
	int err = 0;

	while (!err && getline(&f->line, &f->line_size, f->stream) > 0) {
		f->line_number++;
		err = parse_current_line_by_letter(s, f);
	}
	if (!err && ferror(f->stream))
		err = report_damage(f, "cannot be read");
	if (!err && s->n == 0)
		err = al_message_return_einval(
			f->message, "'%.200s' has no interval", f->path);
	return err;
}

int al_intervals_read_and_project_file(struct al_intervals *s, const char *path,
				       uint64_t seed, char *message)
{
	struct vector_file f = {
		.stream = fopen(path, "r"),
		.path = path,
		.seed = seed,
		.message = message,
	};
	int err;

	if (!f.stream)
		return al_message_return_einval(message, "'%.200s': %s", path,
						strerror(errno));
	err = read_all_lines(s, &f);
	if (err == -ENOMEM)
		al_message_return_einval(message, "out of memory");
	free(f.line);
	fclose(f.stream);
	return err;
}

void al_intervals_release(struct al_intervals *s)
{
	free(s->start);
	free(s->length);
	free(s->point);
	*s = (struct al_intervals){0};
}
