/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotation.h - counts of source lines, as cachegrind.out files have them
 *
 * Threads: one.
 */
#ifndef LIB_REPORT_ANNOTATION_H
#define LIB_REPORT_ANNOTATION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { AL_MAX_COSTS = 16 };

struct al_annotated_line {
	const char *file; /* path as the debug info has it, or "???" */
	const char *function;
	uint64_t line; /* 0: not known */
	uint64_t cost[AL_MAX_COSTS];
};

/* Zeroed: empty. */
struct al_annotation {
	char *text; /* that all names point into */
	const char *event[AL_MAX_COSTS];
	unsigned n_events;
	struct al_annotated_line
		*row; /* by file, function, line, as in the file */
	size_t n;
	size_t size;
};

/**
 * al_annotation_read() - Read a file in Cachegrind's format.
 *
 * Return: 0; -EPROTO; -errno. Release it either way.
 */
int al_annotation_read(struct al_annotation *, FILE *);
void al_annotation_release(struct al_annotation *);

/* Number of the event, or n_events when there is none of that name. */
unsigned al_annotation_event_index(const struct al_annotation *,
				   const char *name);

/* Adds up rows by function (and file), the largest first by event @by. */
struct al_annotated_line *
al_annotation_sum_functions(const struct al_annotation *, unsigned by,
			    size_t *n);

#endif
