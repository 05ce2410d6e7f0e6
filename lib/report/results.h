/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * results.h - writes the results of the analyses into reports
 *
 * @consumer_number selects the results: those of the whole run, or those of one
 * window; see lib/pipeline/consumer.h.
 */
#ifndef LIB_REPORT_RESULTS_H
#define LIB_REPORT_RESULTS_H

#include "base/text/line_writer.h"
#include "base/result/model.h"
#include "lib/run/state.h"

/* Set @result_out to the result of analysis @analysis_index. The run owns it;
   it is built once, and lives until results of another exec image are added.
   Return: 0; -errno, with NULL in @result_out, if the analysis was stopped or
   memory is short. */
int al_result_of_analysis(const struct al_run *, unsigned consumer_number,
			  size_t analysis_index,
			  const struct al_model **result_out);

/* Return the result of the first analysis of the class @class_name that was not
   stopped, as al_result_of_analysis(); NULL if there is none. */
const struct al_model *al_result_of_class_or_null(const struct al_run *,
						  const char *class_name);

/* Add the list "levels", and a table for people, to the result @mix of the
   analysis "mix": for each cache level of @cache that data accesses, the bytes
   that it fetches and the floating-point operations per byte fetched. Nothing
   is added if @cache has no levels. */
void al_flops_per_missed_byte_add_to_mix(struct al_model *mix,
					 const struct al_model *cache);

/* Write the member "analyses": an object with the results of the first analysis
   of each class, under the name of the class. If there are several cache files,
   it also has "files" with the results for each. */
void al_results_write(const struct al_run *, unsigned consumer_number,
		      struct an_sink *);

/* Write the totals of analyses of a process, summed over its exec images, as
   members of the open object. Totals of an analysis with an error are left
   out. */
void al_results_write_process_totals(const struct al_process *,
				     unsigned consumer_number,
				     struct an_sink *);

/* Print one to five sentences under a heading: the findings about cache misses,
   mispredictions and scalar operations, and the limits of the report (code
   without symbols, unlikely caches, threads that share caches). If no analysis
   has cache levels, nothing is printed without findings. */
void al_verdict_print_findings_as_sentences(const struct al_run *,
					    struct al_text *);

/* Write the member "verdict": the list of the sentences that
   al_verdict_print_findings_as_sentences() prints. */
void al_verdict_write_sentences(const struct al_run *, struct an_sink *);

/* Sort the processes, set their wait statuses, write the report as JSON, and
   flush the stream. Return: 0 or -errno. */
int al_run_sort_processes_and_write_json(struct al_run *, FILE *);

/* Write the member "findings": the list of findings of the first cache
   analysis, and of the first analyses "data", "loops", "branch" and "mix"; it
   may be empty. */
void al_findings_of_run_write(const struct al_run *, struct an_sink *);

/* Print the results of all analyses, of the whole run or of one window as
   @consumer_number selects, then the comparisons of --what-if, then
   the detail views of all analyses. */
void al_results_print(const struct al_run *, unsigned consumer_number,
		      struct al_text *);

#endif
