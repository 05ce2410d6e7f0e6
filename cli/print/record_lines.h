/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_lines.h - prints records of a profile as lines
 */
#ifndef CLI_PRINT_RECORD_LINES_H
#define CLI_PRINT_RECORD_LINES_H

#include <alleria/alleria.h>
#include <alleria/data.h>
#include <stdbool.h>
#include <stdio.h>

/* Output of lines to a file. They are collected in `buffer`, which is written
   when it is almost full, and by cl_lines_flush_to_file(). */
struct cl_lines {
	FILE *file;
	struct alleria_profile *profile;
	bool values; /* the values that accesses to memory read and wrote were
			recorded */
	struct alleria_data_map *data; /* data objects of the accesses; NULL:
					  they are not printed */
	size_t used;		       /* [bytes] of `buffer` that are filled */
	char buffer[1 << 16];
};

/* A named mark, or a window that opens or closes. */
struct cl_mark_text {
	const char *word;
	const char *name;
	bool is_region; /* a range of memory, [start, start + size) */
	uint64_t start; /* address of the region, if is_region */
	uint64_t size;	/* [bytes] size of the region, if is_region */
};

struct cl_format {
	const char *name;
	const char *head; /* header line without its newline; NULL: none */
	void (*access)(struct cl_lines *, const struct alleria_access *);
	/* NULL: the format has no lines for instructions */
	void (*instruction)(struct cl_lines *,
			    const struct alleria_instruction *);
	/* NULL: the format has no lines for marks and windows */
	void (*mark)(struct cl_lines *, const struct alleria_event *,
		     const struct cl_mark_text *);
};

/* All formats, the default one first. An entry whose name is NULL ends the
   array. */
extern const struct cl_format cl_formats[];

/* Append the header line of a format, if it has one. If values were recorded,
   the line also names the columns "read" and "written"; if data objects are
   printed, the columns of data_columns.h. */
void cl_lines_append_header_if_any(struct cl_lines *, const struct cl_format *);

void cl_lines_flush_to_file(struct cl_lines *);

#endif
