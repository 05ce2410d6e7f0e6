/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - a report to be compared: counts by function and line, and what may
 * make counts of two runs differ
 *
 * Threads: one for each input.
 */
#ifndef LIB_DIFF_INPUT_H
#define LIB_DIFF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tables/intern.h"

enum { AL_DIFF_EVENTS = 9 };

/* Names of the nine events, in Cachegrind's order: "Ir", "I1mr" and so on. */
extern const char *const al_diff_event_name[AL_DIFF_EVENTS];

struct al_diff_costs {
	uint64_t event[AL_DIFF_EVENTS];
};

/* Add the counts of @c to @to, event by event. */
static inline void
al_diff_add_costs_of_each_event(struct al_diff_costs *to,
				const struct al_diff_costs *c)
{
	for (int i = 0; i < AL_DIFF_EVENTS; i++)
		to->event[i] += c->event[i];
}

/* Counts of a function in one source file, or of a line. Strings are interned;
   "???" where a name is not known. */
struct al_diff_row {
	const char *function;
	const char *path; /* path of the source file, with as many of its
			     folders as are known */
	const char *object;
	uint32_t line; /* line number; 0: not known, or the row is of a
			  function */
	struct al_diff_costs costs;
};

struct al_diff_rows {
	struct al_diff_row *row;
	size_t n;
	size_t size;
};

struct al_diff_object {
	const char *path;
	const char *build_id; /* "" if it has none */
};

struct al_diff_file {
	const char *path;
	uint64_t hash;
	uint64_t lines;
};

/* Counts of data objects that are compared: misses of the last and of the first
   level of data, and the sum of their sizes [bytes]. */
enum al_diff_data_count {
	AL_DIFF_LAST_MISSES,
	AL_DIFF_FIRST_MISSES,
	AL_DIFF_BYTES,
	AL_DIFF_DATA_COUNTS
};

/* A row of the analysis "data". Strings are interned. */
struct al_diff_data_row {
	const char *name;
	const char *file; /* of the line that @name has; NULL: it has none */
	uint32_t line;
	uint64_t count[AL_DIFF_DATA_COUNTS];
};

enum al_diff_kind { AL_DIFF_JSON, AL_DIFF_CACHEGRIND };

/* A report to be compared. Members that are not known are NULL or 0. Strings
   that are read from the report are interned. */
struct al_diff_input {
	const char *path;  /* path of the report, as the user wrote it */
	const char *label; /* name of the report in the text output; NULL: the
			      path */
	enum al_diff_kind kind;
	const char *version;
	const char *valgrind;
	const char *program;  /* first word of the command */
	const char *command;  /* all words of the command */
	const char *programs; /* file names of the processes' programs, in the
				 order of the processes: "make, cc" */
	uint64_t n_processes;
	const char *status;
	const char *reason;
	const char *levels; /* name, size, associativity and line size of each
			       cache: "I1 32768,8,64; D1 ..." */
	const char *first_and_last; /* as @levels, but only I1, D1 and the last
				       level, which Cachegrind has */
	const char *geometry;	    /* caches as options of Alleria, or NULL */
	const char *windows;	    /* names of the windows: "a, b"; "" if
				       there are none */
	bool has_environment;
	uint64_t variables, environment_bytes;
	const char *environment_hash;
	const char *processor;
	const char *features;
	struct al_diff_costs totals;
	struct al_diff_rows functions;
	struct al_diff_rows lines;
	struct al_diff_data_row *data_row;
	size_t n_data_rows;	   /* 0: there is no analysis "data" */
	const char *data_level[2]; /* names of the last and of the first level
				      of data; NULL: there are no rows */
	struct al_diff_object *object;
	size_t n_objects;
	struct al_diff_file *file;
	size_t n_files;
	struct al_intern *strings;
	char *text; /* [bytes] text of a JSON report, then a NUL; NULL: the
		       input is no JSON report */
	size_t bytes;
	const char *source_folder; /* folder of the sources as they were in the
				      run, for those that have changed at their
				      paths; NULL: none */
};

/**
 * al_diff_read_json_or_cachegrind() - Read a JSON report or a cachegrind.out
 * file.
 * @path: must outlive the input.
 * @strings: shared by the inputs that are compared.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0, with @input for al_diff_input_release(); -EINVAL.
 */
int al_diff_read_json_or_cachegrind(const char *path, struct al_intern *strings,
				    struct al_diff_input *input, char *message);
void al_diff_input_release(struct al_diff_input *);

/* Append a zeroed row. Return the row, which may move with the next call; NULL
   if memory is short. */
struct al_diff_row *al_diff_rows_append_zeroed(struct al_diff_rows *);

/* Set the input to the content of a JSON report, or of a cachegrind.out file.
   @text: the content, followed by a NUL; it may be changed. Return: 0; -EINVAL
   with @message. */
int al_diff_parse_json(struct al_diff_input *, char *text, size_t bytes,
		       char *message);
int al_diff_parse_cachegrind(struct al_diff_input *, char *text, char *message);

/**
 * al_diff_read_json_rows_and_copy_rest() - Read analyses.cache.functions and
 * .lines.
 * @in: its functions and lines receive the rows; there are none if the report
 *	has no such lists.
 * @text: [@bytes] a report, followed by a NUL. Bytes are changed during the
 *	call and restored.
 * @rest: receives the report with both lists empty, for a parser of JSON;
 *	free() it. NULL after an error.
 * @rest_bytes: receives its size.
 *
 * The lists are checked; everything else is in @rest, so the report is JSON if
 * the call succeeds and @rest is JSON.
 *
 * Return: 0; -EINVAL: a list is not JSON, or an element is no object; -ENOMEM.
 */
int al_diff_read_json_rows_and_copy_rest(struct al_diff_input *in, char *text,
					 size_t bytes, char **rest,
					 size_t *rest_bytes);

/* Return the index in al_diff_event_name of the event named by the @bytes bytes
   at @name; -1: there is none. */
int al_diff_find_event_index(const char *name, size_t bytes);

#endif
