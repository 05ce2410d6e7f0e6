/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - reads window files, which choose what to record of which process,
 *             and when
 *
 * Threads: any; after they are read, only
 * al_settings_add_needed_fields_to_windows() changes the windows.
 *
 * struct al_windows has the arrays of a plan (proto/window.h) and two that only
 * window files have; in a view of a plan these two are empty. doc/WINDOWS.md
 * describes the file.
 */
#ifndef LIB_CONFIG_WINDOW_WINDOWS_H
#define LIB_CONFIG_WINDOW_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/config/window/plan/arrays.h"

/**
 * al_windows_read() - Read a window file, and the files of intervals that it
 * names.
 * @out: receives the windows, for al_windows_free(); NULL on error.
 * @message: [AL_MESSAGE] on error: FILE:LINE:COLUMN, the fault, the offending
 *           word in quotes, and the nearest valid one.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_windows_read(const char *path, struct al_windows **out, char *message);

/* Read windows from @text, the content of a window file, as al_windows_read()
   does. @path_in_messages: path of the file, used in messages; relative paths
   in @text start at its directory. */
int al_windows_parse(const char *path_in_messages, const char *text,
		     struct al_windows **out, char *message);
void al_windows_free(struct al_windows *);

#endif
