/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forest_setup.c - creates and releases forests; see forest.h */

#include "analyzers/sweep/forest.h"

#include <errno.h>
#include <stdlib.h>

enum {
	FILLER = 1,	       /* entry that fills the rest of the last block of
				  large groups */
	BUCKETS_PER_ENTRY = 4, /* hash buckets for each entry, so that two
				  entries are rarely in one bucket */
	MIN_BUCKETS = 1 << 10,
	MAX_BUCKETS = 1 << AN_REGION_BITS,
};

bool an_forest_can_add_multiple_of_last_sets(const struct an_forest *f,
					     uint64_t sets)
{
	uint64_t last = f->n_tiers ? f->tier[f->n_tiers - 1].sets : 1;

	return sets % last == 0 && (sets == last || f->n_tiers < AN_MAX_TIERS);
}

int an_forest_add_cache(struct an_forest *f, uint64_t sets, uint32_t assoc)
{
	struct an_tier *t = &f->tier[f->n_tiers ? f->n_tiers - 1 : 0];
	uint32_t *p;

	if (f->n_tiers == 0 || t->sets != sets)
		t = &f->tier[f->n_tiers++];
	t->sets = sets;
	if ((sets & (sets - 1)) == 0)
		t->mask = sets - 1;
	p = realloc(t->assoc, (t->n_assocs + 1) * sizeof(*p));
	if (p == NULL)
		return -ENOMEM;
	t->assoc = p;
	t->assoc[t->n_assocs++] = assoc;
	return 0;
}

/* Set which tiers have groups (the most recent lines of each set), and how many
   lines a group of each tier has. Return: the number of lines in all groups of
   all sets. */
static uint64_t choose_group_sizes_sum_lines(struct an_forest *f)
{
	uint64_t lines = 0;

	for (unsigned i = 0; i < f->n_tiers; i++) {
		struct an_tier *t = &f->tier[i];

		t->group = t->assoc[0] < AN_MAX_LRU_GROUP ? t->assoc[0]
							  : AN_MAX_LRU_GROUP;
		lines += t->sets * t->group;
		f->grouped_tiers |= 1u << f->n_grouped_tiers++;
		if (t->group == 1)
			break;
	}
	return lines;
}

static int allocate_entries_and_buckets(struct an_forest *f,
					uint64_t line_count)
{
	uint64_t n = MIN_BUCKETS;

	while (n < BUCKETS_PER_ENTRY * line_count && n < MAX_BUCKETS)
		n *= 2;
	f->bucket_mask = n - 1;
	f->bucket = calloc(n, sizeof(*f->bucket));
	/* One entry for each line, NONE, FILLER, and one more, because an entry
	   is added before another one is freed. */
	f->entry = calloc(line_count + 3, sizeof(*f->entry));
	f->last_use = calloc(line_count + 3, sizeof(*f->last_use));
	if (f->bucket == NULL || f->entry == NULL || f->last_use == NULL)
		return -ENOMEM;
	f->last_use[FILLER] = UINT64_MAX;
	f->n_entries = FILLER + 1;
	return 0;
}

/* Allocate t->oldest, set to 0, and fill the rest of the last block of each
   group with FILLER. Return: 0 or -ENOMEM. */
static int alloc_oldest_times_and_fill_last_blocks(struct an_tier *t)
{
	t->oldest = calloc(t->sets * t->stride / AN_GROUP_BLOCK,
			   sizeof(*t->oldest));
	if (t->oldest == NULL)
		return -ENOMEM;
	for (uint64_t set = 0; set < t->sets && t->stride > t->group; set++)
		for (uint32_t i = t->group; i < t->stride; i++)
			t->member[set * t->stride + i] = FILLER;
	return 0;
}

static int allocate_group_members(struct an_tier *t)
{
	bool is_large = t->group > AN_MAX_SMALL_GROUP;

	t->stride = t->group;
	if (is_large)
		t->stride = (t->group + AN_GROUP_BLOCK - 1) / AN_GROUP_BLOCK *
			    AN_GROUP_BLOCK;
	t->member = calloc(t->sets * t->stride, sizeof(*t->member));
	if (t->member == NULL)
		return -ENOMEM;
	return is_large ? alloc_oldest_times_and_fill_last_blocks(t) : 0;
}

static int allocate_tier_arrays_and_lru_stack(struct an_tier *t)
{
	int err = t->group > 0 ? allocate_group_members(t) : 0;

	t->missed = calloc(2 * (t->n_assocs + 1), sizeof(*t->missed));
	if (err || t->missed == NULL)
		return -ENOMEM;
	return an_lru_stack_init(&t->stack, t->sets, t->group, t->assoc,
				 t->n_assocs);
}

int an_forest_allocate(struct an_forest *f, unsigned line_size)
{
	int err = an_line_ids_init(&f->lines);

	if (!err)
		err = allocate_entries_and_buckets(
			f, choose_group_sizes_sum_lines(f));
	while (1u << f->shift < line_size)
		f->shift++;
	for (unsigned i = 0; i < f->n_tiers && !err; i++)
		err = allocate_tier_arrays_and_lru_stack(&f->tier[i]);
	return err;
}

void an_forest_release_lru_caches(struct an_forest *f)
{
	for (unsigned i = 0; i < f->n_tiers; i++) {
		struct an_tier *t = &f->tier[i];

		free(t->member);
		free(t->oldest);
		an_lru_stack_release(&t->stack);
		free(t->assoc);
		free(t->missed);
	}
	an_line_ids_release(&f->lines);
	free(f->bucket);
	free(f->entry);
	free(f->last_use);
	*f = (struct an_forest){0};
}
