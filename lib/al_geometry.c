/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_geometry.c - caches in Cachegrind's shape: I1, D1 and LL
 *
 * Room:    lib.
 *
 * The rules and the choices for the host are Cachegrind's, so that the same
 * options, and none, mean the same caches in both.
 */
#include "lib/al_geometry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/al_cachefile.h"
#include "lib/al_message.h"
#include "lib/al_number.h"

enum { I1, D1, LL, N_CLASSIC };

static const char *const names[N_CLASSIC] = {"I1", "D1", "LL"};
static const enum an_cache_kind kinds[N_CLASSIC] = {AN_INSTRUCTION, AN_DATA,
						    AN_UNIFIED};

/* What Cachegrind takes on amd64 when the processor says nothing. */
static const struct an_level unknown[N_CLASSIC] = {
	{.size = 64 << 10, .assoc = 2, .line = 64},
	{.size = 64 << 10, .assoc = 2, .line = 64},
	{.size = 256 << 10, .assoc = 8, .line = 64},
};

static bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

static enum al_fault check_line(const struct an_level *level, char *why)
{
	if (!is_power_of_two(level->line))
		al_message(why, "line size %" PRIu32 " is no power of two",
			   level->line);
	else if (level->line < AN_MIN_LINE)
		al_message(why, "line size %" PRIu32 " is below %d",
			   level->line, AN_MIN_LINE);
	else
		return AL_FINE;
	return AL_FAULT_LINE;
}

enum al_fault al_level_shape(struct an_level *level, char *why)
{
	uint64_t lines;

	if (check_line(level, why))
		return AL_FAULT_LINE;
	lines = level->size / level->line;
	if (!lines || level->size % level->line) {
		al_message(why,
			   "size %" PRIu64 " is no multiple of line size "
			   "%" PRIu32,
			   level->size, level->line);
		return AL_FAULT_SIZE;
	}
	if (lines > AL_MAX_LINES) {
		al_message(why, "size %" PRIu64 " is more than %d lines",
			   level->size, AL_MAX_LINES);
		return AL_FAULT_SIZE;
	}
	if (level->assoc == AL_FULL)
		level->assoc = (uint32_t)lines;
	if (level->assoc > lines || lines % level->assoc) {
		al_message(why,
			   "associativity %" PRIu32
			   " does not divide its %" PRIu64 " lines",
			   level->assoc, lines);
		return AL_FAULT_ASSOC;
	}
	level->sets = lines / level->assoc;
	return AL_FINE;
}

/* The rules that are Cachegrind's alone. */
static enum al_fault check_classic(struct an_level *level, char *why)
{
	enum al_fault fault = al_level_shape(level, why);

	if (fault)
		return fault;
	if (!is_power_of_two(level->sets)) {
		al_message(why,
			   "set count %" PRIu64
			   " is no power of two; only --cache takes that",
			   level->sets);
		return AL_FAULT_SIZE;
	}
	if (level->size <= level->line) {
		al_message(why, "size %" PRIu64 " is a single line",
			   level->size);
		return AL_FAULT_SIZE;
	}
	return AL_FINE;
}

static void assemble(const struct an_level *level, struct an_geometry *out)
{
	*out = (struct an_geometry){
		.n_levels = N_CLASSIC,
		.first_instruction = I1,
		.first_data = D1,
	};
	for (int i = 0; i < N_CLASSIC; i++) {
		out->level[i] = level[i];
		snprintf(out->level[i].name, AN_LEVEL_NAME, "%s", names[i]);
		out->level[i].kind = kinds[i];
		out->level[i].next = i == LL ? AN_MEMORY : LL;
	}
}

/*
 * Cachegrind needs a power of two of sets, which last levels often do not
 * have: it takes the next lower one, scales the associativity by as much and
 * rounds it, and makes the size what these two give.
 */
static void round_sets(struct an_level *level)
{
	uint64_t row = (uint64_t)level->assoc * level->line;
	uint64_t old_sets = row ? level->size / row : 0;
	uint64_t sets = 1;

	if (!old_sets)
		return;
	while (sets * 2 <= old_sets)
		sets *= 2;
	level->assoc =
		(uint32_t)((level->assoc * old_sets * 2 + sets) / (sets * 2));
	level->size = sets * level->assoc * level->line;
}

void al_geometry_detect(const struct al_cpu *cpu, struct an_geometry *out)
{
	struct an_level level[N_CLASSIC] = {{{0}, 0, 0, 0, 0, 0, 0}};
	char why[AL_MESSAGE];
	int rc = cpu ? al_cpuid_caches(cpu, level) : -ENOENT;

	if (!rc)
		round_sets(&level[LL]);
	for (int i = 0; i < N_CLASSIC && !rc; i++)
		if (!level[i].assoc || check_classic(&level[i], why))
			rc = -ENOENT;
	if (rc)
		memcpy(level, unknown, sizeof(level));
	for (int i = 0; i < N_CLASSIC; i++)
		check_classic(&level[i], why);
	assemble(level, out);
}

void al_geometry_host(struct an_geometry *out)
{
	al_geometry_detect(al_cpu_here(), out);
}

/* A number of "size,assoc,line"; assoc may be "full". */
static int parse_number(const char *text, int place, uint64_t *out)
{
	if (place == 1 && !strcmp(text, "full")) {
		*out = AL_FULL;
		return 0;
	}
	if (al_size_parse(text, out))
		return -EINVAL;
	/* assoc and line are 32 bits wide. */
	return !*out || (place && *out > UINT32_MAX) ? -EINVAL : 0;
}

static int parse_classic(const char *name, const char *spec,
			 struct an_level *level, char *message)
{
	uint64_t number[3];
	char copy[128], why[AL_MESSAGE];
	char *rest = copy, *word;
	int n = 0;

	if (snprintf(copy, sizeof(copy), "%s", spec) >= (int)sizeof(copy))
		return al_message(message, "'--%s=%.40s...' is too long", name,
				  spec);
	while ((word = strsep(&rest, ","))) {
		if (n < 3 && parse_number(word, n, &number[n]))
			return al_message(message,
					  "bad number '%s' in '--%s=%s'", word,
					  name, spec);
		n++;
	}
	if (n != 3)
		return al_message(message,
				  "'--%s=%s' is not SIZE,ASSOCIATIVITY,LINE",
				  name, spec);
	level->size = number[0];
	level->assoc = (uint32_t)number[1];
	level->line = (uint32_t)number[2];
	if (check_classic(level, why))
		return al_message(message, "'--%s=%s': %s", name, spec, why);
	return 0;
}

int al_geometry_classic(const char *const spec[3], struct an_geometry *out,
			char *message)
{
	al_geometry_host(out);
	for (int i = 0; i < N_CLASSIC; i++) {
		int rc = spec[i] ? parse_classic(names[i], spec[i],
						 &out->level[i], message)
				 : 0;

		if (rc)
			return rc;
	}
	return 0;
}
