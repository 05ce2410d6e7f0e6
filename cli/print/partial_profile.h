/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_state.h - a profile that is not the whole run
 */
#ifndef CL_STATE_H
#define CL_STATE_H

struct alleria_profile;

#include <stdbool.h>

/* One line on standard error when the profile is not the whole run. */
void cl_tell_state(const struct alleria_profile *, const char *path);

/* Whether a part of the profile is known to be damaged, from opening it or from
   what was read since. */
bool cl_is_damaged(const struct alleria_profile *);

/* Print one line on standard error if the profile is damaged and @status, that
   of the command so far, is 0. Return the exit status: @status or
   CL_DAMAGED. */
int cl_damage_status(const struct alleria_profile *, const char *path,
		     int status);

#endif
