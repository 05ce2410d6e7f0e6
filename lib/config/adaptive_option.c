/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive_option.c - parses the value of --adaptive=; see adaptive_option.h
 */
#include "lib/config/adaptive_option.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "lib/config/options.h"
#include "proto/ring.h"

#define KEY(member) #member, offsetof(struct al_adaptive, member)
static const struct {
	const char *name;
	size_t offset; /* [bytes] offset in struct al_adaptive of the unsigned
			  member that receives the key's value */
	uint64_t min, max;
} keys[] = {
	{KEY(workers), 1, AL_MAX_WORKERS},
	{KEY(buffers), 2, PT_MAX_CHUNKS},
	{KEY(period), 10, 10000},
	{KEY(tp), 1, 1000},
	{KEY(tay1), 1, 1000},
	{KEY(tay2), 1, 100},
	{KEY(taz), 1, 1000},
};

enum { N_KEYS = sizeof(keys) / sizeof(keys[0]) };

/* Return the number of processors that this process may use, up to
   AL_MAX_WORKERS. */
static unsigned count_usable_processors_up_to_limit(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < AL_MAX_WORKERS ? (unsigned)n : AL_MAX_WORKERS;
}

void al_adaptive_set_defaults(struct al_adaptive *a)
{
	*a = (struct al_adaptive){
		.enabled = true,
		.tp = 75,
		.tay1 = 10,
		.tay2 = 10,
		.taz = 5,
		.period = 50,
		.workers = count_usable_processors_up_to_limit(),
		.buffers = 24,
	};
}

static int report_unknown_adaptive_key(const char *key, char *message)
{
	const char *words[N_KEYS + 1] = {NULL}, *nearest;

	for (int i = 0; i < N_KEYS; i++)
		words[i] = keys[i].name;
	nearest = al_suggest_word(key, words);
	return al_message_return_einval(message, "unknown key '%.60s'%s%s%s",
					key, nearest ? "; did you mean '" : "",
					nearest ? nearest : "",
					nearest ? "'?" : "");
}

static int parse_and_set_adaptive_value(struct al_adaptive *a, const char *key,
					const char *value, char *message)
{
	uint64_t n;
	int i = 0;

	while (i < N_KEYS && strcmp(keys[i].name, key))
		i++;
	if (i == N_KEYS)
		return report_unknown_adaptive_key(key, message);
	if (al_number_parse_digits_only(value, &n) || n < keys[i].min ||
	    n > keys[i].max)
		return al_message_return_einval(
			message,
			"'%s=%.60s': not a number from %" PRIu64 " to %" PRIu64,
			key, value, keys[i].min, keys[i].max);
	*(unsigned *)((char *)a + keys[i].offset) = (unsigned)n;
	return 0;
}

int al_adaptive_parse_option_value(struct al_adaptive *a, const char *text,
				   char *message)
{
	char copy[256], *rest = copy, *word, *equal;

	if ((size_t)snprintf(copy, sizeof(copy), "%s", text) >= sizeof(copy))
		return al_message_return_einval(
			message, "longer than %zu bytes", sizeof(copy) - 1);
	while ((word = strsep(&rest, ","))) {
		equal = strchr(word, '=');
		if (!equal)
			return al_message_return_einval(
				message, "'%.60s' needs a value", word);
		*equal = '\0';
		if (parse_and_set_adaptive_value(a, word, equal + 1, message))
			return -EINVAL;
	}
	a->is_given = true;
	return 0;
}
