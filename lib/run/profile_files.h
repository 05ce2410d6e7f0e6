/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_files.h - what the record of a run tells its profiles
 *
 * A name with %p (process id) or %n (number in the tree, "2.1" in the second)
 * asks for a profile for each process. What is forked then takes what it
 * inherits along.
 */
#ifndef LIB_RUN_PROFILE_FILES_H
#define LIB_RUN_PROFILE_FILES_H

#include "lib/run/state.h"

/* A new image of a process is to be kept, if anything is. Errors are the
   profile's. */
void al_process_keep(struct al_process *, const struct al_image *,
		     const struct al_fork *, struct al_stream *);

/* The last that is kept of an image. */
void al_process_keep_end(struct al_process *, struct al_stream *);

/* An image's stream is gone; with the last a profile of the process's own that
   has ended goes, too. */
void al_process_keep_gone(struct al_process *);

/* End the profiles that have not ended, and wait until all are written. */
void al_run_keep_end(struct al_run *);

/* [bytes] of all of them so far. */
uint64_t al_run_kept_bytes(const struct al_run *);

/* Whether each process has a profile of its own. */
bool al_run_has_own_profiles(const struct al_run *);

/* Return @pattern with %p and %n replaced, for free(); NULL: no memory. */
char *al_process_file(const struct al_process *, const char *pattern);

/* 0; -errno, why not all could be written. */
int al_kept_error(const struct al_kept *);

/* Stop writing all profiles. Their sizes and errors stay known. */
void al_run_stop_profiles(struct al_run *);

void al_run_keep_free(struct al_run *);

#endif
