/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admission_test.c - how programs share the memory
 */
#include "daemon/client/admission.h"

#include "tests/tap.h"

enum { MEMORY = 192 << 20 };

static const struct dm_shape wanted = {256 << 10, 8, 512 << 10, 0};
static const struct dm_shape usual = {512 << 10, 12, 512 << 10, 0};

/* Count programs that fit together, and those among them that get what they
   request. @used: receives the memory that they use. */
static unsigned fill(const struct dm_shape *want, size_t *used,
		     unsigned *n_whole)
{
	struct dm_shape s = *want;
	unsigned n = 0;

	*used = *n_whole = 0;
	while (dm_ring_shape_try_shrink_to_fit_memory(&s, MEMORY, *used)) {
		*n_whole += s.n_chunks == want->n_chunks;
		*used += dm_ring_bytes_before_growth(&s);
		s = *want;
		n++;
	}
	return n;
}

int main(void)
{
	struct dm_shape s = wanted, smallest = wanted;
	size_t used;
	unsigned n, n_whole;

	while (dm_ring_shape_shrink_one_step(&smallest))
		;
	ok(dm_ring_shape_try_shrink_to_fit_memory(
		   &s, dm_ring_bytes_before_growth(&s), 0) &&
		   s.n_chunks == 8,
	   "the first program gets what was asked for");
	s = wanted;
	ok(dm_ring_shape_try_shrink_to_fit_memory(
		   &s, MEMORY, dm_ring_bytes_before_growth(&wanted)) &&
		   s.n_chunks == 8,
	   "so does the second");
	n = fill(&usual, &used, &n_whole);
	ok(n >= 155, "155 programs find room together");
	ok(n_whole >= 7, "the first seven get what was asked for");
	n = fill(&wanted, &used, &n_whole);
	ok(n >= 170, "of smaller rings, 170 do");
	ok(n_whole >= 30, "the first 30 get what was asked for");
	ok(used <= MEMORY, "in no more memory than there is");
	ok(MEMORY - used < dm_ring_bytes_before_growth(&smallest),
	   "until not even the smallest ring fits");
	s = wanted;
	ok(!dm_ring_shape_try_shrink_to_fit_memory(
		   &s, dm_ring_bytes_before_growth(&smallest) - 1, 0),
	   "less than the smallest ring is too little");
	s = wanted;
	ok(!dm_ring_shape_try_shrink_to_fit_memory(&s, MEMORY, MEMORY + 1),
	   "so is less than nothing");
	return done_testing();
}
