/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * results.h - writes the results of the analyses into reports
 *
 * @view selects the results: those of the whole run, or those of one window;
 * see lib/pipeline/consumer.h.
 */
#ifndef LIB_REPORT_RESULTS_H
#define LIB_REPORT_RESULTS_H

#include "base/text/line_writer.h"
#include "base/result/model.h"
#include "lib/run/state.h"

/* Build the result of analysis @analysis_index. Return: 0 or the error that
   stopped it; call al_model_release() in both cases. */
int al_result_build(const struct al_run *, unsigned view, size_t analysis_index,
		    struct al_model *);

/* "analyses": under its name stands the first of each class. */
void al_results_write(const struct al_run *, unsigned view, struct an_sink *);

/* Totals of a process, as members. */
void al_results_write_totals(const struct al_process *, unsigned view,
			     struct an_sink *);

/* Print what stands out, one to five sentences, if caches were simulated. */
void al_verdict_print_findings(const struct al_run *, struct al_text *);

/* "findings": those of the first cache analysis; empty if there is none. */
void al_findings_of_run_write(const struct al_run *, struct an_sink *);

void al_results_print(const struct al_run *, unsigned view, struct al_text *);

#endif
