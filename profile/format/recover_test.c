/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recover_test.c - what is whole in a damaged profile, into one that is
 */
#include "profile/format/writer.h"

#include <errno.h>
#include <sys/resource.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

enum { BLOCKS = 8, MOST = 8 << 10 };

static struct pf_unpacker *unpacker;
static char out_path[sizeof(toy_file_path) + 8];
static char message[AL_MESSAGE];

/* The sample as it was written. */
static unsigned char whole[MOST];
static size_t whole_bytes, index_at;
static struct pf_entry entry[BLOCKS + 1];

static void read_sample(void)
{
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n;

	toy_file_write(BLOCKS);
	whole_bytes = toy_file_size();
	index_at = toy_file_index();
	if (whole_bytes > MOST)
		abort();
	toy_file_read(0, whole, whole_bytes);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	memcpy(entry, e, n * sizeof(*e));
	pf_reader_close(r);
}

static void restore(size_t bytes)
{
	toy_file_truncate(bytes);
	toy_file_patch(0, whole, bytes);
}

/* Content of a recovered profile. */
struct result {
	struct pf_recovered got;
	unsigned blocks; /* bit i: the profile has block i of the sample */
	bool good;	 /* whole, numbered from 0, in order, each known */
	char status[32];
	char reason[64];
	uint64_t wall; /* content of PF_WALL */
};

static void read_done(struct pf_reader *r, const struct pf_entry *e,
		      struct result *x)
{
	const void *payload;
	struct pf_fact_reader f;
	const char *text;
	size_t offset = 0;

	if (pf_reader_load_block(r, unpacker, e, &payload))
		return;
	while (pf_records_read_next_fact_or_0_at_end(payload, e->head.bytes,
						     &offset, &f) > 0) {
		if (f.kind == PF_STATUS && pf_fact_read_string(&f, &text)) {
			snprintf(x->status, sizeof(x->status), "%s", text);
			if (pf_fact_read_string(&f, &text))
				snprintf(x->reason, sizeof(x->reason), "%s",
					 text);
		}
		if (f.kind == PF_WALL)
			pf_fact_read_u64(&f, &x->wall);
	}
}

static void read_result(struct result *x)
{
	struct pf_reader *r = pf_reader_open(out_path, message);
	const struct pf_entry *e;
	size_t n;
	unsigned last = 0;

	x->good = r && pf_reader_state_with_damage(r).damage == PF_WHOLE;
	if (!r)
		return;
	e = pf_reader_entries(r, &n);
	for (size_t i = 0; i + 1 < n; i++) {
		unsigned block = (unsigned)e[i].head.words;

		x->good &= e[i].head.sequence == i && block < BLOCKS &&
			   block >= last &&
			   toy_file_is_block(r, unpacker, &e[i], block);
		x->blocks |= 1u << block;
		last = block + 1;
	}
	x->good &= e[n - 1].head.kind == PF_DONE;
	read_done(r, &e[n - 1], x);
	pf_reader_close(r);
}

static struct result recover(void)
{
	struct result x = {0};

	unlink(out_path);
	if (!pf_recover(toy_file_path, out_path, NULL, &x.got, message))
		read_result(&x);
	return x;
}

static bool says(const struct result *x, const char *status, const char *reason)
{
	return !strcmp(x->status, status) && !strcmp(x->reason, reason);
}

enum { ALL = (1 << BLOCKS) - 1 };

static void test_whole(void)
{
	unsigned char again[MOST];
	struct result x = recover();
	int fd = open(out_path, O_RDONLY | O_CLOEXEC);

	ok(x.good && x.got.blocks == BLOCKS && !x.got.lost && x.got.ended &&
		   says(&x, "complete", ""),
	   "nothing is lost of a whole profile");
	ok(read(fd, again, MOST) == (ssize_t)whole_bytes &&
		   !memcmp(again, whole, whole_bytes),
	   "it is the same to the last byte");
	close(fd);
	toy_file_truncate(index_at);
	x = recover();
	ok(x.good && x.blocks == ALL && says(&x, "complete", ""),
	   "nor of one without index");
}

static void test_cut(void)
{
	unsigned good = 0, n = 0;
	struct result x;

	for (unsigned i = 0; i <= BLOCKS; i++)
		for (unsigned less = 0; less < 16; less += 8) {
			if (entry[i].offset < 200)
				continue;
			restore(entry[i].offset - less);
			x = recover();
			n++;
			good += x.good && !x.got.ended &&
				x.blocks == (1u << (i - !!less)) - 1 &&
				says(&x, "truncated", "the end is missing");
		}
	is_u64(good, n, "cut, a profile keeps what is before, and says so");
}

/* Whether nothing but the block of byte @offset, which was flipped, is lost. */
static bool is_kept(const struct result *x, size_t offset)
{
	unsigned hit = 0, lost = ~x->blocks & ALL;

	while (hit < BLOCKS && entry[hit + 1].offset <= offset)
		hit++;
	if (!x->good || (lost && lost != 1u << hit))
		return false;
	if (!x->got.ended)
		return hit == BLOCKS &&
		       !strncmp(x->reason, "the end is missing", 18);
	return lost ? says(x, "lossy", "1 damaged block")
		    : says(x, "complete", "");
}

static void test_flipped(size_t bytes)
{
	size_t good = 0, lossy = 0;
	struct result x;

	for (size_t offset = 0; offset < bytes; offset++) {
		unsigned char byte = whole[offset] ^ 16;

		restore(bytes);
		toy_file_patch(offset, &byte, 1);
		x = recover();
		good += is_kept(&x, offset);
		lossy += !strcmp(x.status, "lossy") && x.wall == 7;
	}
	is_u64(good, bytes, "any byte flipped, the other blocks are kept");
	ok(lossy > bytes / 8, "what is missing is told, the rest as before");
}

static void test_truncated(void)
{
	struct rlimit old, limit;
	struct result x;

	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = 6500;
	setrlimit(RLIMIT_FSIZE, &limit);
	toy_file_write(BLOCKS);
	setrlimit(RLIMIT_FSIZE, &old);
	x = recover();
	ok(x.good && x.blocks && x.blocks < ALL &&
		   says(&x, "truncated", "File too large"),
	   "what was truncated stays so");
	toy_file_patch(entry[1].offset + sizeof(struct pf_head) + 9, "?", 1);
	x = recover();
	ok(x.good && !(x.blocks & 2) &&
		   says(&x, "truncated", "File too large, 1 damaged block"),
	   "damaged, too, it says both");
}

static bool is_refused(const char *path, int err)
{
	struct pf_recovered got;

	*message = '\0';
	return pf_recover(path, out_path, NULL, &got, message) == -err &&
	       *message;
}

static void test_refused(void)
{
	struct pf_head head = entry[3].head;

	restore(whole_bytes);
	recover();
	ok(is_refused(toy_file_path, EEXIST), "nothing is written over");
	ok(!access(out_path, F_OK), "what was there stays");
	unlink(out_path);
	ok(is_refused("/dev/null", EINVAL) && access(out_path, F_OK),
	   "what is no profile is refused, and makes none");
	restore(index_at);
	head.minor++;
	pf_head_set_crc(&head);
	toy_file_patch(entry[3].offset, &head, sizeof(head));
	ok(is_refused(toy_file_path, EPROTONOSUPPORT) && access(out_path, F_OK),
	   "so is one that is newer, of which fields would be lost");
}

int main(void)
{
	unpacker = pf_unpacker_new();
	toy_file_begin();
	snprintf(out_path, sizeof(out_path), "%s.out", toy_file_path);
	read_sample();
	test_whole();
	test_cut();
	test_flipped(whole_bytes);
	test_flipped(index_at);
	test_truncated();
	test_refused();
	unlink(out_path);
	toy_file_end();
	pf_unpacker_free(unpacker);
	return done_testing();
}
