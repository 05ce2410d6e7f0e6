/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ring_test.c - the consumer against a producer that may say anything
 */
#include "daemon/client/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proto/unit.h"
#include "tests/tap.h"

enum { N = 4, CHUNK = PT_MIN_CHUNK, LOG = DM_MIN_LOG_BYTES };

static const struct dm_shape shape = {CHUNK, N, LOG, 0};

/* Both ends of one ring. */
struct pair {
	struct dm_ring ring;
	unsigned char *map; /* the producer's */
	struct pt_tool_page *page;
	unsigned char *log;
	uint64_t *staging;
	uint64_t *chunk[N];
	unsigned char copy[LOG];
};

static struct pair *make_pair(void)
{
	struct pair *p = calloc(1, sizeof(*p));
	int i;

	if (dm_ring_create_shrinking_to_fit(&p->ring, &shape))
		abort();
	p->map = mmap(NULL, p->ring.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		      p->ring.fd, 0);
	p->page = (struct pt_tool_page *)(p->map + PT_PAGE);
	p->log = p->map + 2 * PT_PAGE;
	for (i = 0; i < N; i++)
		p->chunk[i] = (uint64_t *)(p->log + LOG + (1 + i) * CHUNK);
	p->staging = (uint64_t *)(p->log + LOG);
	p->page->staging = p->page->cursor = (uint64_t)(uintptr_t)p->staging;
	return p;
}

static void free_pair(struct pair *p)
{
	munmap(p->map, p->ring.bytes);
	dm_ring_close_and_unmap(&p->ring);
	free(p);
}

static void test_shape(void)
{
	struct dm_shape s = {256 << 10, 7, 512 << 10, 0};
	int steps = 0;

	while (dm_ring_shape_shrink_one_step(&s))
		steps++;
	ok(s.chunk_bytes == PT_MIN_CHUNK && s.n_chunks == 2 &&
		   s.log_bytes == 2 * PT_MAX_RECORD,
	   "a shape shrinks to two smallest chunks and the smallest log");
	ok(steps < 10, "in a few steps");
}

static void test_memory(void)
{
	struct pair *p = make_pair();
	const struct pt_daemon_page *page =
		(const struct pt_daemon_page *)p->map;

	is_u64(page->n_chunks, N, "the tool reads the number of chunks");
	is_u64(page->chunk_bytes, CHUNK, "and their size");
	ok(ftruncate(p->ring.fd, PT_PAGE) < 0 && errno == EPERM,
	   "the peer cannot shrink the memory");
	ok(ftruncate(p->ring.fd, 1 << 30) < 0 && errno == EPERM, "nor grow it");
	ok(fcntl(p->ring.fd, F_ADD_SEALS, F_SEAL_WRITE) < 0 && errno == EPERM,
	   "nor seal it further");
	free_pair(p);
}

/* Check a ring for which memory is short, by a limit of file sizes. */
static void test_shortage(void)
{
	struct rlimit old, tight = {1 << 20, 0};
	struct dm_ring r;
	int err;

	getrlimit(RLIMIT_FSIZE, &old);
	tight.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &tight);
	err = dm_ring_create_shrinking_to_fit(
		&r, &(struct dm_shape){256 << 10, 8, 512 << 10, 64});
	ok(!err && r.bytes <= 1 << 20,
	   "with less memory the ring is smaller, and does not grow");
	dm_ring_close_and_unmap(&r);
	tight.rlim_cur = 64 << 10;
	setrlimit(RLIMIT_FSIZE, &tight);
	err = dm_ring_create_shrinking_to_fit(&r, &shape);
	is_u64((uint64_t)-err, EFBIG, "with too little there is none");
	dm_ring_close_and_unmap(&r);
	setrlimit(RLIMIT_FSIZE, &old);
}

static void test_chunks(void)
{
	struct pair *p = make_pair();
	int i;

	for (i = 0; i < 3 * N; i++) {
		p->chunk[i % N][5] = (uint64_t)i;
		/* Pairs with the load-acquire of published in
		   dm_ring_update_published_if_valid(). */
		pt_store_release(&p->page->published, (uint64_t)i + 1);
		if (dm_ring_update_published_if_valid(&p->ring) ||
		    p->ring.published != i + 1u ||
		    dm_ring_start_of_oldest_unconsumed_chunk(&p->ring)[5] !=
			    (uint64_t)i)
			break;
		dm_ring_increment_local_consumed_chunks(&p->ring);
		dm_ring_mark_oldest_chunk_released(&p->ring);
	}
	is_u64((uint64_t)i, 3 * N, "chunks are read in order, around the ring");
	is_u64(((struct pt_daemon_page *)p->map)->released.value, 3 * N,
	       "the tool sees what is released");
	free_pair(p);
}

static void test_hostile_chunks(void)
{
	struct pair *p = make_pair();

	p->page->published.value = N;
	ok(dm_ring_update_published_if_valid(&p->ring) == 0,
	   "all chunks may be published");
	p->page->published.value = N + 1;
	ok(dm_ring_update_published_if_valid(&p->ring) == -EPROTO,
	   "more than there are may not");
	p->page->published.value = N - 1;
	ok(dm_ring_update_published_if_valid(&p->ring) == -EPROTO,
	   "published cannot go back");
	p->page->published.value = UINT64_MAX;
	ok(dm_ring_update_published_if_valid(&p->ring) == -EPROTO,
	   "nor far ahead");
	is_u64(p->ring.published, N, "a contradiction changes nothing");
	((struct pt_daemon_page *)p->map)->n_chunks = 0;
	((struct pt_daemon_page *)p->map)->released.value = 77;
	p->page->published.value = N;
	ok(dm_ring_update_published_if_valid(&p->ring) == 0 &&
		   dm_ring_start_of_oldest_unconsumed_chunk(&p->ring) ==
			   (const uint64_t *)(p->ring.map + 2 * PT_PAGE + LOG +
					      CHUNK),
	   "what a peer writes on our page is not read");
	free_pair(p);
}

static void test_log(void)
{
	struct pair *p = make_pair();
	size_t bytes, i, from = LOG - 64;
	bool same = true;

	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == 0 &&
		   bytes == 0,
	   "an empty log gives nothing");
	p->page->log_head.value = from;
	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == 0 &&
		   bytes == from,
	   "the log is copied up to its head");
	for (i = 0; i < 128; i++)
		p->log[(from + i) % LOG] = (unsigned char)(i + 1);
	p->page->log_head.value = from + 128;
	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == 0 &&
		   bytes == 128,
	   "also around its end");
	for (i = 0; i < 128; i++)
		same &= p->copy[i] == i + 1;
	ok(same, "in one piece");
	is_u64(((struct pt_daemon_page *)p->map)->log_tail.value, from + 128,
	       "the tool sees the new tail");
	free_pair(p);
}

static void test_hostile_log(void)
{
	struct pair *p = make_pair();
	size_t bytes;

	p->page->log_head.value = LOG + 8;
	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == -EPROTO &&
		   !bytes,
	   "a log longer than its ring is refused");
	p->page->log_head.value = 12;
	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == -EPROTO &&
		   !bytes,
	   "so is half a word");
	p->page->log_head.value = 64;
	dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes);
	p->page->log_head.value = 32;
	ok(dm_ring_copy_and_consume_log(&p->ring, p->copy, &bytes) == -EPROTO &&
		   !bytes,
	   "so is a head that goes back");
	free_pair(p);
}

/* Return the end of the units that are not published. */
static size_t open_end(const struct pair *p)
{
	size_t end;

	dm_ring_find_unpublished_chunk(&p->ring, false, &end);
	return end;
}

static size_t copied(const struct pair *p)
{
	static char copy[CHUNK];
	size_t end = dm_ring_copy_unpublished_units(&p->ring, copy);

	if (memcmp(copy, p->staging, end))
		abort();
	return end;
}

static void test_staging(void)
{
	struct pair *p = make_pair();
	uint64_t base = p->page->staging;

	is_u64(open_end(p), 0, "nothing is read before the first chunk begins");
	p->staging[0] = pt_control_unit_first_word(PT_CHUNK, 0, PT_CHUNK_HEAD);
	is_u64(open_end(p), 16, "a fresh chunk ends behind its first unit");
	p->staging[2] = pt_encode_block_unit_header(1, pt_block_unit_bytes(2));
	p->page->cursor = base + 16;
	is_u64(open_end(p), 36, "a dead process's last unit counts");
	p->page->running = 1;
	is_u64(open_end(p), 16, "but not when it died within it");
	is_u64(copied(p), 16, "nor while it lives and may be writing it");
	p->page->running = 0;
	is_u64(copied(p), 36, "it does while the program is in a system call");
	p->page->cursor = base + CHUNK - 16;
	p->staging[CHUNK / 8 - 2] =
		pt_encode_block_unit_header(1, pt_block_unit_bytes(2));
	is_u64(open_end(p), CHUNK - 16,
	       "a unit that would leave the chunk does not count");
	p->page->cursor = base + CHUNK;
	is_u64(open_end(p), 0, "a cursor behind the chunk gives nothing");
	p->page->cursor = base - 8;
	is_u64(open_end(p), 0, "nor one before it");
	p->page->cursor = base + 2;
	is_u64(open_end(p), 0, "nor one that is not aligned");
	free_pair(p);
}

/* Check a tool that does not stage its chunks. */
static void test_in_place(void)
{
	struct pair *p = make_pair();
	uint64_t place1 = p->page->staging + 2 * CHUNK;

	p->staging[0] = pt_control_unit_first_word(PT_CHUNK, 0, PT_CHUNK_HEAD);
	p->chunk[1][0] = pt_control_unit_first_word(PT_CHUNK, 1, PT_CHUNK_HEAD);
	p->chunk[1][2] = pt_encode_block_unit_header(1, pt_block_unit_bytes(2));
	p->page->cursor = place1 + 16;
	is_u64(open_end(p), 0, "a unit in another chunk's place is not read");
	p->page->published.value = 1;
	dm_ring_update_published_if_valid(&p->ring);
	dm_ring_increment_local_consumed_chunks(&p->ring);
	is_u64(open_end(p), 36, "units are read from the chunk's place");
	p->page->published.value = 2;
	is_u64(open_end(p), 36, "until it is published");
	dm_ring_update_published_if_valid(&p->ring);
	dm_ring_increment_local_consumed_chunks(&p->ring);
	is_u64(open_end(p), 0, "and not twice");
	free_pair(p);
}

/* Check a tool that is killed after each of its stores. */
static void test_killed_while_publishing(void)
{
	struct pair *p = make_pair();
	uint64_t base = p->page->staging;

	p->staging[0] = pt_control_unit_first_word(PT_CHUNK, 0, PT_CHUNK_HEAD);
	p->staging[2] = pt_encode_block_unit_header(1, pt_block_unit_bytes(2));
	p->page->cursor = base + 16;
	memcpy(p->chunk[0], p->staging, 36);
	p->chunk[0][1] = 36;
	is_u64(open_end(p), 36,
	       "a chunk that was copied and not published "
	       "is read from staging");
	p->page->published.value = 1;
	is_u64(copied(p), 0,
	       "a copy is refused when the chunk was published "
	       "meanwhile");
	dm_ring_update_published_if_valid(&p->ring);
	dm_ring_increment_local_consumed_chunks(&p->ring);
	is_u64(open_end(p), 0, "and not read twice when it was published");
	p->page->cursor = base;
	is_u64(open_end(p), 0, "nor with the cursor of the next chunk");
	p->staging[0] = pt_control_unit_first_word(PT_CHUNK, 1, PT_CHUNK_HEAD);
	is_u64(open_end(p), 16, "the next chunk is empty at first");
	is_u64(copied(p), 16, "for a living tool, too");
	free_pair(p);
}

static void test_title(void)
{
	struct pair *p = make_pair();
	struct dm_ring none = {.fd = -1};
	char title[PT_TITLE];

	dm_ring_read_program_title(&p->ring, title);
	is_str(title, "", "a program has no title before it sets one");
	memset(p->page->title, 'x', PT_TITLE);
	dm_ring_read_program_title(&p->ring, title);
	is_u64(strlen(title), PT_TITLE - 1, "one without an end is cut");
	memcpy(p->page->title, "worker", 7);
	dm_ring_read_program_title(&p->ring, title);
	is_str(title, "worker", "the last one is read");
	dm_ring_read_program_title(&none, title);
	is_str(title, "", "a client without a ring has none");
	free_pair(p);
}

/* Check that the end that the tool wrote is read. */
static void test_summary(void)
{
	static const struct dm_tool_summary zero;
	struct pair *p = make_pair();
	struct dm_tool_summary s;

	p->page->ending = PT_EXITED;
	p->page->ending_value = 3;
	p->page->wait_ns.value = 4;
	p->page->waits.value = 5;
	p->page->skipped.value = 6;
	p->page->overfull.value = 7;
	p->page->lost_messages.value = 8;
	s = dm_ring_read_tool_summary(&p->ring);
	ok(s.ending == PT_EXITED && s.exit_value == 3 && s.wait_ns == 4 &&
		   s.waits == 5 && s.skipped == 6 && s.overfull == 7 &&
		   s.lost_messages == 8,
	   "the tool's figures are read");
	dm_ring_close_and_unmap(&p->ring);
	s = dm_ring_read_tool_summary(&p->ring);
	ok(!memcmp(&s, &zero, sizeof(s)) && PT_ALIVE == 0,
	   "a ring that is released has none");
	free_pair(p);
}

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	test_shape();
	test_memory();
	test_shortage();
	test_chunks();
	test_hostile_chunks();
	test_log();
	test_hostile_log();
	test_staging();
	test_in_place();
	test_killed_while_publishing();
	test_title();
	test_summary();
	return done_testing();
}
