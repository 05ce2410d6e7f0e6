/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis_list.h - which analyses there are, by those that were asked for
 */
#ifndef LIB_CONFIG_ANALYSIS_LIST_H
#define LIB_CONFIG_ANALYSIS_LIST_H

#include "lib/config/settings.h"

/* Sets the settings' analyses: those asked for, or else the default, once for
   each cache file where they use caches. 0; -EINVAL with @message. */
int al_asked_finish(struct al_settings *, const struct al_analysis *asked,
		    size_t n, char *message);

#endif
