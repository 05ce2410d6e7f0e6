/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.c - parses numbers as users write them
 */
#include "base/text/number.h"

#include <errno.h>
#include <string.h>

/* Parse the digits at *@text, and set *@text to the character after them.
   Return: 0; -EINVAL: no digit; -ERANGE: more than 64 bits. */
static int parse_leading_digits_and_advance(const char **text, uint64_t *out)
{
	const char *c = *text;
	uint64_t n = 0;

	if (*c < '0' || *c > '9')
		return -EINVAL;
	for (; *c >= '0' && *c <= '9'; c++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*c - '0'), &n))
			return -ERANGE;
	*text = c;
	*out = n;
	return 0;
}

int al_number_parse_digits_only(const char *text, uint64_t *number_out)
{
	int rc = parse_leading_digits_and_advance(&text, number_out);

	return rc ? rc : *text ? -EINVAL : 0;
}

int al_size_parse_optional_kmg(const char *text, uint64_t *bytes_out)
{
	static const char units[] = "KkMmGg";
	int rc = parse_leading_digits_and_advance(&text, bytes_out);
	const char *unit;

	if (rc || !*text)
		return rc;
	unit = strchr(units, *text);
	if (!unit || text[1])
		return -EINVAL;
	for (long i = (unit - units) / 2; i >= 0; i--)
		if (__builtin_mul_overflow(*bytes_out, 1024, bytes_out))
			return -ERANGE;
	return 0;
}
