/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * facts_test.c - malformed records of an image's beginning and end, with
 *                   right checksums
 */
#include "profile/format/facts.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/tap.h"

/* A kind of record and its content: numbers, then strings. */
static const struct fact {
	enum pf_fact kind;
	unsigned numbers;
	unsigned strings;
} image_facts[] =
	{
		{PF_PROCESS, 4, 0},  {PF_COMMAND, 0, 2}, {PF_DIRECTORY, 0, 1},
		{PF_VALGRIND, 0, 1}, {PF_FIELDS, 1, 0},	 {PF_FORK, 3, 0},
},
  end_facts[] = {
	  {PF_ENDING, 2, 0}, {PF_LOST, 1, 1},	 {PF_CUT_SHORT, 0, 1},
	  {PF_WAITED, 2, 0}, {PF_BUFFERS, 2, 0}, {PF_MET, 2, 0},
};

enum { N_FACTS = 6 };

static size_t content_of(const struct fact *f, char *content)
{
	const uint64_t number = 3;
	size_t bytes = 0;

	for (unsigned i = 0; i < f->numbers; i++, bytes += sizeof(number))
		memcpy(content + bytes, &number, sizeof(number));
	for (unsigned i = 0; i < f->strings; i++, bytes += 5)
		memcpy(content + bytes, "text", 5);
	return bytes;
}

static int parse_image(const struct pf_records *r)
{
	struct pf_image image;

	return pf_image_facts_decode(r->data, r->bytes, &image);
}

static int parse_end(const struct pf_records *r)
{
	struct pf_end end;

	return pf_stream_end_facts_decode(r->data, r->bytes, &end);
}

/* Parse a block of a complete record and a second one, cut to the first @bytes
   of its content. */
static int parse(const struct fact *f, size_t bytes, const char *content,
		 int (*parser)(const struct pf_records *))
{
	struct pf_records r = {0};
	int err;

	pf_records_begin_fact(&r, (enum pf_fact)9999);
	pf_records_append_u64_to_fact(&r, 1);
	pf_records_begin_fact(&r, f->kind);
	pf_records_append_raw_to_fact(&r, content, bytes);
	if (r.failed)
		abort();
	err = parser(&r);
	pf_records_free_memory_and_zero(&r);
	return err;
}

/* Whether a record is accepted when it is complete, and refused when it ends
   within a number or before a string's NUL. */
static bool is_checked(const struct fact *f,
		       int (*parser)(const struct pf_records *))
{
	char content[64];
	size_t bytes = content_of(f, content);
	bool good = !parse(f, bytes, content, parser);

	for (size_t n = 0; n < bytes; n++) {
		/* a list with one of two strings is a complete list */
		bool is_list = f->kind == PF_COMMAND && n == bytes / 2;

		good &= parse(f, n, content, parser) ==
			(is_list ? 0 : -EBADMSG);
	}
	return good;
}

static void test_each(const char *what, const struct fact *facts,
		      int (*parser)(const struct pf_records *))
{
	char fact[80];

	for (unsigned i = 0; i < N_FACTS; i++) {
		snprintf(fact, sizeof(fact),
			 "record %u of an image's %s is taken whole or refused",
			 (unsigned)facts[i].kind, what);
		ok(is_checked(&facts[i], parser), fact);
	}
}

/* Check that records after a malformed one are read. */
static void test_rest(void)
{
	struct pf_records r = {0};
	struct pf_image image;

	pf_records_begin_fact(&r, PF_FORK);
	pf_records_append_u64_to_fact(&r, 1);
	pf_records_begin_fact(&r, PF_DIRECTORY);
	pf_records_append_string_to_fact(&r, "/");
	ok(pf_image_facts_decode(r.data, r.bytes, &image) == -EBADMSG &&
		   !strcmp(image.directory, "/"),
	   "behind a broken record the others are read");
	ok(pf_image_facts_decode(r.data, r.bytes - 8, &image) == -EBADMSG,
	   "a payload that ends within a record is refused");
	pf_records_free_memory_and_zero(&r);
}

int main(void)
{
	test_each("beginning", image_facts, parse_image);
	test_each("end", end_facts, parse_end);
	test_rest();
	return done_testing();
}
