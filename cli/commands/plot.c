/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - alleria plot-adaptive: plots over time the numbers of workers and
 * buffers of a run that adapted them
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/report/adaptation.h"

const char cl_plot_adaptive_help[] = "usage: alleria plot-adaptive FILE.json\n"
				     "\n"
				     "Prints how a run with `alleria run "
				     "--json=FILE.json` was adapted: phases,\n"
				     "workers and buffers over time, and the "
				     "idle and waiting times that caused the\n"
				     "changes.\n"
				     "\n"
				     "  --help\n";

int cl_plot_adapted_workers_and_buffers(int argc, char **argv)
{
	char message[AL_MESSAGE];
	struct al_decisions log;
	struct al_adaptive adaptive;

	if (argc != 1 || argv[0][0] == '-') {
		fprintf(stderr, "alleria: give one file: alleria plot-adaptive "
				"FILE.json\n");
		return CL_WRONG_USAGE;
	}
	if (al_decisions_read_json_report(argv[0], &log, &adaptive, message)) {
		fprintf(stderr, "alleria: %s\n", message);
		return CL_WRONG_USAGE;
	}
	al_plot_adaptive_decisions(&log, &adaptive, stdout);
	al_decisions_release(&log);
	return 0;
}
