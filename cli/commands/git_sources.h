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

/* The revisions that sources are read from, and temporary folders for them.
   Zeroed: no revisions. */
struct cl_git_sources {
	char revision[2][CL_GIT_REVISION]; /* names for A and B; "": none */
	char folder[2][64];		   /* temporary folders for A and B;
					      "": none */
};

/* Store the revisions of @range: "A..B", where an omitted end is HEAD, or "A",
   which sets no revision for B. Return: 0; -EINVAL with @message
   [AL_MESSAGE]. */
int cl_git_sources_parse_revisions(struct cl_git_sources *, const char *range,
				   char *message);

/**
 * cl_git_sources_extract_revision_if_given() - Write the files that a report
 * names, as they are in its revision, to a temporary folder.
 * @side: 0 for A, 1 for B.
 * @input: the report; its source_folder is set to the folder. Without a
 *         revision for @side, nothing is done.
 *
 * For each path in the report, the file is written whose path in the repository
 * is the longest end of that path.
 *
 * Return: 0; -EINVAL with @message. Call cl_git_sources_delete_temp_folders()
 * in both cases.
 */
int cl_git_sources_extract_revision_if_given(struct cl_git_sources *, int side,
					     struct al_diff_input *input,
					     char *message);

/* Delete the temporary folders with their files. */
void cl_git_sources_delete_temp_folders(struct cl_git_sources *);

#endif
