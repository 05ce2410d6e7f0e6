/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cgroup_limits_test.c - tests the limits of control groups, versions 1 and 2
   */
#include "base/system/cgroup_limits.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tap.h"

/* Write @text to the file @path, and create the folders that it lies in. */
static void write_file(const char *path, const char *text)
{
	char folder[200];
	FILE *f;

	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(p - path), path);
		mkdir(folder, 0755);
	}
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

struct limits {
	uint64_t memory_bytes;
	double processors;
};

static struct limits read_limits(const char *membership)
{
	write_file("self", membership);
	return (struct limits){
		al_cgroup_memory_limit_or_0("self", "mount"),
		al_cgroup_processor_limit_or_0("self", "mount"),
	};
}

static void test_version_2(void)
{
	struct limits l;

	l = read_limits("0::/a/b\n");
	ok(l.memory_bytes == 0 && l.processors == 0, "no files, no limits");
	write_file("mount/a/b/memory.max", "max\n");
	write_file("mount/a/b/cpu.max", "max 100000\n");
	l = read_limits("0::/a/b\n");
	ok(l.memory_bytes == 0 && l.processors == 0, "max is no limit");
	write_file("mount/a/memory.max", "1048576\n");
	write_file("mount/a/cpu.max", "150000 100000\n");
	l = read_limits("0::/a/b\n");
	ok(l.memory_bytes == 1048576 && l.processors == 1.5,
	   "the group above limits");
	write_file("mount/a/b/memory.max", "4096\n");
	write_file("mount/a/b/cpu.max", "200000 100000\n");
	l = read_limits("0::/a/b\n");
	ok(l.memory_bytes == 4096 && l.processors == 1.5,
	   "the lower limit is in effect");
	l = read_limits("0::/a/elsewhere/c\n");
	ok(l.memory_bytes == 1048576, "a group that the mount does not have");
	l = read_limits("0::/\n");
	ok(l.memory_bytes == 0, "the root has no limit");
	write_file("mount/memory.max", "65536\n");
	l = read_limits("0::/\n");
	ok(l.memory_bytes == 65536, "but that of a container has");
}

static void test_version_1(void)
{
	struct limits l;

	write_file("mount/memory/x/memory.limit_in_bytes",
		   "9223372036854771712\n");
	write_file("mount/cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
	write_file("mount/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
	l = read_limits("4:memory:/x\n3:cpu,cpuacct:/x\n0::/none\n");
	ok(l.memory_bytes == 65536 && l.processors == 0,
	   "version 1 without limits, 2 with one");
	unlink("mount/memory.max");
	write_file("mount/memory/x/memory.limit_in_bytes", "8192\n");
	write_file("mount/cpu,cpuacct/x/cpu.cfs_quota_us", "50000\n");
	l = read_limits("4:memory:/x\n3:cpu,cpuacct:/x\n0::/none\n");
	ok(l.memory_bytes == 8192 && l.processors == 0.5, "version 1");
	write_file("mount/cpuacct/x/cpu.cfs_quota_us", "10000\n");
	write_file("mount/cpuacct/x/cpu.cfs_period_us", "100000\n");
	l = read_limits("4:cpuset:/x\n3:cpuacct:/x\n");
	ok(l.memory_bytes == 0 && l.processors == 0,
	   "other controllers limit nothing");
	write_file("mount/unified/y/memory.max", "12288\n");
	l = read_limits("0::/y\n");
	ok(l.memory_bytes == 12288, "version 2 beside version 1");
}

static void test_bad_files(void)
{
	struct limits l = read_limits("");

	ok(l.memory_bytes == 0 && l.processors == 0, "an empty membership");
	l = read_limits("0\n1:memory\n:\n::\n\n");
	ok(l.memory_bytes == 0 && l.processors == 0, "lines without fields");
	write_file("mount/z/memory.max", "\n");
	write_file("mount/z/cpu.max", "5 0\n");
	l = read_limits("0::/z\n");
	ok(l.memory_bytes == 0 && l.processors == 0, "no numbers");
	ok(al_cgroup_memory_limit_or_0("nowhere", "mount") == 0 &&
		   al_cgroup_processor_limit_or_0("nowhere", "mount") == 0,
	   "no membership");
}

static int delete_one(const char *path, const struct stat *st, int kind,
		      struct FTW *place)
{
	(void)st;
	(void)kind;
	(void)place;
	return remove(path);
}

int main(void)
{
	char dir[] = "/tmp/al_cgroup_test.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	test_version_2();
	test_version_1();
	test_bad_files();
	ok(chdir("/") == 0 &&
		   nftw(dir, delete_one, 8, FTW_DEPTH | FTW_PHYS) == 0,
	   "the files are deleted");
	return done_testing();
}
