/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_events.c - applies N events of data objects in an order that is bad for
 * search trees, each followed by a search; data-cost.test counts instructions
 *
 *   owner_events up N      blocks by ascending address, freed likewise
 *   owner_events down N    by descending address, freed likewise
 *   owner_events ends N    the highest and the lowest address in turn
 *   owner_events inside N  elements in one heap block, which is freed last
 *   owner_events over N    each block overlaps the one before, and is larger
 *   owner_events holes N   pages are unmapped from one mapping, every other one
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/owners.h"

enum { BLOCK = 32, PAGE = 4096 };
#define START UINT64_C(0x10000000)

static struct an_owners owners;
static uint64_t n_events;

static void apply(uint32_t kind, uint64_t first, uint64_t second)
{
	const uint64_t word[] = {first, second, 0, 0};
	struct an_batch b = {.event_word = word};
	struct an_stream_event e = {.kind = kind, .n_words = 4};
	uint64_t offset;

	if (an_owners_apply_event(&owners, &b, &e) != 0 ||
	    an_owners_find_group(&owners, first, (uint32_t)n_events % 64,
				 &offset) == NULL)
		exit(2);
	n_events++;
}

static void allocate_and_free_up(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		apply(PT_BORN, START + i * BLOCK, BLOCK);
	for (uint64_t i = 0; i < n; i++)
		apply(PT_DIED, START + i * BLOCK, 0);
}

static void allocate_and_free_down(uint64_t n)
{
	for (uint64_t i = n; i-- > 0;)
		apply(PT_BORN, START + i * BLOCK, BLOCK);
	for (uint64_t i = n; i-- > 0;)
		apply(PT_DIED, START + i * BLOCK, 0);
}

/* Return the @i-th index below @n in the order 0, n - 1, 1, n - 2, ... */
static uint64_t index_from_ends(uint64_t i, uint64_t n)
{
	return i % 2 ? n - 1 - i / 2 : i / 2;
}

static void allocate_and_free_from_ends(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		apply(PT_BORN, START + index_from_ends(i, n) * BLOCK, BLOCK);
	for (uint64_t i = 0; i < n; i++)
		apply(PT_DIED, START + index_from_ends(i, n) * BLOCK, 0);
}

static void allocate_inside(uint64_t n)
{
	apply(PT_BORN, START, n * BLOCK);
	for (uint64_t i = 0; i < n; i++)
		apply(PT_ELEMENT_BORN, START + i * BLOCK, BLOCK);
	apply(PT_DIED, START, 0);
}

static void allocate_over(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		apply(PT_BORN, START, BLOCK + i);
}

static void unmap_holes(uint64_t n)
{
	apply(PT_MEMORY, START, 2 * n * PAGE);
	for (uint64_t i = 0; i < n; i++)
		apply(PT_MEMORY_UNMAPPED, START + 2 * i * PAGE, PAGE);
}

static const struct {
	const char *name;
	void (*run)(uint64_t n);
} order[] = {
	{"up", allocate_and_free_up},
	{"down", allocate_and_free_down},
	{"ends", allocate_and_free_from_ends},
	{"inside", allocate_inside},
	{"over", allocate_over},
	{"holes", unmap_holes},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(order) / sizeof(*order);
	     i++) {
		if (strcmp(order[i].name, argv[1]) != 0)
			continue;
		order[i].run(strtoull(argv[2], NULL, 10));
		printf("%llu\n", (unsigned long long)n_events);
		return 0;
	}
	fputs("owner_events up|down|ends|inside|over|holes N\n", stderr);
	return 1;
}
