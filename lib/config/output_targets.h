/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_targets.h - checks the files that results are written to
 */
#ifndef LIB_CONFIG_OUTPUT_TARGETS_H
#define LIB_CONFIG_OUTPUT_TARGETS_H

#include "lib/config/settings.h"

/* Whether @path has %p or %n, so that each process has its own file. */
bool al_output_is_per_process(const char *path);

/**
 * al_targets_check_all_outputs() - Check before the run that all results can be
 * written.
 *
 * The directory of each file must be writable, no two results may have the same
 * file, and none may replace a file that al_replace_check_output() protects.
 * Several results may go to one terminal, pipe or device by its path, but only
 * one to standard output, "-". A profile for all processes is only compared
 * with the other files here, and is checked when it is opened.
 *
 * Return: 0; -EINVAL with @message [AL_MESSAGE].
 */
int al_targets_check_all_outputs(const struct al_settings *, char *message);

/* Check that each analysis can write the results of window @window_name, which
   has its own report, as al_targets_check_all_outputs() does. The outputs must
   be files: the name of a device cannot be extended by that of the window.
   Return: 0; -EINVAL with @message. */
int al_targets_check_window_output_files(const struct al_settings *,
					 const char *window_name,
					 char *message);

#endif
