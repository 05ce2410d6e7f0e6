/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial_profile.h - reports that a profile is damaged or incomplete
 */
#ifndef CLI_PRINT_PARTIAL_PROFILE_H
#define CLI_PRINT_PARTIAL_PROFILE_H

struct alleria_profile;

#include <stdbool.h>

/* Print a line on standard error if the profile is not the whole run. */
void cl_warn_if_partial(const struct alleria_profile *, const char *path);

/* Whether a part of the profile is known to be damaged, from opening it or from
   what was read since. */
bool cl_is_damaged(const struct alleria_profile *);

/* Print one line on standard error if the profile is damaged and
   @status_so_far, that of the command so far, is 0. Return the exit status:
   @status_so_far or CL_DAMAGED. */
int cl_exit_status_reporting_damage(const struct alleria_profile *,
				    const char *path, int status_so_far);

#endif
