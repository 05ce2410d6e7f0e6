/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_report.h - reports the result of a sweep as JSON, text and CSV
 *
 * @count: [sweep->n], one for each shape.
 */
#ifndef ANALYZERS_SWEEP_SWEEP_REPORT_H
#define ANALYZERS_SWEEP_SWEEP_REPORT_H

#include "analyzers/sweep/line_size.h"

void an_sweep_report(const struct an_geometry *,
		     const struct an_sweepcount *count, struct an_sink *);
void an_sweep_print(const struct an_geometry *,
		    const struct an_sweepcount *count, struct an_text *);

/* Write the counts as comma-separated values. Return: 0 or -errno. */
int an_sweep_write_csv(const struct an_geometry *,
		       const struct an_sweepcount *count,
		       const struct an_env *);

#endif
