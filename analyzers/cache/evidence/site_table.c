/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_table.c - sums the evidence of sites (accesses of instructions); see
   site_table.h */

#include "analyzers/cache/evidence/site_table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

enum {
	PAGE_MASK = 4095, /* of an address: its offset in a page, which is the
			     same wherever an object is mapped */
};

/* Return the number in t->sites of a position, which is added if it is new, but
   no row for it; AL_KEY_TABLE_NO_MEMORY if memory is short. */
static int64_t find_or_add_site_number(struct an_site_table *t,
				       const struct an_site_position *p)
{
	const struct an_symbol *s = &p->symbol;
	struct al_key function = {{(uintptr_t)s->function, (uintptr_t)s->file,
				   (uintptr_t)s->object}};
	int64_t n = al_key_table_find_or_add_index(&t->functions, &function);
	struct al_key site = {{(uint64_t)n, s->line,
			       (p->addr & PAGE_MASK) << 32 |
				       (uint64_t)p->access << 16 | p->kind}};

	return n < 0 ? n : al_key_table_find_or_add_index(&t->sites, &site);
}

/* Return the number of the row of a position; the row is created, with all
   counts 0, if there is none. -ENOMEM: memory is short. */
static int64_t find_or_add_row_number(struct an_site_table *t,
				      const struct an_site_position *p)
{
	int64_t n = find_or_add_site_number(t, p);
	struct an_site_row *row;

	if (n < 0 || al_array_reserve_zeroed(t->row, t->size, t->sites.n) != 0)
		return -ENOMEM;
	row = &t->row[n];
	if (row->position.symbol.function == NULL) {
		row->position = *p;
		row->position.addr &= PAGE_MASK;
	}
	return n;
}

static int add_stride_steps_to_row(struct an_site_table *t, int64_t row,
				   const struct an_stride_count *s)
{
	struct al_key key = {{(uint64_t)row, (uint64_t)s->bytes, 0}};
	int64_t n = al_key_table_find_or_add_index(&t->strides, &key);

	if (n < 0 ||
	    al_array_reserve_zeroed(t->steps, t->steps_size, t->strides.n) != 0)
		return -ENOMEM;
	t->steps[n] += s->steps;
	return 0;
}

static void add_counts_to_row(struct an_site_row *row, const uint64_t *count)
{
	for (int i = 0; i < AN_N_SITE_COUNTS; i++)
		row->count[i] += count[i];
}

int an_site_table_add_counts(struct an_site_table *t,
			     const struct an_site_position *p,
			     const struct an_site_counts *counts)
{
	int64_t row = find_or_add_row_number(t, p);
	int err = 0;

	if (row < 0)
		return -ENOMEM;
	add_counts_to_row(&t->row[row], counts->count);
	for (int i = 0; i < AN_MAX_SITE_STRIDES && !err; i++)
		if (counts->stride[i].steps > 0)
			err = add_stride_steps_to_row(t, row,
						      &counts->stride[i]);
	return err;
}

static int add_stride_steps_of_table(struct an_site_table *to,
				     const struct an_site_table *from)
{
	int err = 0;

	for (uint32_t i = 0; i < from->strides.n && !err; i++) {
		const uint64_t *key = from->strides.key[i].word;
		int64_t row =
			find_or_add_row_number(to, &from->row[key[0]].position);

		err = row < 0 ? -ENOMEM
			      : add_stride_steps_to_row(
					to, row,
					&(struct an_stride_count){
						(int64_t)key[1],
						from->steps[i]});
	}
	return err;
}

int an_site_table_merge(struct an_site_table *to,
			const struct an_site_table *from)
{
	for (uint32_t i = 0; i < from->sites.n; i++) {
		int64_t row =
			find_or_add_row_number(to, &from->row[i].position);

		if (row < 0)
			return -ENOMEM;
		add_counts_to_row(&to->row[row], from->row[i].count);
	}
	return add_stride_steps_of_table(to, from);
}

static uint64_t get_absolute_value(int64_t bytes)
{
	return bytes < 0 ? -(uint64_t)bytes : (uint64_t)bytes;
}

/* Whether stride @a has more steps than @b; of equally frequent ones, whether
   it is shorter; of equally long ones, whether it is the positive one. */
static bool is_more_frequent_or_shorter_stride(const struct an_stride_count *a,
					       const struct an_stride_count *b)
{
	if (a->steps != b->steps)
		return a->steps > b->steps;
	if (get_absolute_value(a->bytes) != get_absolute_value(b->bytes))
		return get_absolute_value(a->bytes) <
		       get_absolute_value(b->bytes);
	return a->bytes > b->bytes;
}

struct an_stride_count *
an_site_table_most_frequent_strides(const struct an_site_table *t)
{
	struct an_stride_count *best = calloc(t->sites.n + 1, sizeof(*best));

	for (uint32_t i = 0; best && i < t->strides.n; i++) {
		const uint64_t *key = t->strides.key[i].word;
		struct an_stride_count s = {(int64_t)key[1], t->steps[i]};

		if (is_more_frequent_or_shorter_stride(&s, &best[key[0]]))
			best[key[0]] = s;
	}
	return best;
}

void an_site_table_release(struct an_site_table *t)
{
	al_key_table_release(&t->functions);
	al_key_table_release(&t->sites);
	al_key_table_release(&t->strides);
	free(t->row);
	free(t->steps);
	*t = (struct an_site_table){0};
}
