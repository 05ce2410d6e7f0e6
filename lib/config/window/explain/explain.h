/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.h - window files in words
 *
 * Threads: any.
 */
#ifndef LIB_CONFIG_WINDOW_EXPLAIN_EXPLAIN_H
#define LIB_CONFIG_WINDOW_EXPLAIN_EXPLAIN_H

#include <stdio.h>

#include "lib/config/window/windows.h"

/* A paragraph for each window, of lines of 80 columns at most; @name is the
   file's. */
void al_windows_explain(const struct al_windows *, const char *name, FILE *out);

/* "function 'hot' in the main executable is called for the 2nd time"; of a
   plan's view, too. */
void al_event_explain(const struct al_windows *, uint32_t event, FILE *out);

/* What the windows record of which process: a text for each, "- " before it,
   in one line. */
void al_profile_explain(const struct al_windows *, uint32_t window, FILE *out);

/* The same of one thread's entry, of a plan's view, too. */
void al_lane_explain(const struct al_windows *, uint32_t lane, FILE *out);

/* "'strings': a pointer to 'string', as many as argc says"; of a type that is
   not primitive. */
void al_type_explain(const struct al_windows *, uint32_t type, FILE *out);

#endif
