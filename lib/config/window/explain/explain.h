/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - describes window files in words
 *
 * Threads: any.
 */
#ifndef LIB_CONFIG_WINDOW_EXPLAIN_EXPLAIN_H
#define LIB_CONFIG_WINDOW_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "lib/config/window/windows.h"

/* Print a paragraph for each window, in lines of at most 80 columns.
   @file_name: name of the file. */
void al_windows_explain(const struct al_windows *, const char *file_name,
			FILE *out);

/* Print an event: "function 'hot' in the main executable is called for the 2nd
   time". The windows may be made by al_plan_view_as_windows(). */
void al_event_print_in_words(const struct al_windows *, uint32_t event_index,
			     FILE *out);

/* Print the entries of a window: one line, which begins with "- ", for each
   function with its process, thread and image (an object file), and for each
   process, thread or image that contains no entries. */
void al_window_explain_recorded_code(const struct al_windows *,
				     uint32_t window_index, FILE *out);

/* Print the images (object files) and functions of one lane, in lines as those
   of al_window_explain_recorded_code(). A lane is a window's entry for one
   thread, or for all other threads. The windows may be made by
   al_plan_view_as_windows(). */
void al_thread_entry_explain_recorded_code(const struct al_windows *,
					   uint32_t thread_entry_index,
					   FILE *out);

/* Print a type that is not primitive: "'strings': a pointer to 'string', as
   many as the value of argc". */
void al_struct_or_pointer_explain(const struct al_windows *,
				  uint32_t type_index, FILE *out);

#endif
