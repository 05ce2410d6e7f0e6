/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_map.c - reads names of generated code; see perf_map.h */

#include "lib/symbols/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tables/array.h"
#include "base/tables/intern.h"

/* [bytes] room for two numbers, a name and the NUL; longer lines are cut */
enum { MAX_LINE = AL_PERFMAP_NAME + 64 };

int al_perfmap_add(struct al_perfmap *m, uint64_t start, uint64_t size,
		   const char *name)
{
	if (size == 0 || start + size < start || m->n == UINT32_MAX)
		return -EINVAL;
	if (al_array_reserve(m->item, m->size, m->n + 1))
		return -ENOMEM;
	m->item[m->n] = (struct al_perfname){
		.start = start,
		.size = size,
		.name = name,
		.order = (uint32_t)m->n,
	};
	m->n++;
	return 0;
}

/* Add the range and name in @line, "START SIZE NAME"; skip a line of another
   form or with an invalid range. @line is modified. Return: 0; -ENOMEM. */
static int parse_line_and_add_name(struct al_perfmap *m, char *line,
				   struct al_intern *strings)
{
	uint64_t start, size;
	char *field = line, *end;

	errno = 0;
	start = strtoull(field, &end, 16);
	if (*field == '-' || end == field || *end != ' ' || errno != 0)
		return 0;
	field = end + 1;
	size = strtoull(field, &end, 16);
	if (end == field || *end != ' ' || errno != 0)
		return 0;
	field = end + 1 + strspn(end + 1, " ");
	field[strcspn(field, "\r\n")] = '\0';
	if (*field == '\0')
		return 0;
	if (strlen(field) > AL_PERFMAP_NAME)
		field[AL_PERFMAP_NAME] = '\0';
	return al_perfmap_add(m, start, size,
			      al_intern_question_marks_if_no_memory(
				      strings, field)) == -ENOMEM
		       ? -ENOMEM
		       : 0;
}

/* Read the next line of @f, cut to MAX_LINE - 1 bytes, and subtract its length
   from *@bytes_left. Return: false if the file has ended, or if the line is
   longer than *@bytes_left was. */
static bool try_read_cut_line(char line[MAX_LINE], FILE *f, size_t *bytes_left)
{
	size_t n = 0;
	int c = 0;

	while (c != '\n' && *bytes_left > 0 && (c = getc(f)) != EOF) {
		if (n < MAX_LINE - 1)
			line[n++] = (char)c;
		--*bytes_left;
	}
	line[n] = '\0';
	return c == '\n' || (c == EOF && n > 0);
}

/* Add the names of all lines up to byte AL_PERFMAP_BYTES of the file. Return:
   0; -ENOMEM. */
static int read_names_from_lines(struct al_perfmap *m, FILE *f,
				 struct al_intern *strings)
{
	size_t bytes_left = AL_PERFMAP_BYTES;
	char line[MAX_LINE];
	int err = 0;

	while (!err && try_read_cut_line(line, f, &bytes_left))
		err = parse_line_and_add_name(m, line, strings);
	return err;
}

int al_perfmap_read_and_sort(struct al_perfmap *m, const char *path,
			     struct al_intern *strings)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	FILE *f;
	int err;

	if (fd < 0)
		return -errno;
	f = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid()
		    ? fdopen(fd, "r")
		    : NULL;
	if (f == NULL) {
		close(fd);
		return -EPERM;
	}
	err = al_jitdump_read_names(m, f, strings);
	if (err == -EBADMSG) {
		rewind(f);
		err = read_names_from_lines(m, f, strings);
	}
	fclose(f);
	al_perfmap_sort_and_set_max_ends(m);
	return err;
}

static int compare_names_by_start(const void *va, const void *vb)
{
	const struct al_perfname *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

void al_perfmap_sort_and_set_max_ends(struct al_perfmap *m)
{
	uint64_t max_end = 0;

	if (m->n > 0)
		qsort(m->item, m->n, sizeof(*m->item), compare_names_by_start);
	for (size_t i = 0; i < m->n; i++) {
		struct al_perfname *x = &m->item[i];

		if (x->start + x->size > max_end)
			max_end = x->start + x->size;
		x->max_end = max_end;
	}
}

/* Return the number of names whose range starts at @addr or below. */
static size_t count_ranges_starting_up_to(const struct al_perfmap *m,
					  uint64_t addr)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->item[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const char *al_perfmap_find_newest_name(const struct al_perfmap *m,
					uint64_t addr)
{
	const struct al_perfname *found = NULL;

	for (size_t i = count_ranges_starting_up_to(m, addr); i > 0; i--) {
		const struct al_perfname *x = &m->item[i - 1];

		if (x->max_end <= addr)
			break;
		if (addr - x->start < x->size &&
		    (found == NULL || x->order > found->order))
			found = x;
	}
	return found ? found->name : NULL;
}

void al_perfmap_release(struct al_perfmap *m)
{
	free(m->item);
	*m = (struct al_perfmap){0};
}
