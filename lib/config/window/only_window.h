/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only_window.h - --only and --calls: a window made from two options
 */
#ifndef LIB_CONFIG_WINDOW_ONLY_WINDOW_H
#define LIB_CONFIG_WINDOW_ONLY_WINDOW_H

#include <stdint.h>
#include <stdio.h>

struct al_only {
	const char *function; /* points into the option */
	int function_length;
	const char *image;    /* the file's name; NULL: any, and for calls
				  the main executable */
	uint64_t first, last; /* calls, from 1; first 0: all of the run;
				  last 0: to the end */
};

/**
 * al_only_parse() - Read the values of --only and --calls.
 * @function: "FUNCTION" or "FUNCTION@IMAGE"; outlives the result. NULL: not
 *            given, which is an error.
 * @calls: "N", "A-B" or "A-"; NULL: not given.
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_only_parse(const char *function, const char *calls, struct al_only *out,
		  char *message);

/**
 * al_only_write() - Write the window file that records the same.
 *
 * The caller checks the stream for errors.
 */
void al_only_write(const struct al_only *, FILE *);

/**
 * al_only_text() - Write the window file into memory.
 *
 * Return: the text, for free(); NULL without memory.
 */
char *al_only_text(const struct al_only *);

/**
 * al_only_numbers() - Read two numbers with something between them, as users
 * write ranges: "100-110", "100..110", "100 to 110".
 *
 * Return: 0; -EINVAL when @text is anything else.
 */
int al_only_numbers(const char *text, uint64_t *first, uint64_t *last);

#endif
