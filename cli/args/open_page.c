/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_page.c - opens a page in the user's browser; see open_page.h */

#include "cli/args/open_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"

extern char **environ;

int cl_open_page_check_options(bool has_open_option, const char *page_path,
			       char *message)
{
	return !has_open_option || page_path
		       ? 0
		       : al_message_return_einval(
				 message,
				 "'--open' opens a page: give --html=FILE");
}

/* Start a program whose standard streams are /dev/null, in a session of its own
   with no signal blocked. Return: 0; errno. */
static int spawn_in_own_session_with_null_stdio(char *const argv[])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t pid;
	int err;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null",
						 O_RDWR, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	err = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

void cl_open_page(const char *page_path)
{
	char path[PATH_MAX];
	char program[] = "xdg-open", *argv[] = {program, path, NULL};
	int err = realpath(page_path, path)
			  ? spawn_in_own_session_with_null_stdio(argv)
			  : errno;

	if (err)
		fprintf(stderr, "alleria: cannot open '%s' by xdg-open: %s\n",
			page_path, strerror(err));
}
