/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault_test.c - a profile that cannot be written further
 *
 * The functions that the writer calls are those below: they do what those of
 * the C library do, until one is to fail.
 */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

enum call { PWRITEV, FALLOCATE, FTRUNCATE, CLOSE, CALLS };

static struct {
	enum call call;
	unsigned nth; /* number of the call that fails, from 1; 0: none */
	int err;
	bool forever; /* all later calls fail, too */
	bool torn;    /* half of it is written */
	size_t most;  /* [bytes] maximum of a write, or 0 */
} fault;
static unsigned called[CALLS];

static bool fails(enum call call)
{
	unsigned n = ++called[call];

	if (call != fault.call || !fault.nth ||
	    !(n == fault.nth || (fault.forever && n > fault.nth)))
		return false;
	errno = fault.err;
	return true;
}

static ssize_t write_some(int fd, const struct iovec *iov, size_t bytes,
			  off_t offset)
{
	bytes = bytes < iov->iov_len ? bytes : iov->iov_len;
	return pwrite(fd, iov->iov_base, bytes, offset);
}

ssize_t pwritev(int fd, const struct iovec *iov, int n, off_t offset)
{
	if (fails(PWRITEV)) {
		if (fault.torn)
			write_some(fd, iov, iov->iov_len / 2, offset);
		errno = fault.err;
		return -1;
	}
	if (fault.most)
		return write_some(fd, iov, fault.most, offset);
	return syscall(SYS_pwritev, fd, iov, n, offset, 0);
}

int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
	if (fails(FALLOCATE))
		return -1;
	return (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
}

int ftruncate(int fd, off_t bytes)
{
	return fails(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, bytes);
}

int close(int fd)
{
	int err = (int)syscall(SYS_close, fd);

	return fails(CLOSE) ? -1 : err;
}

static struct pf_unpacker *unpacker;

/* Facts that a profile states about itself. */
struct said {
	size_t blocks; /* number of the sample's blocks, from the first on,
			  PF_DONE excluded; SIZE_MAX: there are other blocks */
	char status[16];
	char reason[64];
};

static void read_done(struct pf_reader *r, const struct pf_entry *e,
		      struct said *said)
{
	struct pf_fact_reader fact;
	const char *status = "?", *reason = "?";
	const void *payload;
	size_t offset = 0;

	if (pf_reader_load_block(r, unpacker, e, &payload) ||
	    pf_records_read_next_fact_or_0_at_end(payload, e->head.bytes,
						  &offset, &fact) != 1 ||
	    fact.kind != PF_STATUS || !pf_fact_read_string(&fact, &status) ||
	    !pf_fact_read_string(&fact, &reason))
		status = "bad";
	snprintf(said->status, sizeof(said->status), "%s", status);
	snprintf(said->reason, sizeof(said->reason), "%s", reason);
}

static struct said read_profile(void)
{
	struct said said = {0};
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n;

	memset(&fault, 0, sizeof(fault));
	r = toy_file_open();
	if (!r)
		return said;
	e = pf_reader_entries(r, &n);
	if (n && e[n - 1].head.kind == PF_DONE)
		read_done(r, &e[--n], &said);
	for (said.blocks = 0; said.blocks < n; said.blocks++)
		if (!toy_file_is_block(r, unpacker, &e[said.blocks],
				       (unsigned)said.blocks))
			said.blocks = SIZE_MAX - 1;
	pf_reader_close(r);
	return said;
}

static bool is_truncated(const struct said *said, int err)
{
	return !strcmp(said->status, "truncated") &&
	       !strcmp(said->reason, strerror(err));
}

/* ---- limits ---- */

static void test_size_limit(void)
{
	struct rlimit old, limit;
	struct said said;

	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 3 << 19;
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(toy_file_write(10000) == -EFBIG,
	   "a limit of file size stops the writer, not the program");
	setrlimit(RLIMIT_FSIZE, &old);
	said = read_profile();
	ok(is_truncated(&said, EFBIG), "the profile says so");
	ok(said.blocks > 1000 && said.blocks < 5000 &&
		   toy_file_size() <= limit.rlim_cur,
	   "and has what was written before, to the last byte");

	limit.rlim_cur = 1 << 14;
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(toy_file_write(100) == -EFBIG, "a limit of a few KiB");
	setrlimit(RLIMIT_FSIZE, &old);
	said = read_profile();
	ok(is_truncated(&said, EFBIG) && said.blocks > 10 &&
		   said.blocks < 100 && toy_file_size() <= limit.rlim_cur,
	   "leaves an end and what there is room for before it");

	limit.rlim_cur = 1 << 12;
	setrlimit(RLIMIT_FSIZE, &limit);
	ok(toy_file_write(10) == -EFBIG,
	   "a limit below what is kept in reserve");
	setrlimit(RLIMIT_FSIZE, &old);
	said = read_profile();
	ok(is_truncated(&said, EFBIG) && !said.blocks,
	   "leaves an end and nothing before it");
}

static void put_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, strlen(text)) >= 0)
		close(fd);
}

/* Mount a file system with mount options @options in the test's folder, visible
   to this process only. */
static bool mount_tiny(const char *options)
{
	char map[64];
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return false;
	put_text("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	put_text("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	put_text("/proc/self/gid_map", map);
	return !mount("none", toy_file_dir, "tmpfs", 0, options);
}

static void test_full_disk(void)
{
	struct said said;

	unlink(toy_file_path);
	if (!mount_tiny("size=2m")) {
		skip("no file system can be made here", "a full disk");
		return;
	}
	ok(toy_file_write(100000) == -ENOSPC, "a full disk stops the writer");
	said = read_profile();
	ok(is_truncated(&said, ENOSPC), "there was room left to say so");
	ok(said.blocks > 1000 && said.blocks < 10000,
	   "what was written before is whole");
	umount2(toy_file_dir, MNT_DETACH);

	if (mount("none", toy_file_dir, "tmpfs", 0, "size=64k"))
		abort();
	toy_file_write(100000);
	said = read_profile();
	ok(is_truncated(&said, ENOSPC) && said.blocks > 50,
	   "where little is free the first blocks are kept");
	umount2(toy_file_dir, MNT_DETACH);
}

/* Check that the file has an end at whatever size it is stopped, also around
   the first index. */
static void test_each_limit(void)
{
	struct rlimit old, limit;
	unsigned whole = 0, n = 0;
	struct said said;

	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	for (rlim_t max_bytes = 1 << 18; max_bytes < 15 << 17;
	     max_bytes += 20011) {
		limit.rlim_cur = max_bytes;
		setrlimit(RLIMIT_FSIZE, &limit);
		toy_file_write(6000);
		setrlimit(RLIMIT_FSIZE, &old);
		said = read_profile();
		n++;
		whole += said.blocks > 0 && said.blocks < 6000 &&
			 is_truncated(&said, EFBIG) &&
			 toy_file_size() <= max_bytes;
	}
	is_u64(whole, n, "a limit of any size leaves what fits, and an end");
}

/* ---- calls that fail ---- */

enum { BLOCKS = 20 };

/* Whether a profile with fewer blocks than the sample does not claim to be
   complete, and has no other blocks. */
static bool is_honest(const struct said *said)
{
	return said->blocks <= BLOCKS &&
	       (strcmp(said->status, "complete") || said->blocks == BLOCKS);
}

static void test_each_write(bool torn)
{
	unsigned honest = 0, reported = 0, first = 0, n;
	struct said said;

	toy_file_write(BLOCKS);
	memset(called, 0, sizeof(called));
	toy_file_write(BLOCKS);
	n = called[PWRITEV];
	is_u64(n, BLOCKS + 3, "a write for each block, index and tail");
	for (unsigned i = 1; i <= n; i++) {
		fault.call = PWRITEV;
		fault.nth = i;
		fault.err = EIO;
		fault.torn = torn;
		memset(called, 0, sizeof(called));
		first += toy_file_write(BLOCKS) == -EIO;
		said = read_profile();
		honest += is_honest(&said) &&
			  said.blocks == (i <= BLOCKS ? i - 1 : BLOCKS);
		reported += is_truncated(&said, EIO);
	}
	is_u64(first, n, "each, when it fails, is told to who writes");
	is_u64(honest, n, "all blocks before it are there, none behind it");
	is_u64(reported, BLOCKS + 1, "the profile says so, if it was a block");
}

static void test_disk_gone(void)
{
	unsigned honest = 0;
	struct said said;

	for (unsigned i = 1; i <= BLOCKS + 3; i++) {
		fault.call = PWRITEV;
		fault.nth = i;
		fault.err = EIO;
		fault.forever = fault.torn = true;
		memset(called, 0, sizeof(called));
		toy_file_write(BLOCKS);
		said = read_profile();
		honest += is_honest(&said) &&
			  said.blocks == (i <= BLOCKS ? i - 1 : BLOCKS) &&
			  (!*said.status || i > BLOCKS + 1);
	}
	is_u64(honest, BLOCKS + 3,
	       "where nothing can be written any more the blocks before stay");
}

static void test_short_writes(void)
{
	struct said said;

	fault.most = 7;
	ok(!toy_file_write(BLOCKS), "writes of a few bytes at a time do");
	said = read_profile();
	ok(said.blocks == BLOCKS && !strcmp(said.status, "complete"),
	   "and give the same");
	fault.call = PWRITEV;
	fault.nth = 3;
	fault.err = EINTR;
	memset(called, 0, sizeof(called));
	ok(!toy_file_write(BLOCKS) && called[PWRITEV] == BLOCKS + 4,
	   "an interrupted one is made again");
}

/* Check that the first call of a kind fails with @err. */
static int fail_first(enum call call, int err, struct said *said)
{
	int got;

	memset(called, 0, sizeof(called));
	fault.call = call;
	fault.nth = 1;
	fault.err = err;
	fault.forever = true;
	got = toy_file_write(BLOCKS);
	*said = read_profile();
	return got;
}

static void test_other_calls(void)
{
	struct said said;

	ok(!fail_first(FALLOCATE, EOPNOTSUPP, &said) && said.blocks == BLOCKS,
	   "where room cannot be kept a profile is written all the same");
	ok(fail_first(FALLOCATE, EDQUOT, &said) == -EDQUOT && !toy_file_size(),
	   "where there is none nothing is written, and who writes is told");
	ok(fail_first(FTRUNCATE, EIO, &said) == -EIO && said.blocks == BLOCKS,
	   "a file that cannot be cut has all, and who writes is told");
	ok(fail_first(CLOSE, EDQUOT, &said) == -EDQUOT && said.blocks == BLOCKS,
	   "so for one that fails when it is closed");
}

static void test_caller(void)
{
	char message[AL_MESSAGE];
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	struct pf_writer *w;
	struct said said;

	unlink(toy_file_path);
	w = pf_writer_new_and_create_file(toy_file_path, message);
	toy_file_write_block(w, p, 0);
	pf_writer_set_first_error(w, -ENOMEM);
	ok(toy_file_write_block(w, p, 1) == -ENOMEM &&
		   toy_file_finish(w, p) == -ENOMEM,
	   "behind what the caller could not make nothing is taken");
	pf_writer_flush_close_free(w);
	pf_packer_free(p);
	said = read_profile();
	ok(said.blocks == 1 && is_truncated(&said, ENOMEM),
	   "the profile says why");
}

/* Check a writer that ends by an error when its index is full, or nearly so. */
static void test_full_index(void)
{
	enum { INDEX = 4096, BESIDE = 2 };
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	unsigned good = 0, n = 0;

	for (unsigned i = 1; i <= 2; i++)
		for (int beside = -BESIDE; beside <= BESIDE; beside++) {
			unsigned blocks = i * INDEX + (unsigned)beside;
			char message[AL_MESSAGE];
			struct pf_writer *w;
			struct said said;

			unlink(toy_file_path);
			w = pf_writer_new_and_create_file(toy_file_path,
							  message);
			for (unsigned b = 0; b < blocks; b++)
				toy_file_write_block(w, p, b);
			pf_writer_set_first_error(w, -ENOMEM);
			toy_file_finish(w, p);
			pf_writer_flush_close_free(w);
			said = read_profile();
			good += said.blocks == blocks &&
				is_truncated(&said, ENOMEM);
			n++;
		}
	pf_packer_free(p);
	is_u64(good, n, "wherever an index begins, the end is whole");
}

int main(void)
{
	unpacker = pf_unpacker_new();
	toy_file_begin();
	test_size_limit();
	test_each_limit();
	test_each_write(false);
	test_each_write(true);
	test_disk_gone();
	test_short_writes();
	test_other_calls();
	test_caller();
	test_full_index();
	test_full_disk();
	toy_file_end();
	pf_unpacker_free(unpacker);
	return done_testing();
}
