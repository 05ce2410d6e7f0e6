/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage_test.c - profiles that were cut, damaged, or are not as ours are
 */
#include <errno.h>
#include <unistd.h>

#include "tests/fixtures/toy_file.h"
#include "tests/tap.h"

enum { BLOCKS = 8, MOST = 8 << 10 };

static struct pf_unpacker *unpacker;

/* The sample as it was written: its bytes, and the offset of each block; the
   last two blocks are PF_DONE and the index. */
static unsigned char whole[MOST];
static size_t whole_bytes;
static uint64_t begin[BLOCKS + 3]; /* offsets of the blocks; the last one: of
				      the tail */

static void read_sample(void)
{
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n;

	toy_file_write(BLOCKS);
	whole_bytes = toy_file_size();
	if (whole_bytes > MOST)
		abort();
	toy_file_read(0, whole, whole_bytes);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	for (size_t i = 0; i < n; i++)
		begin[i] = e[i].offset;
	pf_reader_close(r);
	begin[BLOCKS + 1] = toy_file_index();
	begin[BLOCKS + 2] = whole_bytes - sizeof(struct pf_tail);
}

static void restore(size_t bytes)
{
	toy_file_truncate(bytes);
	toy_file_patch(0, whole, bytes);
}

static bool is_intact(struct pf_reader *r, const struct pf_entry *e,
		      unsigned block)
{
	const void *payload;

	if (block < BLOCKS)
		return toy_file_is_block(r, unpacker, e, block);
	return block == BLOCKS && e->head.kind == PF_DONE &&
	       e->head.end_ns == 99 &&
	       !pf_reader_load_block(r, unpacker, e, &payload);
}

/* ---- cut ---- */

static bool is_boundary(size_t bytes)
{
	for (unsigned i = 0; i < BLOCKS + 3; i++)
		if (begin[i] == bytes)
			return true;
	return false;
}

/* Check a file cut to @bytes: the reader finds every block before that, and no
   other. */
static bool is_prefix(struct pf_reader *r, size_t bytes)
{
	struct pf_state state = pf_reader_state_with_damage(r);
	const struct pf_entry *e;
	size_t n;
	unsigned i;

	e = pf_reader_entries(r, &n);
	for (i = 0; i < BLOCKS + 1 && begin[i + 1] <= bytes; i++)
		if (i == n || !is_intact(r, &e[i], i))
			return false;
	return n == i && state.bytes == bytes &&
	       state.damage == (is_boundary(bytes) ? PF_UNFINISHED : PF_TORN);
}

static void test_cut_everywhere(void)
{
	size_t good = 0, none = 0;
	struct pf_reader *r;

	for (size_t bytes = whole_bytes; bytes--;) {
		toy_file_truncate(bytes);
		r = toy_file_open();
		good += r && is_prefix(r, bytes);
		none += !r && errno == EINVAL;
		pf_reader_close(r);
	}
	is_u64(good, whole_bytes - sizeof(struct pf_head),
	       "cut anywhere, every block before the cut is read, and it is "
	       "said that the end is missing");
	is_u64(none, sizeof(struct pf_head),
	       "cut in its first head, it is no profile");
}

/* ---- flipped ---- */

/* Return the number of the block that contains byte @offset; BLOCKS + 1: index,
   BLOCKS + 2: tail. */
static unsigned block_of(size_t offset)
{
	unsigned i = BLOCKS + 2;

	while (begin[i] > offset)
		i--;
	return i;
}

/* Whether damage of block @hit affects only this block: all others are as
   written, and this one too, or it is reported as damaged. */
static bool is_contained(struct pf_reader *r, unsigned hit, unsigned blocks)
{
	bool detected = pf_reader_state_with_damage(r).damage == PF_BROKEN ||
			pf_reader_state_with_damage(r).damage == PF_TORN;
	const struct pf_entry *e;
	size_t n, index = 0;

	e = pf_reader_entries(r, &n);
	for (unsigned i = 0; i < blocks; i++) {
		bool there = index < n && e[index].head.sequence == i;
		const void *payload;

		if (there && is_intact(r, &e[index], i))
			index++;
		else if (i != hit)
			return false;
		else if (there && pf_reader_load_block(r, unpacker, &e[index],
						       &payload) == -EBADMSG)
			index++;
		else if (there || !detected)
			return false;
	}
	return index == n;
}

/* Flip every bit of the first @bytes, one at a time. Return: number of bits
   after which something was wrong. */
static size_t flip_each(size_t bytes, unsigned blocks)
{
	size_t good = 0;

	restore(bytes);
	for (size_t bit = 0; bit < 8 * bytes; bit++) {
		unsigned char byte = whole[bit / 8] ^ 1u << bit % 8;
		struct pf_reader *r;

		toy_file_patch(bit / 8, &byte, 1);
		r = toy_file_open();
		good += r && is_contained(r, block_of(bit / 8), blocks);
		pf_reader_close(r);
		toy_file_patch(bit / 8, &whole[bit / 8], 1);
	}
	return good;
}

static void test_flip_everywhere(void)
{
	is_u64(flip_each(whole_bytes, BLOCKS + 1), 8 * whole_bytes,
	       "any bit flipped is detected or does no harm, and no other "
	       "block is lost");
	is_u64(flip_each(begin[4], 4), 8 * begin[4],
	       "so it is where there is no index");
}

static void test_zeroed(void)
{
	static const unsigned char zero[MOST];
	size_t from = begin[3] + 8, bytes = begin[5] - begin[3];
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n;

	restore(begin[BLOCKS]);
	toy_file_patch(from, zero, bytes);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	ok(r && n == BLOCKS - 3 && is_intact(r, &e[2], 2) &&
		   is_intact(r, &e[3], 6),
	   "zeros in the middle cost the blocks that they hit");
	ok(pf_reader_state_with_damage(r).damage == PF_BROKEN &&
		   pf_reader_state_with_damage(r).damage_at == begin[3] &&
		   pf_reader_state_with_damage(r).damage_bytes ==
			   begin[6] - begin[3],
	   "it is said where");
	pf_reader_close(r);
}

/* ---- another's index ---- */

/* Write the sample's blocks and after them an index of @bytes. */
static void put_index(const void *entries, size_t bytes)
{
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	struct pf_head head = {.kind = PF_INDEX, .stream = PF_NO_STREAM};
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC};
	uint64_t offset = begin[BLOCKS + 1];
	struct pf_packed packed;

	restore(offset);
	pf_pack_payload(p, &head, entries, bytes, &packed);
	packed.head.sequence = BLOCKS + 1;
	pf_head_set_crc(&packed.head);
	tail.index = offset;
	tail.crc = pf_crc32(&tail.index, sizeof(tail.index));
	toy_file_patch(offset, &packed.head, sizeof(packed.head));
	toy_file_patch(offset + sizeof(packed.head), packed.payload,
		       packed.head.packed);
	offset = pf_block_end_offset(&packed.head, offset);
	toy_file_truncate(offset);
	toy_file_patch(offset, &tail, sizeof(tail));
	pf_packer_free(p);
}

/* Whether the reader finds the blocks that exist, whatever the index
   contains. */
static bool is_read_right(void)
{
	struct pf_reader *r = toy_file_open();
	const struct pf_entry *e;
	size_t n;
	bool good = r && pf_reader_state_with_damage(r).damage == PF_WHOLE;

	e = pf_reader_entries(r, &n);
	good = good && n == BLOCKS + 1;
	for (unsigned i = 0; good && i < n; i++)
		good = e[i].offset == begin[i] && e[i].head.sequence == i &&
		       is_intact(r, &e[i], i);
	pf_reader_close(r);
	return good;
}

static void test_wrong_index(void)
{
	struct pf_entry entry[BLOCKS + 2], bad[BLOCKS + 2];
	const size_t size = sizeof(entry[0]);
	struct pf_reader *r;
	const struct pf_entry *e;
	size_t n;

	restore(whole_bytes);
	r = toy_file_open();
	e = pf_reader_entries(r, &n);
	memcpy(entry, e, n * size);
	pf_reader_close(r);
	put_index(entry, n * size);
	toy_file_patch(0, "?", 1);
	ok(is_read_right(), "an index made by hand is believed");

	memcpy(bad, entry, sizeof(bad));
	for (unsigned i = 4; i < n; i++)
		bad[i].offset += 8;
	put_index(bad, n * size);
	ok(is_read_right(), "one with wrong offsets is not believed");

	memcpy(bad, entry, sizeof(bad));
	bad[4].offset = begin[5];
	bad[5].offset = begin[4];
	put_index(bad, n * size);
	ok(is_read_right(), "nor one with two of them exchanged");

	memmove(bad + 4, entry + 5, (n - 5) * size);
	put_index(bad, (n - 1) * size);
	ok(is_read_right(), "nor one that leaves a block out");

	memcpy(bad, entry, sizeof(bad));
	bad[4].head.kind = PF_LOG;
	put_index(bad, n * size);
	ok(is_read_right(), "nor one with a head that is damaged");

	memcpy(bad, entry, sizeof(bad));
	bad[4].head.sequence++;
	pf_head_set_crc(&bad[4].head);
	put_index(bad, n * size);
	ok(is_read_right(), "nor one that numbers blocks otherwise");

	put_index(entry, n * size - 8);
	ok(is_read_right(), "nor one that ends within an entry");
	put_index(entry, (n - 1) * size);
	ok(is_read_right(), "nor one that ends early");
	put_index(NULL, 0);
	ok(is_read_right(), "nor one that is empty");
}

/* ---- a newer minor version ---- */

enum { LONGER = sizeof(struct pf_head) + 40 };

/* Make a head as a newer writer does, with more fields. */
static void lengthen(struct pf_head *head, unsigned char *out)
{
	head->minor = PF_MINOR + 1;
	head->head_bytes = LONGER;
	head->head_crc = 0;
	memset(out, 0xa5, LONGER);
	memcpy(out, head, sizeof(*head));
	head->head_crc = pf_crc32(out, LONGER);
	memcpy(out, head, sizeof(*head));
}

/* Append a block with such a head, which is stored in @entry, too. */
static void put_longer(struct pf_packed *p, unsigned sequence, uint64_t *offset,
		       unsigned char *entry)
{
	unsigned char head[LONGER];

	p->head.sequence = sequence;
	lengthen(&p->head, head);
	memcpy(entry, offset, sizeof(*offset));
	memcpy(entry + sizeof(*offset), head, LONGER);
	toy_file_patch(*offset, head, LONGER);
	toy_file_patch(*offset + LONGER, p->payload, p->head.packed);
	*offset = pf_block_end_offset(&p->head, *offset);
	toy_file_truncate(*offset);
}

static void test_newer(void)
{
	struct pf_packer *p = pf_packer_new(PF_LEVEL);
	unsigned char index[(BLOCKS + 1) * (8 + LONGER)],
		payload[TOY_FILE_PAYLOAD];
	struct pf_tail tail = {.magic = PF_TAIL_MAGIC};
	struct pf_packed packed;
	struct pf_head head;
	struct pf_reader *r;
	const struct pf_entry *e;
	uint64_t offset = 0;
	size_t n;
	bool same;

	toy_file_truncate(0);
	for (unsigned i = 0; i < BLOCKS; i++) {
		head = toy_file_head(i);
		head.kind = i == 5 ? PF_KINDS + 5 : head.kind;
		pf_pack_payload(p, &head, payload, toy_file_payload(i, payload),
				&packed);
		put_longer(&packed, i, &offset, index + i * (8 + LONGER));
	}
	tail.index = offset;
	tail.crc = pf_crc32(&tail.index, sizeof(tail.index));
	head = (struct pf_head){.kind = PF_INDEX, .stream = PF_NO_STREAM};
	pf_pack_payload(p, &head, index, BLOCKS * (8 + LONGER), &packed);
	put_longer(&packed, BLOCKS, &offset, index + BLOCKS * (8 + LONGER));
	toy_file_patch(offset, &tail, sizeof(tail));
	for (unsigned walked = 0; walked < 2; walked++) {
		/* a file that has an index needs no head */
		toy_file_patch(0, walked ? "A" : "?", 1);
		r = toy_file_open();
		e = pf_reader_entries(r, &n);
		same = n == BLOCKS && e[5].head.kind == PF_KINDS + 5;
		for (unsigned i = 0; same && i < n; i++)
			same = i == 5 || is_intact(r, &e[i], i);
		ok(same && (pf_reader_state_with_damage(r).damage ==
			    PF_WHOLE) == !walked,
		   walked ? "so they are without an index"
			  : "longer heads and unknown kinds of a newer minor "
			    "version are read");
		pf_reader_close(r);
		toy_file_truncate(tail.index);
	}
	pf_packer_free(p);
}

int main(void)
{
	unpacker = pf_unpacker_new();
	toy_file_begin();
	read_sample();
	test_cut_everywhere();
	test_flip_everywhere();
	test_zeroed();
	test_wrong_index();
	test_newer();
	toy_file_end();
	pf_unpacker_free(unpacker);
	return done_testing();
}
