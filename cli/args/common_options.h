/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * common_options.h - words of a command line that several commands take alike
 */
#ifndef CLI_ARGS_COMMON_OPTIONS_H
#define CLI_ARGS_COMMON_OPTIONS_H

#include <stdbool.h>

/* Whether one of the words asks for help. */
bool cl_wants_help(int argc, char *const *argv);

/**
 * cl_take_profile() - Take a word that names the profile, which no output may
 * replace.
 * @profile: NULL before the first; receives @word.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -EINVAL when there is one already.
 */
int cl_take_profile(const char **profile, const char *word, char *message);

#endif
