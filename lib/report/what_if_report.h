/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if_report.h - compares the results of a cache hierarchy and of the
 *                    hierarchies that --what-if made from it
 *
 * @consumer_number selects results as in results.h.
 */
#ifndef LIB_REPORT_WHAT_IF_REPORT_H
#define LIB_REPORT_WHAT_IF_REPORT_H

#include "base/text/line_writer.h"
#include "base/text/report_sink.h"
#include "lib/run/state.h"

/**
 * al_what_if_write_run_comparison() - Write the comparison of two analyses as a
 * JSON object.
 * @plain_analysis_index: index of the analysis of the hierarchy as given.
 * @changed_analysis_index: index of the analysis of the hierarchy that
 *         --what-if changed.
 *
 * Members: `change`, `level` with the geometry of the changed level, `totals`
 * and `levels` with all counts, and `functions` with those whose misses differ
 * at a level; only `change` if one of the analyses was stopped. A count is an
 * object of `a` (as given) and `b` (changed).
 */
void al_what_if_write_run_comparison(const struct al_run *,
				     unsigned consumer_number,
				     size_t plain_analysis_index,
				     size_t changed_analysis_index,
				     struct an_sink *);

/* Print a comparison for each --what-if option whose analysis was not stopped;
   nothing if the analysis of the hierarchy as given was stopped. */
void al_what_if_print_all_comparisons(const struct al_run *,
				      unsigned consumer_number,
				      struct al_text *);

#endif
