/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady.h - makes an environment and a path of fixed length for a program that
 *            the caller starts
 *
 * Environment and path lie at the top of the initial stack, so their lengths
 * change the addresses of all stack data and with them the counts of misses.
 * Here the variables and their order are fixed, except for an optional
 * VALGRIND_LIB; each other variable is padded to a multiple of a fixed number
 * of bytes. The folder of the path has a fixed length.
 */
#ifndef CLI_ARGS_STEADY_H
#define CLI_ARGS_STEADY_H

enum { CL_STEADY_VARIABLES = 40, CL_STEADY_PATH = 4096 };

struct cl_steady {
	char *environment[CL_STEADY_VARIABLES * 2 + 2]; /* NULL-terminated */
	char folder[32];	   /* temporary folder of the link; "": none */
	char path[CL_STEADY_PATH]; /* path of the link to the program */
};

/**
 * cl_steady_create_env_and_link() - Make the environment, and a folder with a
 * link to the program.
 * @program: path of the program, or its name in PATH.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * The environment has PATH, HOME, PWD, LANG, TZ and LC_*, each padded to a
 * multiple of a fixed number of bytes, and VALGRIND_LIB if it is set.
 *
 * Return: 0; -EINVAL. Call cl_steady_free_env_and_delete_link() in both cases.
 */
int cl_steady_create_env_and_link(struct cl_steady *, const char *program,
				  char *message);

/* If argv[0], "valgrind", is a script, as on Debian, and "valgrind.bin" beside
   it can be run, set argv[0] to the path of that, a static buffer: the shell
   that runs the script would change the order of the variables. */
void cl_steady_replace_valgrind_script(char **argv);

/* Free the environment's strings, and delete the link and its folder. */
void cl_steady_free_env_and_delete_link(struct cl_steady *);

#endif
