/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_settings.c - what follows from the settings
 *
 * Room:    lib.
 */
#include "lib/al_settings.h"

bool al_settings_is_first(const struct al_settings *settings, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (settings->analysis[k].class == settings->analysis[i].class)
			return false;
	return true;
}

uint32_t al_settings_fields(const struct al_settings *settings)
{
	uint32_t fields = 0;

	if (settings->profile)
		fields = PT_FIELD_ACCESSES | PT_FIELD_ADDRESSES;
	for (size_t i = 0; i < settings->n_analyses; i++)
		fields |= settings->analysis[i].class->needs;
	return fields;
}
