/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values.c - memory recomputed from a profile: values PROFILE
 *
 * Every write is done again, and every byte that was read is compared with what
 * is there. A byte is known once it was read or written; not any more when the
 * system wrote it, or more of it was written than is told. Prints how many
 * bytes were compared, were met for the first time, could not be compared
 * because of the system, or of what is not told; how many differ; and how many
 * accesses have no value; and how many time stamps and processors are told, and
 * how many stamps are less than one before, of the same processor. Exit status
 * 1 when something differs, has no value, or is less.
 */
#include <alleria/alleria.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, TABLE = 1 << 20, SHOWN = 20 };

enum knowledge { NEVER_SEEN, KNOWN, BY_SYSTEM, NOT_TOLD, KINDS };

struct page {
	uint64_t number;
	struct page *next;
	uint8_t byte[PAGE];
	uint8_t knowledge[PAGE];
};

struct memory {
	struct page *page[TABLE];
	struct page *last;
};

static struct memory memory;
static unsigned long long seen[KINDS]; /* bytes read, by what was known */
static unsigned long long differ, without, writes;
static unsigned long long stamps, cores, less;
static uint64_t last_stamp;

static struct page *page_of(uint64_t address)
{
	uint64_t number = address / PAGE;
	struct page **link = &memory.page[number % TABLE], *p = memory.last;

	if (p && p->number == number)
		return p;
	for (p = *link; p && p->number != number; p = p->next)
		;
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			err(2, "memory");
		p->number = number;
		p->next = *link;
		*link = p;
	}
	return memory.last = p;
}

static void forget_all(void)
{
	for (size_t i = 0; i < TABLE; i++)
		while (memory.page[i]) {
			struct page *next = memory.page[i]->next;

			free(memory.page[i]);
			memory.page[i] = next;
		}
	memory.last = NULL;
}

static void forget(uint64_t address, uint64_t bytes, enum knowledge why)
{
	for (uint64_t byte = address; byte - address < bytes; byte++)
		page_of(byte)->knowledge[byte % PAGE] = why;
}

static void learn(uint64_t address, uint8_t byte)
{
	struct page *p = page_of(address);

	p->byte[address % PAGE] = byte;
	p->knowledge[address % PAGE] = KNOWN;
}

static void tell(const struct alleria_access *a, const char *what)
{
	printf("access %llu, code %#llx, %u bytes at %#llx: %s\n",
	       (unsigned long long)a->number, (unsigned long long)a->code,
	       a->size, (unsigned long long)a->address, what);
}

static void check(const struct alleria_access *a, uint64_t address,
		  uint8_t byte)
{
	struct page *p = page_of(address);
	char text[80];

	seen[p->knowledge[address % PAGE]]++;
	if (p->knowledge[address % PAGE] == KNOWN &&
	    p->byte[address % PAGE] != byte && differ++ < SHOWN) {
		snprintf(text, sizeof(text), "%#llx has %#x, was %#x",
			 (unsigned long long)address, byte,
			 p->byte[address % PAGE]);
		tell(a, text);
	}
	learn(address, byte);
}

static unsigned told(const struct alleria_access *a)
{
	return a->size < ALLERIA_MAX_VALUE ? a->size : ALLERIA_MAX_VALUE;
}

static void take(const struct alleria_access *a)
{
	if (!(a->flags & ALLERIA_VALUE)) {
		if (without++ < SHOWN)
			tell(a, "no value");
		return;
	}
	for (unsigned i = 0; a->read && i < told(a); i++)
		check(a, a->address + i, a->read[i]);
	for (unsigned i = 0; a->written && i < told(a); i++)
		learn(a->address + i, a->written[i]);
	if (a->written) {
		writes += told(a);
		forget(a->address + told(a), a->size - told(a), NOT_TOLD);
	}
}

static int take_accesses(void *state, const struct alleria_access *a, long n)
{
	(void)state;
	for (long i = 0; i < n; i++)
		take(&a[i]);
	return 0;
}

static int take_executions(void *state, const struct alleria_execution *e,
			   long n)
{
	(void)state;
	for (long i = 0; i < n; i++) {
		stamps += e[i].stamp != 0;
		less += e[i].stamp < last_stamp;
		last_stamp = e[i].stamp;
	}
	return 0;
}

static int take_event(void *state, const struct alleria_event *e)
{
	(void)state;
	if (e->kind == ALLERIA_IMAGE_BEGIN)
		forget_all();
	if (e->kind == ALLERIA_IMAGE_BEGIN || e->kind == ALLERIA_CORE)
		last_stamp = 0;
	cores += e->kind == ALLERIA_CORE;
	if (e->kind == ALLERIA_WRITTEN)
		forget(e->value, e->detail, BY_SYSTEM);
	return 0;
}

int main(int argc, char **argv)
{
	const struct alleria_executor checker = {
		.executions = take_executions,
		.accesses = take_accesses,
		.event = take_event,
	};
	char message[ALLERIA_MESSAGE];
	struct alleria_profile *p;

	if (argc != 2)
		errx(2, "usage: values PROFILE");
	if (alleria_open(argv[1], &p, message))
		errx(2, "%s", message);
	if (alleria_state(p)->status != ALLERIA_COMPLETE &&
	    strcmp(alleria_state(p)->reason, "killed by signal 9") != 0)
		errx(2, "%s", alleria_state(p)->reason);
	if (alleria_replay(p, NULL, &checker, 1, NULL))
		errx(2, "'%s' cannot be replayed", argv[1]);
	alleria_close(p);
	forget_all();
	printf("%llu bytes compared, %llu new, %llu by the system, %llu not "
	       "told, %llu written; %llu differ, %llu accesses without value; "
	       "%llu stamps, %llu processors, %llu less\n",
	       seen[KNOWN], seen[NEVER_SEEN], seen[BY_SYSTEM], seen[NOT_TOLD],
	       writes, differ, without, stamps, cores, less);
	return differ || without || less;
}
