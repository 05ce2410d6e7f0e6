/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_file.h - a list of limits, from options and from a file
 */
#ifndef LIB_DIFF_LIMIT_FILE_H
#define LIB_DIFF_LIMIT_FILE_H

#include "lib/diff/limit.h"

/* Initialise with zeros. */
struct al_diff_limits {
	struct al_diff_limit *limit;
	size_t n;
};

/* Add a limit. Return: 0; -EINVAL with @message. */
int al_diff_limits_parse_and_add(struct al_diff_limits *, const char *text,
				 char *message);

/* Add the limits of a YAML file, a list under the key "limits". Return: 0;
   -EINVAL with @message, which names file, line and column. */
int al_diff_limits_read(struct al_diff_limits *, const char *path,
			char *message);

/* Check all limits. Return: as al_diff_evaluate_limit(). */
int al_diff_limits_check(struct al_diff_limits *, const struct al_diff *,
			 char *message);

void al_diff_limits_release(struct al_diff_limits *);

#endif
