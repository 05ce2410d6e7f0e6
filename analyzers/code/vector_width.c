/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vector_width.c - widths of the integers that vector instructions compute; see
   vector_width.h */

#include "analyzers/code/vector_width.h"

#include <stddef.h>
#include <string.h>

bool an_mnemonic_begins_with_stem(const char *mnemonic,
				  const char *const *stems)
{
	mnemonic += *mnemonic == 'v';
	for (; *stems; stems++)
		if (!strncmp(mnemonic, *stems, strlen(*stems)))
			return true;
	return false;
}

static bool is_vector_integer_arithmetic(const char *mnemonic)
{
	static const char *const stem[] = {
		"padd",	  "psub",   "pmuld",  "pmulh",	 "pmull", "pmulu",
		"pmadd",  "pdpbus", "pdpwss", "p4dpwss", "psll",  "psrl",
		"psra",	  "pshld",  "pshrd",  "prol",	 "pror",  "pavg",
		"pmin",	  "pmax",   "phmin",  "pabs",	 "psad",  "mpsad",
		"dbpsad", "psign",  "phadd",  "phsub",	 NULL};

	return an_mnemonic_begins_with_stem(mnemonic, stem);
}

static unsigned integer_bits_of_suffix_or_0(const char *mnemonic)
{
	size_t n = strlen(mnemonic);

	n -= n > 1 && mnemonic[n - 1] == 's'; /* saturated: vpdpbusds */
	switch (n ? mnemonic[n - 1] : '\0') {
	case 'b':
		return 8;
	case 'w':
		return 16;
	case 'd':
		return 32;
	case 'q':
		return 64;
	default:
		return 0;
	}
}

unsigned an_vector_integer_bits(const char *mnemonic)
{
	static const char *const sums[] = {"psad", NULL}; /* of 8 bytes each */
	static const char *const whole_lanes[] = {"pslldq", "psrldq", NULL};

	if (!is_vector_integer_arithmetic(mnemonic))
		return 0;
	if (an_mnemonic_begins_with_stem(mnemonic, sums))
		return 64;
	if (an_mnemonic_begins_with_stem(mnemonic, whole_lanes))
		return 128;
	return integer_bits_of_suffix_or_0(mnemonic);
}
