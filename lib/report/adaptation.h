/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptation.h - reads the log of adaptation (of the numbers of workers and
 *                buffers) from a JSON report, and plots it
 */
#ifndef LIB_REPORT_ADAPTATION_H
#define LIB_REPORT_ADAPTATION_H

#include <stdio.h>

#include "lib/config/adaptive_option.h"

/**
 * al_decisions_read_json_report() - Read the decisions and the options of
 * adaptation (of the numbers of workers and buffers) from a JSON report.
 * @path: path of the report.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0, and the decisions are to be freed with al_decisions_release();
 * a negative error with @message, also if the run was not adapted.
 */
int al_decisions_read_json_report(const char *path, struct al_decisions *,
				  struct al_adaptive *, char *message);

/**
 * al_plot_adaptive_decisions() - Print a plot of phases, workers, buffers, idle
 * time and waiting time over time, for a terminal of 80 columns.
 *
 * The time from the start of the first decision's period to the end of the last
 * one's is divided equally among the columns. A column shows the mean idle time
 * in percent of the active workers' time, and the mean time that programs
 * waited in percent of the programs' time.
 */
void al_plot_adaptive_decisions(const struct al_decisions *,
				const struct al_adaptive *, FILE *);

#endif
