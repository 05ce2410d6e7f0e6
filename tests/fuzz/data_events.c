/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_events.c - events of data objects with arbitrary words
 *
 * Each event is 8 bytes, kind, number of words, unused and id, then its words.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzers/data/owners.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_WORDS = 16, HEAD = 8 };

/* The owner that a search in all ranges finds, without hints. */
static uint32_t search_group(struct an_owners *o, uint64_t addr)
{
	struct an_ranges *layer[] = {&o->elements, &o->thread_variables,
				     &o->heap,	   &o->statics,
				     &o->stacks,   &o->mappings};

	for (size_t i = 0; i < sizeof(layer) / sizeof(layer[0]); i++) {
		const struct an_range *r =
			an_ranges_find_and_cache(layer[i], addr);

		if (r != NULL)
			return r->value;
	}
	return AN_UNKNOWN_GROUP;
}

/* Abort unless hints find the owner that a search finds. */
static void check_owner(struct an_owners *o, uint64_t addr)
{
	uint64_t offset;
	const struct an_data_group *g =
		an_owners_find_group(o, addr, (uint32_t)addr % 3, &offset);

	if (g == NULL || g != &o->group[search_group(o, addr)])
		abort();
}

static void apply_event(struct an_owners *o, const uint8_t *head,
			const uint64_t *word, uint32_t n_words)
{
	struct an_batch b = {.event_word = word};
	struct an_stream_event e = {
		.kind = PT_FIRST_EVENT +
			head[0] % (PT_KINDS - PT_FIRST_EVENT + 1),
		.n_words = n_words};

	memcpy(&e.id, head + 4, sizeof(e.id));
	e.id %= 64;
	if (an_owners_apply_event(o, &b, &e) != 0)
		abort();
	for (uint32_t i = 0; i < n_words && i < 4; i++) {
		check_owner(o, word[i]);
		check_owner(o, word[i] - 1);
	}
}

void fuzz_data(const uint8_t *data, size_t bytes)
{
	static struct an_owners owners;
	uint64_t word[MOST_WORDS];

	owners.has_fields = true;
	owners.has_single_blocks = bytes % 2;
	while (bytes >= HEAD) {
		size_t n = data[1] % (MOST_WORDS + 1), room = bytes - HEAD;

		if (n > room / 8)
			n = room / 8;
		memcpy(word, data + HEAD, 8 * n);
		apply_event(&owners, data, word, (uint32_t)n);
		data += HEAD + 8 * n;
		bytes -= HEAD + 8 * n;
	}
	an_owners_release(&owners);
}
