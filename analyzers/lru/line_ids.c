/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line_ids.c - short numbers for lines; see line_ids.h */

#include "analyzers/lru/line_ids.h"

#include <errno.h>
#include <stdlib.h>

int an_lines_init(struct an_lines *l)
{
	*l = (struct an_lines){0};
	l->region = calloc(AN_REGIONS, sizeof(*l->region));
	l->slot = calloc(AN_REGION_SLOTS, sizeof(*l->slot));
	return l->region && l->slot ? 0 : -ENOMEM;
}

void an_lines_release(struct an_lines *l)
{
	free(l->region);
	free(l->slot);
	*l = (struct an_lines){0};
}

uint32_t an_lines_add(struct an_lines *l, uint64_t region)
{
	uint32_t at = an_lines_slot(region);

	if (l->n + 1 == AN_REGIONS)
		return 0;
	while (l->slot[at] != 0)
		at = (at + 1) % AN_REGION_SLOTS;
	l->region[++l->n] = region;
	l->slot[at] = (uint16_t)l->n;
	return l->n;
}
