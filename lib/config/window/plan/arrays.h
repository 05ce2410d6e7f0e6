/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays.h - holds the arrays in which the contents of window files and
 *            recording plans are stored
 *
 * Threads: one.
 *
 * Adding entries may move an array, so entries refer to each other by index.
 */
#ifndef LIB_CONFIG_WINDOW_PLAN_ARRAYS_H
#define LIB_CONFIG_WINDOW_PLAN_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/window.h"

enum {
	AL_MAX_NAME = 63,      /* greatest length of a window's name [bytes] */
	AL_MAX_ENTRIES = 4096, /* greatest number of entries in the list
				  `profile` of a window in a window file, or in
				  one of the lists nested in it */
	AL_MAX_INTERVALS = 1 << 18,
	AL_MAX_PROCESS = 1 << 30, /* largest number of a process or thread in a
				     window file */
};

/* Kinds of arrays: first those of struct pt_plan, in its order, then those that
   only window files have. */
enum al_array_kind {
	AL_WINDOWS,
	AL_EVENTS,
	AL_LANES,
	AL_IMAGES,
	AL_FUNCTIONS,
	AL_SELECTS,
	AL_INTERVALS,
	AL_INTERCEPTS,
	AL_PARAMETERS,
	AL_TYPES,
	AL_FIELDS,
	AL_STRINGS, /* all strings, one after the other; an entry is a byte */
	AL_PLAN_ARRAYS,
	AL_ENTRY_LISTS = AL_PLAN_ARRAYS,
	AL_PROCESS_ENTRIES,
	AL_ARRAYS
};

/* List of a window's entries for processes; one list for each window. */
struct al_process_entry_list {
	uint32_t first_entry;
	uint32_t n_entries;
};

/* A window's entry for a process. */
struct al_process_entry {
	uint32_t number; /* number of the process in its tree, from 1; 0: the
			    entry is for all processes without one */
	uint32_t first_lane;
	uint32_t n_lanes; /* number of lanes (entries for threads); 0: the
			     process is followed, but not recorded */
};

/* The arrays of a window file or, as a view, of a plan; `n` has the number of
   entries in each. */
struct al_windows {
	union {
		void *item[AL_ARRAYS];
		struct {
			/* in a window file, first_lane and n_lanes of a
			   window are 0: al_process_entry has its lanes */
			struct pt_window *window;
			struct pt_event *event;
			struct pt_lane *lane;
			struct pt_image *image;
			struct pt_function *function;
			struct pt_select *select;
			struct pt_interval *interval;
			struct pt_intercept *intercept;
			struct pt_parameter *parameter;
			struct pt_type *type;
			struct pt_field *field;
			char *string;
			struct al_process_entry_list *entry_list;
			struct al_process_entry *process_entry;
		};
	};
	uint32_t n[AL_ARRAYS];
};

/* Return the entry of window @window_index for process @process_number, from 1:
   the entry with this number, else the one for any process; NULL if there is
   neither. */
const struct al_process_entry *
al_windows_find_entry_for_process_or_any(const struct al_windows *,
					 uint32_t window_index,
					 uint32_t process_number);

/* Whether some window has an entry for process @process_number, or one for any
   process. If none has, the process is not recorded, and its children get no
   number. */
bool al_windows_have_entry_matching_process(const struct al_windows *,
					    uint32_t process_number);

/* Return the size of one entry of an array of this kind. [bytes] */
size_t al_array_entry_size(enum al_array_kind);

/* Append @entry_count zeroed entries to an array, which may move.
   @first_index: receives the index of the first new entry. Return: 0;
   -ENOMEM. */
int al_arrays_append_zeroed_entries(struct al_windows *, enum al_array_kind,
				    uint32_t entry_count,
				    uint32_t *first_index);

/* Append a copy of @text, with its NUL, to the array of strings, which may
   move. @string_offset: receives the offset of the copy in the array. Return:
   0; -ENOMEM. */
int al_arrays_append_string(struct al_windows *, const char *text,
			    uint32_t *string_offset);

#endif
