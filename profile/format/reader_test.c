/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reader_test.c - blocks out of a profile
 */
#include "profile/format/reader.h"

#include <errno.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

static struct pf_unpacker *unpacker;

/* Return the number of blocks if they are those of the sample from the first
   on, followed by PF_DONE if @done. */
static size_t count(struct pf_reader *r, bool done)
{
	size_t n;
	const struct pf_entry *e = pf_reader_entries(r, &n);

	if (done && (!n || e[n - 1].head.kind != PF_DONE))
		return SIZE_MAX;
	for (size_t i = 0; i < n - done; i++)
		if (!toy_file_is_block(r, unpacker, &e[i], (unsigned)i))
			return SIZE_MAX;
	return n;
}

static void test_round_trip(void)
{
	struct pf_reader *r;

	ok(!toy_file_write(20), "a profile is written");
	r = toy_file_open();
	ok(r && pf_reader_state_with_damage(r).damage == PF_WHOLE, "and whole");
	is_u64(count(r, true), 21, "heads and payloads come back");
	is_u64(pf_reader_blocks_read(r), 1 + 20,
	       "the index was read, and they");
	ok(!pf_reader_add_newly_appended_blocks(r) && count(r, true) == 21,
	   "nothing is added to a finished one");
	pf_reader_close(r);
}

static void test_index_chain(void)
{
	const unsigned n = 2 * 4096 + 10;
	struct pf_reader *r;

	ok(!toy_file_write(n), "thousands of blocks take several indexes");
	r = toy_file_open();
	is_u64(count(r, true), n + 1, "all are found");
	is_u64(pf_reader_blocks_read(r), 3 + n, "by three of them");
	pf_reader_close(r);
}

static void test_no_index(void)
{
	struct pf_reader *r;
	uint64_t index;

	toy_file_write(5000);
	index = toy_file_index();
	toy_file_truncate(index);
	r = toy_file_open();
	is_u64(count(r, true), 5001, "without an index blocks are found");
	ok(pf_reader_state_with_damage(r).damage == PF_UNFINISHED &&
		   pf_reader_state_with_damage(r).damage_at == index &&
		   !pf_reader_state_with_damage(r).damage_bytes,
	   "the profile is then unfinished");
	pf_reader_close(r);

	toy_file_truncate(index - 1);
	r = toy_file_open();
	is_u64(count(r, false), 5000, "so are those before a torn one");
	ok(pf_reader_state_with_damage(r).damage == PF_TORN, "which is said");
	pf_reader_close(r);

	toy_file_write(5000);
	toy_file_truncate(index + 400);
	r = toy_file_open();
	ok(pf_reader_state_with_damage(r).damage == PF_TORN &&
		   pf_reader_state_with_damage(r).damage_at == index,
	   "half an index is a torn block");
	pf_reader_close(r);
	toy_file_truncate(index);
	toy_file_truncate(index + 4000);
	r = toy_file_open();
	is_u64(count(r, true), 5001, "zeros behind the last block do no harm");
	ok(pf_reader_state_with_damage(r).damage == PF_UNFINISHED,
	   "nor make it more than unfinished");
	pf_reader_close(r);
}

static void test_written_meanwhile(void)
{
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	char message[AL_MESSAGE];
	struct pf_reader *r;
	struct pf_writer *w;

	unlink(toy_file_path);
	w = pf_writer_new_and_create_file(toy_file_path, message);
	toy_file_write_block(w, p, 0);
	toy_file_write_block(w, p, 1);
	r = toy_file_open();
	ok(count(r, false) == 2 &&
		   pf_reader_state_with_damage(r).damage == PF_UNFINISHED,
	   "what has been put can be read at once");
	toy_file_write_block(w, p, 2);
	is_u64(count(r, false), 2, "more is not seen");
	ok(!pf_reader_add_newly_appended_blocks(r) && count(r, false) == 3,
	   "until one looks again");
	toy_file_write_block(w, p, 3);
	toy_file_finish(w, p);
	ok(!pf_reader_add_newly_appended_blocks(r) && count(r, true) == 5,
	   "nor is the end");
	ok(pf_reader_state_with_damage(r).damage == PF_WHOLE,
	   "then it is whole");
	pf_reader_close(r);
	pf_writer_flush_close_free(w);
	pf_packer_free(p);
}

static void test_damaged_payload(void)
{
	struct pf_reader *r;
	const struct pf_entry *e;
	const void *payload;
	size_t n;

	toy_file_write(10);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	toy_file_patch(e[4].offset + sizeof(struct pf_head) + 30, "?", 1);
	ok(pf_reader_load_block(r, unpacker, &e[4], &payload) == -EBADMSG,
	   "a damaged payload is refused");
	ok(toy_file_is_block(r, unpacker, &e[3], 3) &&
		   toy_file_is_block(r, unpacker, &e[5], 5),
	   "the others are not");
	pf_reader_close(r);
}

static void test_damaged_head(void)
{
	struct pf_reader *r;
	const struct pf_entry *e;
	struct pf_entry bad;
	size_t n;

	toy_file_write(10);
	r = toy_file_open();
	bad = pf_reader_entries(r, &n)[4];
	pf_reader_close(r);
	toy_file_patch(bad.offset + 40, "?", 1);
	r = toy_file_open();
	ok(pf_reader_state_with_damage(r).damage == PF_WHOLE &&
		   count(r, true) == 11,
	   "who has an index needs no heads");
	pf_reader_close(r);

	toy_file_patch(toy_file_size() - 3, "?", 1);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	ok(n == 10 && e[3].head.sequence == 3 && e[4].head.sequence == 5 &&
		   toy_file_is_block(r, unpacker, &e[4], 5),
	   "without one, a block with a damaged head is passed over");
	ok(pf_reader_state_with_damage(r).damage == PF_BROKEN &&
		   pf_reader_state_with_damage(r).damage_at == bad.offset &&
		   pf_reader_state_with_damage(r).damage_bytes ==
			   sizeof(bad.head) +
				   pf_round_up_to_block_alignment(
					   bad.head.packed) +
				   16,
	   "it is said where, and how much, with the tail");
	pf_reader_close(r);
}

static void test_damaged_index(void)
{
	struct pf_reader *r;
	uint64_t index;

	toy_file_write(10);
	index = toy_file_index();
	toy_file_patch(index + sizeof(struct pf_head) + 20, "?", 1);
	r = toy_file_open();
	is_u64(count(r, true), 11, "who has a damaged index needs none");
	ok(pf_reader_state_with_damage(r).damage == PF_BROKEN &&
		   pf_reader_state_with_damage(r).damage_at == index,
	   "but says so");
	pf_reader_close(r);
}

/* Whether opening fails with @err and the message @before 'PATH' @after. */
static bool is_refused(int err, const char *before, const char *after)
{
	char message[AL_MESSAGE] = "", want[AL_MESSAGE];
	struct pf_reader *r = pf_reader_open(toy_file_path, message);
	int got = errno;

	pf_reader_close(r);
	snprintf(want, sizeof(want), "%s'%s'%s", before, toy_file_path, after);
	if (strcmp(message, want))
		printf("# got '%s'\n", message);
	return !r && got == err && !strcmp(message, want);
}

static void test_no_profile(void)
{
	static const char no[] = " is no profile of Alleria";
	struct pf_head head;
	int fd;

	unlink(toy_file_path);
	ok(is_refused(ENOENT, "cannot read ", ": No such file or directory"),
	   "a file that is not there is refused");
	if (mkfifo(toy_file_path, 0600) < 0)
		abort();
	ok(is_refused(EINVAL, "", no), "a pipe is, and not waited for");
	unlink(toy_file_path);
	close(open(toy_file_path, O_CREAT | O_CLOEXEC | O_WRONLY, 0600));
	ok(is_refused(EINVAL, "", no), "an empty file is");
	toy_file_patch(0, "#!/bin/sh\necho AlrP\n", 20);
	ok(is_refused(EINVAL, "", no), "a script is");

	toy_file_write(2);
	fd = open(toy_file_path, O_RDONLY | O_CLOEXEC);
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		abort();
	close(fd);
	head.major++;
	pf_head_set_crc(&head);
	toy_file_patch(0, &head, sizeof(head));
	toy_file_patch(toy_file_size() - 3, "?", 1);
	ok(is_refused(EPROTONOSUPPORT, "profile ",
		      " is of another format than 2, which this Alleria reads"),
	   "another major version is");
}

int main(void)
{
	unpacker = pf_unpacker_new();
	toy_file_begin();
	test_round_trip();
	test_index_chain();
	test_no_index();
	test_written_meanwhile();
	test_damaged_payload();
	test_damaged_head();
	test_damaged_index();
	test_no_profile();
	toy_file_end();
	pf_unpacker_free(unpacker);
	return done_testing();
}
