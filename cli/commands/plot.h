/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - alleria plot-adaptive
 */
#ifndef CLI_COMMANDS_PLOT_H
#define CLI_COMMANDS_PLOT_H

/* Prints what a run has adapted. Returns the exit status. */
int cl_plot_adaptive(int argc, char **argv);

#endif
