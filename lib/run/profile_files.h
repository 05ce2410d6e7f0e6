/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_files.h - begins, fills and ends the profiles of a run
 *
 * A path with %p (process id) or %n (number in the tree, "2.1" in the second
 * tree) means a profile for each process. The profile of a forked process then
 * gets a copy of the log that the process inherits.
 */
#ifndef LIB_RUN_PROFILE_FILES_H
#define LIB_RUN_PROFILE_FILES_H

#include "lib/run/state.h"

/* Begin to store a new image of a process in its profile, if it has one, and
   set the stream's writer. The process's own profile is begun if it has none
   yet. Errors are stored as the profile's error. */
void al_process_begin_image_in_profile(struct al_process *,
				       const struct al_image *,
				       const struct al_fork *,
				       struct al_stream *);

/* Record in its profile that an image has ended. If the process has a profile
   of its own, and the image did not end by exec, that profile ends, too. */
void al_process_record_image_end_in_profile(struct al_process *,
					    struct al_stream *);

/* If the process has a profile of its own that has ended, free its recording
   (the writer of the file), unless an image of the process still has a stream.
   Call after freeing a stream. */
void al_process_close_ended_own_profile(struct al_process *);

/* End the profiles that have not ended, and wait until all are written. */
void al_run_end_profiles_and_write_queues(struct al_run *);

/* Return the sum of the lengths of all profiles so far. [bytes] */
uint64_t al_run_sum_profile_bytes(const struct al_run *);

/* Whether each process has a profile of its own. */
bool al_run_has_profile_per_process(const struct al_run *);

/* Return @pid_or_number_pattern with %p and %n replaced, to be freed with
   free(); NULL: out of memory. */
char *al_process_expand_file_pattern(const struct al_process *,
				     const char *pid_or_number_pattern);

/* Return 0, or -errno if not all of the profile could be written. */
int al_profile_file_error_or_0(const struct al_profile_file *);

/* Write nothing more to any profile, not even an end. The lengths and errors
   that the profiles have now stay available. */
void al_run_ignore_further_profile_writes(struct al_run *);

void al_run_flush_close_free_profiles(struct al_run *);

#endif
