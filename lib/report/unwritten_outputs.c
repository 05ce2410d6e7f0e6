/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwritten_outputs.c - reports the outputs that could not be written
 */
#include <string.h>

#include "base/system/replaceable.h"
#include "lib/config/analyze_option.h"
#include "lib/report/process_json.h"
#include "lib/report/report.h"
#include "lib/run/profile_files.h"
#include "lib/run/state.h"

/* Print a line: @path_or_null, or standard output if it is NULL or "-", could
   not be written. @window_name_or_empty: name of the window whose output it is,
   or "". @err: error number or -errno. */
static void print_cannot_write_error(FILE *out, const char *message_prefix,
				     const char *path_or_null,
				     const char *window_name_or_empty, int err)
{
	if (!path_or_null || !strcmp(path_or_null, "-"))
		fprintf(out, "%s: cannot write standard output: %s\n",
			message_prefix, al_replace_output_file_error_text(err));
	else
		fprintf(out, "%s: cannot write '%s%s%s': %s\n", message_prefix,
			path_or_null, *window_name_or_empty ? "@" : "",
			window_name_or_empty,
			al_replace_output_file_error_text(err));
}

/* Return the error because of which the output of analysis @analysis_index of
   consumer @consumer_number is missing or incomplete: -errno; 0 if it was
   written or the run does not have this consumer. */
static int unwritten_output_error_or_0(const struct al_run *run,
				       unsigned consumer_number,
				       size_t analysis_index)
{
	const void *state;

	if (!al_stream_has_consumer(run->total, consumer_number) ||
	    !al_stream_has_output_write_failed(run->total, consumer_number,
					       analysis_index))
		return 0;
	return al_run_analysis_state_and_error(run, consumer_number,
					       analysis_index, &state);
}

/* Print a line for each output of an analysis that could not be written: of the
   whole run, and of each window, which has an output file of its own. Return:
   whether a line was printed. */
static bool print_unwritten_outputs_of_analysis(const struct al_run *run,
						size_t analysis_index,
						const char *message_prefix,
						FILE *out)
{
	const char *path = al_analysis_option_value_or_null(
		&run->settings->analysis[analysis_index], "file");
	bool unwritten = false;

	for (unsigned v = 0;
	     v < al_stream_max_consumer_number_plus_1(run->total); v++) {
		int err = unwritten_output_error_or_0(run, v, analysis_index);

		if (err)
			print_cannot_write_error(
				out, message_prefix, path,
				al_stream_consumer_window_name_or_number(
					run->total, v),
				err);
		unwritten |= err != 0;
	}
	return unwritten;
}

enum al_unwritten al_report_print_unwritten_outputs(const struct al_run *run,
						    const char *message_prefix,
						    FILE *out)
{
	const struct al_settings *s = run->settings;
	bool profile = false, output = run->json_error || run->page_error;

	if (run->json_error)
		print_cannot_write_error(out, message_prefix, s->json, "",
					 run->json_error);
	if (run->page_error)
		print_cannot_write_error(out, message_prefix, s->html, "",
					 run->page_error);
	if (run->profiles_error) {
		print_cannot_write_error(out, message_prefix, s->profile, "",
					 run->profiles_error);
		profile = true;
	}
	for (size_t i = 0; i < run->n_profile_files; i++) {
		int err = al_profile_file_error_or_0(run->profile_file[i]);

		if (err)
			print_cannot_write_error(out, message_prefix,
						 run->profile_file[i]->path, "",
						 err);
		profile |= err != 0;
	}
	output |= al_run_report_unsaved_documents_if_any(run, message_prefix,
							 out);
	for (size_t i = 0; i < s->n_analyses; i++)
		output |= print_unwritten_outputs_of_analysis(
			run, i, message_prefix, out);
	return output	 ? AL_OUTPUT_UNWRITTEN
	       : profile ? AL_PROFILE_UNWRITTEN
			 : AL_ALL_WRITTEN;
}
