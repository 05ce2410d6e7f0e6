/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial_profile.h - reports that a profile is damaged or incomplete
 */
#ifndef CLI_PRINT_PARTIAL_PROFILE_H
#define CLI_PRINT_PARTIAL_PROFILE_H

struct alleria_profile;

#include <stdbool.h>

/* Print one line on standard error if the profile is lossy, truncated or
   unfinished, or if it is complete but lacks its index or ends within a
   block. */
void cl_warn_if_profile_is_lossy_or_cut(const struct alleria_profile *,
					const char *path);

/* Whether damaged data were found in the profile, when it was opened or in a
   block that was read since. A missing index, or a block that is cut off at the
   end of the file, does not count. */
bool cl_has_profile_damage_besides_cut_end(const struct alleria_profile *);

/* Return the exit status of a command that has read the profile. If
   @status_so_far is not 0 or the profile is not damaged: @status_so_far.
   Otherwise print one line on standard error and return CL_DAMAGED. */
int cl_exit_status_reporting_damage(const struct alleria_profile *,
				    const char *path, int status_so_far);

#endif
