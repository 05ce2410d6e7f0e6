/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady.h - makes an environment and a path of fixed length for a program that
 *            the caller starts
 *
 * Environment and path lie on the initial stack, above everything else, so
 * their length moves counts. Here the number of variables, their order and the
 * bytes that each one takes are fixed, and so is the length of the path.
 */
#ifndef CLI_ARGS_STEADY_H
#define CLI_ARGS_STEADY_H

enum { CL_STEADY_VARIABLES = 40, CL_STEADY_PATH = 4096 };

struct cl_steady {
	char *environment[CL_STEADY_VARIABLES * 2 + 2]; /* NULL-terminated */
	char folder[32];	   /* temporary, "" without one */
	char path[CL_STEADY_PATH]; /* of the program in it */
};

/**
 * cl_steady_create_env_and_link() - Make the environment, and a folder with a
 * link to the program.
 * @program: path of the program, or its name in PATH.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * The environment has PATH, HOME, PWD, LANG, TZ and LC_*, each filled up to a
 * fixed number of bytes, and VALGRIND_LIB where it is set.
 *
 * Return: 0; -EINVAL. Release it in both cases.
 */
int cl_steady_create_env_and_link(struct cl_steady *, const char *program,
				  char *message);

/* Replace argv[0], "valgrind", by the program valgrind.bin where the former is
   a script, as on Debian: a shell would order the variables anew. */
void cl_steady_use_dot_bin_of_script(char **argv);

/* Free the environment and remove the folder. */
void cl_steady_release(struct cl_steady *);

#endif
