/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_list.h - sets the analyses of a run from the --analyze options
 */
#ifndef LIB_CONFIG_ANALYSIS_LIST_H
#define LIB_CONFIG_ANALYSIS_LIST_H

#include "lib/config/settings.h"

/* Set the settings' analyses to the @n of @asked, or to the default if @n is 0.
   An analysis that uses caches is added once for each cache file. Return: 0;
   -EINVAL with @message [AL_MESSAGE]. */
int al_settings_set_analyses(struct al_settings *,
			     const struct al_analysis *asked, size_t n,
			     char *message);

#endif
