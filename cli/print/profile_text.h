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
struct an_sink;

/* Print what `alleria info` reports of a profile. */
void cl_facts_print_profile(struct alleria_profile *, FILE *);

/* Print the facts as JSON. Errors of writing are left in ferror(). */
void cl_facts_print_profile_json(struct alleria_profile *, FILE *);

/* Print a line for each thread, up to 20 lines. */
void cl_threads_print_of_process(struct alleria_profile *, FILE *,
				 uint32_t process_index);

void cl_threads_write_json_of_process(struct an_sink *,
				      struct alleria_profile *,
				      uint32_t process_index);

/* Print the windows of a run; nothing if it was recorded without windows. */
void cl_windows_print(const struct alleria_profile *, FILE *);
void cl_windows_write_json(struct an_sink *, const struct alleria_profile *);

/* Return a word for an enum alleria_mark_kind; "?" for unknown ones. */
const char *cl_mark_kind_name(uint32_t mark_kind);

/* Print a line for each mark, up to 20 lines for an image. */
void cl_marks_print_of_process(struct alleria_profile *, FILE *,
			       uint32_t process_index);

void cl_marks_write_json_of_process(struct an_sink *, struct alleria_profile *,
				    uint32_t process_index);

struct cl_source_request {
	const char *selection; /* FILE:LINE, FUNCTION, or NULL */
	const char *sort;      /* event, or NULL */
	const char *root; /* directory below which source files are found */
};

/* Print the requested lines. @message: receives one line on error, "" with
   -ENOTUNIQ. Return: 0; -EINVAL, also when memory is short; -ENOTUNIQ, with the
   functions listed on standard error. */
int cl_source_print_selected_or_top(const struct al_annotation *,
				    const struct cl_source_request *,
				    char *message);

#endif
