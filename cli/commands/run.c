/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - alleria run: runs a program under Valgrind and a daemon
 *
 * Threads: main.
 */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text/line_writer.h"
#include "cli/args/display_options.h"
#include "cli/args/open_page.h"
#include "cli/args/program_output.h"
#include "cli/args/run_options.h"
#include "cli/args/steady.h"
#include "cli/commands/against.h"
#include "cli/print/status_line.h"
#include "daemon/core/blocked_outputs.h"
#include "daemon/daemon.h"
#include "daemon/program.h"

enum { TICK_MS = 250 };

/* Options that alleria tune lacks, and `steady`: the environment and the link
   of --steady. */
static bool is_steady, opens_page;
static struct cl_against against;
static struct cl_steady steady;

const char cl_run_help[] =
	"usage: alleria run [options] [--] PROGRAM [ARGS...]\n"
	"\n"
	"Runs PROGRAM under Valgrind, analyses every memory access that it\n"
	"makes, and prints a report to standard error. Exits with the "
	"program's\n"
	"status; with 128 + N if signal N killed it; with 2 if it was not "
	"run.\n"
	"\n"
	"  --trace-children=yes    record programs that are started by exec, "
	"too;\n"
	"                          forked children are always recorded [no]\n"
	"  --program-output=FILE   file for the program's standard output; "
	"'-': that\n"
	"                          of alleria [-]\n"
	"  --steady                run with a fixed environment and paths of "
	"fixed\n"
	"                          length: equal programs give equal counts\n"
	"  --against=OLD           then compare with the report or profile "
	"OLD, as\n"
	"                          'alleria diff' does\n"
	"  --fail-if=LIMIT         a limit for --against, see alleria-diff(1)\n"
	"  --limits=FILE           limits for --against\n"
	"  --open                  open the page of --html in a browser\n"
	"  --vg=OPTION             pass an option to Valgrind; may be "
	"repeated\n"
	"  --help\n";

static void refresh_status_line(void *cl_status)
{
	cl_status_update_line(cl_status);
}

static int
save_and_print_report_get_status(const struct cl_run_options *p,
				 const struct cl_program_output *program_output,
				 struct dm_daemon *d, int wait_status)
{
	unsigned display = cl_stderr_colour_and_quiet_flags();
	enum al_unwritten unwritten;
	int code, failure;
	FILE *out;

	if (!dm_daemon_get_progress_figures(d).recorded) {
		fprintf(stderr, "alleria: nothing was recorded: valgrind did "
				"not start the program\n");
		return CL_WRONG_USAGE;
	}
	cl_program_output_warn_if_report_follows(program_output, p->settings);
	code = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status)
					: WEXITSTATUS(wait_status);
	out = dm_open_interruptible_stderr();
	unwritten = dm_daemon_stop_clients_save_print_report(
		d, "alleria", out ? out : stderr, display);
	if (out)
		fclose(out);
	if (unwritten == AL_OUTPUT_UNWRITTEN && !code)
		code = CL_WRONG_USAGE;
	if (opens_page && unwritten != AL_OUTPUT_UNWRITTEN)
		cl_open_page(p->settings->html);
	failure = dm_daemon_incomplete_exit_code_or_0(d);
	return failure ? failure : code;
}

/* Run the program under Valgrind, recorded by the daemon @d, which listens
   already; then save and print the report. Return the exit status of alleria
   run. */
static int
run_and_report_under_daemon(struct cl_run_options *p,
			    const struct cl_program_output *program_output,
			    struct dm_program *program, struct dm_daemon *d,
			    const char *tool_path)
{
	struct cl_status line;
	char **argv;
	int err, status;

	argv = cl_run_options_build_valgrind_argv(p, tool_path,
						  dm_daemon_socket_path(d));
	if (!argv) {
		fprintf(stderr, "alleria: out of memory\n");
		return CL_WRONG_USAGE;
	}
	if (is_steady)
		cl_steady_replace_valgrind_script(argv);
	cl_status_init(&line, d, program);
	err = dm_program_run_and_wait_analysis(
		program, d, argv, TICK_MS, refresh_status_line, &line, &status);
	cl_status_erase_line(&line);
	free(argv);
	if (!err) {
		dm_program_set_outputs_interruptible(program);
		return save_and_print_report_get_status(p, program_output, d,
							status);
	}
	fprintf(stderr, "alleria: cannot run 'valgrind': %s\n", strerror(-err));
	return CL_WRONG_USAGE;
}

static int start_daemon_run_program_and_report(
	struct cl_run_options *p,
	const struct cl_program_output *program_output, const char *tool_path)
{
	char name[32], socket[DM_PATH], message[AL_MESSAGE];
	struct dm_options options = {.socket = socket};
	struct dm_program program;
	struct dm_daemon *d = NULL;
	int status;

	dm_program_init_block_signals_to_pass_on(&program);
	program.output_fd = program_output->fd;
	program.environment = is_steady ? steady.environment : NULL;
	snprintf(name, sizeof(name), "run-%d.sock", (int)getpid());
	if (!dm_runtime_build_socket_path_create_dir(name, socket, message))
		d = dm_daemon_start(p->settings, &options, message);
	if (!d) {
		fprintf(stderr, "alleria: %s\n", message);
		return CL_WRONG_USAGE;
	}
	status = run_and_report_under_daemon(p, program_output, &program, d,
					     tool_path);
	dm_daemon_stop_and_free(d);
	return status;
}

/* Store the FILE of --program-output=FILE. Return: 1; -1 with a message if it
   is missing. */
static int set_program_output_option_return_1(struct cl_run_options *p,
					      const char *program_output_option)
{
	static const char name[] = "--program-output";
	const char *value = program_output_option + sizeof(name);

	if (!program_output_option[sizeof(name) - 1] || !*value) {
		al_message_return_einval(p->message,
					 "'%.100s' needs a value: %s=FILE",
					 program_output_option, name);
		return -1;
	}
	al_options_protect_program_output(p->options, value);
	return 1;
}

/* Whether @arg is the option @name, with a value or without. */
static bool is_option_with_or_without_value(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(arg, name, n) && (!arg[n] || arg[n] == '=');
}

/* Parse an option that alleria run has and alleria tune lacks. Return: 1; 0:
   another option; -1 with a message. */
static int try_parse_run_only_option(struct cl_run_options *p, const char *arg)
{
	int rc;

	if (is_option_with_or_without_value(arg, "--program-output"))
		return set_program_output_option_return_1(p, arg);
	if (!strcmp(arg, "--steady"))
		return is_steady = true;
	if (!strcmp(arg, "--open"))
		return opens_page = true;
	rc = cl_against_try_parse_against_or_limit(&against, arg, p->message);
	return rc;
}

static int register_run_only_options_and_parse(struct cl_run_options *p,
					       int argc, char **argv)
{
	static const char *const own[] = {
		"--program-output", "--steady", "--against", "--fail-if",
		"--limits",	    "--open",	NULL};

	p->parse_own_option = try_parse_run_only_option;
	p->own_options = own;
	if (cl_against_add_temp_report_if_needed(&against, p, argc, argv))
		return -1;
	if (cl_run_options_parse_and_set_program(p, argc, argv))
		return -1;
	return cl_open_page_check_options(opens_page, p->settings->html,
					  p->message);
}

/* Run the program under a new daemon and report. With --steady, run it by a
   link in a folder whose path has a fixed length, in a padded environment
   (steady.h), and delete the link afterwards. Return the exit status of alleria
   run. */
static int
run_program_maybe_steady(struct cl_run_options *p,
			 const struct cl_program_output *program_output,
			 const char *tool_path)
{
	int status = CL_WRONG_USAGE;

	if (!is_steady)
		return start_daemon_run_program_and_report(p, program_output,
							   tool_path);
	if (cl_steady_create_env_and_link(&steady, p->program[0], p->message)) {
		fprintf(stderr, "alleria: %s\n", p->message);
	} else {
		p->program[0] = steady.path;
		status = start_daemon_run_program_and_report(p, program_output,
							     tool_path);
	}
	cl_steady_free_env_and_delete_link(&steady);
	return status;
}

int cl_run_program_under_valgrind(int argc, char **argv)
{
	int status = CL_WRONG_USAGE;
	struct cl_program_output output = {.fd = -1};
	char tool[PATH_MAX];
	struct cl_run_options p;

	if (cl_run_options_init(&p, "run", argc) ||
	    register_run_only_options_and_parse(&p, argc, argv) ||
	    cl_run_find_programs(&p, tool) ||
	    cl_program_output_open_if_named(&output, p.settings, p.message))
		fprintf(stderr, "alleria: %s\n", p.message);
	else
		status = run_program_maybe_steady(&p, &output, tool);
	if (status == 0)
		status = cl_against_print_diff_get_status(&against, p.settings);
	cl_against_delete_temp_report(&against);
	cl_program_output_close(&output);
	cl_run_options_release(&p);
	return status;
}
