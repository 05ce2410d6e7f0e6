/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.c - allocates in known ways; data.test has the numbers
 *
 * heap CASE. The functions je_*() are an allocator of the program's own, which
 * can fail, be left by longjmp() and be interrupted by a signal handler.
 *
 * Build: -fno-builtin
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

enum { LEAVE = 7, INTERRUPT = 9, ONE_PLACE = 16 };

static volatile long sum;
static jmp_buf out;

/* ---- the program's own allocator ---- */

static char place[1 << 16];
static size_t used;

NOINLINE void *je_malloc(size_t size)
{
	if (size == LEAVE)
		longjmp(out, 1);
	if (size == INTERRUPT)
		raise(SIGUSR1);
	if (size == ONE_PLACE)
		return place + sizeof(place) - 64;
	used += 64;
	return place + used - 64;
}

NOINLINE void *je_realloc(void *p, size_t size)
{
	sum++;
	return size < 1000 ? p : NULL;
}

NOINLINE void je_free(void *p)
{
	sum += p != NULL;
}

/* ---- cases ---- */

static NOINLINE void fill(void)
{
	volatile int *a = malloc(4000);

	for (int i = 0; i < 1000; i++)
		a[i] = i;
	for (int i = 0; i < 1000; i += 2)
		sum += a[i];
	free((void *)a);
}

static NOINLINE void touch_elements(void)
{
	volatile char *a = calloc(100, 7);

	a[3] = 1;
	a[699] = 2;
	sum += a[3];
	free((void *)a);
}

static NOINLINE void build_nodes(void)
{
	struct node {
		struct node *next;
		long key;
	} *list = NULL;

	for (int i = 0; i < 100; i++) {
		struct node *n = malloc(sizeof(*n));

		n->next = list;
		n->key = i;
		list = n;
	}
	for (struct node *n = list; n; n = n->next)
		sum += n->key;
	while (list) {
		struct node *n = list->next;

		free(list);
		list = n;
	}
}

static void parity(void)
{
	fill();
	touch_elements();
	build_nodes();
}

/* ---- frames of different kinds above malloc() ---- */

static NOINLINE void allocate(int n)
{
	volatile char *p = malloc((size_t)n);

	p[0] = 1;
	free((void *)p);
}

static NOINLINE void below_variable_array(int n)
{
	volatile char a[n];

	a[0] = 1;
	allocate(n);
	sum += a[0];
}

static NOINLINE void below_aligned(int n)
{
	volatile char a[100] __attribute__((aligned(64)));

	a[0] = 1;
	below_variable_array(n);
	sum += a[0];
}

static NOINLINE void below_large_array(int n)
{
	volatile char a[100000];

	a[0] = 1;
	below_variable_array(n);
	sum += a[0];
}

static NOINLINE void descend(int depth, int n)
{
	if (depth == 0)
		below_variable_array(n);
	else
		descend(depth - 1, n);
	sum++;
}

/* Each stack twice, in turn. */
static NOINLINE void unwind_stacks(void)
{
	for (int i = 0; i < 2; i++) {
		allocate(8);
		below_variable_array(16);
		below_aligned(24);
		below_large_array(32);
		descend(3, 40);
		descend(20, 48);
	}
}

static NOINLINE void family(void)
{
	void *p = NULL, *all[9];

	all[0] = malloc(1);
	all[1] = calloc(1, 2);
	all[2] = realloc(NULL, 3);
	all[3] = memalign(16, 4);
	all[4] = aligned_alloc(16, 5);
	sum += posix_memalign(&p, 16, 6);
	all[5] = p;
	all[6] = valloc(7);
	all[7] = reallocarray(NULL, 2, 4);
	all[8] = strdup("12345678");
	for (int i = 0; i < 9; i++)
		free(all[i]);
	free(NULL);
}

static NOINLINE void write_eight(volatile long *p)
{
	for (int i = 0; i < 8; i++)
		p[i % 2] = i;
}

static NOINLINE void first_site(void)
{
	void *p = je_malloc(ONE_PLACE);

	write_eight(p);
	je_free(p);
}

static NOINLINE void second_site(void)
{
	void *p = je_malloc(ONE_PLACE);

	write_eight(p);
	je_free(p);
}

static void take_turns(void)
{
	for (int i = 0; i < 1000; i++) {
		first_site();
		second_site();
	}
}

static NOINLINE void allocate_in_handler(int signal)
{
	(void)signal;
	*(volatile long *)je_malloc(24) = 1;
}

static NOINLINE void leave_and_interrupt(void)
{
	void *p;

	signal(SIGUSR1, allocate_in_handler);
	if (!setjmp(out))
		je_malloc(LEAVE);
	p = je_malloc(INTERRUPT);
	*(volatile long *)p = 1;
	if (je_realloc(p, 1000) == NULL)
		*(volatile long *)p = 2;
	p = je_realloc(p, 16);
	*(volatile long *)p = 3;
}

static NOINLINE void free_badly(void)
{
	char on_stack, *p = je_malloc(32);

	je_free(p + 8);
	je_free(&on_stack);
	je_free(p);
	je_free(p);
	je_realloc(p, 16);
}

static NOINLINE void share_with_child(void)
{
	char *block[1000];

	for (int i = 0; i < 1000; i++)
		block[i] = malloc(20);
	if (fork() == 0) {
		for (int i = 0; i < 1000; i++)
			*(volatile char *)block[i] = 1;
		for (int i = 0; i < 1000; i += 2)
			free(block[i]);
		_exit(0);
	}
	wait(NULL);
	for (int i = 0; i < 1000; i++)
		free(block[i]);
}

volatile int table[100], common;
static volatile long hidden[4] = {1};
static const volatile int fixed = 5;

static NOINLINE void use_variables(void)
{
	static volatile int local;

	for (int i = 0; i < 100; i++)
		table[i] = fixed;
	for (int i = 0; i < 30; i++)
		hidden[3]++;
	for (int i = 0; i < 10; i++)
		local = i;
	common = 1;
	sum += local;
}

static NOINLINE void *work(void *argument)
{
	for (int round = 0; round < 20; round++) {
		char *p[50];

		for (int i = 0; i < 50; i++) {
			p[i] = malloc((size_t)i + 1);
			*(volatile char *)p[i] = 1;
		}
		for (int i = 0; i < 50; i++)
			p[i] = realloc(p[i], 3 * (size_t)i + 1);
		for (int i = 0; i < 50; i++)
			free(p[i]);
	}
	return argument;
}

static void run_threads(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

/* ---- mapped memory ---- */

enum { PAGE = 4096, LARGE = 1 << 20 };

/* Write each eighth byte. */
static NOINLINE void write_words(volatile char *p, long n)
{
	for (long i = 0; i < n; i += 8)
		p[i] = 1;
}

static NOINLINE char *map_at(char *at, size_t size)
{
	return mmap(at, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

static NOINLINE void map_whole(void)
{
	char *p = map_at(NULL, 8 * PAGE);

	write_words(p, 8 * PAGE);
	munmap(p, 8 * PAGE);
}

static NOINLINE void map_and_unmap_middle(void)
{
	char *p = map_at(NULL, 3 * PAGE);

	munmap(p + PAGE, PAGE);
	write_words(p, PAGE);
	write_words(p + 2 * PAGE, PAGE);
}

static NOINLINE void map_and_move(void)
{
	char *p = map_at(NULL, 2 * PAGE);

	map_at(NULL, PAGE);
	write_words(p, 2 * PAGE);
	p = mremap(p, 2 * PAGE, LARGE, MREMAP_MAYMOVE);
	write_words(p, LARGE);
}

static NOINLINE void map_over(void)
{
	char *p = map_at(NULL, 4 * PAGE);

	map_at(p + PAGE, PAGE);
	write_words(p, 4 * PAGE);
}

static NOINLINE void grow_heap(void)
{
	char *p = sbrk(2 * PAGE);

	write_words(p, 2 * PAGE);
	sbrk(-2 * PAGE);
}

static NOINLINE void map_for_child(void)
{
	char *p = map_at(NULL, PAGE);

	if (fork() == 0) {
		write_words(p, PAGE);
		_exit(0);
	}
	wait(NULL);
}

static void map_memory(void)
{
	map_whole();
	map_and_unmap_middle();
	map_and_move();
	map_over();
	grow_heap();
	map_for_child();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {
		{"parity", parity},	   {"family", family},
		{"turns", take_turns},	   {"left", leave_and_interrupt},
		{"bad", free_badly},	   {"fork", share_with_child},
		{"static", use_variables}, {"threads", run_threads},
		{"stacks", unwind_stacks}, {"mappings", map_memory},
	};

	for (unsigned i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases);
	     i++)
		if (!strcmp(argv[1], cases[i].name))
			cases[i].run();
	return 0;
}
