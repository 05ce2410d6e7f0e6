/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_text.h - prints parts of a profile as text and as JSON
 *
 * Threads: one.
 */
#ifndef CLI_PRINT_PROFILE_TEXT_H
#define CLI_PRINT_PROFILE_TEXT_H

#include <alleria/alleria.h>
#include <stdint.h>
#include <stdio.h>

struct al_annotation;
struct al_types_of_name;
struct an_sink;

/* Print what `alleria info` reports of a profile. */
void cl_facts_print_profile(struct alleria_profile *, FILE *);

/* Print what `alleria info` reports of a profile, as JSON. The caller checks
   for errors of writing with ferror(). */
void cl_facts_print_profile_json(struct alleria_profile *, FILE *);

/* Print a line for each thread of a process. If there are more than 20 threads,
   the first 19 are printed, and then a line with the number of the others. */
void cl_threads_print_20_lines_at_most(struct alleria_profile *, FILE *,
				       uint32_t process_index);

void cl_threads_write_json_of_process(struct an_sink *,
				      struct alleria_profile *,
				      uint32_t process_index);

/* Print the windows of a run; nothing if it was recorded without windows. */
void cl_windows_print(const struct alleria_profile *, FILE *);
void cl_windows_write_json_if_any(struct an_sink *,
				  const struct alleria_profile *);

/* Return the name of an enum alleria_mark_kind, for example "begin"; "?" if
   @mark_kind is unknown. */
const char *cl_mark_kind_name(uint32_t mark_kind);

/* Print a line for each named mark of each exec image of a process. If an image
   has more than 20 marks, the first 19 are printed, and then a line with the
   number of the others. */
void cl_marks_print_of_process(struct alleria_profile *, FILE *,
			       uint32_t process_index);

void cl_marks_write_json_of_process(struct an_sink *, struct alleria_profile *,
				    uint32_t process_index);

/* Print each type: its data objects, its members and holes with their counts,
   and the borders of cache lines between them. If there are several, print how
   many first, and where each is declared. */
void cl_types_print_members(const struct al_types_of_name *, FILE *);

struct cl_source_request {
	const char *selection; /* FILE:LINE or a function to print; NULL: the
				  functions with the highest counts */
	const char *sort; /* event by which functions are sorted; NULL: D1mr */
	const char *root; /* directory below which source files are found */
};

/* Print the requested source lines with their counts; without a selection, the
   top functions and the source of the first one whose file is known. @message:
   receives one line with -EINVAL, otherwise "". Return: 0; -EINVAL, also if
   memory is short; -ENOTUNIQ: several functions match, and are listed on
   standard error. */
int cl_source_print_selected_or_top(const struct al_annotation *,
				    const struct cl_source_request *,
				    char *message);

#endif
