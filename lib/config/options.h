/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the options that run, alleriad and replay have in common
 *
 *   --analyze=NAME[:key=value,...]  --cache=FILE  --I1= --D1= --L2= --LL=
 *   --json=FILE  --workers=N  --buffers=N  --buffer-size=SIZE  --error-exitcode=N
 */
#ifndef LIB_CONFIG_OPTIONS_H
#define LIB_CONFIG_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "base/text/message.h"
#include "lib/config/settings.h"

struct al_options;

/* NULL with errno set. Strings given to it must outlive it; the settings are
   its own and live as long as it does. */
struct al_options *al_options_new(void);
void al_options_free(struct al_options *);

/**
 * al_options_take() - Take one command line argument.
 * @arg: "--name=value".
 * @message: [AL_MESSAGE] receives one line without full stop on error.
 *
 * Return: 1 taken; 0 not one of these options; -EINVAL with @message.
 */
int al_options_take(struct al_options *, const char *arg, char *message);

/**
 * al_options_unknown() - Say that nobody knows an option.
 * @arg: "--name" or "--name=value"; al_options_take() returned 0.
 * @own: the caller's own options, "--name" each, NULL-terminated; they and
 *       ours are searched for the nearest. May be NULL.
 *
 * Return: -EINVAL, with @message: "unknown option '--analyse'; did you mean
 *         '--analyze'?".
 */
int al_options_unknown(const char *arg, const char *const *own, char *message);

/**
 * al_options_finish() - Check the whole, fill defaults, detect the host's
 * caches when none were given.
 *
 * Return: the settings, or NULL with @message.
 */
const struct al_settings *al_options_finish(struct al_options *, char *message);

/* Set where the program that is run writes its standard output, so that no
   result is written there too. @path: "-" is our standard output. Call it
   before the options are finished. */
void al_options_set_program_output(struct al_options *, const char *path);

/* Nothing is analysed for windows alone. Before it is finished. */
void al_options_whole_only(struct al_options *);

/* Whether a word asks for help: "--help", or "-h" for short. */
bool al_options_is_help(const char *word);

/* Help lines of these options for --help, ending in a newline. */
extern const char al_options_help[];

/* Help lines of the analyses and their options. */
void al_options_print_analyses(FILE *);

#endif
