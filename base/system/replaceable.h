/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replaceable.h - which files an output may replace
 *
 * An output replaces an older file, but never one that this command reads or
 * runs, and a profile or a program only with --force.
 *
 * Threads: al_replace_check() may be called by any; the others before there
 *          are several.
 */
#ifndef BASE_SYSTEM_REPLACEABLE_H
#define BASE_SYSTEM_REPLACEABLE_H

#include <stdbool.h>

enum {
	AL_PROFILE_MAGIC = 0x50726c41, /* a profile begins with "AlrP" */
};

/* Add a file that no output of this process may replace. @path: is copied; need
   not be there. Without memory for it nothing is added. */
void al_replace_add_input(const char *path);

/* Set whether outputs may replace profiles and programs: --force. */
void al_replace_set_forced(bool forced);
bool al_replace_is_forced(void);

/**
 * al_replace_check() - Whether an output may take the place of @path.
 *
 * Return: 0: it may, or nothing is there; -EBUSY: it is one of the inputs, by
 *         any name; -EEXIST: it begins as a profile or a program (ELF) does, and
 *         outputs are not forced; another -errno: it cannot be read to find out.
 */
int al_replace_check(const char *path);

/* Return the cause of @err, an errno or -errno of an output: own words for the
   results of al_replace_check(), strerror()'s for others. */
const char *al_replace_error(int err);

#endif
