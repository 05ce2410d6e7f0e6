/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_array.c - enlarges arrays by site; see collectors.h */

#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/evidence/collectors.h"

void *an_grow_site_array(void *array, uint32_t *size, uint32_t n_sites,
			 size_t element_size)
{
	uint32_t new_size = *size ? *size : 1024;
	char *p = array;

	if (array != NULL && n_sites <= *size)
		return array;
	while (new_size < n_sites)
		new_size *= 2;
	p = realloc(p, new_size * element_size);
	if (p == NULL)
		return NULL;
	memset(p + *size * element_size, 0, (new_size - *size) * element_size);
	*size = new_size;
	return p;
}
