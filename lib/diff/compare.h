/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - pairs the functions and lines of two runs, A and B
 *
 * Threads: one at a time.
 */
#ifndef LIB_DIFF_COMPARE_H
#define LIB_DIFF_COMPARE_H

#include "lib/diff/input.h"

enum al_diff_match {
	AL_DIFF_SAME,
	AL_DIFF_RENAMED, /* functions only: another name, but at least 80 % of
			    the executed lines have equal texts */
	AL_DIFF_NEW,	 /* only in B */
	AL_DIFF_GONE,	 /* only in A */
	AL_DIFF_CHANGED, /* lines only: the texts differ, but stand for each
			    other in a changed passage */
	AL_DIFF_GUESSED, /* lines only: the texts are not known; lines with
			    equal distances from the first line of their
			    function are paired */
};

/* Return "same", "renamed", ... */
const char *al_diff_match_name(enum al_diff_match);

/* A function of A, of B, or of both. Counts are sums over source files, and
   over functions whose normalised names are equal. */
struct al_diff_function {
	const char *object; /* normalised object and name: the key */
	const char *normal;
	const char *name;   /* in A, or in B where it is new */
	const char *b_name; /* in B where it differs, or NULL */
	const char *shown_object;
	const char *path; /* source file with most of its instructions */
	const char *inlined_into; /* gone: function that executes its lines */
	uint64_t path_ir;
	enum al_diff_match match;
	unsigned similarity; /* renamed: [%] */
	unsigned n_names[2]; /* names in A and in B that fell together */
	bool is_in[2];	     /* A, B */
	struct al_diff_costs costs[2];
};

/* A line of A, of B, or of both. */
struct al_diff_line {
	const char *path;     /* in A, or in B where it is new */
	const char *function; /* that executes it, in A, or in B where new */
	const char *object;
	bool has[2];	  /* whether the text of A, of B has it */
	uint32_t line[2]; /* 0: not known, or it has none */
	uint32_t in[2];	  /* index of the function that executes it in A, in B;
			     UINT32_MAX: not executed */
	enum al_diff_match match;
	struct al_diff_costs costs[2];
};

enum al_diff_comparable {
	AL_DIFF_ALL_SAME,
	AL_DIFF_NOTED,
	AL_DIFF_NOT_COMPARABLE
};

enum { AL_DIFF_MAX_NOTES = 32 };

struct al_diff_notes {
	char *text[AL_DIFF_MAX_NOTES];
	size_t n;
};

struct al_diff {
	const struct al_diff_input *in[2]; /* A, B */
	struct al_intern *strings;
	enum al_diff_comparable comparable;
	struct al_diff_notes obstacles; /* why they cannot be compared */
	struct al_diff_notes noted;	/* differences that move counts */
	struct al_diff_notes builds;	/* objects that were built anew */
	struct al_diff_notes same;	/* is equal in both */
	struct al_diff_function *function;
	size_t n_functions;
	struct al_diff_line *line;
	size_t n_lines;
};

/**
 * al_diff_compare() - Pair functions and lines, and note what differs in kind.
 * @strings: of both inputs.
 *
 * Source texts are read from the paths in the inputs, and used if their hashes
 * are those of the run.
 *
 * Return: 0, for al_diff_release(), which comes before the inputs' release;
 * -ENOMEM.
 */
int al_diff_compare(struct al_diff *, const struct al_diff_input *a,
		    const struct al_diff_input *b, struct al_intern *strings);
void al_diff_release(struct al_diff *);

/* ---- parts of al_diff_compare() ---- */

/* Note what differs in kind: geometry, environment, arguments and so on. */
void al_diff_record_comparability(struct al_diff *);

/* Pair the functions. Return: 0; -ENOMEM. */
struct al_diff_names;
int al_diff_pair_functions(struct al_diff *, struct al_diff_names *);

/* Pair the lines, then functions that were renamed or inlined. Return: 0;
   -ENOMEM. */
int al_diff_pair_lines_find_renamed(struct al_diff *, struct al_diff_names *);

/* Return the part of a path behind the last '/'. */
const char *al_diff_base_name(const char *path);

#endif
