/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only_window.h - makes a window from the options --only and --calls
 */
#ifndef LIB_CONFIG_WINDOW_ONLY_WINDOW_H
#define LIB_CONFIG_WINDOW_ONLY_WINDOW_H

#include <stdint.h>

/* Parsed values of --only and --calls. */
struct al_only {
	const char *function; /* name of the function in the option's text; not
				 NUL-terminated */
	int function_length;
	const char *image;    /* file name of the image; NULL: the function is
				 recorded in any image, and its calls are
				 counted in the main executable */
	uint64_t first, last; /* numbers of the first and last call, from 1;
				 `first` 0: the whole run; `last` 0: to the end
				 of the run */
};

/**
 * al_only_parse_options() - Read the values of --only and --calls.
 * @function_at_image: "FUNCTION" or "FUNCTION@IMAGE"; must outlive @out, which
 *                     points into it. NULL: --only is not given, which is an
 *                     error.
 * @call_range: "N", "A-B" or "A-"; NULL: not given.
 * @message: [AL_MESSAGE] receives the message on error.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_only_parse_options(const char *function_at_image, const char *call_range,
			  struct al_only *out, char *message);

/**
 * al_only_format_window_file() - Return the text of a window file equivalent to
 * the options --only and --calls, which al_only_parse_options() has parsed.
 *
 * Return: the text, which the caller frees; NULL if memory is short.
 */
char *al_only_format_window_file(const struct al_only *);

/**
 * al_only_parse_two_numbers_any_separator() - Parse two numbers separated by
 * any other characters, as users write ranges: "100-110", "100..110", "100 to
 * 110".
 *
 * Return: 0; -EINVAL if @text has another form.
 */
int al_only_parse_two_numbers_any_separator(const char *text, uint64_t *first,
					    uint64_t *last);

#endif
