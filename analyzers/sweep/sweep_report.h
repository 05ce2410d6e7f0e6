/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_report.h - builds the result of a sweep
 *
 * @count: [sweep->n], one for each shape.
 */
#ifndef ANALYZERS_SWEEP_SWEEP_REPORT_H
#define ANALYZERS_SWEEP_SWEEP_REPORT_H

#include "analyzers/sweep/line_size.h"

/* Add to the model the replacement policy, a table of all caches and, for
   people, tables of miss percentages and a plot for each line size. */
void an_sweep_add_to_model(const struct an_geometry *,
			   const struct an_sweepcount *count,
			   struct al_model *);

#endif
