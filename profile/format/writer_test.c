/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer_test.c - blocks into a profile
 */
#include "profile/format/writer.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

static void test_file(void)
{
	char message[AL_MESSAGE] = "";
	struct pf_writer *w;
	struct stat st;
	mode_t old;

	unlink(toy_file_path);
	old = umask(0);
	w = pf_writer_new_and_create_file(toy_file_path, message);
	umask(old);
	ok(w && !stat(toy_file_path, &st) && (st.st_mode & 07777) == 0600,
	   "a profile is its owner's alone");
	ok(!pf_writer_new_and_create_file(toy_file_path, message) &&
		   errno == EEXIST,
	   "a second writer is refused while the file is still empty");
	pf_writer_flush_close_free(w);
	is_u64(toy_file_size(), 0, "what got no block stays empty");

	if (chmod(toy_file_path, 0644) < 0)
		abort();
	w = pf_writer_new_and_create_file(toy_file_path, message);
	ok(w && !stat(toy_file_path, &st) && (st.st_mode & 07777) == 0600,
	   "an empty file is taken, and made its owner's alone");
	pf_writer_flush_close_free(w);
}

/* Whether opening @path fails with @err. */
static bool is_refused(const char *path, int err, char *message)
{
	struct pf_writer *w;

	*message = '\0';
	w = pf_writer_new_and_create_file(path, message);
	if (w)
		pf_writer_flush_close_free(w);
	return !w && errno == err && *message;
}

static size_t used_memory(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

static void test_memory(void)
{
	char message[AL_MESSAGE];
	size_t used = 0;

	for (int i = 0; i < 4; i++) {
		if (pf_writer_new_and_create_file("/no/such/folder/x", message))
			abort();
		used = i < 2 ? used_memory() : used;
	}
	/* less than the memory of a packer; tables of the C library may grow a
	   little */
	ok(used_memory() < used + 1024, "one that is refused leaves no memory");
}

static void test_refused(void)
{
	char message[AL_MESSAGE], want[AL_MESSAGE], link[64];

	ok(!toy_file_write(1) && is_refused(toy_file_path, EEXIST, message),
	   "a file that has something is refused");
	snprintf(want, sizeof(want), "'%s' exists; --force replaces it",
		 toy_file_path);
	is_str(message, want, "and named");
	snprintf(link, sizeof(link), "%s/link", toy_file_dir);
	unlink(toy_file_path);
	if (symlink(toy_file_path, link) < 0)
		abort();
	ok(is_refused(link, EEXIST, message) && access(toy_file_path, F_OK) < 0,
	   "a symbolic link is not followed");
	unlink(link);
	ok(is_refused("/dev/null", EEXIST, message) &&
		   is_refused(toy_file_dir, EEXIST, message),
	   "a device and a folder are refused");
	ok(is_refused("/dev/null", EEXIST, message) &&
		   strstr(message, "'/dev/null' exists and cannot be replaced"),
	   "the message for a device does not recommend --force");
	ok(is_refused("/nowhere/a\nb", ENOENT, message),
	   "so is a folder that is not there");
	is_str(message,
	       "cannot create profile '/nowhere/a?b': No such file or "
	       "directory",
	       "in one line");
}

static void test_pack(void)
{
	struct pf_packer *p = pf_packer_new(PF_MAX_LEVEL);
	struct pf_head head = {.kind = PF_LOG};
	const size_t most = PF_MAX_BYTES;
	struct pf_packed packed;
	char *data = calloc(1, most + 1);

	ok(pf_pack_payload(p, &head, data, most + 1, &packed) == -E2BIG,
	   "a payload that no reader takes is refused");
	pf_packer_free(p);
	p = pf_packer_new(PF_LEVEL);
	ok(!pf_pack_payload(p, &head, data, most, &packed) &&
		   packed.head.bytes <= packed.head.packed * PF_MAX_RATIO,
	   "64 MiB of zeros stay within the ratio that readers believe");
	ok(packed.head.magic == PF_MAGIC && packed.head.major == PF_MAJOR &&
		   packed.head.minor == PF_MINOR &&
		   packed.head.head_bytes == sizeof(packed.head) &&
		   packed.head.kind == PF_LOG && packed.head.bytes == most,
	   "a block's head has the version of the format");
	pf_packer_free(p);
	free(data);
}

struct putter {
	struct pf_writer *w;
	pthread_t thread;
	unsigned from;
	unsigned n;
};

static void *put_some(void *arg)
{
	struct putter *me = arg;
	struct pf_packer *p = pf_packer_new(PF_LEVEL);

	for (unsigned i = me->from; i < me->from + me->n; i++)
		if (toy_file_write_block(me->w, p, i))
			abort();
	pf_packer_free(p);
	return NULL;
}

enum { PUTTERS = 4, PUTS = 3000 };

/* Whether a file has each of @n blocks once. */
static bool has_all(struct pf_reader *r, unsigned n)
{
	struct pf_unpacker *u = pf_unpacker_new();
	bool *seen = calloc(n, 1);
	size_t n_entries;
	const struct pf_entry *e = pf_reader_entries(r, &n_entries);
	bool good = n_entries == n + 1; /* PF_DONE */

	for (size_t i = 0; good && i < n; i++) {
		unsigned number = (unsigned)e[i].head.words;

		good = e[i].head.sequence == i && number < n && !seen[number] &&
		       toy_file_is_block(r, u, &e[i], number);
		if (good)
			seen[number] = true;
	}
	free(seen);
	pf_unpacker_free(u);
	return good;
}

static void test_threads(void)
{
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	struct putter putter[PUTTERS];
	char message[AL_MESSAGE];
	struct pf_reader *r;
	struct pf_writer *w;

	unlink(toy_file_path);
	w = pf_writer_new_and_create_file(toy_file_path, message);
	for (unsigned i = 0; i < PUTTERS; i++) {
		putter[i] =
			(struct putter){.w = w, .from = i * PUTS, .n = PUTS};
		pthread_create(&putter[i].thread, NULL, put_some, &putter[i]);
	}
	for (unsigned i = 0; i < PUTTERS; i++)
		pthread_join(putter[i].thread, NULL);
	ok(!toy_file_finish(w, p), "four put at once");
	is_u64(pf_writer_bytes_written(w), toy_file_size(),
	       "the file is as long as its content");
	pf_writer_flush_close_free(w);
	r = toy_file_open();
	ok(r && pf_reader_state_with_damage(r).damage == PF_WHOLE &&
		   has_all(r, PUTTERS * PUTS),
	   "every block is there once, numbered in the order of the file");
	ok(pf_reader_packed_bytes_read(r) < toy_file_size(),
	   "(found by the index)");
	pf_reader_close(r);
	pf_packer_free(p);
}

int main(void)
{
	toy_file_begin();
	test_file();
	test_memory();
	test_refused();
	test_pack();
	test_threads();
	toy_file_end();
	return done_testing();
}
