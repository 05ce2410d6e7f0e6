/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - values of a setting to try
 */
#ifndef CLI_TUNE_CANDIDATES_H
#define CLI_TUNE_CANDIDATES_H

#include <stdint.h>

#include "cli/tune/trials.h"

enum { CL_MAX_VALUES = 30 };

struct cl_factor {
	const char *name; /* of the option */
	uint64_t normal;  /* while others are varied before it */
	uint64_t value[CL_MAX_VALUES];
	unsigned n;
};

/* All of them, with what is tried when nothing is given.
   @f: [CL_FACTORS] */
void cl_factors_init(struct cl_factor *f);

/**
 * cl_factor_take() - Take "1,2,4".
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0; -EINVAL.
 */
int cl_factor_take(struct cl_factor *, const char *list, char *message);

#endif
