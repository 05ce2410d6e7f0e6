/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window_counts.h - reports the counts of each window of a run
 *
 * Windows have the same numbers in the plans of all processes. Each process
 * opens and closes each window by itself; the counts of a run are sums over all
 * its processes.
 */
#ifndef LIB_REPORT_WINDOW_COUNTS_H
#define LIB_REPORT_WINDOW_COUNTS_H

#include "base/text/line_writer.h"
#include "lib/run/window_sums.h"

/* Write the list "windows": for each window its counts and why it did not open
   or recorded nothing. For a window with a report of its own, the first
   function also writes the results of its analyses over the run, the second one
   their totals in the process. Write nothing if there are no windows. */
void al_run_windows_write_counts_and_results(const struct al_run *,
					     struct an_sink *);
void al_process_windows_write_with_totals(const struct al_process *,
					  struct an_sink *);

/* Print a table of the windows with their counts, and after each window that
   never opened or recorded nothing, the reason; once, after the table, if no
   process has a plan with windows. Print nothing if there are no windows. */
void al_run_windows_print_table(const struct al_run *, struct al_text *);

/* Print, for each window with a report of its own, a heading with the window's
   name and the results of the analyses of this window. */
void al_run_windows_print_analysis_results(const struct al_run *,
					   struct al_text *);

#endif
