/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_limits.c - reads the memory and processor time that control groups
 * allow this process; see cgroup_limits.h
 */
#include "base/system/cgroup_limits.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [bytes] version 1 writes the greatest multiple of a page for no limit */
#define UNLIMITED ((uint64_t)1 << 60)

struct limits {
	uint64_t memory_bytes; /* [bytes] memory that the control groups allow;
				  0: no limit */
	double processors;     /* number of processors that can be used all the
				  time; 0: no limit */
};

/* Read the first line of the file @name in the folder @folder, cut to
   @line_size bytes with the NUL. Return: whether there is one. */
static bool read_first_line(const char *folder, const char *name, char *line,
			    size_t line_size)
{
	char path[PATH_MAX];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%.3000s/%s", folder, name);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	found = fgets(line, (int)line_size, f) != NULL;
	fclose(f);
	return found;
}

/* Lower the limit of memory to the number in the file @name of a group, if that
   is lower. "max" and numbers from UNLIMITED on limit nothing. */
static void lower_memory_limit(struct limits *l, const char *folder,
			       const char *name)
{
	char line[64], *end;
	uint64_t bytes;

	if (!read_first_line(folder, name, line, sizeof(line)))
		return;
	bytes = strtoull(line, &end, 10);
	if (end != line && bytes < UNLIMITED &&
	    (l->memory_bytes == 0 || bytes < l->memory_bytes))
		l->memory_bytes = bytes;
}

/* Lower the limit of processor time to @quota in each @period, both [us], if
   that is lower. A quota or period of at most 0 limits nothing. */
static void lower_processor_limit(struct limits *l, double quota, double period)
{
	if (quota > 0 && period > 0 &&
	    (l->processors == 0 || quota / period < l->processors))
		l->processors = quota / period;
}

static void lower_limits_to_one_group_v2(struct limits *l, const char *folder)
{
	double quota, period;
	char line[64];

	lower_memory_limit(l, folder, "memory.max");
	if (read_first_line(folder, "cpu.max", line, sizeof(line)) &&
	    sscanf(line, "%lf %lf", &quota, &period) == 2)
		lower_processor_limit(l, quota, period);
}

static void lower_limits_to_one_group_v1(struct limits *l, const char *folder)
{
	lower_memory_limit(l, folder, "memory.limit_in_bytes");
}

static void lower_processor_limit_to_cgroup_v1_quota(struct limits *l,
						     const char *folder)
{
	char quota[64], period[64];

	if (read_first_line(folder, "cpu.cfs_quota_us", quota, sizeof(quota)) &&
	    read_first_line(folder, "cpu.cfs_period_us", period,
			    sizeof(period)))
		lower_processor_limit(l, strtod(quota, NULL),
				      strtod(period, NULL));
}

/* Call @lower for the group @group of the hierarchy that is mounted at @mount,
   and for all groups above it. A container may see a group that its mount does
   not have; then the groups above it that exist are read. */
static void
lower_limits_up_to_root(struct limits *l, const char *mount, const char *group,
			void (*lower)(struct limits *, const char *))
{
	char folder[PATH_MAX], *slash;
	size_t root = strlen(mount);

	if (root + strlen(group) >= sizeof(folder))
		return;
	strcat(strcpy(folder, mount), group);
	lower(l, folder);
	while ((slash = strrchr(folder + root, '/')) != NULL) {
		*slash = '\0';
		lower(l, folder);
	}
}

/* Whether the list @controllers, separated by commas, has @controller. */
static bool has_controller(const char *controllers, const char *controller)
{
	size_t n = strlen(controller);

	for (const char *c = controllers; c != NULL; c = strchr(c, ',')) {
		c += *c == ',';
		if (!strncmp(c, controller, n) && (c[n] == ',' || !c[n]))
			return true;
	}
	return false;
}

/* Lower the limits to those of a line of the membership file without its
   newline: "NUMBER:CONTROLLERS:GROUP". CONTROLLERS is empty in version 2, which
   is mounted at "unified" where version 1 is mounted as well. */
static void lower_limits_to_cgroup_membership_line(struct limits *l,
						   const char *mount_folder,
						   char *line)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;
	char mount[PATH_MAX];

	if (group == NULL)
		return;
	*group++ = '\0';
	controllers++;
	if (!*controllers) {
		lower_limits_up_to_root(l, mount_folder, group,
					lower_limits_to_one_group_v2);
		snprintf(mount, sizeof(mount), "%.2000s/unified", mount_folder);
		lower_limits_up_to_root(l, mount, group,
					lower_limits_to_one_group_v2);
	}
	snprintf(mount, sizeof(mount), "%.2000s/%.1000s", mount_folder,
		 controllers);
	if (has_controller(controllers, "memory"))
		lower_limits_up_to_root(l, mount, group,
					lower_limits_to_one_group_v1);
	if (has_controller(controllers, "cpu"))
		lower_limits_up_to_root(
			l, mount, group,
			lower_processor_limit_to_cgroup_v1_quota);
}

static struct limits read_limits(const char *membership_path,
				 const char *mount_folder)
{
	FILE *f = fopen(membership_path, "re");
	struct limits l = {0};
	char *line = NULL;
	size_t size = 0;

	while (f != NULL && getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		lower_limits_to_cgroup_membership_line(&l, mount_folder, line);
	}
	free(line);
	if (f != NULL)
		fclose(f);
	return l;
}

uint64_t al_cgroup_memory_limit_or_0(const char *membership_path,
				     const char *mount_folder)
{
	return read_limits(membership_path, mount_folder).memory_bytes;
}

double al_cgroup_processor_limit_or_0(const char *membership_path,
				      const char *mount_folder)
{
	return read_limits(membership_path, mount_folder).processors;
}
