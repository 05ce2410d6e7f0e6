/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs.c - reads the caches that the kernel describes
 *
 * DIR/cpuN/cache/indexM/ has a file for each property. Of all levels below the
 * first, only unified caches are used.
 */
#include "lib/config/cache/host_caches.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text/number.h"
#include "lib/config/cache/cache_geometry.h"

enum { MAX_CPUS = 1024, MAX_INDEX = 16, MAX_LEVEL = 4 };

enum kind { NO_KIND, DATA, CODE, BOTH };

/* Directory of one cache: DIR/cpuN/cache/indexM. */
struct folder {
	const char *cpus;
	unsigned cpu, index;
};

/* Read the first word of a property into @text, 32 bytes. */
static bool read_word(const struct folder *f, const char *name, char *text)
{
	char path[512];
	FILE *file;
	int n;

	n = snprintf(path, sizeof(path), "%s/cpu%u/cache/index%u/%s", f->cpus,
		     f->cpu, f->index, name);
	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fscanf(file, "%31s", text);
	fclose(file);
	return n == 1;
}

/* Read a number, with or without a unit; 0 if the property is missing. */
static uint64_t read_number(const struct folder *f, const char *name)
{
	char text[32];
	uint64_t n;

	return read_word(f, name, text) && !al_size_parse(text, &n) ? n : 0;
}

static enum kind read_kind(const struct folder *f)
{
	static const char *const word[] = {
		[DATA] = "Data", [CODE] = "Instruction", [BOTH] = "Unified"};
	char text[32];

	if (!read_word(f, "type", text))
		return NO_KIND;
	for (enum kind k = DATA; k <= BOTH; k++)
		if (!strcmp(text, word[k]))
			return k;
	return NO_KIND;
}

static struct an_level read_level(const struct folder *f)
{
	return (struct an_level){
		.size = read_number(f, "size"),
		.assoc = (uint32_t)read_number(f, "ways_of_associativity"),
		.line = (uint32_t)read_number(f, "coherency_line_size"),
	};
}

/* Read one processor's caches; @found is indexed by level and kind. */
static void read_cpu(struct folder *f,
		     struct an_level found[MAX_LEVEL + 1][BOTH + 1])
{
	uint64_t at;

	for (f->index = 0; f->index < MAX_INDEX; f->index++) {
		enum kind kind = read_kind(f);

		at = read_number(f, "level");
		if (!at)
			return;
		if (kind && at <= MAX_LEVEL && !found[at][kind].size)
			found[at][kind] = read_level(f);
	}
}

int al_sysfs_read_caches(const char *dir, struct an_level *level)
{
	struct folder f = {.cpus = dir};

	for (; f.cpu < MAX_CPUS; f.cpu++) {
		struct an_level found[MAX_LEVEL + 1][BOTH + 1] = {0};
		int last = MAX_LEVEL;

		read_cpu(&f, found);
		while (last > 1 && !found[last][BOTH].size)
			last--;
		level[AL_I1] = found[1][CODE];
		level[AL_D1] = found[1][DATA];
		level[AL_L2] = found[last > 2 ? 2 : 0][BOTH];
		level[AL_LL] = found[last][BOTH];
		if (level[AL_I1].size && level[AL_D1].size && level[AL_LL].size)
			return 0;
	}
	return -ENOENT;
}
