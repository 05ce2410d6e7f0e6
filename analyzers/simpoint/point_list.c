/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point_list.c - parses the intervals that represent a run
 */
#include <errno.h>
#include <stdlib.h>

#include "analyzers/simpoint/simpoint.h"
#include "base/tables/array.h"

/* Parse a decimal number and @separator, unless that is '\0', at *@text, which
   is moved past them. Return: false unless both were there, and the number has
   at most 64 bits. */
static bool parse_number(const char **text, char separator,
			 uint64_t *number_out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*number_out = strtoull(*text, &end, 10);
	*text = end;
	if (errno || (separator && **text != separator))
		return false;
	*text += separator != '\0';
	return true;
}

static bool parse_point_of_4_slash_separated_numbers(const char **text,
						     struct an_sample_point *p)
{
	*p = (struct an_sample_point){0};
	return parse_number(text, '/', &p->interval) &&
	       parse_number(text, '/', &p->start) &&
	       parse_number(text, '/', &p->length) &&
	       parse_number(text, '\0', &p->instrs) && p->length > 0 &&
	       p->start <= UINT64_MAX - p->length;
}

int an_sample_points_parse(const char *text,
			   struct an_sample_point **points_out, size_t *n_out)
{
	struct an_sample_point *point = NULL;
	size_t n = 0, max = 0;
	uint64_t end = 0;
	int err = 0;

	do {
		err = al_array_reserve(point, max, n + 1);
		if (!err && (!parse_point_of_4_slash_separated_numbers(
				     &text, &point[n]) ||
			     point[n].start < end))
			err = -EINVAL;
		if (!err) {
			end = point[n].start + point[n].length;
			n++;
		}
	} while (!err && *text++ == '+');
	if (!err && text[-1] != '\0')
		err = -EINVAL;
	*points_out = point;
	*n_out = n;
	return err;
}
