/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - parses the options that run, alleriad and replay have in common,
 *             such as
 *
 *   --analyze=NAME[:key=value,...]  --cache=FILE  --I1= --D1= --L2= --LL=
 *   --json=FILE  --workers=N  --buffers=N  --buffer-size=SIZE
 *   --error-exitcode=N
 */
#ifndef LIB_CONFIG_OPTIONS_H
#define LIB_CONFIG_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "base/text/message.h"
#include "lib/config/settings.h"

struct al_options;

/* Return new options with default values; NULL with errno set. Arguments passed
   to these functions must outlive the options, as no strings are copied but the
   values of --analyze. */
struct al_options *al_options_new(void);
void al_options_free(struct al_options *);

/**
 * al_options_try_parse_argument() - Parse one command line argument.
 * @arg: "--name" or "--name=value".
 * @message: [AL_MESSAGE] receives one line without full stop on error.
 *
 * Return: 1 if it was parsed; 0 if it is not one of these options; -EINVAL with
 *         @message.
 */
int al_options_try_parse_argument(struct al_options *, const char *arg,
				  char *message);

/**
 * al_options_report_unknown() - Write the message for an unknown option.
 * @arg: "--name" or "--name=value"; al_options_try_parse_argument() returned 0.
 * @own_options: the caller's own options, each "--name", NULL-terminated, or
 *               NULL. The nearest name is searched among these and the options
 *               of this file.
 * @message: [AL_MESSAGE] receives one line.
 *
 * Return: -EINVAL, with @message: "unknown option '--analyse'; did you mean
 *         '--analyze'?".
 */
int al_options_report_unknown(const char *arg, const char *const *own_options,
			      char *message);

/**
 * al_options_finish() - Check the options together, set defaults, read the
 *                       cache, window and allocator files, detect the host's
 *                       caches if none were given, and check that the outputs
 *                       can be written.
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: the settings, owned by the options; NULL with @message.
 */
const struct al_settings *al_options_finish(struct al_options *, char *message);

/* Store the path of the file that is the standard output of the program that is
   run, so that no result may be written to the same file. @program_output_path:
   "-" is this process's standard output; not copied. Call this before
   al_options_finish(). */
void al_options_protect_program_output(struct al_options *,
				       const char *program_output_path);

/* Add the analysis NAME[:key=value,...], as --analyze does, but also one that
   only another command can run. Return: 0; -EINVAL with @message. */
int al_options_add_analysis(struct al_options *, const char *value,
			    char *message);

/* Switch off per-window analyses. Call this before al_options_finish(). */
void al_options_disable_per_window_analyses(struct al_options *);

/* Whether a word is "--help" or "-h". */
bool al_options_is_help_option(const char *word);

/* Whether @arg is an option of 'alleria run' about the program that it starts:
   --trace-children or --vg, with a value or without. */
bool al_options_is_for_started_program(const char *arg);

/* The command whose --help is printed: run and alleriad, or replay. */
enum al_help_reader { AL_HELP_FOR_RUN, AL_HELP_FOR_REPLAY };

/* Print the help lines of these options, for a replay without those that it
   refuses. */
void al_options_print_help(FILE *, enum al_help_reader);

/* Return the reason why a replay refuses the option @arg, "--name" or
   "--name=value"; NULL if it accepts it, or if it is none of these options. */
const char *al_options_replay_refusal_reason(const char *arg);

/* Print the help lines of the analyses that --analyze accepts, and of their
   options. */
void al_options_print_analysis_help(FILE *);

#endif
