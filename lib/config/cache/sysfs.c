/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfs.c - reads the caches that the kernel describes
 *
 * DIR/cpuN/cache/indexM/ has a file for each property. Of all levels below the
 * first, only unified caches are used.
 */
#include "lib/config/cache/host_caches.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/text/number.h"
#include "lib/config/cache/cache_geometry.h"

enum { MAX_INDEX = 16, MAX_LEVEL = 4 };

enum kind { NO_KIND, DATA, CODE, BOTH };

/* Directory of one cache: indexM, with M = index, in DIR/cpuN/cache. */
struct cache_directory {
	const char *caches; /* path DIR/cpuN/cache */
	unsigned index;
};

/* Read the first word, at most 31 bytes, of the file of property @name into
   @text [32], with a NUL. Return: whether there is such a word. */
static bool try_read_cache_property(const struct cache_directory *f,
				    const char *name, char *text)
{
	char path[512];
	FILE *file;
	int n;

	n = snprintf(path, sizeof(path), "%s/index%u/%s", f->caches, f->index,
		     name);
	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	n = fscanf(file, "%31s", text);
	fclose(file);
	return n == 1;
}

/* Return property @name, a number with or without suffix K, M or G; 0 if it is
   missing or no number. */
static uint64_t read_property_number_or_0(const struct cache_directory *f,
					  const char *name)
{
	char text[32];
	uint64_t n;

	return try_read_cache_property(f, name, text) &&
			       !al_size_parse_optional_kmg(text, &n)
		       ? n
		       : 0;
}

static enum kind read_cache_kind(const struct cache_directory *f)
{
	static const char *const word[] = {
		[DATA] = "Data", [CODE] = "Instruction", [BOTH] = "Unified"};
	char text[32];

	if (!try_read_cache_property(f, "type", text))
		return NO_KIND;
	for (enum kind k = DATA; k <= BOTH; k++)
		if (!strcmp(text, word[k]))
			return k;
	return NO_KIND;
}

static struct an_level
read_cache_size_assoc_line(const struct cache_directory *f)
{
	return (struct an_level){
		.size = read_property_number_or_0(f, "size"),
		.assoc = (uint32_t)read_property_number_or_0(
			f, "ways_of_associativity"),
		.line = (uint32_t)read_property_number_or_0(
			f, "coherency_line_size"),
	};
}

/* Read the caches of one processor. found[level][kind] receives the first
   cache of each level, 1 to MAX_LEVEL, and kind. @f->index is changed. */
static void read_cpu_caches(struct cache_directory *f,
			    struct an_level found[MAX_LEVEL + 1][BOTH + 1])
{
	uint64_t cache_level;

	for (f->index = 0; f->index < MAX_INDEX; f->index++) {
		enum kind kind = read_cache_kind(f);

		cache_level = read_property_number_or_0(f, "level");
		if (!cache_level)
			return;
		if (kind && cache_level <= MAX_LEVEL &&
		    !found[cache_level][kind].size)
			found[cache_level][kind] =
				read_cache_size_assoc_line(f);
	}
}

/* Read the geometry of the processor whose caches are in directory
   @cpu_cache_directory into @levels [AL_HOST_LEVELS]. Return: whether it has
   data and instruction caches of the first level and a cache below them. */
static bool try_read_i1_d1_l2_ll_of_cpu(const char *cpu_cache_directory,
					struct an_level *levels)
{
	struct an_level found[MAX_LEVEL + 1][BOTH + 1] = {0};
	int last = MAX_LEVEL;

	read_cpu_caches(
		&(struct cache_directory){.caches = cpu_cache_directory},
		found);
	while (last > 1 && !found[last][BOTH].size)
		last--;
	levels[AL_I1] = found[1][CODE];
	levels[AL_D1] = found[1][DATA];
	levels[AL_L2] = found[last > 2 ? 2 : 0][BOTH];
	levels[AL_LL] = found[last][BOTH];
	return levels[AL_I1].size && levels[AL_D1].size && levels[AL_LL].size;
}

int al_sysfs_read_i1_d1_l2_ll_of_first_cpu(const char *cpus_directory,
					   struct an_level *levels)
{
	char pattern[512];
	glob_t processors;
	size_t i = 0;
	int n = snprintf(pattern, sizeof(pattern), "%s/cpu[0-9]*/cache",
			 cpus_directory);

	if (n < 0 || (size_t)n >= sizeof(pattern) ||
	    glob(pattern, 0, NULL, &processors))
		return -ENOENT;
	while (i < processors.gl_pathc &&
	       !try_read_i1_d1_l2_ll_of_cpu(processors.gl_pathv[i], levels))
		i++;
	n = i < processors.gl_pathc ? 0 : -ENOENT;
	globfree(&processors);
	return n;
}
