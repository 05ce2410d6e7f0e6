/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analyze_option.h - parses the value of --analyze=
 */
#ifndef LIB_CONFIG_ANALYZE_OPTION_H
#define LIB_CONFIG_ANALYZE_OPTION_H

#include "lib/config/settings.h"

/**
 * al_analysis_parse_name_and_options() - Parse NAME[:key=value,...].
 * @text: is modified and must outlive @out, which points into it.
 * @message: [AL_MESSAGE] on error.
 *
 * Return: 0; -EINVAL with @message.
 */
int al_analysis_parse_name_and_options(char *text, struct al_analysis *out,
				       char *message);

/* Return the value of option @key, or NULL if it is not given. */
const char *al_analysis_option_value_or_null(const struct al_analysis *,
					     const char *key);

#endif
