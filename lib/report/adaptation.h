/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation.h - reads the log of adaptation from a JSON report, and plots it
 */
#ifndef LIB_REPORT_ADAPTATION_H
#define LIB_REPORT_ADAPTATION_H

#include <stdio.h>

#include "lib/config/adaptive_option.h"

/**
 * al_decisions_read() - Read the decisions and the options of a JSON report.
 * @path: path of the report.
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0; -EINVAL with @message, also if the run was not adapted.
 */
int al_decisions_read(const char *path, struct al_decisions *,
		      struct al_adaptive *, char *message);

/**
 * al_plot_decisions() - Plot phases, workers, buffers, idle and waiting time over
 * time, for a terminal of 80 columns.
 *
 * A column is an equal share of the time from the first decision's period to
 * the last's. Idle time is in percent of the active workers' time, waiting in
 * percent of the programs'; each column has the mean.
 */
void al_plot_decisions(const struct al_decisions *, const struct al_adaptive *,
		       FILE *);

#endif
