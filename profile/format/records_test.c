/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * records_test.c - payloads that are records
 */
#include "profile/format/records.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/tap.h"

static void test_round_trip(void)
{
	struct pf_records r = {0};
	struct pf_fact_reader fact;
	uint64_t number = 0;
	const char *s = NULL;
	size_t offset = 0;

	pf_records_begin_fact(&r, PF_OBJECT);
	pf_records_append_u64_to_fact(&r, UINT64_MAX - 5);
	pf_records_append_string_to_fact(&r, "/lib/x.so");
	pf_records_append_string_to_fact(&r, "");
	pf_records_begin_fact(&r, PF_WAITED);
	pf_records_begin_fact(&r, PF_WALL);
	pf_records_append_u64_to_fact(&r, 7);
	ok(!r.failed && r.bytes % 8 == 0, "records end at a multiple of 8");
	ok(pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						 &fact) == 1 &&
		   fact.kind == PF_OBJECT && pf_fact_read_u64(&fact, &number) &&
		   number == UINT64_MAX - 5,
	   "a number comes back");
	ok(pf_fact_read_string(&fact, &s), "a string follows it");
	is_str(s, "/lib/x.so", "which comes back");
	ok(pf_fact_read_string(&fact, &s) && !*s, "an empty string comes back");
	ok(!pf_fact_read_string(&fact, &s) && !pf_fact_read_u64(&fact, &number),
	   "there is no more in a record than was put in");
	ok(pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						 &fact) == 1 &&
		   fact.kind == PF_WAITED && !pf_fact_read_u64(&fact, &number),
	   "a record may have no content");
	ok(pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						 &fact) == 1 &&
		   fact.kind == PF_WALL && pf_fact_read_u64(&fact, &number) &&
		   number == 7,
	   "the last record is found");
	is_u64(pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						     &fact),
	       0, "then comes the end");
	pf_records_clear(&r);
	offset = 0;
	ok(pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						 &fact) == 0,
	   "emptied records are none");
	pf_records_free_memory_and_zero(&r);
}

static void test_many(void)
{
	struct pf_records r = {0};
	struct pf_fact_reader fact;
	size_t offset = 0, n = 0;
	char text[40];

	for (unsigned i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "%.*s%u", (int)(i % 11),
			 "xxxxxxxxxxx", i);
		pf_records_begin_fact(&r, PF_TEXT);
		pf_records_append_u64_to_fact(&r, i);
		pf_records_append_string_to_fact(&r, text);
	}
	while (pf_records_read_next_fact_or_0_at_end(r.data, r.bytes, &offset,
						     &fact) == 1) {
		uint64_t number;
		const char *s;

		snprintf(text, sizeof(text), "%.*s%zu", (int)(n % 11),
			 "xxxxxxxxxxx", n);
		if (fact.kind != PF_TEXT || !pf_fact_read_u64(&fact, &number) ||
		    number != n || !pf_fact_read_string(&fact, &s) ||
		    strcmp(s, text))
			break;
		n++;
	}
	is_u64(n, 10000, "ten thousand records of all lengths come back");
	pf_records_free_memory_and_zero(&r);
}

/* Return the result of pf_records_read_next_fact_or_0_at_end() for a first
   record that claims to have @claim bytes, in a payload of @bytes. */
static int next_of(uint32_t claim, size_t bytes)
{
	const struct pf_record head = {.kind = 1, .bytes = claim};
	char *payload = calloc(1, bytes + !bytes);
	struct pf_fact_reader fact;
	size_t offset = 0;
	int got;

	memcpy(payload, &head, bytes < sizeof(head) ? bytes : sizeof(head));
	got = pf_records_read_next_fact_or_0_at_end(payload, bytes, &offset,
						    &fact);
	free(payload);
	return got;
}

static void test_hostile(void)
{
	const char text[] = {'a', 'b'};
	struct pf_fact_reader fact = {1, text, text + sizeof(text)};
	const char *s;

	ok(next_of(8, 7) == -EBADMSG, "half a head is refused");
	ok(next_of(7, 16) == -EBADMSG && next_of(0, 16) == -EBADMSG,
	   "a record shorter than its head is refused");
	ok(next_of(17, 16) == -EBADMSG, "one longer than the payload, too");
	ok(next_of(13, 14) == -EBADMSG, "one whose padding is missing, too");
	ok(next_of(UINT32_MAX, 16) == -EBADMSG, "of 4 GB, too");
	is_u64(next_of(13, 16), 1, "one that just fits is taken");
	ok(!pf_fact_read_string(&fact, &s), "a string has an end");
}

int main(void)
{
	test_round_trip();
	test_many();
	test_hostile();
	return done_testing();
}
