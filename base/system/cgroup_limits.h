/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_limits.h - reads the memory and processor time that control groups
 * allow this process
 *
 * Containers and services limit their programs by control groups. A group's
 * limit also holds for the groups below it, so the lowest limit from the
 * process's group up to the root is in effect. Versions 1 and 2 are read.
 */
#ifndef BASE_SYSTEM_CGROUP_LIMITS_H
#define BASE_SYSTEM_CGROUP_LIMITS_H

#include <stdint.h>

#define AL_CGROUP_MEMBERSHIP "/proc/self/cgroup"
#define AL_CGROUP_MOUNT "/sys/fs/cgroup"

/**
 * al_cgroup_memory_limit_or_0() - Return the limit of memory [bytes].
 * @membership_path: the file that lists the groups of a process,
 *         AL_CGROUP_MEMBERSHIP.
 * @mount_folder: where the groups are mounted, AL_CGROUP_MOUNT.
 *
 * Files that do not exist or cannot be read limit nothing. 0: no limit.
 */
uint64_t al_cgroup_memory_limit_or_0(const char *membership_path,
				     const char *mount_folder);

/* Return the limit of processor time: the number of processors that can be used
   all the time, for example 1.5. 0: no limit. */
double al_cgroup_processor_limit_or_0(const char *membership_path,
				      const char *mount_folder);

#endif
