/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number_test.c - tests parsing of numbers as users write them
 */
#include "base/text/number.h"

#include <errno.h>

#include "tests/tap.h"

static uint64_t parse_number(const char *text)
{
	uint64_t n = 0;

	return al_number_parse_digits_only(text, &n) ? UINT64_MAX : n;
}

static uint64_t parse_size(const char *text)
{
	uint64_t n = 0;

	return al_size_parse_optional_kmg(text, &n) ? UINT64_MAX - 1 : n;
}

static void test_numbers(void)
{
	uint64_t n;

	is_u64(parse_number("0"), 0, "zero");
	is_u64(parse_number("0123"), 123, "a leading zero is not octal");
	is_u64(parse_number("18446744073709551614"), UINT64_MAX - 1,
	       "64 bits are read");
	is_u64((uint64_t)-al_number_parse_digits_only("18446744073709551616",
						      &n),
	       ERANGE, "the first number of 65 bits is out of range");
	is_u64((uint64_t)-al_number_parse_digits_only("99999999999999999999",
						      &n),
	       ERANGE, "so is one whose tens overflow");
	is_u64((uint64_t)-al_number_parse_digits_only("", &n), EINVAL,
	       "nothing is none");
	is_u64((uint64_t)-al_number_parse_digits_only("-1", &n), EINVAL,
	       "no signs: -");
	is_u64((uint64_t)-al_number_parse_digits_only("+1", &n), EINVAL,
	       "no signs: +");
	is_u64((uint64_t)-al_number_parse_digits_only(" 1", &n), EINVAL,
	       "no spaces");
	is_u64((uint64_t)-al_number_parse_digits_only("1 ", &n), EINVAL,
	       "none after it");
	is_u64((uint64_t)-al_number_parse_digits_only("0x10", &n), EINVAL,
	       "no hexadecimal");
	is_u64((uint64_t)-al_number_parse_digits_only("1:30", &n), EINVAL,
	       "no base sixty");
	is_u64((uint64_t)-al_number_parse_digits_only("1K", &n), EINVAL,
	       "a plain number has no unit");
}

static void test_sizes(void)
{
	uint64_t n;

	is_u64(parse_size("64"), 64, "a size without unit is bytes");
	is_u64(parse_size("32K"), 32768, "K is 1024");
	is_u64(parse_size("32k"), 32768, "k too");
	is_u64(parse_size("3M"), 3 << 20, "M");
	is_u64(parse_size("2G"), 2ull << 30, "G");
	is_u64(parse_size("17179869183G"), 17179869183ull << 30,
	       "the most in G");
	is_u64((uint64_t)-al_size_parse_optional_kmg("17179869184G", &n),
	       ERANGE, "one more is out of range");
	is_u64((uint64_t)-al_size_parse_optional_kmg("32KB", &n), EINVAL,
	       "nothing follows the unit");
	is_u64((uint64_t)-al_size_parse_optional_kmg("1T", &n), EINVAL,
	       "no other units");
	is_u64((uint64_t)-al_size_parse_optional_kmg("K", &n), EINVAL,
	       "no bare unit");
	is_u64((uint64_t)-al_size_parse_optional_kmg("1.5M", &n), EINVAL,
	       "no fractions");
}

int main(void)
{
	test_numbers();
	test_sizes();
	return done_testing();
}
