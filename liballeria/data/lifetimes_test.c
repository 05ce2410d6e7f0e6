/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lifetimes_test.c - at each access, mapped memory belongs to the site that a
   map of all bytes says; events with any words are applied */
#include "liballeria/data/lifetimes.h"

#include <stdlib.h>
#include <string.h>

#include "proto/unit.h"
#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum { EVENTS = 10000, ADDRESSES = 256, SITES = 20, HOSTILE_EVENTS = 30000 };

static struct ap_lifetimes lifetimes;
static uint8_t site_now[ADDRESSES];	   /* site of each byte, or 0 */
static uint8_t site_at[EVENTS][ADDRESSES]; /* the same, by access */

static int apply(unsigned kind, uint32_t id, const uint64_t *word, uint32_t n,
		 uint64_t access)
{
	const struct ap_data_event e = {.instruction = access,
					.access = access,
					.thread = 1,
					.kind = kind,
					.id = id,
					.n_words = n,
					.words = (const uint32_t *)word};

	return ap_lifetimes_apply_event(&lifetimes, &e);
}

static int map(uint64_t start, uint64_t size, uint64_t access)
{
	uint64_t extended = random_below(3) ? 0 : random_below(ADDRESSES);
	uint32_t site = 1 + (uint32_t)random_below(SITES);
	const uint64_t word[] = {start, size, PT_MEMORY_READABLE, extended};
	bool extends = extended && site_now[extended];

	memset(site_now + start, extends ? site_now[extended] : (int)site,
	       size);
	return apply(PT_MEMORY, site, word, 4, access);
}

static int unmap(uint64_t start, uint64_t size, uint64_t access)
{
	const uint64_t word[] = {start, size};

	memset(site_now + start, 0, size);
	return apply(PT_MEMORY_UNMAPPED, 0, word, 2, access);
}

static int move(uint64_t from, uint64_t size, uint64_t access)
{
	uint64_t to = random_below(ADDRESSES - size);
	const uint64_t word[] = {from, to, size};
	int site = site_now[from];

	if (site != 0) {
		memset(site_now + from, 0, size);
		memset(site_now + to, site, size);
	}
	return apply(PT_MEMORY_MOVED, 0, word, 3, access);
}

/* Apply random events, one before each access. Return: 0; -ENOMEM. */
static int apply_memory_events(void)
{
	const uint64_t site[] = {0, 0x1000, 0x2000};
	int err = 0;

	for (uint32_t i = 1; i <= SITES; i++)
		err |= apply(PT_SITE, i, site, 3, 0);
	for (uint64_t access = 0; access < EVENTS; access++) {
		uint64_t size = 1 + random_below(60);
		uint64_t start = random_below(ADDRESSES - size);
		uint64_t kind = random_below(4);

		err |= kind < 2	   ? map(start, size, access)
		       : kind == 2 ? unmap(start, size, access)
				   : move(start, size, access);
		memcpy(site_at[access], site_now, ADDRESSES);
	}
	return err;
}

static uint32_t find_site(const struct ap_lifetime_index *x, uint64_t address,
			  uint64_t access)
{
	const struct ap_lifetime *l =
		ap_lifetime_index_find_live_lifetime(x, address, access);
	const struct ap_data_object *o =
		l ? &lifetimes.object[l->object] : NULL;
	bool lives = o && o->born_access <= access && access < o->died_access &&
		     address - o->address < o->size;

	return !o ? 0 : lives ? o->site : SITES + 1;
}

/* Count data objects that do not die at the end of their last lifetime. */
static unsigned count_wrong_deaths(const struct ap_rank_lifetimes *k)
{
	uint64_t *end = calloc(lifetimes.n_objects, sizeof(*end));
	unsigned wrong = end == NULL;

	for (uint32_t i = 0; end && i < k->n; i++)
		if (k->lifetime[i].end_access > end[k->lifetime[i].object])
			end[k->lifetime[i].object] = k->lifetime[i].end_access;
	for (uint32_t i = 0; end && i < lifetimes.n_objects; i++)
		wrong += lifetimes.object[i].died_access != end[i];
	free(end);
	return wrong;
}

static void test_memory(void)
{
	struct ap_rank_lifetimes *k = &lifetimes.of_rank[AP_RANK_MAPPED];
	struct ap_lifetime_index x;
	unsigned wrong = 0, in_memory = 0;

	is_u64(apply_memory_events(), 0, "memory is mapped and unmapped");
	is_u64(ap_lifetime_index_build(&x, k->lifetime, k->n), 0, "and found");
	for (uint64_t access = 0; access < EVENTS; access++)
		for (uint64_t address = 0; address < ADDRESSES; address++) {
			wrong += find_site(&x, address, access) !=
				 site_at[access][address];
			in_memory += site_at[access][address] != 0;
		}
	is_u64(wrong, 0, "each byte at each access belongs to its site");
	is_u64(count_wrong_deaths(k), 0, "it dies when all is unmapped");
	ok(in_memory > EVENTS * ADDRESSES / 4, "much of it is mapped");
	ap_lifetime_index_release(&x);
	ap_lifetimes_release(&lifetimes);
}

static void test_extension_over_itself(void)
{
	const uint64_t first[] = {16, 32, PT_MEMORY_READABLE, 0},
		       again[] = {16, 32, PT_MEMORY_READABLE, 20};

	is_u64(apply(PT_MEMORY, 0, first, 4, 1) |
		       apply(PT_MEMORY, 0, again, 4, 2),
	       0, "memory is extended where it lies");
	is_u64(count_wrong_deaths(&lifetimes.of_rank[AP_RANK_MAPPED]), 0,
	       "what replaces it lives on");
	ap_lifetimes_release(&lifetimes);
}

/* Return a number as only a hostile program has it as an address or size. */
static uint64_t hostile_number(void)
{
	switch (random_below(4)) {
	case 0:
		return random_below(300);
	case 1:
		return UINT64_MAX - random_below(300);
	case 2:
		return UINT64_C(1) << random_below(64);
	default:
		return random_below(UINT64_MAX);
	}
}

static void test_hostile_events(void)
{
	struct ap_lifetime_index x;
	uint64_t word[16];
	unsigned errors = 0;

	for (uint64_t access = 0; access < HOSTILE_EVENTS; access++) {
		for (unsigned k = 0; k < 16; k++)
			word[k] = hostile_number();
		errors += apply(PT_SITE + (unsigned)random_below(PT_KINDS -
								 PT_SITE + 1),
				(uint32_t)random_below(300), word,
				(uint32_t)random_below(17), access) != 0;
	}
	ap_lifetimes_free_live_ranges(&lifetimes);
	for (int rank = 0; rank < AP_DATA_RANKS; rank++) {
		errors += ap_lifetime_index_build(
				  &x, lifetimes.of_rank[rank].lifetime,
				  lifetimes.of_rank[rank].n) != 0;
		ap_lifetime_index_release(&x);
		errors += lifetimes.of_rank[rank].n == 0;
	}
	is_u64(errors, 0, "any events with any words are applied");
	ap_lifetimes_release(&lifetimes);
}

int main(void)
{
	test_memory();
	test_extension_over_itself();
	test_hostile_events();
	return done_testing();
}
