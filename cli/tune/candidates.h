/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - lists the values of a setting to try
 */
#ifndef CLI_TUNE_CANDIDATES_H
#define CLI_TUNE_CANDIDATES_H

#include <stdint.h>

#include "cli/tune/trials.h"

enum { CL_MAX_VALUES = 30 };

/* A setting that is varied, and the [n] values to try for it. */
struct cl_factor {
	const char *name;	/* option of `alleria run`: "--workers" */
	uint64_t default_value; /* value of the setting while factors with a
				   lower index are varied */
	uint64_t value[CL_MAX_VALUES];
	unsigned n;
};

/* Initialise all factors: name, default value, and the values to try unless the
   user lists others. @all_factors: [CL_FACTORS] */
void cl_factors_init_all_with_defaults(struct cl_factor *all_factors);

/**
 * cl_factor_parse_candidate_list() - Replace the values to try for one factor,
 * such as --workers, by the numbers of a list, "1,2,4".
 * @message: [AL_MESSAGE] receives one line on error.
 *
 * Return: 0; -EINVAL.
 */
int cl_factor_parse_candidate_list(struct cl_factor *, const char *value_list,
				   char *message);

#endif
