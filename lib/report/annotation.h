/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotation.h - reads the counts of source lines from cachegrind.out files,
 *                and the hashes of their sources from a run
 *
 * Threads: one.
 */
#ifndef LIB_REPORT_ANNOTATION_H
#define LIB_REPORT_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct al_run;

enum { AL_MAX_COSTS = 16 };

struct al_annotated_line {
	const char *file; /* path as in the file that was read; "???": not
			     known */
	const char *function;
	uint64_t line; /* line number in the source file; 0: not known */
	uint64_t cost[AL_MAX_COSTS];
};

/* A source file of annotated lines, and its hash in the run. */
struct al_annotated_source {
	const char *file;
	uint64_t hash; /* pt_hash_update_with_bytes() over the file's bytes */
};

/* Events and annotated lines of a cachegrind.out file. Initialise with
   zeros. */
struct al_annotation {
	char *text; /* text of the cachegrind.out file, into which the names of
		       events, files and functions point */
	const char *event[AL_MAX_COSTS];
	unsigned n_events;
	struct al_annotated_line
		*row; /* [n] annotated lines, in the order of the file */
	size_t n;
	size_t size;
	struct al_annotated_source *source; /* [n_sources] files with a hash */
	size_t n_sources;
	size_t source_room;
};

/**
 * al_annotation_read_cachegrind_file() - Read a file in Cachegrind's format.
 *
 * Return: 0; -EPROTO: the format is invalid, or no event is named; -errno. Call
 * al_annotation_release() in all cases.
 */
int al_annotation_read_cachegrind_file(struct al_annotation *, FILE *);
void al_annotation_release(struct al_annotation *);

/* Return the index of the event with this name; n_events if there is none. */
unsigned al_annotation_event_index_or_n_events(const struct al_annotation *,
					       const char *name);

/* Return a new array with one row for each pair of function and source file,
   with the sums of its lines' counts; sorted by the event with index
   @sort_event_index, highest count first. @function_count receives the number
   of rows. Free it with free(). NULL: memory is short. */
struct al_annotated_line *
al_annotation_new_sorted_function_sums(const struct al_annotation *,
				       unsigned sort_event_index,
				       size_t *function_count);

/* ---- annotated_sources.c ---- */

/* Add the hash that the run has of each file of the annotated lines; a file
   without one is left out. Return: 0; -ENOMEM. */
int al_annotation_read_source_hashes(struct al_annotation *, struct al_run *);

/* Whether the file at @path can be read and is not the source @file of the run,
   by its hash; false if the annotation has no hash of it. */
bool al_annotation_is_source_changed_at_path(const struct al_annotation *,
					     const char *file,
					     const char *path);

#endif
