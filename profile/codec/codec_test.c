/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec_test.c - units coded and decoded, and code that is none
 */
#include "profile/codec/codec.h"

#include <errno.h>
#include <stdlib.h>

#include "proto/unit.h"
#include "tests/tap.h"

enum { ROOM = 1 << 20 };

static struct pf_coder *coder, *other;
static uint64_t aligned[ROOM / 8], decoded[ROOM / 8];
static char *const units = (char *)aligned;
static size_t n_bytes;
static char *code;
static size_t code_bytes;
static uint64_t seed = 1;

static uint64_t number(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return seed >> 32 ^ seed << 16;
}

static void add(const void *data, size_t bytes)
{
	if (n_bytes + bytes > ROOM)
		abort();
	memcpy(units + n_bytes, data, bytes);
	n_bytes += bytes;
}

/* Add a unit of @length with header @what, whose values are @values. */
static void add_unit(uint32_t what, unsigned length, const uint64_t *values)
{
	uint32_t header = what << 8 | length;

	add(&header, 4);
	add(values, 4 * (size_t)length - 4);
}

static void add_random_unit(unsigned length)
{
	uint64_t values[128];
	unsigned i;

	for (i = 0; i < 128; i++)
		values[i] = number() >> number() % 64;
	add_unit((uint32_t)number() >> number() % 24, length, values);
}

/* Add a unit that was added before, with some other values. */
static void add_loop_unit(unsigned i)
{
	uint64_t values[3] = {0x1000 + 8 * i, number() % 100,
			      0x2000 + 12 * (i % 50)};

	add_unit(100 + i % 3, 7, values);
}

/* Encode the units. Return: false if they are refused or the code is too
   long. */
static bool encode(void)
{
	free(code);
	code = malloc(pf_max_code_bytes(n_bytes));
	code_bytes = pf_encode_chunk(coder, units, n_bytes, code);
	return code_bytes && code_bytes <= pf_max_code_bytes(n_bytes);
}

static bool comes_back(void)
{
	if (!encode())
		return false;
	memset(decoded, 0xee, sizeof(decoded));
	return !pf_decode_chunk(other, code, code_bytes, decoded, n_bytes) &&
	       !memcmp(decoded, units, n_bytes) &&
	       (n_bytes == ROOM || ((unsigned char *)decoded)[n_bytes] == 0xee);
}

static void test_nothing(void)
{
	n_bytes = 0;
	ok(comes_back(), "no units come back");
}

static void test_lengths(void)
{
	unsigned i;

	for (i = 1, n_bytes = 0; i < 256; i++)
		add_random_unit(i);
	ok(comes_back(), "units of every length come back");
	for (i = 255; i; i--)
		add_random_unit(i);
	ok(comes_back(), "an odd number of words comes back");
	for (i = 1, n_bytes = 0; i < 256 && n_bytes < 100; i++)
		add_random_unit(1);
	ok(comes_back(), "units of a header alone come back");
}

static void test_control(void)
{
	uint64_t words[130] = {0};
	unsigned kind, slots;

	for (kind = 1, n_bytes = 0; kind < PT_KINDS + 3; kind++)
		for (slots = 0; slots < 2; slots++) {
			words[0] = number();
			add_unit(kind, 2 + 2 * slots, words);
		}
	for (slots = 0; slots < 120; slots++)
		add_unit(PT_CUT, 2 * slots + 4, words);
	add_unit(0xffffff, 254, words);
	add_unit(0, 254, words);
	ok(comes_back(), "control units come back, unknown ones too");
}

static void test_extremes(void)
{
	static const uint64_t hard[] = {0,
					UINT64_MAX,
					1,
					INT64_MAX,
					(uint64_t)INT64_MAX + 1,
					0x00ffffffffffffff,
					0x0100000000000000,
					UINT64_MAX - 1};
	enum { N = sizeof(hard) / sizeof(*hard) };
	uint64_t values[2];
	unsigned i;

	for (i = 0, n_bytes = 0; i < N * N; i++) {
		values[0] = hard[i % N];
		values[1] = hard[i / N];
		add_unit(0xffffff, 5, values);
	}
	ok(comes_back(), "the least and the greatest values come back");
}

static void test_kinds_of_streams(void)
{
	unsigned i;

	for (i = 0, n_bytes = 0; i < 20000; i++)
		add_loop_unit(i);
	ok(comes_back(), "a loop comes back");
	ok(code_bytes < n_bytes / 4, "and is shorter");
	for (n_bytes = 0; n_bytes < ROOM - 1024;)
		add_random_unit(1 + number() % 255);
	ok(comes_back(), "units of which nothing is known come back");
	for (n_bytes = 0; n_bytes < ROOM - 4;)
		add_random_unit(1 + number() % 2);
	ok(comes_back(), "so do many short ones");
	for (n_bytes = 0; n_bytes < ROOM - 1024;)
		if (number() % 20)
			add_loop_unit((unsigned)n_bytes);
		else
			add_random_unit(1 + number() % 255);
	ok(comes_back(), "so do both, mixed");
}

static void test_chunks_alone(void)
{
	size_t first;

	for (n_bytes = 0; n_bytes < 1000;)
		add_loop_unit((unsigned)n_bytes);
	encode();
	first = code_bytes;
	ok(encode() && code_bytes == first,
	   "what was coded before makes no difference");
	pf_coder_free(other);
	other = pf_coder_new();
	ok(comes_back(), "nor to the decoder");
}

static void test_no_units(void)
{
	uint32_t header = 1 << 8 | 5;

	n_bytes = 0;
	add_random_unit(9);
	add(&header, 4);
	ok(!encode(), "a unit cut short is refused");
	n_bytes = 0;
	add_random_unit(9);
	header = 1 << 8;
	add(&header, 4);
	ok(!encode(), "a unit of length 0 is refused");
}

static int decode(size_t length, size_t bytes)
{
	char *exact = malloc(length + !length);
	uint64_t *words = malloc(bytes + !bytes);
	int err;

	memcpy(exact, code, length);
	err = pf_decode_chunk(other, exact, length, words, bytes);
	free(words);
	free(exact);
	return err;
}

static void test_truncated(void)
{
	unsigned accepted = 0;
	size_t i;

	for (i = 0, n_bytes = 0; i < 100; i++)
		add_loop_unit((unsigned)i);
	encode();
	for (i = 0; i < code_bytes; i++)
		accepted += decode(i, n_bytes) != -EBADMSG;
	is_u64(accepted, 0, "code cut short is refused");
	for (i = accepted = 0; i < n_bytes; i += 4)
		accepted += decode(code_bytes, i) != -EBADMSG;
	is_u64(accepted, 0, "and so are fewer bytes than it has");
	is_u64(decode(code_bytes, n_bytes + 4) == -EBADMSG, true, "and more");
}

/* Decode damaged code, for the sanitizers: the result does not matter. */
static void test_damaged(void)
{
	unsigned i, k, wrong = 0;

	for (i = 0, n_bytes = 0; i < 200; i++) {
		add_loop_unit(i);
		if (i % 20 == 0)
			add_random_unit(1 + number() % 255);
	}
	encode();
	for (i = 0; i < 20000; i++) {
		size_t offset[4];
		char was[4];
		int err;

		for (k = 0; k < 4; k++) {
			offset[k] = number() % (k ? code_bytes : 60);
			was[k] = code[offset[k]];
			if (k <= i % 4)
				code[offset[k]] ^= 1 << number() % 8;
		}
		err = decode(code_bytes, n_bytes);
		wrong += err && err != -EBADMSG;
		while (k--)
			code[offset[k]] = was[k];
	}
	is_u64(wrong, 0, "damaged code is decoded or refused");
	ok(!decode(code_bytes, n_bytes), "and whole again, decoded");
}

int main(void)
{
	coder = pf_coder_new();
	other = pf_coder_new();
	test_nothing();
	test_lengths();
	test_control();
	test_extremes();
	test_kinds_of_streams();
	test_chunks_alone();
	test_no_units();
	test_truncated();
	test_damaged();
	pf_coder_free(coder);
	pf_coder_free(other);
	free(code);
	return done_testing();
}
