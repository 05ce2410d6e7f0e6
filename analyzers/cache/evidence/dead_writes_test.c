/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dead_writes_test.c - compares dead writes with an array of bytes */

#include "analyzers/cache/evidence/collectors.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/toy_lru.h"
#include "tests/tap.h"

enum { SITES = 5, BYTES = 3 * 4096, BASE = 0x7ffff000, ACCESSES = 200000 };

static const struct an_collector *const dead_writes = &an_collect_dead_writes;

/* Counts of a plain model: the writer of each byte that was not read, plus 1.
   */
struct model {
	uint32_t writer[BYTES];
	uint64_t written[SITES], overwritten[SITES], unread[SITES];
};

static void collect_one(void *state, struct an_observed_access a)
{
	if (dead_writes->collect(state, &a, 1, SITES) != 0)
		abort();
}

static void model_access(struct model *m, const struct an_observed_access *a)
{
	for (unsigned i = 0; i < a->full_size; i++) {
		uint32_t *writer = &m->writer[a->addr - BASE + i];

		if (a->kind != PT_STORE)
			*writer = 0;
		if (a->kind == PT_LOAD)
			continue;
		if (*writer != 0)
			m->overwritten[*writer - 1]++;
		*writer = a->site == AN_NO_SITE ? 0 : a->site + 1;
		if (a->site != AN_NO_SITE)
			m->written[a->site]++;
	}
}

static void compare_counts(const void *state, const struct model *m)
{
	for (uint32_t i = 0; i < SITES; i++) {
		struct an_site_counts c = {.count = {0}};

		dead_writes->add_counts(state, i, &c);
		is_u64(c.count[AN_SITE_WRITTEN_BYTES], m->written[i],
		       "bytes written");
		is_u64(c.count[AN_SITE_OVERWRITTEN_BYTES], m->overwritten[i],
		       "bytes written again before they are read");
		is_u64(c.count[AN_SITE_UNREAD_BYTES], m->unread[i],
		       "bytes not read at the end");
	}
}

/* Access random bytes of three pages; the epoch changes now and then. */
static void test_random_accesses(void)
{
	static struct model m;
	void *state = calloc(1, dead_writes->state_size);
	uint64_t random = 88172645463325252u;
	struct an_observed_access a = {.memory_epoch = 1};

	for (unsigned i = 0; i < ACCESSES; i++) {
		a.full_size = (uint16_t)(1 + toy_lru_random(&random) % 64);
		a.addr = BASE +
			 toy_lru_random(&random) % (BYTES - a.full_size + 1u);
		a.kind = (uint8_t)(toy_lru_random(&random) % 3);
		a.site = (uint32_t)(toy_lru_random(&random) % (SITES + 1));
		if (a.site == SITES)
			a.site = AN_NO_SITE;
		if (toy_lru_random(&random) % 5000 == 0) {
			a.memory_epoch++;
			memset(m.writer, 0, sizeof(m.writer));
		}
		collect_one(state, a);
		model_access(&m, &a);
	}
	for (unsigned i = 0; i < BYTES; i++)
		if (m.writer[i] != 0)
			m.unread[m.writer[i] - 1]++;
	ok(dead_writes->finish(state) == 0, "the image ends");
	compare_counts(state, &m);
	dead_writes->release(state);
	free(state);
}

/* Nothing is counted if only part of the accesses is recorded. */
static void test_partial_recording(void)
{
	static const struct model none;
	void *state = calloc(1, dead_writes->state_size);

	for (unsigned i = 0; i < 9; i++)
		collect_one(state,
			    (struct an_observed_access){.addr = BASE,
							.full_size = 8,
							.kind = PT_STORE});
	ok(dead_writes->finish(state) == 0, "the image ends");
	compare_counts(state, &none);
	dead_writes->release(state);
	free(state);
}

/* Bytes that something else may have read are not judged, even if their page is
   not accessed again. */
static void test_earlier_epoch(void)
{
	void *state = calloc(1, dead_writes->state_size);
	struct model m = {.written = {8, 8}, .unread = {0, 8}};
	struct an_observed_access a = {.addr = BASE,
				       .full_size = 8,
				       .kind = PT_STORE,
				       .memory_epoch = 1};

	collect_one(state, a);
	a.addr += 8192;
	a.site = 1;
	a.memory_epoch = 2;
	collect_one(state, a);
	ok(dead_writes->finish(state) == 0, "the image ends");
	compare_counts(state, &m);
	dead_writes->release(state);
	free(state);
}

int main(void)
{
	test_random_accesses();
	test_partial_recording();
	test_earlier_epoch();
	return done_testing();
}
