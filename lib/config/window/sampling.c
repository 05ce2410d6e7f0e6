/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling.c - reads `sample` and `intervals` of a window
 *
 * A file of intervals has a line for each: start,duration, both in instructions
 * of the process. Intervals are in ascending order and do not overlap. Lines
 * that are blank or begin with '#' are skipped.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/replaceable.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "lib/config/window/read_state.h"

enum { MAX_LINE = 128 };

/* ---- sample ---- */

static int read_required_sample_amount(const struct al_window_reader *r,
				       const struct al_node *map,
				       const char *key, enum pt_unit_of unit,
				       uint64_t *out)
{
	const struct al_node *node = al_yaml_get(map, key);

	if (!node)
		return al_yaml_error_at_node(map, r->message,
					     "a sample has no '%s'", key);
	if (unit == PT_COUNT_NS)
		return al_value_parse_time(r, node, 1000000, out);
	return al_value_parse_count(r, node, 1, UINT64_MAX, out);
}

static int read_sample_into_window(const struct al_window_reader *r,
				   const struct al_node *map,
				   struct pt_window *w)
{
	static const char *const keys[] = {"every", "for", "unit", NULL};
	static const char *const units[] = {[PT_COUNT_INSTRUCTIONS] =
						    "instructions",
					    [PT_COUNT_ACCESSES] = "accesses",
					    [PT_COUNT_NS] = "ms",
					    NULL};
	const struct al_node *unit = al_yaml_get(map, "unit");
	int rc = al_yaml_check_known_keys(map, keys, "a sample", r->message);

	if (rc)
		return rc;
	if (unit && !al_value_text_or_null(unit))
		return al_yaml_error_at_node(unit, r->message,
					     "'unit' is not a word");
	while (unit && units[w->sample_unit] &&
	       strcmp(unit->text, units[w->sample_unit]))
		w->sample_unit++;
	if (!units[w->sample_unit])
		return al_yaml_report_bad_word(unit, units, r->message);
	rc = read_required_sample_amount(r, map, "every", w->sample_unit,
					 &w->sample_every);
	if (!rc)
		rc = read_required_sample_amount(r, map, "for", w->sample_unit,
						 &w->sample_for);
	if (!rc && w->sample_for > w->sample_every)
		rc = al_yaml_error_at_node(al_yaml_get(map, "for"), r->message,
					   "'for' is more than 'every'");
	return rc;
}

/* ---- intervals ---- */

/* State of reading a file of intervals. */
struct interval_file {
	struct al_window_reader *r;
	const char *path;
	FILE *file;
	unsigned line;
	uint64_t end; /* end of the last interval read so far, exclusive
			 [instructions] */
};

static int report_bad_line(const struct interval_file *t, const char *position,
			   const char *line_text, const char *problem)
{
	return al_message_return_einval(
		t->r->message, "%.200s:%u:%zu: %s", t->path, t->line,
		(size_t)(position - line_text) + 1, problem);
}

/* Parse a number with optional blanks around it, and advance *@position past
   the number and the blanks. @line_text: start of the line, for messages.
   Return: 0; -EINVAL with a message. */
static int parse_number_and_skip_blanks(const struct interval_file *t,
					const char **position,
					const char *line_text, uint64_t *out)
{
	char digits[32] = "";
	size_t n;

	while (isblank((unsigned char)**position))
		++*position;
	n = strspn(*position, "0123456789");
	if (n < sizeof(digits))
		memcpy(digits, *position, n);
	if (al_number_parse_digits_only(digits, out))
		return report_bad_line(t, *position, line_text,
				       "not 'start,duration'");
	*position += n;
	while (isblank((unsigned char)**position))
		++*position;
	return 0;
}

/* Append an interval, which the caller has checked. Return: 0; -EINVAL with a
   message: memory is short. */
static int append_to_intervals_of_window(const struct interval_file *t,
					 uint64_t start, uint64_t duration)
{
	struct al_windows *w = t->r->windows;
	uint32_t i;

	if (al_arrays_append_zeroed_entries(w, AL_INTERVALS, 1, &i))
		return al_value_report_no_memory_return_einval(t->r);
	w->interval[i] = (struct pt_interval){start, duration};
	return 0;
}

static int parse_and_add_start_duration_line(struct interval_file *t,
					     const char *line_text)
{
	const char *position = line_text;
	uint64_t start, duration;
	int rc = parse_number_and_skip_blanks(t, &position, line_text, &start);

	if (!rc && *position != ',')
		rc = report_bad_line(t, position, line_text,
				     "not 'start,duration'");
	if (rc)
		return rc;
	position++;
	rc = parse_number_and_skip_blanks(t, &position, line_text, &duration);
	if (rc)
		return rc;
	if (*position)
		return report_bad_line(t, position, line_text,
				       "more than 'start,duration'");
	if (!duration)
		return report_bad_line(t, line_text, line_text,
				       "a duration of 0");
	if (start < t->end)
		return report_bad_line(t, line_text, line_text,
				       "begins before the one before it ends");
	if (__builtin_add_overflow(start, duration, &t->end))
		return report_bad_line(t, line_text, line_text,
				       "ends beyond 64 bits");
	if (t->r->windows->n[AL_INTERVALS] == AL_MAX_INTERVALS)
		return report_bad_line(t, line_text, line_text,
				       "too many intervals");
	return append_to_intervals_of_window(t, start, duration);
}

static int parse_and_add_all_intervals(struct interval_file *t)
{
	char text[MAX_LINE];
	int rc = 0;

	while (!rc && fgets(text, sizeof(text), t->file)) {
		t->line++;
		if (strlen(text) == sizeof(text) - 1)
			return report_bad_line(t, text, text,
					       "the line is too long");
		text[strcspn(text, "\r\n")] = '\0';
		if (*text != '#' && text[strspn(text, " \t")])
			rc = parse_and_add_start_duration_line(t, text);
	}
	return rc;
}

/* Open a regular file for reading. Return: NULL with errno on error. Files of
   other types are refused with EINVAL, because reading them could block or
   never end. */
static FILE *open_regular_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	FILE *file = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			file = fdopen(fd, "r");
		else
			errno = EINVAL;
	}
	if (!file)
		close(fd);
	return file;
}

/* Append the intervals of the file that @node names, and set those of window
   @w. A relative path starts at the directory of the window file. The file is
   protected from being replaced by an output of this process. */
static int read_interval_file(struct al_window_reader *r,
			      const struct al_node *node, struct pt_window *w)
{
	const char *name = al_value_text_or_null(node);
	const char *slash = strrchr(r->path, '/');
	char path[PATH_MAX];
	struct interval_file t = {.r = r, .path = path};
	int rc;

	if (!name || !*name)
		return al_yaml_error_at_node(
			node, r->message, "'intervals' is not a file's name");
	rc = snprintf(path, sizeof(path), "%.*s%s",
		      *name == '/' || !slash ? 0 : (int)(slash + 1 - r->path),
		      r->path, name);
	errno = ENAMETOOLONG;
	t.file = rc < PATH_MAX ? open_regular_file(path) : NULL;
	if (t.file)
		al_replace_protect_input(path);
	if (!t.file)
		return al_yaml_error_at_node(node, r->message,
					     "cannot read '%.200s': %s", path,
					     strerror(errno));
	w->first_interval = r->windows->n[AL_INTERVALS];
	rc = parse_and_add_all_intervals(&t);
	w->n_intervals = r->windows->n[AL_INTERVALS] - w->first_interval;
	fclose(t.file);
	if (!rc && !w->n_intervals)
		rc = al_yaml_error_at_node(node, r->message,
					   "no intervals in '%.200s'", path);
	return rc;
}

int al_window_read_sample_or_intervals(struct al_window_reader *r,
				       const struct al_node *map,
				       uint32_t window_index)
{
	static const char *const keys[] = {"sample", "intervals", NULL};
	struct pt_window w = r->windows->window[window_index];
	const struct al_node *node;
	int rc = al_value_check_exclusive_and_find_node(r, map, keys, &node);

	if (rc || !node)
		return rc;
	rc = !strcmp(node->key->text, keys[0])
		     ? read_sample_into_window(r, node, &w)
		     : read_interval_file(r, node, &w);
	r->windows->window[window_index] = w;
	return rc;
}
