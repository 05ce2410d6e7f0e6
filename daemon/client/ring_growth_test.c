/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring_growth_test.c - a running program gets more buffers, within the limits
   */
#include "daemon/daemon.h"
#include "tests/tap.h"

#include "daemon/client/ring_growth.h"
#include "tests/fixtures/fake_tool.h"

static struct tool tool;
static struct dm_client *client;

static void join_one(void)
{
	struct packet hello = good_hello();

	start();
	join(&tool, &hello);
	dm_lock(d);
	client = d->clients;
	dm_unlock(d);
}

static void leave_all(void)
{
	tool.page->ending = PT_EXITED;
	say(&tool, PT_MSG_BYE, 0);
	leave(&tool);
	dm_daemon_wait_clients_end_saved(d, WAIT_MS);
	free(stop());
}

/* Request @chunks buffers; @used: [bytes] of all rings before. Return how many
   buffers the ring has a while later. */
static unsigned grow_to(unsigned chunks, size_t used)
{
	unsigned have = 0;

	dm_lock(d);
	d->ring_bytes = used;
	dm_ring_growth_request_total_chunks(client, chunks);
	dm_unlock(d);
	for (int ms = 0; ms < 300 && have < chunks; ms++) {
		usleep(1000);
		dm_lock(d);
		have = client->chunks;
		dm_unlock(d);
	}
	return have;
}

static size_t memory(void)
{
	size_t bytes;

	dm_lock(d);
	bytes = d->ring_bytes;
	dm_unlock(d);
	return bytes;
}

static void test_wanted(void)
{
	unsigned first;
	size_t used, size;

	join_one();
	first = client->chunks;
	size = client->ring.shape.chunk_bytes;
	used = memory();
	is_u64(grow_to(first + 2, used), first + 2,
	       "a program gets the buffers that it is to have");
	is_u64(memory() - used, 2 * size, "their memory is counted");
	is_u64(grow_to(first + 1, memory()), first + 2, "it gives none back");
	is_u64(memory() - used, 2 * size, "and their number stays");
	leave_all();
}

static void test_limits(void)
{
	unsigned first;
	size_t half, size;

	join_one();
	first = client->chunks;
	size = client->ring.shape.chunk_bytes;
	half = settings->memory / 2;
	is_u64(grow_to(first + 3, half), first,
	       "where half of the memory is used it gets none");
	dm_lock(d);
	client->target_chunks = 0;
	dm_unlock(d);
	is_u64(grow_to(first + 3, half - 2 * size), first + 2,
	       "or as many as are left");
	is_u64(memory(), half, "and no more are counted");
	leave_all();
}

static void test_places(void)
{
	unsigned most;

	join_one();
	most = client->ring.shape.max_chunks;
	ok(most > client->chunks, "a ring may grow");
	is_u64(grow_to(most + 7, 0), most,
	       "to as many buffers as it has places");
	leave_all();
}

int main(void)
{
	set_up();
	test_wanted();
	test_limits();
	test_places();
	return tear_down();
}
