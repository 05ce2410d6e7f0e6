/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_diff.c - whether two traces of memory accesses are the same
 *
 *   trace_diff OURS LACKEY...
 *
 * Valgrind's own lines (==pid==, --pid--) in a log of Lackey's are left out.
 * Several logs of Lackey's of the same program tell which lines depend on
 * chance: there only the kind and the size must agree, everywhere else all.
 * Prints one line; 0 when the same, 1 when not, 2 when that cannot be told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LOGS = 8, SHOWN = 5, MOST = 1000 };

struct log {
	const char *path;
	FILE *file;
	char *line; /* the current one, with its newline; NULL at the end */
	size_t room;
};

static void next(struct log *l)
{
	do {
		if (getline(&l->line, &l->room, l->file) < 0) {
			free(l->line);
			l->line = NULL;
			return;
		}
	} while (l->line[0] == '=' || l->line[0] == '-');
}

/* "S 1ffeffe7e,8": all but the address. */
static int same_shape(const char *a, const char *b)
{
	const char *size_a = strchr(a, ','), *size_b = strchr(b, ',');

	return !strncmp(a, b, 3) && size_a && size_b && !strcmp(size_a, size_b);
}

static int show(const struct log *log, int n, unsigned long line)
{
	int i;

	for (i = 0; i < n; i++)
		printf("line %lu of %s: %s", line, log[i].path,
		       log[i].line ? log[i].line : "(end)\n");
	return 1;
}

/* How many logs go on. */
static int alive(const struct log *log, int n)
{
	int i, count = 0;

	for (i = 0; i < n; i++)
		count += log[i].line != NULL;
	return count;
}

/* Whether Lackey's logs differ here. */
static int by_chance(const struct log *log, int n)
{
	int i;

	for (i = 2; i < n; i++)
		if (strcmp(log[1].line, log[i].line))
			return 1;
	return 0;
}

static int compare(struct log *log, int n)
{
	unsigned long line = 1, masked = 0, different = 0;

	for (;; line++) {
		int i, chance;

		for (i = 0; i < n; i++)
			next(&log[i]);
		if (!alive(log, n))
			break;
		if (alive(log, n) < n) {
			puts("not equally long");
			return show(log, n, line);
		}
		chance = by_chance(log, n);
		masked += (unsigned long)chance;
		if (chance ? same_shape(log[0].line, log[1].line)
			   : !strcmp(log[0].line, log[1].line))
			continue;
		show(log, n, line);
		if (++different == SHOWN)
			return 1;
	}
	printf("%lu lines, %lu of them masked\n", line - 1, masked);
	if (line == 1 || masked > line / MOST) {
		puts("cannot tell: nothing there, or too much by chance");
		return 2;
	}
	return different != 0;
}

int main(int argc, char **argv)
{
	struct log log[MAX_LOGS] = {0};
	int i;

	if (argc < 3 || argc > 1 + MAX_LOGS) {
		fputs("usage: trace_diff OURS LACKEY...\n", stderr);
		return 2;
	}
	for (i = 0; i < argc - 1; i++) {
		log[i].path = argv[i + 1];
		log[i].file = fopen(log[i].path, "r");
		if (!log[i].file) {
			perror(log[i].path);
			return 2;
		}
	}
	return compare(log, argc - 1);
}
