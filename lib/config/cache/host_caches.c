/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_caches.c - detects this machine's caches: from the kernel, then by CPUID
 *
 * Virtual machines describe caches that do not exist, so each description is
 * compared with the limits of real caches.
 */
#include "lib/config/cache/host_caches.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text/message.h"
#include "lib/config/cache/cache_geometry.h"

enum {
	MAX_DIRECT = 64 << 10, /* [bytes] plausible size of a direct mapped
				  cache, at most */
	MAX_FIRST = 4 << 20,   /* [bytes] plausible size of I1 and D1, at
				  most */
};

static const char *const names[AL_HOST_LEVELS] = {"I1", "D1", "L2", "LL"};

/* Cachegrind's default caches on amd64, for a processor that describes none. */
static const struct an_level default_levels[AL_HOST_LEVELS] = {
	[AL_I1] = {.size = 64 << 10, .assoc = 2, .line = 64},
	[AL_D1] = {.size = 64 << 10, .assoc = 2, .line = 64},
	[AL_LL] = {.size = 256 << 10, .assoc = 8, .line = 64},
};

/*
 * Round the number of sets down to a power of two, as Cachegrind does for the
 * last level. The associativity grows by the same factor and is rounded, and
 * the size follows.
 */
static void round_sets_down_raise_assoc(struct an_level *level)
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

/* Check that the size of level @level_index of @levels is plausible, round its
   number of sets down to a power of two, and check it by Cachegrind's rules.
   Return: 0; -EINVAL if a check fails, with the value that is implausible, such
   as the size, in @implausible_reason. */
static int check_level_plausible_round_set_count(struct an_level *levels,
						 int level_index,
						 char *implausible_reason)
{
	struct an_level *l = &levels[level_index];
	uint64_t max_size = level_index < AL_L2 ? MAX_FIRST : UINT64_MAX;
	uint64_t min_size = level_index > AL_D1 ? levels[AL_D1].size : 0;

	if (l->assoc == 1 && l->size > MAX_DIRECT)
		return al_message_return_einval(
			implausible_reason, "%" PRIu64 " KiB, direct mapped",
			l->size >> 10);
	if (l->size > max_size || l->size < min_size)
		return al_message_return_einval(
			implausible_reason, "%" PRIu64 " KiB", l->size >> 10);
	if (level_index == AL_LL && l->size < levels[AL_L2].size)
		return al_message_return_einval(implausible_reason,
						"%" PRIu64 " KiB, below its L2",
						l->size >> 10);
	if (l->assoc != AL_ASSOC_FULL)
		round_sets_down_raise_assoc(l);
	return al_level_check_like_cachegrind(l, implausible_reason) ? -EINVAL
								     : 0;
}

/* Check all levels, and round their numbers of sets down to powers of two.
   @source: origin of their description, such as "the kernel". Return: 0;
   -EINVAL if a level is implausible, with a line in @implausible_note. */
static int check_levels_plausible_round_set_counts(struct an_level *levels,
						   const char *source,
						   char *implausible_note)
{
	char why[AL_MESSAGE];

	for (int i = 0; i < AL_HOST_LEVELS; i++)
		if ((i != AL_L2 || levels[i].size) &&
		    check_level_plausible_round_set_count(levels, i, why))
			return al_message_return_einval(
				implausible_note,
				"%s names a cache that no machine "
				"has: %s of %.100s",
				source, names[i], why);
	return 0;
}

void al_hostcaches_detect_or_default(const char *sysfs_dir,
				     const struct al_cpu *cpu_for_cpuid,
				     struct an_level *levels,
				     char *problem_note)
{
	char why[AL_MESSAGE];

	*problem_note = '\0';
	memset(levels, 0, AL_HOST_LEVELS * sizeof(*levels));
	if (!al_sysfs_read_i1_d1_l2_ll_of_first_cpu(sysfs_dir, levels) &&
	    !check_levels_plausible_round_set_counts(levels, "the kernel",
						     problem_note))
		return;
	memset(levels, 0, AL_HOST_LEVELS * sizeof(*levels));
	if (cpu_for_cpuid &&
	    !al_cpuid_read_caches_0_or_enoent(cpu_for_cpuid, levels) &&
	    !check_levels_plausible_round_set_counts(levels, "the processor",
						     problem_note))
		return;
	if (!*problem_note)
		al_message_return_einval(
			problem_note,
			"neither kernel nor processor name the caches");
	memcpy(levels, default_levels, sizeof(default_levels));
	for (int i = 0; i < AL_HOST_LEVELS; i++)
		if (levels[i].size)
			al_level_check_like_cachegrind(&levels[i], why);
}
