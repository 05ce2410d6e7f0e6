/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - writes the report about a run: as text, as JSON, and as a page
 *
 * Threads: the caller locks the run. All functions block while they write.
 *
 * Errors of files named in the settings are stored in the run;
 * al_report_print_unwritten_outputs() prints them.
 */
#ifndef LIB_REPORT_REPORT_H
#define LIB_REPORT_REPORT_H

#include <stdio.h>

struct al_run;

/* Sort the processes of the run, and write the report for people.
   @display_flags: enum al_display. Lines are cut to al_display_columns(); with
   the option --full only on a terminal. */
void al_report_print(struct al_run *, FILE *, unsigned display_flags);

/* Write the report in JSON. Return: 0 or -errno. */
int al_report_write_json(struct al_run *, FILE *);

/* Write the report in JSON to the file settings->json, under a temporary name
   that is then renamed; "-" is standard output. Return: 0 or -errno. */
int al_report_save_json(struct al_run *);

/* Write the report as a web page to the file settings->html, the path of option
   --html, under a temporary name that is then renamed. Return: 0 or -errno. */
int al_report_save_page_to_html_option_path(struct al_run *);

enum al_unwritten {
	AL_ALL_WRITTEN = 0,
	AL_PROFILE_UNWRITTEN, /* a profile is missing or incomplete; the run is
				 truncated */
	AL_OUTPUT_UNWRITTEN,  /* the JSON report, that of a process, the page or
				 the output of an analysis is missing or
				 incomplete */
};

/* Print a line for each output that could not be written, beginning with
   @message_prefix. Call after al_run_save_outputs_and_profiles(),
   al_report_save_json() and al_report_save_page_to_html_option_path(). Return:
   AL_OUTPUT_UNWRITTEN if an output that is no profile is missing, else
   AL_PROFILE_UNWRITTEN if a profile is, else AL_ALL_WRITTEN. */
enum al_unwritten al_report_print_unwritten_outputs(const struct al_run *,
						    const char *message_prefix,
						    FILE *);

#endif
