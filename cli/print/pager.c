/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pager.c - shows standard output in a pager; see pager.h
 */
#include "cli/print/pager.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/args/display_options.h"
#include "cli/args/find_program.h"

static sig_atomic_t pager; /* process id of the pager; 0: none is running */

/* Return the shell command that starts the pager; NULL: TERM is unset or
   "dumb", or the command is empty, "cat", or not found in PATH. */
static const char *find_usable_pager_command_or_null(void)
{
	const char *command = getenv("ALLERIA_PAGER"), *term = getenv("TERM");
	char word[NAME_MAX + 1], path[PATH_MAX];

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less -FRX";
	if (!term || !strcmp(term, "dumb"))
		return NULL;
	if (sscanf(command, "%255s", word) != 1 || !strcmp(word, "cat"))
		return NULL;
	return cl_find_program_in_path(word, path) ? NULL : command;
}

/* Execute @command in this process, a forked child, with the pipe's reading end
   as its standard input and default signal actions. Does not return. */
static void exec_pager_with_stdin_from_pipe(const char *command,
					    const int *pipe_fd)
{
	static const int signals[] = {SIGHUP,  SIGINT,	SIGQUIT,
				      SIGTERM, SIGPIPE, SIGXFSZ};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	dup2(pipe_fd[0], STDIN_FILENO);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

void cl_pager_start_if_stdout_is_terminal(void)
{
	const char *command;
	int fd[2];
	pid_t child;

	if (pager || !cl_is_pager_allowed_by_options() ||
	    !isatty(STDOUT_FILENO))
		return;
	command = find_usable_pager_command_or_null();
	if (!command || pipe(fd) < 0)
		return;
	fflush(stdout);
	child = fork();
	if (child == 0)
		exec_pager_with_stdin_from_pipe(command, fd);
	if (child > 0) {
		dup2(fd[1], STDOUT_FILENO);
		setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
		pager = child;
	}
	close(fd[0]);
	close(fd[1]);
}

bool cl_pager_is_on(void)
{
	return pager != 0;
}

void cl_pager_close_stdout_and_wait(void)
{
	int error = errno;

	if (!pager)
		return;
	close(STDOUT_FILENO);
	while (waitpid((pid_t)pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
	errno = error;
}
