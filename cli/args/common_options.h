/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * common_options.h - parses arguments that several commands share
 */
#ifndef CLI_ARGS_COMMON_OPTIONS_H
#define CLI_ARGS_COMMON_OPTIONS_H

#include <stdbool.h>

/* Whether one of the @argc words of @argv is "--help" or "-h". */
bool cl_is_any_argument_help_option(int argc, char *const *argv);

/**
 * cl_set_protected_input_if_unset() - Store the argument that names the
 * profile, and protect the file from being replaced by an output.
 * @stored_path: NULL before the first such argument; receives @path, not a
 * copy.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -EINVAL, with nothing changed, if a profile was named already.
 */
int cl_set_protected_input_if_unset(const char **stored_path, const char *path,
				    char *message);

#endif
