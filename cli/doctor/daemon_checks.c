/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon_checks.c - checks that a daemon can listen and create rings
 */
#include "cli/doctor/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/core/runtime_dir.h"

enum {
	RING = 1 << 21,	      /* [bytes] shared memory of a small ring */
	FEWEST_FILES = 64,    /* open files that a daemon needs at least */
	MOST_FILES = 1 << 20, /* limit of open files above which Valgrind may
				 not start */
};

void cl_check_runtime_dir_creating_if_missing(struct cl_check_result *r)
{
	char path[DM_PATH], message[AL_MESSAGE];

	if (!dm_runtime_create_and_check_dir(path, message)) {
		cl_check_set_result(r, CL_OK, "%s, mode 0700, yours", path);
		return;
	}
	cl_check_set_result(r, CL_BAD, "%s", message);
	cl_check_set_remedy(
		r, "set XDG_RUNTIME_DIR to a directory of yours, mode 0700");
}

void cl_check_daemon_can_listen(struct cl_check_result *r)
{
	char path[DM_PATH], message[AL_MESSAGE], name[64];
	struct dm_listener listener = {.fd = -1, .lock_fd = -1};
	int err;

	snprintf(name, sizeof(name), "doctor-%d.sock", (int)getpid());
	err = dm_runtime_build_socket_path_create_dir(name, path, message);
	if (!err)
		err = dm_runtime_lock_path_and_listen(&listener, path, message);
	if (err) {
		cl_check_set_result(r, CL_BAD, "%s", message);
		cl_check_set_remedy(
			r, "set XDG_RUNTIME_DIR to a directory on a local "
			   "file system");
		return;
	}
	dm_runtime_close_listener(&listener);
	cl_check_set_result(r, CL_OK,
			    "a daemon can listen in the runtime directory");
}

void cl_check_memfd_for_rings(struct cl_check_result *r)
{
	int fd =
		memfd_create("alleria-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *ring = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, RING) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		ring = mmap(NULL, RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    0);
	if (ring == MAP_FAILED) {
		cl_check_set_result(r, CL_BAD, "no shared memory for rings: %s",
				    strerror(errno));
		cl_check_set_remedy(
			r, "allow memfd_create() and raise the limit of "
			   "memory");
	} else {
		cl_check_set_result(r, CL_OK,
				    "shared memory for rings (memfd)");
		munmap(ring, RING);
	}
	if (fd >= 0)
		close(fd);
}

void cl_check_open_file_limit(struct cl_check_result *r)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit)) {
		cl_check_set_result(r, CL_NOTE, "unknown: %s", strerror(errno));
	} else if (limit.rlim_cur < FEWEST_FILES) {
		cl_check_set_result(r, CL_BAD, "%llu open files",
				    (unsigned long long)limit.rlim_cur);
		cl_check_set_remedy(r, "ulimit -n 1024");
	} else if (limit.rlim_cur > MOST_FILES) {
		cl_check_set_result(
			r, CL_NOTE,
			"%llu open files: Valgrind may refuse so many",
			(unsigned long long)limit.rlim_cur);
		cl_check_set_remedy(r, "ulimit -n 65536");
	} else {
		cl_check_set_result(r, CL_OK, "%llu open files",
				    (unsigned long long)limit.rlim_cur);
	}
}
