/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_settings.c - what follows from the settings
 *
 * Room:    lib.
 */
#include "lib/al_settings.h"

uint32_t al_settings_fields(const struct al_settings *settings)
{
	uint32_t fields = 0;

	for (size_t i = 0; i < settings->n_analyses; i++)
		fields |= settings->analysis[i].class->needs;
	return fields;
}
