/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine_checks.c - checks the caches, processors and memory of the machine
 */
#include "cli/doctor/checks.h"

#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "base/system/cgroup_limits.h"
#include "base/text/message.h"
#include "lib/config/cache/host_caches.h"

enum {
	LARGEST_LL = 128,   /* [MiB] largest plausible last-level cache */
	LEAST_MEMORY = 512, /* [MiB] least that a control group should allow;
			       enough to record small programs */
};

void cl_check_detected_caches_are_plausible(struct cl_check_result *r)
{
	struct an_level level[AL_HOST_LEVELS];
	char note[AL_MESSAGE];
	uint64_t mib;

	al_hostcaches_detect_or_default(AL_SYSFS_CPUS,
					al_cpu_current_or_null_if_no_cpuid(),
					level, note);
	mib = level[AL_LL].size >> 20;
	if (*note) {
		cl_check_set_result(r, CL_NOTE, "%s", note);
	} else if (level[AL_LL].assoc == 1 || mib > LARGEST_LL) {
		cl_check_set_result(r, CL_NOTE,
				    "LL of %llu MiB, %u-way: few machines have "
				    "such a cache; "
				    "virtual ones report it",
				    (unsigned long long)mib,
				    level[AL_LL].assoc);
	} else {
		cl_check_set_result(
			r, CL_OK, "D1 %llu KiB %u-way, LL %llu MiB %u-way",
			(unsigned long long)(level[AL_D1].size >> 10),
			level[AL_D1].assoc, (unsigned long long)mib,
			level[AL_LL].assoc);
	}
	if (r->result == CL_NOTE)
		cl_check_set_remedy(
			r, "give the caches: --LL=32M,16,64, or --cache");
}

void cl_check_allowed_processor_count(struct cl_check_result *r)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int allowed = 0;
	cpu_set_t set_of_cpus;

	if (!sched_getaffinity(0, sizeof(set_of_cpus), &set_of_cpus))
		allowed = CPU_COUNT(&set_of_cpus);
	if (allowed == 0)
		cl_check_set_result(r, CL_NOTE,
				    "%ld online, unknown which are allowed",
				    online);
	else if (allowed == 1)
		cl_check_set_result(
			r, CL_NOTE,
			"1 of %ld allowed: the program and the analyses "
			"share it",
			online);
	else
		cl_check_set_result(r, CL_OK, "%d of %ld allowed", allowed,
				    online);
	if (allowed == 1)
		cl_check_set_remedy(r,
				    "allow two or more, if there are (taskset, "
				    "cpuset)");
}

void cl_check_cgroup_memory_limit(struct cl_check_result *r)
{
	uint64_t mib = al_cgroup_memory_limit_or_0(AL_CGROUP_MEMBERSHIP,
						   AL_CGROUP_MOUNT) >>
		       20;

	if (mib == 0) {
		cl_check_set_result(r, CL_OK, "no control group limits it");
		return;
	}
	cl_check_set_result(r, mib < LEAST_MEMORY ? CL_NOTE : CL_OK,
			    "a control group allows %llu MiB",
			    (unsigned long long)mib);
	if (r->result == CL_NOTE)
		cl_check_set_remedy(
			r,
			"allow %d MiB or more (docker run --memory, "
			"MemoryMax=), or record with --workers=1",
			LEAST_MEMORY);
}

void cl_check_processor_quota(struct cl_check_result *r)
{
	double processors = al_cgroup_processor_limit_or_0(AL_CGROUP_MEMBERSHIP,
							   AL_CGROUP_MOUNT);

	if (processors == 0) {
		cl_check_set_result(r, CL_OK, "no control group sets one");
		return;
	}
	cl_check_set_result(r, processors < 2 ? CL_NOTE : CL_OK,
			    "a control group allows the time of %.2f "
			    "processors%s",
			    processors,
			    processors < 2 ? ": the program and the analyses "
					     "share it"
					   : "");
	if (r->result == CL_NOTE)
		cl_check_set_remedy(r, "allow that of two or more (docker run "
				       "--cpus, CPUQuota=)");
}
