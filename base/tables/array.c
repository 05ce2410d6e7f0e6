/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.c - enlarges arrays; see array.h */

#include "base/tables/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

int al_array_grow(void *array, size_t *capacity, size_t min_count,
		  size_t element_size, bool set_to_zero)
{
	size_t more = *capacity ? 2 * *capacity : FIRST_CAPACITY;
	char *p;

	if (more < min_count)
		more = min_count;
	if (more > SIZE_MAX / element_size)
		return -ENOMEM;
	memcpy(&p, array, sizeof(p));
	p = realloc(p, more * element_size);
	if (p == NULL)
		return -ENOMEM;
	if (set_to_zero)
		memset(p + *capacity * element_size, 0,
		       (more - *capacity) * element_size);
	memcpy(array, &p, sizeof(p));
	*capacity = more;
	return 0;
}
