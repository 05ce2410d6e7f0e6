/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grow_test.c - rings that become larger while they are used
 *
 * The producer here does what vgtool/transport/ring.c does, with the same
 * words.
 */
#include "daemon/client/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/unit.h"
#include "tests/tap.h"

enum { N = 4, MOST = 9, CHUNK = PT_MIN_CHUNK, LOG = DM_MIN_LOG_BYTES };

static const struct dm_shape shape = {CHUNK, N, LOG, MOST};

struct pair {
	struct dm_ring ring;
	unsigned char *map; /* the producer's mapping */
	struct pt_tool_page *page;
	const struct pt_daemon_page *theirs;
	struct pt_places places; /* the producer's copy */
	uint64_t number;	 /* chunk in staging */
};

static uint64_t *place(struct pair *p, uint64_t number)
{
	return (uint64_t *)(p->map + 2 * PT_PAGE + LOG +
			    (1 + (size_t)pt_ring_place_index_of_chunk(p->places,
								      number)) *
				    CHUNK);
}

static uint64_t *staging(struct pair *p)
{
	return (uint64_t *)(p->map + 2 * PT_PAGE + LOG);
}

/* Do what begin_chunk() of the tool does. */
static void begin(struct pair *p, uint64_t number)
{
	uint64_t *chunk = staging(p);

	p->page->cursor = (uint64_t)(uintptr_t)chunk;
	chunk[0] = pt_control_unit_first_word(PT_CHUNK, (uint32_t)number,
					      PT_CHUNK_HEAD);
	chunk[5] = number;
	p->number = number;
}

static struct pair *make_pair(void)
{
	struct pair *p = calloc(1, sizeof(*p));

	if (dm_ring_create_shrinking_to_fit(&p->ring, &shape))
		abort();
	p->map = mmap(NULL, p->ring.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		      p->ring.fd, 0);
	dm_ring_close_fd_unless_growable(&p->ring);
	p->page = (struct pt_tool_page *)(p->map + PT_PAGE);
	p->theirs = (const struct pt_daemon_page *)p->map;
	p->places.n = N;
	p->page->staging = (uint64_t)(uintptr_t)staging(p);
	begin(p, 0);
	return p;
}

static void free_pair(struct pair *p)
{
	munmap(p->map, p->ring.bytes);
	dm_ring_close_and_unmap(&p->ring);
	free(p);
}

/* Do what vt_ring_publish_if_full_has_room() does. Return: false if there is no
   space. */
static bool fill(struct pair *p)
{
	/* Pairs with the store-release of released in
	   dm_ring_mark_oldest_chunk_released(). */
	uint64_t freed = pt_load_acquire(&p->theirs->released);

	/* Pairs with the store-release of grow_at in
	   dm_ring_grow_return_added_chunks(). */
	if (p->number && pt_load_acquire(&p->theirs->grow_at) == p->number)
		p->places = pt_places_after_growth(
			p->places, p->number,
			(uint32_t)p->theirs->grow_to.value);
	if (p->number >= freed + p->places.n)
		return false;
	memcpy(place(p, p->number), staging(p), 48);
	/* Pairs with the load-acquire of published in
	   dm_ring_update_published_if_valid(). */
	pt_store_release(&p->page->published, p->number + 1);
	begin(p, p->number + 1);
	return true;
}

/* Consume the next chunk. Return: whether it is the expected one. */
static bool consume_next(struct pair *p)
{
	bool right = !dm_ring_update_published_if_valid(&p->ring) &&
		     p->ring.consumed < p->ring.published &&
		     dm_ring_start_of_oldest_unconsumed_chunk(&p->ring)[5] ==
			     p->ring.consumed;

	dm_ring_increment_local_consumed_chunks(&p->ring);
	return right;
}

/* Return how many chunks the producer can fill before the consumer consumes
   any. */
static unsigned fill_all(struct pair *p)
{
	unsigned n = 0;

	while (fill(p))
		n++;
	return n;
}

/* Consume @n chunks, release each at once, and fill the places that become
   free. Return: whether all chunks were the expected ones. */
static bool consume_and_fill(struct pair *p, unsigned n)
{
	bool right = true;

	while (n--) {
		right &= consume_next(p);
		dm_ring_mark_oldest_chunk_released(&p->ring);
		fill(p);
	}
	return right;
}

static size_t allocated(const struct pair *p)
{
	struct stat st = {0};

	fstat(p->ring.fd, &st);
	return (size_t)st.st_blocks * 512;
}

static void test_growth(void)
{
	struct pair *p = make_pair();

	ok(p->ring.bytes > dm_ring_bytes_before_growth(&shape) &&
		   allocated(p) == dm_ring_bytes_before_growth(&shape),
	   "room for growth is reserved, not taken");
	is_u64((uint64_t)dm_ring_grow_return_added_chunks(&p->ring, 6), 2,
	       "a ring grows");
	is_u64(allocated(p), dm_ring_bytes_before_growth(&shape) + 2 * CHUNK,
	       "its memory is there before the tool comes to it");
	is_u64((uint64_t)dm_ring_grow_return_added_chunks(&p->ring, 8), 0,
	       "not again before the tool has");
	is_u64(fill_all(p), 6,
	       "the tool goes on behind the places that it has filled");
	ok(consume_and_fill(p, 3 * N), "no chunk is lost on the way");
	is_u64(p->number - p->ring.released, 6, "it keeps them");
	is_u64((uint64_t)dm_ring_grow_return_added_chunks(&p->ring, 100),
	       MOST - 6, "never more than was reserved");
	ok(consume_and_fill(p, 5 * MOST), "nor is any lost then");
	is_u64((uint64_t)dm_ring_grow_return_added_chunks(&p->ring, 100), 0,
	       "that was all");
	free_pair(p);
}

/* Check growth at every position of producer and consumer. */
static void test_everywhere(void)
{
	unsigned lead, before, hold, bad = 0, grown = 0;

	for (lead = 0; lead < N; lead++)
		for (before = 0; before < 2 * N; before++)
			for (hold = 0; hold <= lead; hold++) {
				struct pair *p = make_pair();
				unsigned i;

				bad += !fill(p);
				bad += !consume_and_fill(p, before);
				for (i = 0; i < lead; i++)
					fill(p);
				for (i = 0; i < hold; i++)
					bad += p->ring.consumed < p->number &&
					       !consume_next(p);
				bad += dm_ring_grow_return_added_chunks(
					       &p->ring, N + 1 + hold) !=
				       (int)(1 + hold);
				fill_all(p);
				for (i = 0; i < hold; i++)
					dm_ring_mark_oldest_chunk_released(
						&p->ring);
				fill_all(p);
				while (p->ring.released < p->ring.consumed)
					dm_ring_mark_oldest_chunk_released(
						&p->ring);
				bad += !consume_and_fill(p, 3);
				bad += !consume_and_fill(p, 4 * MOST);
				grown += p->places.n == N + 1 + hold;
				free_pair(p);
			}
	is_u64(bad, 0, "from every position: each chunk comes, in order");
	is_u64(grown, 2 * N * N * (N + 1) / 2, "and the ring is larger");
}

/* Check the last chunk of a program that died, wherever the chunk is. */
static void test_rest(void)
{
	unsigned n, wrong = 0;
	size_t end;

	for (n = 0; n < 6 * N; n++) {
		struct pair *p = make_pair();
		unsigned i;

		dm_ring_grow_return_added_chunks(&p->ring, MOST);
		for (i = 0; i < n; i++) {
			fill(p);
			wrong += !consume_next(p);
			dm_ring_mark_oldest_chunk_released(&p->ring);
		}
		wrong += dm_ring_update_published_if_valid(&p->ring) != 0;
		wrong += dm_ring_find_unpublished_chunk(&p->ring, false,
							&end)[5] != n;
		wrong += end != PT_CHUNK_HEAD;
		free_pair(p);
	}
	is_u64(wrong, 0, "the chunk that a program died in is found");
}

static void test_hostile(void)
{
	struct pair *p = make_pair();
	struct pt_daemon_page *page = (struct pt_daemon_page *)p->map;

	dm_ring_grow_return_added_chunks(&p->ring, MOST);
	p->page->published.value = MOST + 1;
	ok(dm_ring_update_published_if_valid(&p->ring) == -EPROTO,
	   "more than the larger ring has may not be published");
	page->grow_at.value = 2;
	page->grow_to.value = 1 << 30;
	p->page->published.value = N - 1;
	ok(!dm_ring_update_published_if_valid(&p->ring) && consume_next(p) &&
		   consume_and_fill(p, 0),
	   "what a peer writes about growth is not read");
	p->page->published.value = 5 * MOST;
	ok(dm_ring_update_published_if_valid(&p->ring) == -EPROTO,
	   "nor does it allow more");
	free_pair(p);
}

/* Check that growth fails if memory cannot be allocated, as for a file that has
   none. */
static void test_shortage(void)
{
	struct pair *p = make_pair();
	int memory = p->ring.fd;

	p->ring.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	ok(dm_ring_grow_return_added_chunks(&p->ring, MOST) < 0,
	   "without memory it does not grow");
	is_u64(p->theirs->grow_at.value, 0, "the tool hears nothing of it");
	is_u64(fill_all(p), N, "and goes on");
	ok(consume_and_fill(p, 5 * N), "with what it has");
	close(memory);
	free_pair(p);
}

int main(void)
{
	test_growth();
	test_everywhere();
	test_rest();
	test_hostile();
	test_shortage();
	return done_testing();
}
