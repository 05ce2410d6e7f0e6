/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache_geometry.c - parses and checks the options --I1, --D1, --L2 and --LL
 *
 * The rules are Cachegrind's, so that equal options describe equal caches in
 * both programs. Cachegrind has no L2.
 */
#include "lib/config/cache/cache_geometry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "lib/config/cache/cache_file.h"
#include "lib/config/cache/host_caches.h"

static const char *const names[AL_HOST_LEVELS] = {"I1", "D1", "L2", "LL"};

static bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

static enum al_fault check_line_size(const struct an_level *level, char *why)
{
	if (!is_power_of_two(level->line))
		al_message_return_einval(
			why, "line size %" PRIu32 " is not a power of two",
			level->line);
	else if (level->line < AN_MIN_LINE)
		al_message_return_einval(why,
					 "line size %" PRIu32 " is below %d",
					 level->line, AN_MIN_LINE);
	else
		return AL_FAULT_NONE;
	return AL_FAULT_LINE;
}

enum al_fault al_level_check_and_derive_sets(struct an_level *level, char *why)
{
	uint64_t lines;

	if (check_line_size(level, why))
		return AL_FAULT_LINE;
	lines = level->size / level->line;
	if (!lines || level->size % level->line) {
		al_message_return_einval(why,
					 "size %" PRIu64
					 " is not a multiple of line size "
					 "%" PRIu32,
					 level->size, level->line);
		return AL_FAULT_SIZE;
	}
	if (lines > AL_MAX_LINES) {
		al_message_return_einval(
			why, "size %" PRIu64 " is more than %d lines",
			level->size, AL_MAX_LINES);
		return AL_FAULT_SIZE;
	}
	if (level->assoc == AL_ASSOC_FULL)
		level->assoc = (uint32_t)lines;
	if (level->assoc > lines || lines % level->assoc) {
		al_message_return_einval(why,
					 "associativity %" PRIu32
					 " does not divide its %" PRIu64
					 " lines",
					 level->assoc, lines);
		return AL_FAULT_ASSOC;
	}
	level->sets = lines / level->assoc;
	return AL_FAULT_NONE;
}

enum al_fault al_level_check_like_cachegrind(struct an_level *level, char *why)
{
	enum al_fault fault = al_level_check_and_derive_sets(level, why);

	if (fault)
		return fault;
	if (!is_power_of_two(level->sets)) {
		al_message_return_einval(
			why,
			"set count %" PRIu64
			" is not a power of two; only --cache permits "
			"this",
			level->sets);
		return AL_FAULT_SIZE;
	}
	if (level->size <= level->line) {
		al_message_return_einval(
			why, "size %" PRIu64 " is a single line", level->size);
		return AL_FAULT_SIZE;
	}
	return AL_FAULT_NONE;
}

void al_geometry_make_from_host_levels(const struct an_level *host_levels,
				       struct an_geometry *out)
{
	static const enum an_cache_kind kinds[AL_HOST_LEVELS] = {
		AN_INSTRUCTION, AN_DATA, AN_UNIFIED, AN_UNIFIED};
	int n = 0;

	*out = (struct an_geometry){
		.first_instruction = AL_I1,
		.first_data = AL_D1,
	};
	for (int i = 0; i < AL_HOST_LEVELS; i++) {
		struct an_level *l = &out->level[n];

		if (i == AL_L2 && !host_levels[i].size)
			continue;
		*l = host_levels[i];
		snprintf(l->name, AN_LEVEL_NAME, "%s", names[i]);
		l->kind = kinds[i];
		l->next = i == AL_LL ? AN_MEMORY : i < AL_L2 ? AL_L2 : n + 1;
		n++;
	}
	out->n_levels = n;
}

/* Parse @number_text, number @number_index (0 to 2) of "size,assoc,line"; assoc
   may be "full". Return: 0; -EINVAL. */
static int parse_size_assoc_or_line(const char *number_text, int number_index,
				    uint64_t *out)
{
	if (number_index == 1 && !strcmp(number_text, "full")) {
		*out = AL_ASSOC_FULL;
		return 0;
	}
	if (al_size_parse_optional_kmg(number_text, out))
		return -EINVAL;
	/* Zero is invalid, and so is an assoc or a line, numbers 1 and 2, that
	   does not fit into 32 bits. */
	return !*out || (number_index && *out > UINT32_MAX) ? -EINVAL : 0;
}

static int parse_and_check_level_option(const char *option_name,
					const char *size_assoc_line_text,
					struct an_level *level, char *message)
{
	static const char *const assoc_words[] = {"full", NULL};
	uint64_t number[3];
	char copy[128], why[AL_MESSAGE];
	char *rest = copy, *word;
	int n = 0;

	if (snprintf(copy, sizeof(copy), "%s", size_assoc_line_text) >=
	    (int)sizeof(copy))
		return al_message_return_einval(
			message, "'--%s=%.40s...' is too long", option_name,
			size_assoc_line_text);
	while ((word = strsep(&rest, ","))) {
		if (n < 3 && parse_size_assoc_or_line(word, n, &number[n]))
			return al_message_return_einval(
				message, "bad number '%s' in '--%s=%s'%s", word,
				option_name, size_assoc_line_text,
				n == 1 && al_suggest_word(word, assoc_words)
					? "; did you mean 'full'?"
					: "");
		n++;
	}
	if (n != 3)
		return al_message_return_einval(
			message, "'--%s=%s' is not SIZE,ASSOCIATIVITY,LINE",
			option_name, size_assoc_line_text);
	level->size = number[0];
	level->assoc = (uint32_t)number[1];
	level->line = (uint32_t)number[2];
	if (al_level_check_like_cachegrind(level, why))
		return al_message_return_einval(message, "'--%s=%s': %s",
						option_name,
						size_assoc_line_text, why);
	return 0;
}

int al_geometry_from_options_or_host(const char *const *option_values,
				     struct an_geometry *out,
				     char *host_problem_note, char *message)
{
	struct an_level level[AL_HOST_LEVELS];
	int n_given = 0;

	al_hostcaches_detect_or_default(AL_SYSFS_CPUS,
					al_cpu_current_or_null_if_no_cpuid(),
					level, host_problem_note);
	for (int i = 0; i < AL_HOST_LEVELS; i++)
		n_given += !!option_values[i];
	if (n_given)
		level[AL_L2].size = 0;
	if (n_given ==
	    (option_values[AL_L2] ? AL_HOST_LEVELS : AL_HOST_LEVELS - 1))
		*host_problem_note = '\0';
	for (int i = 0; i < AL_HOST_LEVELS; i++)
		if (option_values[i] &&
		    parse_and_check_level_option(names[i], option_values[i],
						 &level[i], message))
			return -EINVAL;
	al_geometry_make_from_host_levels(level, out);
	return 0;
}
