/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump.c - alleria dump: prints the accesses of a profile as text
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/standard_output.h"
#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "cli/args/common_options.h"
#include "cli/print/interleave.h"
#include "cli/print/pager.h"
#include "cli/print/partial_profile.h"
#include "cli/print/record_lines.h"
#include "cli/print/status_line.h"
#include "lib/config/options.h"

enum {
	MAX_REPORTED = 10, /* damaged parts that are reported one by one */
	MAX_FORMATS = 16,
};

const char cl_dump_help[] =
	"usage: alleria dump PROFILE [options]\n"
	"\n"
	"Prints the accesses in a profile of `alleria run --profile=PROFILE`.\n"
	"\n"
	"  --format=FORMAT   text (default), lackey, din, csv, ndjson; lackey "
	"and din\n"
	"                    print instructions, too\n"
	"  --from=N          begin with access N, counted from 0\n"
	"  --count=N         print N accesses\n"
	"  --process=P       only of the process with number P, or "
	"TREE.NUMBER\n"
	"  --thread=T        only of thread T, counted from 1 in order of "
	"creation\n"
	"  --data            also print the data object of each access and the "
	"offset\n"
	"                    in it; for text, csv and ndjson\n"
	"  --help\n";

struct request {
	const char *path;
	const char *process;
	const struct cl_format *format;
	uint64_t from;
	uint64_t count;
	uint64_t thread; /* number of the thread whose accesses are printed; 0:
			    all */
	bool data;	 /* print the data object of each access */
	char message[AL_MESSAGE];
};

/* ---- options ---- */

static int parse_number_or_set_message(struct request *q, const char *option,
				       const char *value, uint64_t *out)
{
	if (al_number_parse_digits_only(value, out))
		return al_message_return_einval(q->message,
						"'%.100s' is no number: %s=N",
						value, option);
	return 0;
}

const char *const *cl_dump_format_names(void)
{
	static const char *names[MAX_FORMATS + 1];

	for (size_t n = 0; n < MAX_FORMATS && cl_formats[n].name; n++)
		names[n] = cl_formats[n].name;
	return names;
}

static int parse_format(struct request *q, const char *format_name)
{
	for (size_t n = 0; cl_formats[n].name; n++) {
		if (strcmp(format_name, cl_formats[n].name) != 0)
			continue;
		q->format = &cl_formats[n];
		return 0;
	}
	return al_suggest_and_report_bad_word("unknown format", format_name,
					      cl_dump_format_names(),
					      q->message);
}

static const char *option_value_or_null(const char *arg, const char *option)
{
	size_t n = strlen(option);

	return !strncmp(arg, option, n) && arg[n] == '=' ? arg + n + 1 : NULL;
}

static int parse_option_or_set_message(struct request *q, const char *arg)
{
	static const char *const own[] = {"--count",  "--data", "--format",
					  "--from",   "--help", "--process",
					  "--thread", NULL};
	const char *value;

	if (!strcmp(arg, "--data")) {
		q->data = true;
		return 0;
	}
	if ((value = option_value_or_null(arg, "--format")))
		return parse_format(q, value);
	if ((value = option_value_or_null(arg, "--from")))
		return parse_number_or_set_message(q, "--from", value,
						   &q->from);
	if ((value = option_value_or_null(arg, "--count")))
		return parse_number_or_set_message(q, "--count", value,
						   &q->count);
	if ((value = option_value_or_null(arg, "--process"))) {
		q->process = value;
		return 0;
	}
	if ((value = option_value_or_null(arg, "--thread"))) {
		if (parse_number_or_set_message(q, "--thread", value,
						&q->thread))
			return -EINVAL;
		return q->thread && q->thread < UINT32_MAX
			       ? 0
			       : al_message_return_einval(
					 q->message,
					 "there is no thread %.100s", value);
	}
	return al_suggest_and_report_bad_option(arg, own, q->message);
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	int err = 0;

	for (int i = 0; !err && i < argc; i++) {
		if (argv[i][0] == '-')
			err = parse_option_or_set_message(q, argv[i]);
		else
			err = cl_set_protected_input_if_unset(&q->path, argv[i],
							      q->message);
	}
	if (!err && !q->path)
		err = al_message_return_einval(q->message,
					       "no profile given: alleria dump "
					       "PROFILE [options]");
	if (!err && q->data && q->format->instruction)
		err = al_message_return_einval(
			q->message,
			"--data is for the formats text, csv and ndjson");
	return err;
}

/* Find the process that --process=NUMBER, of tree 1, or --process=TREE.NUMBER
   names. @index_out: receives its index in the profile, from 1. Return: 0;
   -EINVAL with a message. */
static int find_index_of_process_number_option(struct request *q,
					       struct alleria_profile *p,
					       uint32_t *index_out)
{
	const struct alleria_process *process = NULL;
	char *end, *dot = strchr(q->process, '.');
	char *tree_end = dot;
	unsigned long tree = 1, in_tree;

	if (dot)
		tree = strtoul(q->process, &tree_end, 10);
	in_tree = strtoul(dot ? dot + 1 : q->process, &end, 10);
	if (tree_end == dot && *end == 0 && in_tree <= UINT32_MAX &&
	    tree <= UINT32_MAX)
		process = alleria_process_numbered(p, (uint32_t)tree,
						   (uint32_t)in_tree);
	if (!process)
		return al_message_return_einval(
			q->message, "there is no process '%.100s'", q->process);
	*index_out = process->index;
	return 0;
}

/* Whether an image of process *@process_index_or_null, or of any process if it
   is NULL, had at least @thread_number threads. True if the number of threads
   was not recorded. */
static bool may_have_thread(const struct alleria_profile *p,
			    const uint32_t *process_index_or_null,
			    uint64_t thread_number)
{
	uint32_t first = process_index_or_null ? *process_index_or_null : 1;
	uint32_t last = process_index_or_null ? *process_index_or_null
					      : alleria_run(p)->processes;

	for (uint32_t i = first; i <= last; i++)
		for (uint32_t k = 0; k < alleria_process(p, i)->images; k++)
			if (alleria_image(p, i, k)->counts.threads >=
			    thread_number)
				return true;
	return false;
}

/* ---- printing ---- */

/* Print @a, unless it is before access --from. @accesses_left: number of
   accesses still to print; decreased by one if @a is printed. Return: whether
   more are to be printed. */
static bool print_requested_access(const struct request *q,
				   struct cl_lines *out,
				   const struct alleria_access *a,
				   uint64_t *accesses_left)
{
	if (a->number < q->from)
		return true;
	if (*accesses_left == 0)
		return false;
	q->format->access(out, a);
	return --*accesses_left > 0;
}

static bool print_instr_and_accesses_are_more_wanted(
	const struct request *q, struct cl_lines *out,
	const struct alleria_instruction *i, uint64_t *accesses_left)
{
	bool more = true;

	q->format->instruction(out, i);
	for (unsigned k = 0; more && k < i->n_accesses; k++)
		more = print_requested_access(q, out, &i->access[k],
					      accesses_left);
	return more;
}

/* Read the next batch of records from @c and print them, with the marks and
   windows between them if the format has lines for these. Return: number of
   records read; 0: the end, or *@accesses_left is 0; negative: enum
   alleria_error. */
static long print_next_batch_return_records_read(const struct request *q,
						 struct cl_lines *out,
						 struct alleria_cursor *c,
						 struct cl_interleave *marks,
						 uint64_t *accesses_left)
{
	const struct alleria_instruction *i;
	const struct alleria_access *a;
	bool more = true;
	long n;

	if (q->format->instruction) {
		n = alleria_instructions(c, &i);
		for (long k = 0; more && k < n; k++)
			more = print_instr_and_accesses_are_more_wanted(
				q, out, &i[k], accesses_left);
	} else {
		n = alleria_accesses(c, &a);
		for (long k = 0; more && k < n; k++) {
			cl_interleave_print_events_up_to_access(marks, out,
								a[k].number);
			more = print_requested_access(q, out, &a[k],
						      accesses_left);
		}
		if (n == 0)
			cl_interleave_print_events_up_to_access(marks, out,
								ALLERIA_NOT);
	}
	return more ? n : 0;
}

/* Print @out and then, on standard error, the cursor's error. No-op if
   MAX_REPORTED errors have been reported. */
static void flush_lines_and_print_damage_to_stderr(const struct request *q,
						   struct cl_lines *out,
						   struct alleria_cursor *c,
						   int error,
						   unsigned reported_count)
{
	char message[AL_MESSAGE];

	if (reported_count >= MAX_REPORTED)
		return;
	cl_lines_flush_to_file(out);
	al_message_return_einval(message, "'%.100s': %s: %s", q->path,
				 alleria_error_text(error),
				 alleria_cursor_error(c));
	fprintf(stderr, "alleria: %s\n", message);
}

/* Print records until their end or --count accesses, until reading or writing
   fails, or until SIGINT stops @progress. Return: 0; CL_DAMAGED: a part could
   not be read. */
static int print_records_until_stopped_get_status(
	const struct request *q, struct cl_lines *out, struct alleria_cursor *c,
	struct cl_interleave *marks, const struct cl_progress *progress)
{
	uint64_t remaining = q->count;
	unsigned damaged = 0;
	long n = 1;

	cl_lines_append_header_if_any(out, q->format);
	while (n != 0 && remaining > 0 && !al_stdout_has_failed() &&
	       !progress->is_stopped) {
		n = print_next_batch_return_records_read(q, out, c, marks,
							 &remaining);
		if (n >= 0 || progress->is_stopped)
			continue;
		flush_lines_and_print_damage_to_stderr(q, out, c, (int)n,
						       damaged++);
		if (n != ALLERIA_E_DAMAGED)
			break;
	}
	cl_lines_flush_to_file(out);
	if (damaged > MAX_REPORTED)
		fprintf(stderr, "alleria: ... and %u more\n",
			damaged - MAX_REPORTED);
	return damaged ? CL_DAMAGED : 0;
}

static int
check_filter_open_cursor_and_marks(struct request *q, struct alleria_profile *p,
				   struct alleria_cursor **cursor_out,
				   struct cl_interleave *marks)
{
	uint32_t thread = (uint32_t)q->thread, process = 0;
	uint64_t accesses = alleria_run(p)->counts.accesses;
	const struct alleria_filter filter = {
		.process = q->process ? &process : NULL,
		.n_processes = q->process != NULL,
		.thread = q->thread ? &thread : NULL,
		.n_threads = q->thread != 0,
		.access_from = q->from,
	};
	int err = q->process
			  ? find_index_of_process_number_option(q, p, &process)
			  : 0;

	if (!err && q->thread && !may_have_thread(p, filter.process, thread))
		err = al_message_return_einval(q->message,
					       "there is no thread %u", thread);
	if (!err && q->from > accesses)
		err = al_message_return_einval(
			q->message,
			"'%.100s' has %llu accesses, none from %llu "
			"on",
			q->path, (unsigned long long)accesses,
			(unsigned long long)q->from);
	if (err)
		return err;
	err = alleria_cursor_open(p,
				  q->format->instruction ? ALLERIA_INSTRUCTIONS
							 : ALLERIA_ACCESSES,
				  &filter, cursor_out);
	if (!err)
		err = cl_interleave_open_events_if_printed(marks, p, &filter,
							   q->format);
	return err ? al_message_return_einval(q->message, "'%.100s': %s",
					      q->path, alleria_error_text(err))
		   : 0;
}

/* Print through a pager on a terminal. SIGINT ends the output after a whole
   line. Return: exit status. */
static int start_pager_and_print_records(const struct request *q,
					 struct cl_lines *out,
					 struct alleria_cursor *c,
					 struct cl_interleave *marks,
					 struct alleria_profile *p)
{
	struct cl_progress progress;
	int status;

	cl_pager_start_if_stdout_is_terminal();
	cl_progress_start(&progress, "dumped", true);
	cl_progress_disable_on_tty_output(&progress);
	cl_progress_install_stop_on_sigint(&progress, NULL);
	status = print_records_until_stopped_get_status(q, out, c, marks,
							&progress);
	cl_progress_end_and_restore_sigint(&progress);
	if (!progress.is_stopped)
		return cl_exit_status_reporting_damage(p, q->path, status);
	return cl_progress_report_if_interrupted(
		&progress, "the lines above are of that part", status);
}

/* Read the data objects if they are requested. Return: 0; enum alleria_error,
   with a message. */
static int open_requested_data_map(struct request *q, struct alleria_profile *p,
				   struct alleria_data_map **map_or_null)
{
	int err = q->data ? alleria_data_open(p, map_or_null) : 0;

	if (err == ALLERIA_E_UNRECORDED)
		al_message_return_einval(
			q->message,
			"'%.100s' has no data objects; record it with "
			"--record=data,address",
			q->path);
	else if (err)
		al_message_return_einval(q->message, "'%.100s': %s", q->path,
					 alleria_error_text(err));
	return err;
}

static int open_profile_and_dump_get_status(struct request *q)
{
	struct alleria_cursor *c = NULL;
	struct cl_interleave marks = {0};
	struct alleria_profile *p;
	struct cl_lines *out = calloc(1, sizeof(*out));
	int status = CL_WRONG_USAGE;

	if (!out || alleria_open(q->path, &p, q->message)) {
		fprintf(stderr, "alleria: %s\n",
			out ? q->message : "out of memory");
		free(out);
		return status;
	}
	out->file = stdout;
	out->profile = p;
	out->values = alleria_run(p)->has & ALLERIA_HAS_VALUES;
	cl_warn_if_profile_is_lossy_or_cut(p, q->path);
	if (check_filter_open_cursor_and_marks(q, p, &c, &marks) ||
	    open_requested_data_map(q, p, &out->data))
		fprintf(stderr, "alleria: %s\n", q->message);
	else
		status = start_pager_and_print_records(q, out, c, &marks, p);
	cl_interleave_close_event_cursor(&marks);
	alleria_cursor_close(c);
	alleria_data_close(out->data);
	alleria_close(p);
	free(out);
	return status;
}

int cl_dump_print_accesses(int argc, char **argv)
{
	struct request q = {.format = cl_formats, .count = UINT64_MAX};

	if (!parse_arguments(&q, argc, argv))
		return open_profile_and_dump_get_status(&q);
	fprintf(stderr, "alleria: %s\n", q.message);
	return CL_WRONG_USAGE;
}
