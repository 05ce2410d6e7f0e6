/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_pairs.h - pairs the source files of two runs, and their lines
 */
#ifndef LIB_DIFF_SOURCE_PAIRS_H
#define LIB_DIFF_SOURCE_PAIRS_H

#include "base/tables/key_table.h"
#include "lib/diff/compare.h"
#include "lib/diff/line_alignment.h"

enum al_diff_file_method {
	AL_DIFF_ALONE,	   /* only one run has the file */
	AL_DIFF_IDENTICAL, /* lines keep their numbers */
	AL_DIFF_ALIGNED,   /* lines are paired by their texts */
	AL_DIFF_BY_OFFSET, /* texts are not known: lines are paired by their
			      distance from the lowest line that their function
			      executes */
};

struct al_diff_source {
	const char *path[2];   /* in A, in B; NULL: only the other has it */
	const char *object[2]; /* object with code of the file, in A, in B;
				  NULL: no row has the file */
	enum al_diff_file_method method;
	struct al_diff_text text[2];   /* ALIGNED: lines in A, in B */
	struct al_line_pairing *to[2]; /* ALIGNED: of the lines of A to those of
					   B, and the reverse */
};

struct al_diff_sources {
	struct al_diff_source *source;
	size_t n;
	struct al_key_table paths[2]; /* pairs (path, 0) of each input */
	uint32_t *of_path[2];	      /* index in @source by number in @paths */
};

/* Pair the source files of A and B: first files of equal paths, then files of
   equal names whose paths have the longest common end. Choose how the lines of
   each pair are paired, and align them. Return: 0; -ENOMEM. */
int al_diff_sources_pair_and_align(struct al_diff_sources *,
				   const struct al_diff *);
void al_diff_sources_release(struct al_diff_sources *);

/* Return the index in al_diff_sources.source of the pair with path @path of
   input @side; UINT32_MAX: no row of the input has the path. */
uint32_t al_diff_find_source_index(const struct al_diff_sources *, int side,
				   const char *path);

/* ---- moved_functions.c ---- */

/**
 * al_diff_find_renamed_or_inlined_function() - Find what became of functions
 * that are gone.
 *
 * A function that is gone and one that is new, in one pair of source files, are
 * one that was renamed if at least 80 % of their executed lines have equal
 * texts, each without the function's own name: twice the common lines over all
 * lines of both. The new function is then merged into the entry of the gone
 * one, and its own entry is removed. Any other gone function was inlined into
 * the function that executes most of its lines in B, if that is not new and
 * executes at least half of them.
 *
 * Return: 0; -ENOMEM.
 */
int al_diff_find_renamed_or_inlined_function(struct al_diff *,
					     const struct al_diff_sources *);

#endif
