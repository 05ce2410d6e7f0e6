/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processor.c - names the processor and its features; see processor.h */

#include "base/system/processor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Features that Valgrind passes on to programs where the processor has them. */
static const char *const feature[] = {
	"sse4_1", "sse4_2", "pni",  "ssse3",  "cx16",	"popcnt",
	"abm",	  "avx",    "fma",  "f16c",   "rdtscp", "rdrand",
	"bmi1",	  "avx2",   "bmi2", "rdseed", NULL};

/* Return the value in a line "key : value" of /proc/cpuinfo, whose line break
   is removed from @line; NULL if its key is not @key. */
static char *value_if_line_has_key(char *line, const char *key)
{
	size_t n = strlen(key);
	char *colon = strchr(line, ':');

	if (strncmp(line, key, n) != 0 || colon == NULL || colon[1] == '\0' ||
	    line[n + strspn(line + n, " \t")] != ':')
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return colon + 1 + (colon[1] == ' ');
}

/* Whether @word is one of the words of @flags. */
static bool has_word(const char *flags, const char *word)
{
	size_t n = strlen(word);

	for (const char *found = flags; (found = strstr(found, word)) != NULL;
	     found += n)
		if ((found == flags || found[-1] == ' ') &&
		    (found[n] == '\0' || found[n] == ' '))
			return true;
	return false;
}

static void copy_known_features(const char *flags, char *out)
{
	size_t used = 0;

	for (int i = 0; feature[i] != NULL; i++)
		if (has_word(flags, feature[i]))
			used += (size_t)snprintf(
				out + used, AL_PROCESSOR_FEATURES - used,
				"%s%s", used ? " " : "", feature[i]);
}

void al_processor_read_name_and_features(struct al_processor *p)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char *line = NULL, *value;
	bool has_flags = false;
	size_t size = 0;

	*p = (struct al_processor){{0}, {0}};
	if (file == NULL)
		return;
	while (!(p->name[0] && has_flags) && getline(&line, &size, file) > 0) {
		value = value_if_line_has_key(line, "model name");
		if (value != NULL)
			snprintf(p->name, sizeof(p->name), "%s", value);
		value = value_if_line_has_key(line, "flags");
		if (value != NULL) {
			has_flags = true;
			copy_known_features(value, p->features);
		}
	}
	free(line);
	fclose(file);
}
