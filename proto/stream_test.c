/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream_test.c - tests that copies past the caches become visible before a
   later store */

#include "proto/stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "proto/shared/atomic.h"
#include "tests/tap.h"

enum { BYTES = 64 << 10, PLACES = 4, ROUNDS = 4000 };

static _Alignas(PT_LINE) unsigned char place[PLACES][BYTES];
static struct pt_shared_u64 published, released;

static void test_copy(void)
{
	static _Alignas(PT_LINE) unsigned char from[BYTES], to[BYTES + PT_LINE];
	size_t sizes[] = {1, 16, 63, 64, 65, 4096, BYTES - 1, BYTES};
	size_t i, wrong = 0;

	for (i = 0; i < BYTES; i++)
		from[i] = (unsigned char)(i * 7 + i / 256);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_t end = (sizes[i] + PT_LINE - 1) / PT_LINE * PT_LINE;

		memset(to, 0xee, sizeof(to));
		pt_copy_nontemporal_and_fence(to, from, sizes[i]);
		wrong += memcmp(to, from, end) != 0 || to[end] != 0xee;
	}
	is_u64(wrong, 0, "whole lines are copied, and nothing behind them");
}

/* Fill chunks and publish them, as a tool does. */
static void *write_chunks(void *unused)
{
	static _Alignas(PT_LINE) uint64_t staging[BYTES / 8];

	for (uint64_t k = 0; k < ROUNDS; k++) {
		for (size_t i = 0; i < BYTES / 8; i++)
			staging[i] = k;
		/* Pairs with the store-release of released in
		   count_stale(). */
		while (k >= pt_load_acquire(&released) + PLACES)
			;
		pt_copy_nontemporal_and_fence(place[k % PLACES], staging,
					      BYTES);
		/* Pairs with the load-acquire of published in
		   count_stale(). */
		pt_store_release(&published, k + 1);
	}
	return unused;
}

/* Return the words that were not visible when their chunk was published. */
static uint64_t count_stale(void)
{
	uint64_t stale = 0;

	for (uint64_t k = 0; k < ROUNDS; k++) {
		const uint64_t *word = (const uint64_t *)place[k % PLACES];

		/* Pairs with the store-release of published in
		   write_chunks(). */
		while (pt_load_acquire(&published) <= k)
			;
		/* From the end: these words were written last. */
		for (size_t i = BYTES / 8; i-- > 0;)
			stale += word[i] != k;
		/* Pairs with the load-acquire of released in
		   write_chunks(). */
		pt_store_release(&released, k + 1);
	}
	return stale;
}

static void test_order(void)
{
	pthread_t writer;

	if (pthread_create(&writer, NULL, write_chunks, NULL))
		abort();
	is_u64(count_stale(), 0, "a published chunk is visible as a whole");
	pthread_join(writer, NULL);
}

int main(void)
{
	test_copy();
	test_order();
	return done_testing();
}
