/* SPDX-License-Identifier: GPL-2.0-or-later */
/* miss_intensity.h - adds operations per byte that misses a cache level to the
   result of the analysis "mix" */
#ifndef LIB_REPORT_MISS_INTENSITY_H
#define LIB_REPORT_MISS_INTENSITY_H

#include "base/result/model.h"

/* Add the list "levels", and a table for people, to the result @mix of the
   analysis "mix": for each cache level of @cache that data accesses, the bytes
   that it fetches and the floating-point operations for each of them. Nothing
   is added if @cache has no levels. */
void al_miss_intensity_add_to_mix(struct al_model *mix,
				  const struct al_model *cache);

#endif
