/* SPDX-License-Identifier: GPL-2.0-or-later */
/* address_counts_test.c - entropies that are known */
#include "analyzers/entropy/address_counts.h"

#include <math.h>

#include "tests/tap.h"

static bool is_near(double got, double want)
{
	if (fabs(got - want) < 1e-12)
		return true;
	printf("# got %.15g, want %.15g\n", got, want);
	return false;
}

static void test_uniform(void)
{
	struct an_address_counts t = {0};
	struct an_entropies e;

	for (uint64_t i = 0; i < 1 << 16; i++)
		an_address_counts_add(&t, 0x7000000 + i, 3);
	ok(an_address_counts_compute_entropies(&t, &e) == 0,
	   "the entropy is computed");
	ok(is_near(e.bits[0], 16), "65536 addresses alike have 16 bits");
	ok(is_near(e.bits[1], 15) && is_near(e.bits[10], 6),
	   "each bit that is shifted out is one bit less");
	an_address_counts_release(&t);
}

static void test_skewed(void)
{
	struct an_address_counts t = {0};
	struct an_entropies e;

	an_address_counts_add(&t, 0, 1);
	an_address_counts_add(&t, UINT64_MAX, 1);
	an_address_counts_add(&t, 8, 2);
	an_address_counts_add(&t, UINT64_MAX, 3);
	an_address_counts_add(&t, 8, 1);
	an_address_counts_compute_entropies(&t, &e);
	is_u64(e.n_addresses, 3, "an address is counted in one place");
	is_u64(e.n_accesses, 8, "accesses");
	ok(is_near(e.bits[0], 0.5 + 3 / 8.0 * log2(8 / 3.0) + 3 / 8.0),
	   "shares of 1/8, 3/8 and 1/2");
	ok(is_near(e.bits[4], 1),
	   "0 and 8 are one when four bits are shifted out");
	an_address_counts_release(&t);
}

static void test_large_counts(void)
{
	struct an_address_counts t = {0}, sum = {0};
	struct an_entropies e;

	for (int i = 0; i < 6; i++)
		an_address_counts_add(&t, 0x1001, UINT32_MAX / 2);
	an_address_counts_add(&t, 0x1001, UINT64_C(1) << 40);
	an_address_counts_add(&t, 0x1008,
			      (UINT64_C(1) << 40) + UINT32_MAX / 2 * 6ull);
	an_address_counts_compute_entropies(&t, &e);
	ok(is_near(e.bits[0], 1) && e.n_addresses == 2,
	   "counts of more than 32 bits");
	an_address_counts_add_all(&sum, &t);
	an_address_counts_add_all(&sum, &t);
	an_address_counts_add(&sum, 0x2004, 1);
	an_address_counts_add(&sum, 0x2000, 1);
	an_address_counts_compute_entropies(&sum, &e);
	ok(e.n_addresses == 4 && e.bits[0] > 1 && e.bits[0] < 1.0001,
	   "sums of such counts");
	an_address_counts_release(&t);
	an_address_counts_release(&sum);
}

static void test_bound(void)
{
	struct an_address_counts t = {.bytes = AN_MAX_COUNT_BYTES};

	ok(an_address_counts_add(&t, 8, 1) != 0 && t.n_units == 0,
	   "nothing is added beyond AN_MAX_COUNT_BYTES");
	an_address_counts_release(&t);
	t.bytes = AN_MAX_COUNT_BYTES - AN_COUNT_UNIT * sizeof(uint32_t);
	ok(an_address_counts_add(&t, 8, 1) == 0 &&
		   an_address_counts_add(&t, 9, 1) == 0 &&
		   t.bytes == AN_MAX_COUNT_BYTES,
	   "divided cells replace the others, also in the bound");
	an_address_counts_release(&t);
}

int main(void)
{
	struct an_address_counts t = {0};
	struct an_entropies e;

	ok(an_address_counts_compute_entropies(&t, &e) == 0 && e.bits[0] == 0 &&
		   e.bits[10] == 0,
	   "no accesses have no entropy");
	test_uniform();
	test_skewed();
	test_large_counts();
	test_bound();
	return done_testing();
}
