/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.c - derives recorded fields from the settings, and reads windows and
 * allocator functions into them; see settings.h
 */
#include "lib/config/settings.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/config/allocator_file.h"
#include "lib/config/window/only_window.h"
#include "lib/config/window/windows.h"

bool al_settings_is_first_of_its_class(const struct al_settings *settings,
				       size_t analysis_index)
{
	for (size_t k = 0; k < analysis_index; k++)
		if (settings->analysis[k].class ==
		    settings->analysis[analysis_index].class)
			return false;
	return true;
}

bool al_settings_is_what_if_analysis(const struct al_settings *settings,
				     size_t analysis_index)
{
	return settings->cache[settings->analysis[analysis_index].cache]
		       .what_if != NULL;
}

/* Return which of the fields value, timestamp and core at least one window
   records of some instruction, as bits of enum pt_fields. */
static uint32_t
recorded_fields_among_value_stamp_core(const struct al_windows *w)
{
	uint32_t record = 0;

	for (uint32_t i = 0; i < w->n[AL_SELECTS]; i++)
		record |= w->select[i].record;
	return (record & PT_RECORD_VALUE ? PT_FIELD_VALUES : 0) |
	       (record & PT_RECORD_TIMESTAMP ? PT_FIELD_STAMPS : 0) |
	       (record & PT_RECORD_CORE ? PT_FIELD_CORES : 0);
}

static uint32_t fields_needed_by_analysis(const struct al_analysis *a)
{
	uint32_t fields = a->class->needs;

	for (size_t i = 0; a->class->option_needs && i < a->n_options; i++)
		fields |= a->class->option_needs(a->option[i].key,
						 a->option[i].value);
	return fields;
}

static uint32_t fields_needed_by_analyses(const struct al_settings *settings)
{
	uint32_t fields = 0;

	for (size_t i = 0; i < settings->n_analyses; i++)
		fields |= fields_needed_by_analysis(&settings->analysis[i]);
	return fields;
}

void al_settings_add_needed_fields_to_windows(struct al_settings *settings,
					      uint32_t option_fields)
{
	struct al_windows *w = settings->windows;
	uint32_t fields = option_fields | fields_needed_by_analyses(settings);

	for (uint32_t i = 0; w && i < w->n[AL_SELECTS]; i++) {
		if (fields & PT_FIELD_ADDRESSES)
			w->select[i].record |= PT_RECORD_ADDRESS;
		if (fields & PT_FIELD_VALUES)
			w->select[i].record |= PT_RECORD_VALUE;
	}
}

uint32_t al_settings_fields_tool_must_emit(const struct al_settings *settings)
{
	uint32_t fields = 0;

	if (settings->profile)
		fields = settings->record;
	if (settings->profile && settings->windows)
		fields |= recorded_fields_among_value_stamp_core(
			settings->windows);
	return fields | fields_needed_by_analyses(settings);
}

/* Make the window that --only and --calls describe, and store it in
   settings.windows. Return: 0; -EINVAL with @message, also if --window is
   given. */
static int make_windows_of_only_and_calls(struct al_settings *s,
					  const char *only, const char *calls,
					  char *message)
{
	struct al_only parsed;
	char *text;
	int rc;

	if (s->window)
		return al_message_return_einval(
			message,
			"'--window=%.100s' and '--%s': give one or "
			"the other",
			s->window, only ? "only" : "calls");
	if (al_only_parse_options(only, calls, &parsed, message))
		return -EINVAL;
	text = al_only_format_window_file(&parsed);
	if (!text)
		return al_message_return_einval(message, "out of memory");
	rc = al_windows_parse("--only", text, &s->windows, message);
	free(text);
	return rc;
}

int al_settings_read_or_make_windows(struct al_settings *s, const char *only,
				     const char *calls, char *message)
{
	if (only || calls)
		return make_windows_of_only_and_calls(s, only, calls, message);
	if (!s->window)
		return 0;
	return al_windows_read(s->window, &s->windows, message);
}

int al_settings_read_allocators(struct al_settings *s,
				const char *const *file_or_set, unsigned n,
				char *message)
{
	if (n == 0)
		return 0;
	if (!(al_settings_fields_tool_must_emit(s) & PT_FIELD_DATA))
		return al_message_return_einval(
			message,
			"'--allocators=%.100s' is for data objects: give "
			"'--analyze=data' or '--record=data', too",
			file_or_set[0]);
	return al_allocators_read_all(file_or_set, n, &s->allocators,
				      &s->allocator_bytes, message);
}
