/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acts.c - a program with a known working set at each time
 *
 * acts PAGES: the first act reads and writes one byte in each of PAGES pages,
 * again and again; the second one, in a single page; the third one repeats the
 * first in another thread. All acts execute about the same number of
 * instructions.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { PAGE = 4096, STEPS = 100000 };

static char *memory;
static unsigned pages;

static void change_pages(unsigned n)
{
	unsigned page = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		(*(volatile char *)(memory + page * PAGE))++;
		page = page + 1 < n ? page + 1 : 0;
	}
}

static void *third_act(void *unused)
{
	change_pages(pages);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	pages = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	memory = aligned_alloc(PAGE, (size_t)pages * PAGE);
	if (memory == NULL)
		return 1;
	change_pages(pages);
	change_pages(1);
	if (pthread_create(&thread, NULL, third_act, NULL) != 0)
		return 1;
	return pthread_join(thread, NULL) != 0;
}
