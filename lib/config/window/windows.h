/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - a window file: what to record of which process, and when
 *
 * Threads: any; read-only once read.
 *
 * The arrays are those of a plan (proto/window.h), and two of the file alone: a
 * plan that has been read back has none of these. doc/WINDOWS.md describes the
 * file.
 */
#ifndef LIB_CONFIG_WINDOW_WINDOWS_H
#define LIB_CONFIG_WINDOW_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/config/window/plan/arrays.h"

/**
 * al_windows_read() - Read a window file, and those that it names.
 * @message: [AL_MESSAGE] on error: FILE:LINE:COLUMN: what, the offending word
 *           in quotes, and the nearest valid one.
 *
 * Return: 0, and the windows for al_windows_free(); -EINVAL with @message.
 */
int al_windows_read(const char *path, struct al_windows **out, char *message);
/* Read @text as a window file; @path is what messages name. */
int al_windows_parse(const char *path, const char *text,
		     struct al_windows **out, char *message);
void al_windows_free(struct al_windows *);

#endif
