/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_file.h - a list of limits, from options and from a file
 */
#ifndef LIB_DIFF_LIMIT_FILE_H
#define LIB_DIFF_LIMIT_FILE_H

#include "lib/diff/limit.h"

/* A list of limits. The caller initialises it with zeros. */
struct al_diff_limits {
	struct al_diff_limit *limit;
	size_t n;
};

/* Parse @text as one limit, and append it to the list. Return: 0; -EINVAL with
   @message. */
int al_diff_limits_parse_and_add(struct al_diff_limits *, const char *text,
				 char *message);

/* Append the limits of a YAML file, which are a list under the key "limits".
   Return: 0; a negative value with @message, which names the file and, if it
   can be read, line and column. */
int al_diff_limits_add_from_file(struct al_diff_limits *, const char *path,
				 char *message);

/* Call al_diff_evaluate_limit_on_sum_in_scope() for each limit of the list,
   until one call fails. Return: the result of the last call; 0 for an empty
   list. */
int al_diff_limits_evaluate_all(struct al_diff_limits *, const struct al_diff *,
				char *message);

void al_diff_limits_release(struct al_diff_limits *);

#endif
