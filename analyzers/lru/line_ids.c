/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line_ids.c - assigns 32-bit numbers to lines; see line_ids.h */

#include "analyzers/lru/line_ids.h"

#include <errno.h>
#include <stdlib.h>

int an_line_ids_init(struct an_line_ids *l)
{
	*l = (struct an_line_ids){0};
	l->region = calloc(AN_REGIONS, sizeof(*l->region));
	l->hash_slot = calloc(AN_REGION_SLOTS, sizeof(*l->hash_slot));
	return l->region && l->hash_slot ? 0 : -ENOMEM;
}

void an_line_ids_release(struct an_line_ids *l)
{
	free(l->region);
	free(l->hash_slot);
	*l = (struct an_line_ids){0};
}

uint32_t an_line_ids_number_new_region_0_if_full(struct an_line_ids *l,
						 uint64_t region)
{
	uint32_t hash_slot = an_line_ids_first_hash_slot(region);

	if (l->n + 1 == AN_REGIONS)
		return 0;
	while (l->hash_slot[hash_slot] != 0)
		hash_slot = (hash_slot + 1) % AN_REGION_SLOTS;
	l->region[++l->n] = region;
	l->hash_slot[hash_slot] = (uint16_t)l->n;
	return l->n;
}
