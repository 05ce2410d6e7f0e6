/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.c - allocates from allocators of its own; allocators.test has the
 * numbers
 *
 * arena CASE
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile long sum;

/* ---- an arena: a chunk of the heap that is divided into blocks ---- */

struct arena {
	char *chunk;
	size_t used, size;
};

NOINLINE void arena_open(struct arena *a, size_t size)
{
	a->chunk = malloc(size);
	a->used = 0;
	a->size = size;
}

/* The size is the sixth argument. */
NOINLINE void *arena_alloc(struct arena *a, int b, int c, int d, int e,
			   size_t size)
{
	sum += b + c + d + e;
	if (a->used + size > a->size)
		return NULL;
	a->used += size;
	return a->chunk + a->used - size;
}

NOINLINE void *arena_array(size_t n, struct arena *a, size_t size)
{
	return arena_alloc(a, 0, 0, 0, 0, n * size);
}

NOINLINE void arena_store(size_t size, void **block, struct arena *a)
{
	*block = arena_alloc(a, 0, 0, 0, 0, size);
}

NOINLINE void *arena_grow(struct arena *a, void *block, size_t size)
{
	void *p = arena_alloc(a, 0, 0, 0, 0, size);

	*(volatile long *)p = *(volatile long *)block;
	return p;
}

NOINLINE void *arena_node(struct arena *a)
{
	return arena_alloc(a, 0, 0, 0, 0, 48);
}

NOINLINE void arena_free(struct arena *a, void *block)
{
	sum += a->used + (block != NULL);
}

/* ---- users ---- */

static NOINLINE void write_longs(void *block, int n)
{
	for (int i = 0; i < n; i++)
		((volatile long *)block)[i] = i;
}

static NOINLINE void use_blocks(struct arena *a)
{
	for (int i = 0; i < 10; i++) {
		void *p = arena_alloc(a, 1, 2, 3, 4, 64);

		write_longs(p, 8);
		arena_free(a, p);
	}
}

static NOINLINE void use_array(struct arena *a)
{
	write_longs(arena_array(5, a, 16), 10);
}

static NOINLINE void use_stored(struct arena *a)
{
	void *p;

	arena_store(24, &p, a);
	write_longs(p, 3);
	p = arena_grow(a, p, 80);
	write_longs(p, 10);
}

static NOINLINE void use_nodes(struct arena *a)
{
	for (int i = 0; i < 3; i++)
		write_longs(arena_node(a), 6);
}

/* The chunk is freed with its blocks in it, and its memory is used again. */
static NOINLINE void use_chunk_again(void)
{
	void *p = malloc(4096);

	write_longs(p, 512);
	free(p);
}

static NOINLINE void use_rest(struct arena *a)
{
	write_longs(a->chunk + a->used, 7);
}

static void run_blocks(void)
{
	struct arena a;

	arena_open(&a, 4096);
	use_blocks(&a);
	use_array(&a);
	use_stored(&a);
	use_nodes(&a);
	use_rest(&a);
	free(a.chunk);
	use_chunk_again();
}

static NOINLINE void *make_pair(struct arena *a)
{
	return arena_array(2, a, 16);
}

/* A child uses a block of its parent, and one of its own. */
static void run_fork(void)
{
	struct arena a;
	void *p;

	arena_open(&a, 4096);
	p = make_pair(&a);
	if (fork() == 0) {
		write_longs(p, 4);
		use_nodes(&a);
		_exit(0);
	}
	wait(NULL);
}

/* A function of the malloc family that is named is the outermost one. */
NOINLINE void *wrapped_alloc(size_t size)
{
	return malloc(size + 8);
}

static NOINLINE void use_wrapped(void)
{
	void *p = wrapped_alloc(32);

	write_longs(p, 4);
	free(p);
	write_longs(malloc(40), 5);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{"blocks", run_blocks},
		{"fork", run_fork},
		{"wrapped", use_wrapped},
	};

	for (unsigned i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases);
	     i++)
		if (!strcmp(argv[1], cases[i].name))
			cases[i].run();
	return 0;
}
