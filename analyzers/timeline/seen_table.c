/* SPDX-License-Identifier: GPL-2.0-or-later */
/* seen_table.c - stores the time of the last use of each page or thread; see
   seen_table.h */

#include "analyzers/timeline/seen_table.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_SIZE = 1024 };

/* Return the entry of @key, or the free entry where it would be stored. */
static struct an_seen *find_entry_or_free_one(const struct an_seen_table *t,
					      uint64_t key)
{
	size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20);

	for (i &= t->size - 1;
	     t->entry[i].time_plus_1 != 0 && t->entry[i].key != key;
	     i = (i + 1) & (t->size - 1))
		;
	return &t->entry[i];
}

static int double_table_size(struct an_seen_table *t)
{
	struct an_seen_table larger = {
		.size = t->size ? 2 * t->size : FIRST_SIZE, .n = t->n};

	larger.entry = calloc(larger.size, sizeof(*larger.entry));
	if (larger.entry == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < t->size; i++)
		if (t->entry[i].time_plus_1 != 0)
			*find_entry_or_free_one(&larger, t->entry[i].key) =
				t->entry[i];
	free(t->entry);
	*t = larger;
	return 0;
}

uint64_t an_seen_table_set_get_previous_plus_1(struct an_seen_table *t,
					       uint64_t key, uint64_t time)
{
	struct an_seen *e;
	uint64_t previous;

	if (2 * t->n >= t->size && double_table_size(t) != 0)
		return UINT64_MAX;
	e = find_entry_or_free_one(t, key);
	previous = e->time_plus_1;
	t->n += previous == 0;
	*e = (struct an_seen){key, time + 1};
	return previous;
}

void an_seen_table_release(struct an_seen_table *t)
{
	free(t->entry);
	*t = (struct an_seen_table){0};
}
