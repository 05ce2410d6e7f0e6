/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * git_sources.h - reads sources of older revisions from a Git repository
 *
 * The repository is that of the working directory. Files are written to
 * temporary folders, for al_diff_input.source_folder.
 *
 * Threads: main.
 */
#ifndef CLI_COMMANDS_GIT_SOURCES_H
#define CLI_COMMANDS_GIT_SOURCES_H

#include "lib/diff/input.h"

enum { CL_GIT_REVISION = 256 /* [bytes] of a name of a revision */ };

/* Zeroed: no revisions. */
struct cl_git_sources {
	char revision[2][CL_GIT_REVISION]; /* of A and B; "": the files are
					      read where they lie */
	char folder[2][64];		   /* temporary ones; "": none */
};

/* Parse "A..B", where an end that is left out is HEAD, or "A", without a
   revision for B. Return: 0; -EINVAL with @message [AL_MESSAGE]. */
int cl_git_sources_parse(struct cl_git_sources *, const char *range,
			 char *message);

/**
 * cl_git_sources_extract() - Write the files that a report names, as they are
 * in its revision, to a temporary folder.
 * @side: 0 for A, 1 for B.
 * @input: read; its source_folder is set if there is a revision.
 *
 * A file of the repository is one of the report if its path, or as many of its
 * last parts as possible, is the end of the path in the report.
 *
 * Return: 0; -EINVAL with @message. Call cl_git_sources_remove() in both cases.
 */
int cl_git_sources_extract(struct cl_git_sources *, int side,
			   struct al_diff_input *input, char *message);

/* Remove the temporary folders. */
void cl_git_sources_remove(struct cl_git_sources *);

#endif
