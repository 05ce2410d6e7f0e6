/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrays.h - holds the arrays of window files and plans
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
	AL_MAX_NAME = 63,      /* [characters] of a window's name */
	AL_MAX_ENTRIES = 4096, /* in one list of `profile` */
	AL_MAX_INTERVALS = 1 << 18,
	AL_MAX_PROCESS = 1 << 30, /* largest number of a process or thread */
};

/* Arrays in the order of struct pt_plan, then those that only files have. */
enum al_part {
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
	AL_STRINGS, /* bytes */
	AL_PLAN_PARTS,
	AL_PROFILES = AL_PLAN_PARTS,
	AL_FOLLOWS,
	AL_PARTS
};

/* Entries of a window for processes; one for each window. */
struct al_profile {
	uint32_t first_follow;
	uint32_t n_follows;
};

/* A window's entry for a process. */
struct al_follow {
	uint32_t number; /* in its tree; 0: any process without an entry */
	uint32_t first_lane;
	uint32_t n_lanes; /* 0: followed, but not recorded */
};

/* The arrays, and the number of entries in each. */
struct al_windows {
	union {
		void *item[AL_PARTS];
		struct {
			struct pt_window
				*window; /* without lanes; see al_follow */
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
			struct al_profile *profile;
			struct al_follow *follow;
		};
	};
	uint32_t n[AL_PARTS];
};

/* Return the entry of @window for the process with @number, from 1; or NULL. */
const struct al_follow *al_windows_find(const struct al_windows *,
					uint32_t window, uint32_t number);

/* Whether some window has an entry for the process. Other processes are not
   recorded, and their children have no number. */
bool al_windows_follows(const struct al_windows *, uint32_t number);

/* Return the size [bytes] of an entry. */
size_t al_part_size(enum al_part);

/* Append @n zeroed entries. @first: receives the index of the first. Return: 0;
   -ENOMEM. */
int al_parts_add(struct al_windows *, enum al_part, uint32_t n,
		 uint32_t *first);

/* Append a copy of @text to the strings. @at: receives its offset. Return: 0;
   -ENOMEM. */
int al_parts_add_string(struct al_windows *, const char *text, uint32_t *at);

#endif
