/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_lines.h - records of a profile as lines of text
 */
#ifndef CLI_PRINT_RECORD_LINES_H
#define CLI_PRINT_RECORD_LINES_H

#include <alleria/alleria.h>
#include <stdbool.h>
#include <stdio.h>

/* Where lines go, a buffer at a time. */
struct cl_lines {
	FILE *file;
	struct alleria_profile *profile;
	bool values; /* some accesses have them */
	size_t used;
	char buffer[1 << 16];
};

/* Something by a name: a mark, or a window that opens or closes. */
struct cl_told {
	const char *word;
	const char *name;
	bool is_region; /* of memory: */
	uint64_t start; /* address */
	uint64_t size;	/* [bytes] */
};

struct cl_format {
	const char *name;
	const char *head; /* its first line without the newline, or NULL */
	void (*access)(struct cl_lines *, const struct alleria_access *);
	void (*instruction)(struct cl_lines *,
			    const struct alleria_instruction *); /* or NULL:
								    it has no
								    lines */
	void (*mark)(struct cl_lines *, const struct alleria_event *,
		     const struct cl_told *); /* or NULL, likewise */
};

/* Ended by one without name; the first is the default. */
extern const struct cl_format cl_formats[];

/* The first line, if a format has one. */
void cl_lines_head(struct cl_lines *, const struct cl_format *);

void cl_lines_flush(struct cl_lines *);

#endif
