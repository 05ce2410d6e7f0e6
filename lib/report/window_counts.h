/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window_counts.h - reports the counts of each window of a run
 *
 * Windows have the same numbers in the plans of all processes. Each process has
 * its own instance of each; a run's sums are over processes.
 */
#ifndef LIB_REPORT_WINDOW_COUNTS_H
#define LIB_REPORT_WINDOW_COUNTS_H

#include "base/text/line_writer.h"
#include "lib/run/window_sums.h"

/* A list of windows with their counts, where there are any; and what analyses
   have found out, of those that have a report of their own. */
void al_run_windows_write(const struct al_run *, struct an_sink *);
void al_process_windows_write(const struct al_process *, struct an_sink *);

/* A table of them, and why those that never opened did not. */
void al_run_windows_print(const struct al_run *, struct al_text *);

/* The report of each that has one of its own. */
void al_run_windows_print_results(const struct al_run *, struct al_text *);

#endif
