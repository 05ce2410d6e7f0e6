/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regions.c - names memory as regions; data-regions.test has the numbers
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/alleria.h>

#define NOINLINE __attribute__((noinline))

enum { PAGE = 4096 };

static long named_buffer[100];

static NOINLINE void write_longs(void *block, long n)
{
	for (long i = 0; i < n; i++)
		((volatile long *)block)[i] = i;
}

/* Name the first half of a variable, then a part of that by another name, and
   end this one. */
static NOINLINE void name_variable(void)
{
	write_longs(named_buffer, 100);
	ALLERIA_REGION(named_buffer, 50 * sizeof(long), "half");
	write_longs(named_buffer, 100);
	ALLERIA_REGION(named_buffer, 10 * sizeof(long), "tenth");
	write_longs(named_buffer, 100);
	ALLERIA_REGION(named_buffer + 5, 0, "");
	write_longs(named_buffer, 100);
}

/* The regions of a heap block end with it, also if it is allocated again. */
static NOINLINE void name_blocks(void)
{
	for (int i = 0; i < 5; i++) {
		long *block = malloc(64 * sizeof(long));

		write_longs(block, 64);
		ALLERIA_REGION(block, 32 * sizeof(long), "head");
		write_longs(block, 64);
		free(block);
	}
}

/* A region ends when its memory is unmapped, or moved by mremap(). */
static NOINLINE void name_mapping(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	char *m = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	char *moved = mmap(NULL, PAGE, PROT_NONE, flags, -1, 0);

	ALLERIA_REGION(m, PAGE, "page");
	write_longs(m, 20);
	m = mremap(m, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, moved);
	write_longs(m, 30);
	ALLERIA_REGION(m, PAGE, "page");
	munmap(m, PAGE);
	m = mmap(m, PAGE, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0);
	write_longs(m, 40);
	munmap(m, PAGE);
}

/* A forked child inherits a region. */
static NOINLINE void name_and_fork(void)
{
	ALLERIA_REGION(named_buffer + 90, 10 * sizeof(long), "inherited");
	if (fork() == 0) {
		write_longs(named_buffer + 90, 10);
		_exit(0);
	}
	wait(NULL);
}

int main(void)
{
	name_variable();
	name_blocks();
	name_mapping();
	name_and_fork();
	return 0;
}
