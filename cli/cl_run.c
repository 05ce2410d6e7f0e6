/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cl_run.c - alleria run: a program, Valgrind and a daemon in one command
 *
 * Room:    cli.
 * Threads: main.
 */
#include "cli/cl_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cl_find.h"
#include "cli/cl_status.h"
#include "daemon/dm_daemon.h"
#include "daemon/dm_program.h"
#include "lib/al_options.h"

enum { TICK_MS = 250, OUR_ARGUMENTS = 6 };

static const char help[] =
	"usage: alleria run [options] [--] PROGRAM [ARGS...]\n"
	"\n"
	"Runs PROGRAM under Valgrind, analyses every memory access that it\n"
	"makes, and prints a report to standard error. Exits with the "
	"program's\n"
	"status; 128 + N when signal N killed it; 2 when it could not be run.\n"
	"\n"
	"  --trace-children=yes    follow exec too; forked children are "
	"always\n"
	"                          recorded [no]\n"
	"  --vg=OPTION             pass an option to Valgrind; may be "
	"repeated\n"
	"  --help\n";

struct plan {
	struct al_options *options;
	const struct al_settings *settings;
	const char *trace_children; /* the argument, or NULL */
	char **vg;		    /* [n_vg] Valgrind's own options */
	size_t n_vg;
	char **program; /* NULL-terminated */
	char message[AL_MESSAGE];
};

/* 1 taken, 0 not an option of ours, -1 with a message. */
static int take_own(struct plan *p, char *arg)
{
	if (!strcmp(arg, "--trace-children=yes") ||
	    !strcmp(arg, "--trace-children=no")) {
		p->trace_children = arg;
		return 1;
	}
	if (!strncmp(arg, "--trace-children", 16)) {
		snprintf(p->message, sizeof(p->message),
			 "'%.100s': give --trace-children=yes or "
			 "--trace-children=no",
			 arg);
		return -1;
	}
	if (!strncmp(arg, "--vg=", 5)) {
		p->vg[p->n_vg++] = arg + 5;
		return 1;
	}
	return 0;
}

static int take(struct plan *p, char *arg)
{
	static const char *const own[] = {"--trace-children", "--vg", "--help",
					  NULL};
	int rc = take_own(p, arg);

	if (rc == 0)
		rc = al_options_take(p->options, arg, p->message);
	if (rc == 0)
		rc = al_options_unknown(arg, own, p->message);
	return rc == 1 ? 0 : -1;
}

static int parse(struct plan *p, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (take(p, argv[i]))
			return -1;
	}
	p->program = argv + i;
	if (i == argc) {
		snprintf(p->message, sizeof(p->message),
			 "no program given: alleria run [options] PROGRAM "
			 "[ARGS...]");
		return -1;
	}
	p->settings = al_options_finish(p->options, p->message);
	return p->settings ? 0 : -1;
}

/* Everything that Valgrind would complain about in more than one line. */
static int check(struct plan *p, char *tool)
{
	char path[PATH_MAX];
	int err = cl_find_program(p->program[0], path);

	if (err) {
		snprintf(p->message, sizeof(p->message),
			 "cannot run '%.200s': %s", p->program[0],
			 strerror(-err));
		return -1;
	}
	if (cl_find_program("valgrind", path)) {
		snprintf(p->message, sizeof(p->message),
			 "cannot find 'valgrind' in PATH; on Debian: apt-get "
			 "install valgrind");
		return -1;
	}
	/* A shell leaves the path of what it runs in $_. Where it did, the
	   program finds there what it would after `valgrind PROGRAM`: its
	   stack, and with it cache misses, are the same to the byte. */
	if (getenv("_"))
		setenv("_", path, 1);
	if (cl_find_tool(tool)) {
		snprintf(p->message, sizeof(p->message),
			 "cannot find the Valgrind tool '%.300s-amd64-linux'",
			 tool);
		return -1;
	}
	return 0;
}

/* Valgrind's command line; the strings belong to others. Freed by caller. */
static char **command(const struct plan *p, char *tool, char *socket)
{
	size_t i, n = 0, n_program = 0;
	char **argv;

	while (p->program[n_program])
		n_program++;
	argv = calloc(OUR_ARGUMENTS + p->n_vg + n_program + 1, sizeof(*argv));
	if (!argv)
		return NULL;
	argv[n++] = (char *)"valgrind";
	argv[n++] = (char *)"-q";
	argv[n++] = tool;
	argv[n++] = socket;
	if (p->trace_children)
		argv[n++] = (char *)p->trace_children;
	for (i = 0; i < p->n_vg; i++)
		argv[n++] = p->vg[i];
	argv[n++] = (char *)"--";
	for (i = 0; i < n_program; i++)
		argv[n++] = p->program[i];
	return argv;
}

static void show(void *status)
{
	cl_status_show(status);
}

static int report(const struct plan *p, struct dm_daemon *d, int status)
{
	bool colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
	int err, code;

	if (!dm_daemon_figures(d).recorded) {
		fprintf(stderr, "alleria: nothing was recorded: valgrind did "
				"not start the program\n");
		return CL_WRONG_USAGE;
	}
	code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
	err = dm_daemon_report(d, stderr, colour);
	if (err) {
		fprintf(stderr, "alleria: cannot write '%s': %s\n",
			p->settings->json, strerror(-err));
		if (!code)
			code = CL_WRONG_USAGE;
	}
	if (p->settings->error_exitcode && !dm_daemon_is_complete(d))
		code = p->settings->error_exitcode;
	return code;
}

/* Runs it under a daemon that listens already. */
static int run_under(struct plan *p, struct dm_program *program,
		     struct dm_daemon *d, const char *tool)
{
	char tool_arg[PATH_MAX + 32], socket_arg[DM_PATH + 32];
	struct cl_status line;
	char **argv;
	int err, status;

	/* Valgrind puts its own directory, /usr/libexec/valgrind or so, before
	   the tool's name; more ".." than that has do no harm. */
	snprintf(tool_arg, sizeof(tool_arg), "--tool=../../../../..%s", tool);
	snprintf(socket_arg, sizeof(socket_arg), "--alleria-socket=%s",
		 dm_daemon_socket(d));
	argv = command(p, tool_arg, socket_arg);
	if (!argv) {
		fprintf(stderr, "alleria: out of memory\n");
		return CL_WRONG_USAGE;
	}
	cl_status_init(&line, d);
	err = dm_program_run(program, d, argv, TICK_MS, show, &line, &status);
	cl_status_erase(&line);
	free(argv);
	if (!err)
		return report(p, d, status);
	fprintf(stderr, "alleria: cannot run 'valgrind': %s\n", strerror(-err));
	return CL_WRONG_USAGE;
}

static int run(struct plan *p, const char *tool)
{
	char name[32], socket[DM_PATH], message[DM_MESSAGE];
	struct dm_options options = {.socket = socket};
	struct dm_program program;
	struct dm_daemon *d = NULL;
	int status;

	dm_program_prepare(&program);
	snprintf(name, sizeof(name), "run-%d.sock", (int)getpid());
	if (!dm_runtime_socket(name, socket, message))
		d = dm_daemon_start(p->settings, &options, message);
	if (!d) {
		fprintf(stderr, "alleria: %s\n", message);
		return CL_WRONG_USAGE;
	}
	status = run_under(p, &program, d, tool);
	dm_daemon_free(d);
	return status;
}

static void print_help(void)
{
	printf("%s\n%s\nAnalyses:\n", help, al_options_help);
	al_options_print_analyses(stdout);
}

/* Among the options, not the program's. */
static bool asks_help(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--"))
			return false;
		if (!strcmp(argv[i], "--help"))
			return true;
	}
	return false;
}

int cl_run(int argc, char **argv)
{
	struct plan p = {.options = al_options_new(),
			 .vg = calloc((size_t)argc + 1, sizeof(char *))};
	int status = CL_WRONG_USAGE;
	char tool[PATH_MAX];

	if (asks_help(argc, argv)) {
		print_help();
		status = 0;
	} else if (!p.options || !p.vg) {
		fprintf(stderr, "alleria: out of memory\n");
	} else if (parse(&p, argc, argv) || check(&p, tool)) {
		fprintf(stderr, "alleria: %s\n", p.message);
	} else {
		status = run(&p, tool);
	}
	free(p.vg);
	al_options_free(p.options);
	return status;
}
