/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_lines.h - prints records of a profile as lines
 */
#ifndef CLI_PRINT_RECORD_LINES_H
#define CLI_PRINT_RECORD_LINES_H

#include <alleria/alleria.h>
#include <stdbool.h>
#include <stdio.h>

/* Buffered output of lines. */
struct cl_lines {
	FILE *file;
	struct alleria_profile *profile;
	bool values; /* some accesses have values */
	size_t used;
	char buffer[1 << 16];
};

/* A named mark, or a window that opens or closes. */
struct cl_mark_text {
	const char *word;
	const char *name;
	bool is_region; /* a range of memory, [start, start + size) */
	uint64_t start; /* address */
	uint64_t size;	/* [bytes] */
};

struct cl_format {
	const char *name;
	const char *head; /* its first line without the newline; NULL: none */
	void (*access)(struct cl_lines *, const struct alleria_access *);
	void (*instruction)(struct cl_lines *,
			    const struct alleria_instruction *); /* or NULL:
								    it has no
								    lines */
	void (*mark)(struct cl_lines *, const struct alleria_event *,
		     const struct cl_mark_text *); /* or NULL, likewise */
};

/* All formats; one without name ends them. The first is the default. */
extern const struct cl_format cl_formats[];

/* Print the first line of a format, if it has one. */
void cl_lines_append_header_if_any(struct cl_lines *, const struct cl_format *);

void cl_lines_flush_to_file(struct cl_lines *);

#endif
