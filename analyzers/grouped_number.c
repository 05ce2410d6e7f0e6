/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grouped_number.c - formats numbers; see grouped_number.h */

#include "analyzers/grouped_number.h"

#include <inttypes.h>
#include <stdio.h>

char *an_format_grouped(char out[AN_GROUPED_SIZE], uint64_t n)
{
	char digits[21];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *p = out;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	*p = 0;
	return out;
}
