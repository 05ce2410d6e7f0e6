/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_state.h - a profile that is not the whole run
 *
 * Room:    cli.
 * Used by: commands over a profile that print nothing else about it.
 */
#ifndef CL_STATE_H
#define CL_STATE_H

struct alleria_profile;

/* One line on standard error when the profile is not the whole run. */
void cl_tell_state(const struct alleria_profile *, const char *path);

#endif
