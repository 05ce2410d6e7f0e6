/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - pairs the functions and lines of two runs, A and B, and notes
 *             other differences
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
	AL_DIFF_CHANGED, /* lines only: the texts differ; between two pairs of
			    equal lines, lines are paired first with first */
	AL_DIFF_GUESSED, /* lines only: the texts are not known; lines with
			    equal distances from the lowest executed line of
			    their function are paired */
};

/* Return "same", "renamed", ... */
const char *al_diff_match_name(enum al_diff_match);

/* Return AL_DIFF_NEW, AL_DIFF_GONE or, if both runs have it, AL_DIFF_SAME. */
static inline enum al_diff_match al_diff_match_of_runs(bool is_in_a,
						       bool is_in_b)
{
	return !is_in_a ? AL_DIFF_NEW : !is_in_b ? AL_DIFF_GONE : AL_DIFF_SAME;
}

/* A function of A, of B, or of both. Counts are sums over source files, and
   over functions whose normalised names are equal. */
struct al_diff_function {
	const char *object; /* normalised name of the object; with @normal, it
			       identifies the function */
	const char *normal;
	const char *name;   /* name in A; in B if only B has the function */
	const char *b_name; /* name in B if both have the function and the names
			       differ, else NULL */
	const char *shown_object;
	const char *path; /* source file of the function's row with the highest
			     Ir among its rows in A and B */
	const char *inlined_into; /* GONE: name of the function that executes
				     its lines in B; NULL: none was found */
	uint64_t path_ir;
	enum al_diff_match match;
	unsigned similarity; /* RENAMED: twice the executed lines with equal
				texts in A and B, over the executed lines of A
				plus those of B [%] */
	unsigned n_names[2]; /* in A, in B: 1 + number of rows of the function
				in which its name is not that of the first row;
				0: this run has no such function */
	bool is_in[2];	     /* whether A has it, whether B has it */
	struct al_diff_costs costs[2];
};

/* A line of A, of B, or of both. */
struct al_diff_line {
	const char *path;     /* path of the line's file: in A if A executes
				 the line, else in B */
	const char *b_path;   /* path of the line's file in B; NULL: B has no
				 such file */
	const char *function; /* name of the function that executes it: in A if
				 A executes the line, else in B */
	const char *object;
	bool has[2];	  /* whether the source text of A, of B contains the
			     line; if the texts are not known: whether A, B
			     executes it */
	uint32_t line[2]; /* line number in A, in B; 0: not known, or none */
	uint32_t in[2];	  /* index of the function that executes it in A, in B,
			     valid until al_diff_pair_lines() removes
			     functions; UINT32_MAX: not executed */
	enum al_diff_match match;
	struct al_diff_costs costs[2];
};

/* Data objects of A, of B, or of both: sums over the rows with one name. */
struct al_diff_data {
	const char *name;   /* in A; in B if only B has it */
	const char *b_name; /* name in B if both have it and the two names
			       differ (in a line number or in the program's file
			       name), else NULL */
	enum al_diff_match match;
	unsigned n_rows[2];			/* number of rows in A, in B */
	uint64_t count[2][AL_DIFF_DATA_COUNTS]; /* in A, in B */
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
	struct al_diff_notes obstacles; /* why A and B cannot be compared */
	struct al_diff_notes noted;	/* differences of the runs that can
					   change counts */
	struct al_diff_notes builds;	/* objects, except libc, whose build ids
					   differ */
	struct al_diff_notes same;	/* properties equal in both runs */
	struct al_diff_function *function;
	size_t n_functions;
	struct al_diff_line *line;
	size_t n_lines;
	struct al_diff_data *data;
	size_t n_data; /* 0: not both runs have the analysis "data" */
};

/**
 * al_diff_compare() - Pair the functions and lines of two runs, and note other
 * differences, such as those of caches and environment.
 * @strings: table in which the strings of both inputs are interned.
 *
 * Source texts are read from the paths in the inputs, or else in source_folder
 * of an input, and used if their hashes are those of the run.
 *
 * Return: 0, with a result for al_diff_release(), which must be called before
 * the inputs are released; -ENOMEM, with nothing to release.
 */
int al_diff_compare(struct al_diff *, const struct al_diff_input *a,
		    const struct al_diff_input *b, struct al_intern *strings);
void al_diff_release(struct al_diff *);

/* ---- parts of al_diff_compare() ---- */

/* Note which properties of the runs differ and which are equal: caches,
   environment, arguments and so on; set d->comparable. */
void al_diff_record_comparability(struct al_diff *);

/* Fill d->function: one entry for all functions of A and B that have equal
   normalised names and objects. Return: 0; -ENOMEM. */
struct al_diff_names;
int al_diff_pair_functions_by_name(struct al_diff *, struct al_diff_names *);

/* Fill d->line with pairs of lines of A and B, then find functions that were
   renamed or inlined. Return: 0; -ENOMEM. */
int al_diff_pair_lines(struct al_diff *, struct al_diff_names *);

/* Fill d->data, if both inputs have rows of data objects: pair them by name, in
   which lines that d->line pairs are the same. Return: 0; -ENOMEM. */
int al_diff_pair_data_rows(struct al_diff *);

#endif
