/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation_plot.h - what was adapted, over time, on a terminal of 80 columns
 */
#ifndef LIB_REPORT_ADAPTATION_PLOT_H
#define LIB_REPORT_ADAPTATION_PLOT_H

#include <stdio.h>

#include "lib/config/adaptive_option.h"

/**
 * al_plot_decisions() - Print phases, workers, buffers, idle and waiting time.
 *
 * A column is an equal share of the time from the first decision's period to
 * the last's. Idle time is in percent of the active workers' time, waiting in
 * percent of the programs'; each column has the mean.
 */
void al_plot_decisions(const struct al_decisions *, const struct al_adaptive *,
		       FILE *);

#endif
