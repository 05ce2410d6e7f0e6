/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lifetime_index_test.c - the lifetime of an address and an access is the one
   that a search of all lifetimes finds */
#include "liballeria/data/lifetime_index.h"

#include <stdlib.h>

#include "tests/fixtures/random_below.h"
#include "tests/tap.h"

enum { LIFETIMES = 400, QUESTIONS = 20000, ADDRESSES = 300, ACCESSES = 500 };

static struct ap_lifetime made[LIFETIMES];
static uint32_t n_made;

static const struct ap_lifetime *find_slowly(uint64_t address, uint64_t access)
{
	for (uint32_t i = 0; i < n_made; i++)
		if (address >= made[i].start && address <= made[i].last &&
		    access >= made[i].first_access &&
		    access < made[i].end_access)
			return &made[i];
	return NULL;
}

/* End all lifetimes at @access that overlap a range of addresses. */
static void end_overlapping(uint64_t start, uint64_t last, uint64_t access)
{
	for (uint32_t i = 0; i < n_made; i++)
		if (made[i].start <= last && made[i].last >= start &&
		    made[i].end_access > access)
			made[i].end_access = access;
}

/* Make lifetimes, some of them empty, one of all addresses, some that never
   end. @base: added to their addresses. */
static void make_lifetimes(uint64_t base)
{
	uint64_t access = 0;

	for (n_made = 0; n_made < LIFETIMES; n_made++) {
		uint64_t start = base + random_below(ADDRESSES);
		uint64_t last = start + random_below(30);

		if (n_made == LIFETIMES / 2) {
			start = 0;
			last = UINT64_MAX;
		}
		if (last < start)
			last = UINT64_MAX;
		access += random_below(3);
		end_overlapping(start, last, access);
		made[n_made] = (struct ap_lifetime){
			.start = start,
			.last = last,
			.first_access = access,
			.end_access = random_below(4)
					      ? UINT64_MAX
					      : access + random_below(9),
			.object = n_made,
		};
	}
}

static unsigned count_wrong_answers(uint64_t base)
{
	struct ap_lifetime_index x;
	unsigned wrong = 0;

	make_lifetimes(base);
	if (ap_lifetime_index_build(&x, made, n_made))
		return QUESTIONS;
	for (int i = 0; i < QUESTIONS; i++) {
		uint64_t address = base + random_below(ADDRESSES + 40) - 5;
		uint64_t access = random_below(ACCESSES);

		wrong += ap_lifetime_index_find_live_lifetime(&x, address,
							      access) !=
			 find_slowly(address, access);
	}
	ap_lifetime_index_release(&x);
	return wrong;
}

int main(void)
{
	struct ap_lifetime_index x;

	is_u64(count_wrong_answers(4096), 0, "small addresses");
	is_u64(count_wrong_answers(UINT64_MAX - ADDRESSES), 0,
	       "the last addresses");
	is_u64(ap_lifetime_index_build(&x, NULL, 0), 0, "no lifetimes");
	ok(!ap_lifetime_index_find_live_lifetime(&x, 0, 0) &&
		   !ap_lifetime_index_find_live_lifetime(&x, UINT64_MAX,
							 UINT64_MAX),
	   "nothing is found in them");
	ap_lifetime_index_release(&x);
	return done_testing();
}
