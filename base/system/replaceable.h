/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replaceable.h - decides which files an output may replace
 *
 * An output that is no profile replaces an older file, but never one that this
 * command reads or runs, and a profile or a program only with --force.
 *
 * Threads: al_replace_protect_input() and al_replace_allow_profile_or_elf() are
 * called before there are several threads; the others may be called by any.
 */
#ifndef BASE_SYSTEM_REPLACEABLE_H
#define BASE_SYSTEM_REPLACEABLE_H

#include <stdbool.h>

enum {
	AL_PROFILE_MAGIC = 0x50726c41, /* first bytes of a profile: "AlrP" */
};

/* Add a file that no output of this process may replace. @path: is copied; need
   not exist. Nothing is added if memory is short. */
void al_replace_protect_input(const char *path);

/* Set whether outputs may replace profiles and programs: --force. */
void al_replace_allow_profile_or_elf(bool allowed);
bool al_replace_can_overwrite_profile_or_elf(void);

/**
 * al_replace_check_output() - Check whether an output
 * may replace @output_path.
 *
 * Return: 0: it may, or the file does not exist; -EBUSY: it is one of the
 * inputs, by any name; -EEXIST: it is a profile or a program (ELF), and outputs
 * are not forced; another -errno: it cannot be opened for this check.
 */
int al_replace_check_output(const char *output_path);

/* Return a text for @err, an errno or -errno of an output: a text of our own
   for EBUSY, ECANCELED and EEXIST, the text of strerror() for any other
   errno. */
const char *al_replace_output_file_error_text(int err);

#endif
