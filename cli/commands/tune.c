/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune.c - alleria tune: finds the best workers and buffers for a program
 *
 * Threads: main.
 *
 * One factor after the other is varied, as in figure 9 of Alleria's paper, with
 * earlier factors at their best values.
 */
#include "cli/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/atomic_file.h"
#include "base/system/replaceable.h"
#include "base/text/number.h"
#include "cli/args/run_options.h"
#include "cli/tune/candidates.h"
#include "cli/tune/trials.h"
#include "daemon/core/clock.h"
#include "daemon/daemon.h"
#include "daemon/program.h"

enum {
	TICK_MS = 250,
	FIRST_RUNS = 3, /* runs of a setting before it is compared */
	LONG_RUNS =
		2, /* runs of a setting before it is compared, if its first run
			   took longer than LONG_RUN_NS */
	MAX_RUNS = 15, /* most runs of a setting that are made to find out
			   whether it is slower than the fastest setting */
};

#define LONG_RUN_NS UINT64_C(10000000000)

const char cl_tune_help[] =
	"usage: alleria tune [options] [--] PROGRAM [ARGS...]\n"
	"\n"
	"Runs PROGRAM many times with different numbers of workers and buffers "
	"and\n"
	"sizes of buffers, and discards its output. Prints a table of the "
	"times to\n"
	"standard output, then the best setting.\n"
	"\n"
	"  --workers=N,...         numbers to try [1 to twice the processors]\n"
	"  --buffers=N,...         [2,4,8,12,24,48]\n"
	"  --buffer-size=SIZE,...  [128K,256K,512K,1M,2M,4M]\n"
	"  --runs=N                runs of each setting, 1 to 99; the table "
	"has the\n"
	"                          medians [3 to 15, until differences are "
	"larger\n"
	"                          than the spread]\n"
	"  --json=FILE             write the table as JSON; '-': to standard "
	"output,\n"
	"                          instead of the table [none]\n"
	"\n"
	"All options of 'alleria run' but --profile are accepted, too.\n"
	"\n"
	"  --help\n";

struct tuning {
	struct cl_run_options
		run_options; /* must be first: try_parse_tune_option() casts */
	struct cl_factor factor[CL_FACTORS];
	struct cl_trials result;
	char tool[PATH_MAX];
	FILE *out;	/* the standard output of this command */
	FILE *messages; /* the standard error of this command */
	unsigned done;	/* number of runs that were shown on the terminal */
	int signal;	/* signal that killed the program in its last run; 0:
			   none */
};

static int try_parse_tune_option(struct cl_run_options *p, const char *arg)
{
	struct tuning *t = (struct tuning *)p;
	struct cl_factor *f;
	uint64_t runs;
	size_t len;

	for (f = t->factor; f < t->factor + CL_FACTORS; f++) {
		len = strlen(f->name);
		if (!strncmp(arg, f->name, len) && arg[len] == '=')
			return cl_factor_parse_candidate_list(f, arg + len + 1,
							      p->message)
				       ? -1
				       : 1;
	}
	if (!strncmp(arg, "--runs=", 7)) {
		if (al_number_parse_digits_only(arg + 7, &runs) || !runs ||
		    runs > CL_MAX_RUNS) {
			al_message_return_einval(
				p->message,
				"'%.60s': not a number from 1 to %d", arg,
				CL_MAX_RUNS);
			return -1;
		}
		t->result.runs_per_trial = (unsigned)runs;
		return 1;
	}
	return 0;
}

/* Redirect standard output and standard error, which the program inherits, to
   /dev/null, and standard input, too, if it cannot be read again, such as a
   pipe. t->out and t->messages receive streams to the original standard output
   and error. Return: 0; -1 with errno. */
static int redirect_stdio_to_null_saving_output(struct tuning *t)
{
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	t->out = out < 0 ? NULL : fdopen(out, "w");
	t->messages = err < 0 ? NULL : fdopen(err, "w");
	if (!t->out || !t->messages || null < 0)
		return -1;
	setvbuf(t->messages, NULL, _IONBF, 0);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0) /* a pipe cannot be read
						     again */
		dup2(null, STDIN_FILENO);
	close(null);
	return 0;
}

static void do_nothing(void *arg)
{
	(void)arg;
}

static void print_next_run_number_if_terminal(struct tuning *t,
					      const struct cl_trial *trial)
{
	char options[80];

	if (isatty(fileno(t->messages)))
		fprintf(t->messages, "\r\033[Kalleria: run %u, %s", ++t->done,
			cl_trial_format_options(trial, options));
}

static void erase_progress_line_if_terminal(struct tuning *t)
{
	if (isatty(fileno(t->messages)))
		fputs("\r\033[K", t->messages);
}

/* Run the program, recorded by the daemon @d, which listens already. @figures:
   receives times and buffers of the run. Return: 0; -EINTR: signal t->signal
   killed the program; -ENODATA: the recording is not complete; another -errno:
   it was not run. */
static int run_and_measure_under_daemon(struct tuning *t,
					struct dm_program *program,
					struct dm_daemon *d,
					struct al_pipeline *figures)
{
	char **argv = cl_run_options_build_valgrind_argv(
		&t->run_options, t->tool, dm_daemon_socket_path(d));
	uint64_t start = dm_now_ns();
	int err, status = 0;

	if (!argv)
		return -ENOMEM;
	lseek(STDIN_FILENO, 0, SEEK_SET);
	err = dm_program_run_and_wait_analysis(program, d, argv, TICK_MS,
					       do_nothing, NULL, &status);
	*figures = dm_daemon_get_time_and_buffer_usage(d);
	figures->wall_ns = dm_now_ns() - start;
	free(argv);
	if (err)
		return err;
	t->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (t->signal)
		return -EINTR;
	return dm_daemon_get_progress_figures(d).recorded &&
			       dm_daemon_is_run_complete(d)
		       ? 0
		       : -ENODATA;
}

static int start_daemon_and_measure_run(struct tuning *t,
					const struct al_settings *settings,
					struct dm_program *program,
					struct al_pipeline *figures)
{
	char name[32], socket[DM_PATH], message[AL_MESSAGE];
	struct dm_options options = {.socket = socket};
	struct dm_daemon *d = NULL;
	int err;

	snprintf(name, sizeof(name), "tune-%d.sock", (int)getpid());
	if (!dm_runtime_build_socket_path_create_dir(name, socket, message))
		d = dm_daemon_start(settings, &options, message);
	if (!d) {
		snprintf(t->run_options.message, sizeof(t->run_options.message),
			 "%s", message);
		return -1;
	}
	err = run_and_measure_under_daemon(t, program, d, figures);
	dm_daemon_stop_and_free(d);
	if (err == -EINTR)
		al_message_return_einval(t->run_options.message,
					 "signal %d killed the program",
					 t->signal);
	else if (err == -ENODATA)
		al_message_return_einval(
			t->run_options.message,
			"the recording is not complete; 'alleria run' "
			"prints the reason");
	else if (err)
		al_message_return_einval(t->run_options.message,
					 "cannot run 'valgrind': %s",
					 strerror(-err));
	return err;
}

static struct al_settings make_settings_of_trial(const struct tuning *t,
						 const struct cl_trial *trial)
{
	struct al_settings s = *t->run_options.settings;

	s.json = NULL;
	if (trial->adaptive)
		return s;
	s.adaptive.enabled = false;
	s.workers = (unsigned)trial->value[CL_WORKERS];
	s.chunks = (unsigned)trial->value[CL_BUFFERS];
	s.chunk_bytes = trial->value[CL_BUFFER_SIZE];
	s.max_chunks = 0;
	return s;
}

static int run_trial_once_and_add_figures(struct tuning *t,
					  struct cl_trial *trial,
					  struct dm_program *program)
{
	struct al_settings settings = make_settings_of_trial(t, trial);
	struct al_pipeline figures;

	print_next_run_number_if_terminal(t, trial);
	if (start_daemon_and_measure_run(t, &settings, program, &figures))
		return -1;
	cl_trial_add_run_update_medians(trial, &figures);
	return 0;
}

/* Return how many runs a trial needs before it is compared with others: --runs
   if given, else LONG_RUNS if its first run took longer than LONG_RUN_NS, else
   FIRST_RUNS. */
static unsigned min_runs_before_comparison(const struct tuning *t,
					   const struct cl_trial *trial)
{
	if (t->result.runs_per_trial)
		return t->result.runs_per_trial;
	return trial->n_runs && trial->run[0].wall_ns > LONG_RUN_NS
		       ? LONG_RUNS
		       : FIRST_RUNS;
}

/* Run each trial from index @first_trial on once, then each a second time, and
   so on, until each has the runs that it needs before it is compared. A machine
   that is busy for a while then does not slow down one trial alone. */
static int run_new_trials_round_robin(struct tuning *t, unsigned first_trial,
				      struct dm_program *program)
{
	struct cl_trial *trial, *end = t->result.trial + t->result.n;
	bool more = true;

	while (more) {
		more = false;
		for (trial = &t->result.trial[first_trial]; trial < end;
		     trial++) {
			if (trial->n_runs >=
			    min_runs_before_comparison(t, trial))
				continue;
			if (run_trial_once_and_add_figures(t, trial, program))
				return -1;
			more = true;
		}
	}
	return 0;
}

/* Run trials from index @first_trial on again, until it is clear whether each
   differs from the best or it has MAX_RUNS runs. Do nothing if --runs is
   given. */
static int repeat_unclear_trials_up_to_max_runs(struct tuning *t,
						unsigned first_trial,
						struct dm_program *program)
{
	struct cl_trial *trial;
	int err = 0;

	while (!err && !t->result.runs_per_trial &&
	       (trial = cl_trials_find_next_to_repeat(&t->result, first_trial,
						      MAX_RUNS)))
		err = run_trial_once_and_add_figures(t, trial, program);
	return err;
}

/* Run the program with each value of the factor @factor_index that memory
   allows, and with @best_values of the other factors. Store the best value in
   @best_values[@factor_index]. Return: 0; negative with a message. */
static int run_factor_trials_store_best_value(struct tuning *t,
					      unsigned factor_index,
					      uint64_t *best_values,
					      struct dm_program *program)
{
	const struct cl_factor *f = &t->factor[factor_index];
	unsigned i, from = t->result.n;

	for (i = 0; i < f->n && t->result.n + 1 < CL_MAX_TRIALS; i++) {
		struct cl_trial *trial = &t->result.trial[t->result.n];

		*trial = (struct cl_trial){.varied = factor_index};
		best_values[factor_index] = f->value[i];
		memcpy(trial->value, best_values, sizeof(trial->value));
		if (best_values[CL_BUFFERS] * best_values[CL_BUFFER_SIZE] >
		    t->run_options.settings->memory)
			continue;
		t->result.n++;
	}
	if (t->result.n == from)
		return al_message_return_einval(
			t->run_options.message,
			"no value of '%s' fits into the memory of "
			"%zu MiB",
			f->name, t->run_options.settings->memory >> 20);
	if (run_new_trials_round_robin(t, from, program) ||
	    repeat_unclear_trials_up_to_max_runs(t, from, program))
		return -1;
	best_values[factor_index] =
		cl_trials_first_not_slower_than_best(&t->result, from)
			->value[factor_index];
	return 0;
}

static int tune_all_factors_then_run_adaptive(struct tuning *t,
					      struct dm_program *program)
{
	struct cl_trial *last;
	uint64_t value[CL_FACTORS];
	unsigned i;

	for (i = 0; i < CL_FACTORS; i++)
		value[i] = t->factor[i].default_value;
	for (i = 0; i < CL_FACTORS; i++)
		if (run_factor_trials_store_best_value(t, i, value, program))
			return -1;
	last = &t->result.trial[t->result.n];
	*last = (struct cl_trial){.adaptive = true};
	return run_new_trials_round_robin(t, t->result.n++, program);
}

static int write_trials_json(void *tuning_state, FILE *file)
{
	struct tuning *t = tuning_state;

	cl_trials_write_json(&t->result, t->run_options.program, file);
	return 0;
}

/* Write the trials as JSON to @path. "-" is t->out, since
   al_file_write_atomically() would write to descriptor 1, which is redirected
   to /dev/null. Return: 0; -errno. */
static int save_json_return_negative_errno(struct tuning *t, const char *path)
{
	return strcmp(path, "-")
		       ? al_file_write_atomically(path, write_trials_json, t)
		       : write_trials_json(t, t->out);
}

static int print_table_and_or_save_json(struct tuning *t)
{
	const char *json = t->run_options.settings->json;
	int err = json ? save_json_return_negative_errno(t, json) : 0;

	if (err && strcmp(json, "-"))
		return al_message_return_einval(
			t->run_options.message, "cannot write '%s': %s", json,
			al_replace_output_file_error_text(err));
	if (!json || strcmp(json, "-"))
		cl_trials_print_table_and_best(&t->result, t->out);
	if (!err && fflush(t->out))
		err = -errno;
	if (err)
		return al_message_return_einval(
			t->run_options.message,
			"cannot write standard output: %s", strerror(-err));
	return 0;
}

static int redirect_stdio_tune_and_print_results(struct tuning *t)
{
	struct dm_program program;
	int err;

	if (redirect_stdio_to_null_saving_output(t)) {
		al_message_return_einval(t->run_options.message,
					 "cannot redirect: %s",
					 strerror(errno));
		return -1;
	}
	dm_program_init_block_signals_to_pass_on(&program);
	err = tune_all_factors_then_run_adaptive(t, &program);
	erase_progress_line_if_terminal(t);
	return err ? err : print_table_and_or_save_json(t);
}

/* Refuse --profile: all runs would write the same file. */
static int set_message_if_profile_option_given(struct tuning *t)
{
	if (!t->run_options.settings->profile)
		return 0;
	return al_message_return_einval(
		t->run_options.message,
		"'--profile=%.100s' is for 'alleria run': tuning "
		"keeps none of its runs",
		t->run_options.settings->profile);
}

static const char *const own_options[] = {"--runs", NULL};

int cl_tune_workers_and_buffers(int argc, char **argv)
{
	struct tuning *t = calloc(1, sizeof(*t));
	int err = -1;

	if (!t || cl_run_options_init(&t->run_options, "tune", argc)) {
		fprintf(stderr, "alleria: out of memory\n");
		return CL_WRONG_USAGE;
	}
	t->run_options.parse_own_option = try_parse_tune_option;
	t->run_options.own_options = own_options;
	cl_factors_init_all_with_defaults(t->factor);
	if (!cl_run_options_parse_and_set_program(&t->run_options, argc,
						  argv) &&
	    !set_message_if_profile_option_given(t) &&
	    !cl_run_find_programs(&t->run_options, t->tool))
		err = redirect_stdio_tune_and_print_results(t);
	if (err)
		fprintf(t->messages ? t->messages : stderr, "alleria: %s\n",
			t->run_options.message);
	if (t->out)
		fclose(t->out);
	if (t->messages)
		fclose(t->messages);
	cl_run_options_release(&t->run_options);
	free(t);
	return err ? CL_WRONG_USAGE : 0;
}
