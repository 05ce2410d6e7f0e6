/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pools.c - announces blocks by client requests of Valgrind; allocators.test
 * has the numbers
 *
 * pools CASE
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

#define NOINLINE __attribute__((noinline))

static volatile long sum;

struct pool {
	char *chunk;
	size_t used;
};

NOINLINE void *pool_alloc(struct pool *p, size_t size)
{
	char *block = p->chunk + p->used;

	p->used += size;
	VALGRIND_MEMPOOL_ALLOC(p, block, size);
	return block;
}

NOINLINE void pool_free(struct pool *p, void *block)
{
	VALGRIND_MEMPOOL_FREE(p, block);
	sum++;
}

NOINLINE void *carve(char *at, size_t size)
{
	VALGRIND_MALLOCLIKE_BLOCK(at, size, 0, 0);
	return at;
}

static NOINLINE void write_longs(void *block, int n)
{
	for (int i = 0; i < n; i++)
		((volatile long *)block)[i] = i;
}

static NOINLINE void open_pool(struct pool *p)
{
	p->chunk = malloc(4096);
	p->used = 0;
	VALGRIND_CREATE_MEMPOOL(p, 0, 0);
}

static NOINLINE void use_elements(struct pool *p)
{
	for (int i = 0; i < 10; i++)
		write_longs(pool_alloc(p, 64), 8);
}

static NOINLINE void use_and_free(struct pool *p)
{
	void *block = pool_alloc(p, 80);

	write_longs(block, 10);
	pool_free(p, block);
	write_longs(block, 10);
}

static NOINLINE void use_carved(struct pool *p)
{
	char *block = carve(p->chunk + 2048, 32);

	write_longs(block, 4);
	VALGRIND_RESIZEINPLACE_BLOCK(block, 32, 64, 0);
	write_longs(block, 8);
	VALGRIND_FREELIKE_BLOCK(block, 0);
	write_longs(block, 8);
}

/* Trim a pool of three elements: the first one ends, the second one is cut, and
   the third one moves. */
static NOINLINE void use_trimmed(struct pool *p)
{
	struct pool other;
	char *first = pool_alloc(p, 16), *second = pool_alloc(p, 16);
	char *third = pool_alloc(p, 16);

	VALGRIND_MEMPOOL_TRIM(p, second + 8, 24);
	VALGRIND_MOVE_MEMPOOL(p, &other);
	VALGRIND_MEMPOOL_CHANGE(&other, third, first, 8);
	VALGRIND_DESTROY_MEMPOOL(p);
	write_longs(first, 6);
	VALGRIND_DESTROY_MEMPOOL(&other);
	write_longs(first, 6);
}

static void run_pool(void)
{
	struct pool p;

	open_pool(&p);
	use_elements(&p);
	use_and_free(&p);
	use_carved(&p);
	VALGRIND_DESTROY_MEMPOOL(&p);
	write_longs(p.chunk, 100);
	use_trimmed(&p);
}

static void run_fork(void)
{
	struct pool p;

	open_pool(&p);
	use_elements(&p);
	if (fork() == 0) {
		write_longs(p.chunk, 10);
		VALGRIND_DESTROY_MEMPOOL(&p);
		write_longs(p.chunk, 10);
		_exit(0);
	}
	wait(NULL);
}

/* Requests with any arguments. */
static void run_wild(void)
{
	static const unsigned long any[] = {0, 1, 8, ~0ul, ~0ul - 7, 1ul << 63};

	for (unsigned request = VG_USERREQ__MALLOCLIKE_BLOCK;
	     request <= VG_USERREQ__RESIZEINPLACE_BLOCK; request++)
		for (unsigned i = 0; i < 6 * 6 * 6; i++)
			VALGRIND_DO_CLIENT_REQUEST_STMT(
				request, any[i % 6], any[i / 6 % 6],
				any[i / 36], any[i % 5], 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{"pool", run_pool},
		{"fork", run_fork},
		{"wild", run_wild},
	};

	for (unsigned i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases);
	     i++)
		if (!strcmp(argv[1], cases[i].name))
			cases[i].run();
	if (argc > 1 && !strcmp(argv[1], "main")) {
		static char in_main[40];

		VALGRIND_MALLOCLIKE_BLOCK(in_main, sizeof(in_main), 0, 0);
		memset(in_main, argc, sizeof(in_main));
		sum += in_main[argc];
	}
	return 0;
}
