/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - alleria calls: prints calls with their arguments and results
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"
#include "cli/args/common_options.h"
#include "cli/args/function_search.h"
#include "cli/print/pager.h"
#include "cli/print/partial_profile.h"
#include "cli/print/status_line.h"
#include "cli/print/value_text.h"
#include "lib/config/options.h"

const char cl_calls_help[] =
	"usage: alleria calls PROFILE [options]\n"
	"\n"
	"Prints the calls of functions for which the window file has "
	"'intercept', with\n"
	"the arguments and results that were recorded.\n"
	"\n"
	"  --format=FORMAT   text (default), ndjson\n"
	"  --function=NAME   only calls of this function; NAME may be a part "
	"of\n"
	"                    the name that no other function has\n"
	"  --help\n";

struct request {
	const char *path;
	const char *function; /* --function as given, or NULL */
	char *name;	      /* full name of the function that --function
				 selects; NULL: all functions */
	bool json;
	struct cl_progress progress;
	char message[AL_MESSAGE];
};

/* ---- text ---- */

/* Print @prefix, then by @print the value that parameter @parameter_index (or
   ALLERIA_RESULT) had at @when: ALLERIA_AT_CALL or ALLERIA_AT_RETURN. Return:
   1; 0: the value was not recorded, nothing is printed; negative: enum
   alleria_error. */
static int print_prefixed_value_return_0_if_none(
	FILE *f, const struct alleria_call *c, uint32_t parameter_index,
	uint32_t when, const char *prefix,
	void (*print)(FILE *, const struct alleria_value *))
{
	struct alleria_value *v;
	int err = alleria_call_value(c, parameter_index, when, &v);

	if (err || !v)
		return err;
	fputs(prefix, f);
	print(f, v);
	alleria_value_free(v);
	return 1;
}

static int print_parameter_with_in_and_out_values(FILE *f,
						  const struct alleria_call *c,
						  uint32_t parameter_index)
{
	const struct alleria_parameter *p = &c->of->parameter[parameter_index];
	int err;

	if (parameter_index)
		fputs(", ", f);
	if (p->name[0])
		al_write_unprintable_as_question_marks(f, p->name, SIZE_MAX);
	else
		fprintf(f, "#%" PRIu32, p->index);
	err = print_prefixed_value_return_0_if_none(f, c, parameter_index,
						    ALLERIA_AT_CALL, "=",
						    cl_value_print_text);
	if (err >= 0)
		err = print_prefixed_value_return_0_if_none(
			f, c, parameter_index, ALLERIA_AT_RETURN, " => ",
			cl_value_print_text);
	return err < 0 ? err : 0;
}

/* Print the result of a call, or why it has none, and end the line. Return: 0;
   negative: enum alleria_error, the result could not be read. */
static int print_result_or_why_none_and_newline(FILE *f,
						const struct alleria_call *c)
{
	int err = 0;

	if (c->flags & ALLERIA_CALL_RETURNED)
		err = print_prefixed_value_return_0_if_none(
			f, c, ALLERIA_RESULT, ALLERIA_AT_RETURN, " = ",
			cl_value_print_text);
	else
		fputs(c->flags & ALLERIA_CALL_LEFT ? " (left)" : " (no end)",
		      f);
	fputc('\n', f);
	return err < 0 ? err : 0;
}

static int print_call_line(FILE *f, const struct alleria_call *c)
{
	int err = 0;

	al_write_unprintable_as_question_marks(f, c->of->function, SIZE_MAX);
	fputc('(', f);
	for (uint32_t i = 0; !err && i < c->of->n_parameters; i++)
		err = print_parameter_with_in_and_out_values(f, c, i);
	fputc(')', f);
	return err ? err : print_result_or_why_none_and_newline(f, c);
}

/* ---- JSON ---- */
static int write_json_comma_and_argument(FILE *f, const struct alleria_call *c,
					 uint32_t parameter_index)
{
	const struct alleria_parameter *p = &c->of->parameter[parameter_index];
	int err;

	fputs(parameter_index ? ",{\"name\":" : "{\"name\":", f);
	cl_json_print_quoted_string(f, p->name);
	fprintf(f, ",\"index\":%" PRIu32 ",\"type\":", p->index);
	cl_json_print_quoted_string(f, p->type);
	err = print_prefixed_value_return_0_if_none(
		f, c, parameter_index, ALLERIA_AT_CALL,
		",\"in\":", cl_value_print_json);
	if (err >= 0)
		err = print_prefixed_value_return_0_if_none(
			f, c, parameter_index, ALLERIA_AT_RETURN,
			",\"out\":", cl_value_print_json);
	fputc('}', f);
	return err < 0 ? err : 0;
}

static const char *word_for_how_call_ended(const struct alleria_call *c)
{
	if (c->flags & ALLERIA_CALL_RETURNED)
		return "returned";
	return c->flags & ALLERIA_CALL_LEFT ? "left" : "none";
}

static int write_json_call_line(FILE *f, const struct alleria_process *a,
				const struct alleria_call *c)
{
	int err = 0;

	fprintf(f,
		"{\"tree\":%" PRIu32 ",\"process\":%" PRIu32
		",\"image\":%" PRIu32 ",\"thread\":%" PRIu32
		",\"serial\":%" PRIu64 ",\"function\":",
		a->tree, a->number, c->image, c->thread, c->serial);
	cl_json_print_quoted_string(f, c->of->function);
	fprintf(f,
		",\"entry\":\"0x%" PRIx64 "\",\"back\":\"0x%" PRIx64
		"\",\"arguments\":[",
		c->entry, c->back);
	for (uint32_t i = 0; !err && i < c->of->n_parameters; i++)
		err = write_json_comma_and_argument(f, c, i);
	fprintf(f, "],\"end\":\"%s\"", word_for_how_call_ended(c));
	if (!err)
		err = print_prefixed_value_return_0_if_none(
			f, c, ALLERIA_RESULT, ALLERIA_AT_RETURN,
			",\"result\":", cl_value_print_json);
	fputs("}\n", f);
	return err < 0 ? err : 0;
}

/* ---- the requested function ---- */

/* Names of functions whose calls are in the profile, each once. */
struct names {
	char **name;
	size_t n;
};

static int add_name_if_new(struct names *names, const char *name)
{
	void *bigger;

	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return 0;
	bigger = reallocarray(names->name, names->n + 1, sizeof(char *));
	if (!bigger)
		return -ENOMEM;
	names->name = bigger;
	names->name[names->n] = strdup(name);
	return names->name[names->n++] ? 0 : -ENOMEM;
}

/* Add the names of the functions whose calls were recorded in a process, each
   once. @process_index: from 1. Return: 0; -ENOMEM. Damage ends the search
   without an error: it is reported when the calls are printed. */
static int add_function_names_called_in_process(struct names *names,
						struct alleria_profile *p,
						uint32_t process_index)
{
	const struct alleria_call *call;
	struct alleria_calls *calls;
	int err = alleria_calls_open(p, process_index, NULL, &calls) ? -ENOMEM
								     : 0;

	while (!err && alleria_next_call(calls, &call) > 0)
		err = add_name_if_new(names, call->of->function);
	alleria_calls_close(calls);
	return err;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
}

/* Copy the name of @names that --function matches best to q->name. If several
   match equally well, list them on standard error. Return: 0; -ENOENT: none
   matches; -ENOTUNIQ; -ENOMEM. */
static int store_best_matching_function(struct request *q,
					const struct names *names)
{
	struct cl_function_search list;
	const char *name;
	int err;

	cl_function_search_init(&list, q->function);
	for (size_t i = 0; i < names->n; i++)
		cl_function_search_add_if_best(&list, names->name[i]);
	err = cl_function_search_find_unique(&list, &name);
	cl_function_search_free_match_list(&list);
	if (!err)
		q->name = strdup(name);
	return !err && !q->name ? -ENOMEM : err;
}

static int find_function_or_list_matches(struct request *q,
					 struct alleria_profile *p)
{
	struct names names = {NULL, 0};
	int err = 0;

	for (uint32_t i = 1; !err && i <= alleria_run(p)->processes; i++)
		err = add_function_names_called_in_process(&names, p, i);
	if (!err)
		err = store_best_matching_function(q, &names);
	free_names(&names);
	if (err == -ENOENT) {
		cl_exit_status_reporting_damage(p, q->path, 0);
		al_message_return_einval(
			q->message,
			"'--function=%.200s' is no function whose calls "
			"were recorded",
			q->function);
	} else if (err == -ENOMEM)
		al_message_return_einval(q->message, "out of memory");
	return err;
}

/* ---- processes ---- */

static int print_process_calls_return_error(struct request *q,
					    struct alleria_profile *p,
					    const struct alleria_process *a)
{
	const struct alleria_call *call;
	struct alleria_calls *calls;
	int err = alleria_calls_open(p, a->index, q->name, &calls);

	while (!err && !q->progress.is_stopped &&
	       (err = alleria_next_call(calls, &call)) > 0)
		err = q->json ? write_json_call_line(stdout, a, call)
			      : print_call_line(stdout, call);
	alleria_calls_close(calls);
	return err;
}

/* Print the calls of all processes, or only those of the requested function, on
   a terminal through a pager. In the text format, print a heading before the
   calls of each process if there are several processes. Return: 0; -EINVAL with
   a message. */
static int print_all_calls_or_set_message(struct request *q,
					  struct alleria_profile *p)
{
	uint32_t n = alleria_run(p)->processes;
	int err = 0;

	cl_pager_start_if_stdout_is_terminal();
	cl_progress_start(&q->progress, "read", true);
	cl_progress_disable_on_tty_output(&q->progress);
	cl_progress_install_stop_on_sigint(&q->progress, NULL);
	for (uint32_t i = 1; !err && !q->progress.is_stopped && i <= n; i++) {
		const struct alleria_process *a = alleria_process(p, i);

		if (n > 1 && !q->json)
			printf("-- process %" PRIu32 ".%" PRIu32
			       ", pid %" PRIu32 "\n",
			       a->tree, a->number, a->pid);
		err = print_process_calls_return_error(q, p, a);
	}
	cl_progress_end_and_restore_sigint(&q->progress);
	return err && !q->progress.is_stopped
		       ? al_message_return_einval(q->message, "'%.200s': %s",
						  q->path,
						  alleria_error_text(err))
		       : 0;
}

static const char *const formats[] = {"text", "ndjson", NULL};

const char *const *cl_calls_format_names(void)
{
	return formats;
}

static int parse_format(struct request *q, const char *format_name)
{
	q->json = !strcmp(format_name, formats[1]);
	if (q->json || !strcmp(format_name, formats[0]))
		return 0;
	return al_suggest_and_report_bad_word("unknown format", format_name,
					      formats, q->message);
}

static int parse_arguments(struct request *q, int argc, char **argv)
{
	int err = 0;

	for (int i = 0; i < argc && !err; i++) {
		if (!strncmp(argv[i], "--format=", 9))
			err = parse_format(q, argv[i] + 9);
		else if (!strncmp(argv[i], "--function=", 11) && argv[i][11])
			q->function = argv[i] + 11;
		else if (argv[i][0] == '-')
			err = al_message_return_einval(
				q->message,
				"unknown option '%.100s'; there are "
				"--format=FORMAT, --function=NAME",
				argv[i]);
		else
			err = cl_set_protected_input_if_unset(&q->path, argv[i],
							      q->message);
	}
	if (!err && !q->path)
		err = al_message_return_einval(
			q->message, "no profile given: alleria calls PROFILE "
				    "[options]");
	return err;
}

static int open_profile_print_calls_get_status(struct request *q)
{
	struct alleria_profile *p;
	int status = CL_WRONG_USAGE;

	if (alleria_open(q->path, &p, q->message) ||
	    (q->function && find_function_or_list_matches(q, p)) ||
	    print_all_calls_or_set_message(q, p)) {
		if (*q->message)
			fprintf(stderr, "alleria: %s\n", q->message);
	} else if (q->progress.is_stopped) {
		status = cl_progress_report_if_interrupted(
			&q->progress, "the calls above are of that part",
			status);
	} else {
		status = cl_exit_status_reporting_damage(p, q->path, 0);
	}
	free(q->name);
	alleria_close(p);
	return status;
}

int cl_calls_print_recorded(int argc, char **argv)
{
	struct request q = {0};

	if (!parse_arguments(&q, argc, argv))
		return open_profile_print_calls_get_status(&q);
	fprintf(stderr, "alleria: %s\n", q.message);
	return CL_WRONG_USAGE;
}
