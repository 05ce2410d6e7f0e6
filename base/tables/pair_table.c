/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair_table.c - numbers pairs of integers; see pair_table.h */

#include "base/tables/pair_table.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

void al_pair_table_release(struct al_pair_table *t)
{
	free(t->pair);
	free(t->slot);
	*t = (struct al_pair_table){0};
}

static uint32_t *find_slot(const struct al_pair_table *t, uint64_t a,
			   uint64_t b)
{
	uint64_t hash = (a ^ b * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
	uint32_t mask = t->n_slots - 1, i = (uint32_t)(hash >> 32) & mask;

	while (t->slot[i]) {
		const struct al_pair *p = &t->pair[t->slot[i] - 1];

		if (p->a == a && p->b == b)
			break;
		i = (i + 1) & mask;
	}
	return &t->slot[i];
}

/* Double the number of slots. The array of pairs has half as many elements. */
static int double_slots(struct al_pair_table *t)
{
	uint32_t n = t->n_slots ? 2 * t->n_slots : FIRST_SLOTS;
	struct al_pair *pair = realloc(t->pair, n / 2 * sizeof(*pair));
	uint32_t *slot;

	if (pair == NULL)
		return -ENOMEM;
	t->pair = pair;
	slot = calloc(n, sizeof(*slot));
	if (slot == NULL)
		return -ENOMEM;
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	for (uint32_t i = 0; i < t->n; i++)
		*find_slot(t, pair[i].a, pair[i].b) = i + 1;
	return 0;
}

int al_pair_table_find_or_add(struct al_pair_table *t, uint64_t a, uint64_t b,
			      uint32_t *number, bool *is_new)
{
	uint32_t *slot;

	if (t->n == t->n_slots / 2 && double_slots(t) != 0)
		return -ENOMEM;
	slot = find_slot(t, a, b);
	*is_new = *slot == 0;
	if (*is_new) {
		t->pair[t->n] = (struct al_pair){a, b};
		*slot = ++t->n;
	}
	*number = *slot - 1;
	return 0;
}

bool al_pair_table_find(const struct al_pair_table *t, uint64_t a, uint64_t b,
			uint32_t *number)
{
	uint32_t slot = t->n_slots ? *find_slot(t, a, b) : 0;

	*number = slot - 1;
	return slot != 0;
}
