/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - prints the report for a terminal
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text/line_writer.h"
#include "lib/config/window/plan/process_plan.h"
#include "lib/report/report.h"
#include "lib/report/results.h"
#include "lib/report/window_counts.h"
#include "lib/run/profile_files.h"
#include "lib/run/state.h"

enum {
	MAX_ROWS = 5,	     /* greatest number of rows in the table of
				processes, unless --top or --full is given */
	COMMAND_COLUMN = 65, /* column of the table of processes at which
				commands begin */
	STATUS = 128,	     /* [bytes] memory for the status in the first
				line */
	SHORTEST = 6,	     /* the command is printed only if more columns than
				this are free in the first line */
};

/* Write @first_word and the NULL-terminated @next_words to @out, separated by
   spaces. The text is cut to @size - 1 bytes and then ends in "...". */
static void join_words_with_dots_if_cut(char *out, size_t size,
					const char *first_word,
					char *const *next_words)
{
	size_t len = (size_t)snprintf(out, size, "%s", first_word);

	for (; *next_words && len < size; next_words++)
		len += (size_t)snprintf(out + len, size - len, " %s",
					*next_words);
	if (len >= size)
		strcpy(out + size - 4, "...");
}

/* Write a command line to @out, with the program's path cut to its last
   component. A text that does not fit ends in "..."; an empty command line
   becomes "???". */
static void join_command_with_base_name(char *out, size_t size,
					char *const *argv)
{
	const char *slash = *argv ? strrchr(*argv, '/') : NULL;

	if (*argv)
		join_words_with_dots_if_cut(
			out, size, slash ? slash + 1 : *argv, argv + 1);
	else
		snprintf(out, size, "???");
}

static double ns_to_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static unsigned rounded_percent(uint64_t part, uint64_t whole)
{
	double p = whole ? (double)part / (double)whole * 100 + 0.5 : 0;

	/* The Valgrind tool may report an absurd waiting time. */
	return p < UINT_MAX ? (unsigned)p : UINT_MAX;
}

static const char *singular_or_plural(uint64_t n, const char *one,
				      const char *many)
{
	return n == 1 ? one : many;
}

/* Write how a process ended to @out: "signal N"; else the name of its status if
   that is not complete; else "exit N", "exec" or "running". */
static void format_process_end(char out[16], const struct al_process *p)
{
	const char *why;
	int value;
	enum al_ending ending = al_process_ending(p, &value);
	enum al_status status = al_process_completeness_and_reason(p, &why);

	if (ending == AL_SIGNALLED)
		snprintf(out, 16, "signal %d", value);
	else if (status != AL_COMPLETE)
		snprintf(out, 16, "%s", al_run_status_name(status));
	else if (ending == AL_EXITED)
		snprintf(out, 16, "exit %d", value);
	else
		snprintf(out, 16, "%s",
			 ending == AL_EXECED ? "exec" : "running");
}

/* Write the number of a process, as "3"; if the run has several process trees,
   with the tree's number, as "2.3"; "-" if @p is NULL. */
static void format_tree_and_process_number(char out[24],
					   const struct al_process *p)
{
	if (!p)
		strcpy(out, "-");
	else if (p->run->n_trees > 1)
		snprintf(out, 24, "%u.%u", p->tree, p->number);
	else
		snprintf(out, 24, "%u", p->number);
}

/* Return the process that the first line of the report names. If the run has
   one process tree, this is the first process; else the process with the worst
   status or, if the run is complete or a profile is the reason why it is not,
   the process that executed most instructions. */
static const struct al_process *
choose_process_of_report_first_line(const struct al_run *run)
{
	const struct al_process *found = run->process[0];
	const char *why;
	uint64_t most = 0;

	if (run->n_trees < 2)
		return found;
	if (al_run_status(run, &why) != AL_COMPLETE &&
	    al_run_find_worst_status_process(run))
		return al_run_find_worst_status_process(run);
	for (size_t i = 0; i < run->n_processes; i++) {
		uint64_t n = al_process_counts(run->process[i]).instructions;

		if (n > most) {
			most = n;
			found = run->process[i];
		}
	}
	return found;
}

/* Write the status of the run, as "truncated, killed by signal 9 (process 2)",
   and whether an analysis is incomplete. The process is added if the run has
   several and is truncated or has several process trees, unless its status
   comes from a profile. */
static void format_run_status(char out[STATUS], const struct al_run *run)
{
	const char *why;
	enum al_status status = al_run_status(run, &why);
	bool several = run->n_trees > 1;
	char number[24];
	size_t n;

	snprintf(out, STATUS, "%s%s%s", al_run_status_name(status),
		 why ? ", " : "", why ? why : "");
	n = strlen(out);
	if (status == AL_COMPLETE && al_run_has_analysis_with_error(run)) {
		snprintf(out + n, STATUS - n, ", but an analysis is not");
		n = strlen(out);
	}
	if (run->n_processes < 2 || !al_run_find_worst_status_process(run) ||
	    (status != AL_TRUNCATED && !several))
		return;
	format_tree_and_process_number(
		number, several ? choose_process_of_report_first_line(run)
				: al_run_find_worst_status_process(run));
	snprintf(out + n, STATUS - n, " (%s%s)",
		 several && status == AL_COMPLETE ? "largest: " : "process ",
		 number);
}

/* Return the greatest number of columns of a line with a command: the number to
   which all lines are cut, or AL_COLUMNS if lines are not cut. */
static size_t line_columns(const struct al_text *out)
{
	return out->text.columns ? out->text.columns : AL_COLUMNS;
}

/* Print the first line: the status of the run and the command. */
static void print_status_and_command(const struct al_run *run,
				     struct al_text *out)
{
	char *const *argv = al_run_command_argv_or_empty(run);
	char word[STATUS], command[AL_MAX_COLUMNS + 1];
	size_t used;

	format_run_status(word, run);
	al_text_write(out, AL_BOLD, "alleria: ");
	al_text_write(out,
		      al_run_is_fully_recorded_and_analysed(run) ? AL_GOOD
								 : AL_BAD,
		      word);
	if (run->n_processes)
		argv = al_process_image_argv_or_empty(
			choose_process_of_report_first_line(run), 0);
	used = strlen("alleria: : ") + strlen(word);
	if (*argv && used + SHORTEST < line_columns(out)) {
		join_words_with_dots_if_cut(
			command, line_columns(out) + 1 - used, *argv, argv + 1);
		al_text_write(out, AL_PLAIN, ": ");
		al_text_write(out, AL_PLAIN, command);
	}
	putc('\n', out->file);
}

static void print_run_summary_line(const struct al_run *run,
				   struct al_text *out)
{
	struct al_counts c = al_run_counts(run);
	size_t n = al_run_count_numbered_processes(run);
	char lost[AL_NUMBER_BYTES], end[16] = "";

	if (run->n_trees == 1)
		format_process_end(end, run->process[0]);
	al_text_printf_line_cut_to_columns(
		out,
		"%s%s%zu %s, %" PRIu64 " %s, %" PRIu64 " %s; "
		"%s accesses lost; %.2f s",
		end, *end ? "; " : "", n,
		singular_or_plural(n, "process", "processes"), c.threads,
		singular_or_plural(c.threads, "thread", "threads"), c.signals,
		singular_or_plural(c.signals, "signal", "signals"),
		al_number_format_grouped(
			lost,
			al_run_sum_losses_waits_and_buffers(run).lost_accesses),
		ns_to_seconds(run->wall_ns));
}

/* Print the number of processes that called exec for a program that was not
   recorded, if there are any, and the option that records such programs. */
static void print_unrecorded_execve_count_if_any(const struct al_run *run,
						 struct al_text *out)
{
	size_t n = al_run_count_unrecorded_execs(run);

	if (n)
		al_text_printf_line_cut_to_columns(
			out,
			"%zu %s, unrecorded; "
			"--trace-children=yes follows",
			n,
			singular_or_plural(n, "process became another program",
					   "processes became other programs"));
}

static void print_process_row(const struct al_process *p, struct al_text *out)
{
	struct al_counts c = al_process_counts(p);
	char number[24], parent[24], end[16];
	char instructions[AL_NUMBER_BYTES], accesses[AL_NUMBER_BYTES];
	char command[AL_MAX_COLUMNS + 1];
	size_t command_size = line_columns(out) - COMMAND_COLUMN + 1;
	char *const none[] = {NULL};

	format_tree_and_process_number(number, p);
	format_tree_and_process_number(parent, p->parent);
	if (!al_process_is_followed(p)) {
		al_text_printf_line_cut_to_columns(out,
						   "%5s %6s %7d  not followed",
						   number, parent, (int)p->pid);
		return;
	}
	format_process_end(end, p);
	if (p->title)
		join_words_with_dots_if_cut(command, command_size, p->title,
					    none);
	else
		join_command_with_base_name(
			command, command_size,
			al_process_image_argv_or_empty(p, p->n_images - 1));
	al_text_printf_line_cut_to_columns(
		out, "%5s %6s %7d  %-9s %15s %15s  %s", number, parent,
		(int)p->pid, end,
		al_number_format_grouped(instructions, c.instructions),
		al_number_format_grouped(
			accesses, al_counts_data_accesses_modify_once(&c)),
		command);
}

static void print_process_table_if_several(const struct al_run *run,
					   struct al_text *out)
{
	size_t n = al_run_count_numbered_processes(run);
	size_t top = run->settings->top ? run->settings->top : MAX_ROWS;
	size_t shown = run->settings->full || n <= top ? n : top - 1;

	if (n < 2)
		return;
	out->text.heading(&out->text,
			  "    # parent     pid  ended        instructions"
			  "        accesses  command");
	for (size_t i = 0; i < shown; i++)
		print_process_row(run->process[i], out);
	if (shown < n)
		al_text_printf_line_cut_to_columns(
			out, "  ... and %zu more; --full prints all",
			n - shown);
}

/* Return a note to print after the number of instructions: which instructions
   were recorded, if windows selected some; "" if all were. The note names the
   narrowest kind of selection among all processes. */
static const char *
note_on_recorded_instructions_or_empty(const struct al_run *run)
{
	static const char *const note[] = {
		[AL_CHOSEN_INSTRUCTIONS] = "  of kinds that windows chose",
		[AL_MEMORY_INSTRUCTIONS] = "  memory instructions only",
		[AL_ALL_INSTRUCTIONS] = "",
	};
	enum al_instructions least = AL_ALL_INSTRUCTIONS, own;

	for (size_t i = 0; i < run->n_processes; i++) {
		own = al_plan_smallest_function_instr_set(
			run->process[i]->plan);
		if (own < least)
			least = own;
	}
	return note[least];
}

static void print_instr_and_access_counts(const struct al_run *run,
					  struct al_text *out)
{
	struct al_counts c = al_run_counts(run);
	char n[AL_NUMBER_BYTES];

	putc('\n', out->file);
	al_text_printf_line_cut_to_columns(
		out, "instructions %19s%s",
		al_number_format_grouped(n, c.instructions),
		note_on_recorded_instructions_or_empty(run));
	al_text_printf_line_cut_to_columns(
		out, "reads        %19s", al_number_format_grouped(n, c.reads));
	al_text_printf_line_cut_to_columns(
		out, "writes       %19s",
		al_number_format_grouped(n, c.writes));
	al_text_printf_line_cut_to_columns(
		out, "modifies     %19s  each a read and a write",
		al_number_format_grouped(n, c.modifies));
}

/* Write @byte_count in a fitting unit and divided by the number of data
   accesses, as "13.8 GB, 4.79 bytes per access". */
static void
format_bytes_and_per_access(uint64_t byte_count,
			    const struct al_counts *nonzero_access_counts,
			    char *out, size_t size)
{
	static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB"};
	double bytes = (double)byte_count;
	size_t u = 0;

	for (; bytes >= 1e3 && u < 4; u++)
		bytes /= 1e3;
	snprintf(out, size, "%.*f %s, %.2f bytes per access", u ? 1 : 0, bytes,
		 unit[u],
		 (double)byte_count /
			 (double)al_counts_data_accesses_modify_once(
				 nonzero_access_counts));
}

static void print_bytes_through_ring_and_access_rate(const struct al_counts *c,
						     uint64_t wall_ns,
						     struct al_text *out)
{
	uint64_t accesses = al_counts_data_accesses_modify_once(c);
	char rate[AL_NUMBER_BYTES], bytes[64];

	if (!accesses || !wall_ns)
		return;
	format_bytes_and_per_access(c->unit_bytes, c, bytes, sizeof(bytes));
	al_text_printf_line_cut_to_columns(
		out, "ring  %s; %s accesses a second", bytes,
		al_number_format_grouped(
			rate,
			(uint64_t)((double)accesses / ns_to_seconds(wall_ns))));
}

static void print_profile_size_and_path(const struct al_run *run,
					const struct al_counts *c,
					struct al_text *out)
{
	char bytes[64];

	if (!run->n_profile_files || !al_counts_data_accesses_modify_once(c))
		return;
	format_bytes_and_per_access(al_run_sum_profile_bytes(run), c, bytes,
				    sizeof(bytes));
	al_text_printf_line_cut_to_columns(out, "profile  %s, in '%s'", bytes,
					   run->settings->profile);
}

/* Write the number of workers, as "1 worker"; the least and greatest number, as
   "1-3 workers", if the decisions of adaptation changed it. */
static void format_worker_count_range(const struct al_run *run, char *out,
				      size_t size)
{
	const struct al_decisions *d = &run->decisions;
	unsigned least = run->settings->workers, most = least;

	for (size_t i = 0; i < d->n; i++) {
		least = d->item[i].workers < least ? d->item[i].workers : least;
		most = d->item[i].workers > most ? d->item[i].workers : most;
	}
	if (least == most)
		snprintf(out, size, "%u %s", most,
			 singular_or_plural(most, "worker", "workers"));
	else
		snprintf(out, size, "%u-%u workers", least, most);
}

static void print_pipeline_summary(const struct al_run *run,
				   struct al_text *out)
{
	struct al_counts c = al_run_counts(run);
	struct al_process_sums sums = al_run_sum_losses_waits_and_buffers(run);
	uint64_t wall = run->wall_ns;
	uint64_t tool = wall > sums.wait_ns ? wall - sums.wait_ns : 0;
	char waits[AL_NUMBER_BYTES], workers[32];

	format_worker_count_range(run, workers, sizeof(workers));
	out->text.heading(&out->text, "Pipeline");
	if (run->profile_bytes)
		al_text_printf_line_cut_to_columns(
			out, "time  replayed in %.2f s", ns_to_seconds(wall));
	else
		al_text_printf_line_cut_to_columns(
			out,
			"time  tool %.2f s (%u %%), waiting for the daemon "
			"%.2f s (%u %%, %s %s)",
			ns_to_seconds(tool), rounded_percent(tool, wall),
			ns_to_seconds(sums.wait_ns),
			rounded_percent(sums.wait_ns, wall),
			al_number_format_grouped(waits, sums.waits),
			singular_or_plural(sums.waits, "time", "times"));
	al_text_printf_line_cut_to_columns(
		out,
		"work  recovery %.2f s (%u %%), simulation %.2f s "
		"(%u %%); %s, %u %% busy",
		ns_to_seconds(c.recovery_ns),
		rounded_percent(c.recovery_ns, wall),
		ns_to_seconds(c.analysis_ns),
		rounded_percent(c.analysis_ns, wall), workers,
		rounded_percent(run->worker_busy_ns,
				run->worker_busy_ns + run->worker_idle_ns));
	print_bytes_through_ring_and_access_rate(&c, wall, out);
	print_profile_size_and_path(run, &c, out);
}

static bool has_any_analysis_that_uses_caches(const struct al_settings *s)
{
	for (size_t i = 0; i < s->n_analyses; i++)
		if (s->analysis[i].class->uses_caches)
			return true;
	return false;
}

/* Print @line_prefix and @words in one line that is never cut to the width of
   the terminal, so that it can be copied. */
static void print_uncut_line(struct al_text *out, const char *line_prefix,
			     const char *words)
{
	al_text_write(out, AL_PLAIN, line_prefix);
	al_text_write(out, AL_PLAIN, words);
	putc('\n', out->file);
}

/* Print the options with which another run simulates the same caches, if one
   cache file or geometry was simulated. */
static void print_cache_options_to_repeat(const struct al_run *run,
					  struct al_text *out)
{
	const struct al_settings *s = run->settings;
	char *options = NULL;

	if (s->n_caches != 1 || !has_any_analysis_that_uses_caches(s))
		return;
	if (s->cache[0].file)
		print_uncut_line(out, "with  --cache=", s->cache[0].file);
	else
		options = al_geometry_make_cachegrind_options(
			&s->cache[0].geometry);
	if (options)
		print_uncut_line(out, s->geometry_is_host ? "host  " : "with  ",
				 options);
	if (*s->geometry_note)
		al_text_print_wrapped(out, "note  ", 6, s->geometry_note);
	free(options);
}

/* Print the name and the size of the page, if one was written. */
static void print_html_page_path_and_size(const struct al_run *run,
					  struct al_text *out)
{
	const char *path = run->settings->html;
	struct stat st;

	if (path && !run->page_error && stat(path, &st) == 0)
		al_text_printf_line_cut_to_columns(out, "page  '%s', %.0f kB",
						   path,
						   (double)st.st_size / 1e3);
}

void al_report_print(struct al_run *run, FILE *file, unsigned display_flags)
{
	struct al_text out;

	al_run_sort_processes_update_statuses(run);
	al_text_init(&out, file, display_flags);
	if (!run->settings->full)
		out.text.columns = al_display_columns(fileno(file));
	if (display_flags & AL_STATUS_ONLY) {
		if (!al_run_is_fully_recorded_and_analysed(run))
			print_status_and_command(run, &out);
		return;
	}
	print_status_and_command(run, &out);
	if (run->n_processes) {
		print_run_summary_line(run, &out);
		print_unrecorded_execve_count_if_any(run, &out);
		al_verdict_print_findings_as_sentences(run, &out);
		print_process_table_if_several(run, &out);
		print_instr_and_access_counts(run, &out);
		al_run_windows_print_table(run, &out);
		al_results_print(run, 0, &out);
		al_run_windows_print_analysis_results(run, &out);
		print_pipeline_summary(run, &out);
		print_cache_options_to_repeat(run, &out);
		print_html_page_path_and_size(run, &out);
	}
	fflush(file);
}
