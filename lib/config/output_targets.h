/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_targets.h - where results are to go
 */
#ifndef LIB_CONFIG_OUTPUT_TARGETS_H
#define LIB_CONFIG_OUTPUT_TARGETS_H

#include "lib/config/settings.h"

/**
 * al_targets_check() - Whether all results can be written: better said now than
 * after the run.
 *
 * Each file's directory can be written, no two results go to one file, and none
 * replaces what al_replace_check() protects. A terminal, a pipe or a device may
 * take several.
 *
 * Return: 0; -EINVAL with @message [AL_MESSAGE].
 */
int al_targets_check(const struct al_settings *, char *message);

/* The same for what is written of a window that has a report of its own. What
   is no file cannot have another name, and takes all or the window's. */
int al_targets_check_window(const struct al_settings *, const char *window,
			    char *message);

#endif
