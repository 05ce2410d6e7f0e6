/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost_table.c - sums events by function and line; see cost_table.h */

#include "analyzers/cost_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const an_event_name[AN_N_EVENTS] = {
	"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw",
};

void an_cost_add(struct an_cost *to, const struct an_cost *c)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		to->event[i] += c->event[i];
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		to->misses[i] += c->misses[i];
}

void an_cost_subtract(struct an_cost *from, const struct an_cost *c)
{
	for (int i = 0; i < AN_N_EVENTS; i++)
		from->event[i] -= c->event[i];
	for (int i = 0; i < AN_MAX_LEVELS; i++)
		from->misses[i] -= c->misses[i];
}

static bool is_same_symbol(const struct an_symbol *a, const struct an_symbol *b)
{
	return a->function == b->function && a->file == b->file &&
	       a->object == b->object && a->line == b->line &&
	       a->call_line == b->call_line && a->call_file == b->call_file;
}

static uint32_t hash_symbol(const struct an_symbol *s)
{
	uint64_t h = (uintptr_t)s->function;

	h = h * UINT64_C(0x9e3779b97f4a7c15) + (uintptr_t)s->file;
	h = h * UINT64_C(0x9e3779b97f4a7c15) + (uintptr_t)s->object;
	h = h * UINT64_C(0x9e3779b97f4a7c15) + s->line;
	h = h * UINT64_C(0x9e3779b97f4a7c15) + (uintptr_t)s->call_file;
	h = h * UINT64_C(0x9e3779b97f4a7c15) + s->call_line;
	return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Return the bucket of the row of @symbol, or else the free one where the row
   can be added. */
static uint32_t *find_bucket(const struct an_cost_table *t,
			     const struct an_symbol *symbol)
{
	uint32_t i = hash_symbol(symbol) & (t->n_buckets - 1);

	while (t->bucket[i] != 0 &&
	       !is_same_symbol(&t->row[t->bucket[i] - 1].symbol, symbol))
		i = (i + 1) & (t->n_buckets - 1);
	return &t->bucket[i];
}

/* Double the size of the table; at most half of the buckets are used. Return: 0
   or -ENOMEM. */
static int grow_table(struct an_cost_table *t)
{
	uint32_t size = t->size ? 2 * t->size : 512;
	struct an_cost_row *row = realloc(t->row, size * sizeof(*row));
	uint32_t *bucket;

	if (row == NULL)
		return -ENOMEM;
	t->row = row;
	bucket = calloc(2 * size, sizeof(*bucket));
	if (bucket == NULL)
		return -ENOMEM;
	free(t->bucket);
	t->bucket = bucket;
	t->n_buckets = 2 * size;
	t->size = size;
	for (uint32_t i = 0; i < t->n; i++)
		*find_bucket(t, &t->row[i].symbol) = i + 1;
	return 0;
}

/* Set @path to @other if that is the first by name. NULL: no path. */
static void store_path_if_first_by_name(const char **path, const char *other)
{
	if (*path != other && other != NULL &&
	    (*path == NULL || strcmp(other, *path) < 0))
		*path = other;
}

int an_cost_table_add(struct an_cost_table *t, const struct an_symbol *symbol,
		      const struct an_cost *cost)
{
	struct an_cost_row *row;
	uint32_t *bucket;

	if (t->n == t->size) {
		int err = grow_table(t);

		if (err)
			return err;
	}
	bucket = find_bucket(t, symbol);
	if (*bucket == 0) {
		t->row[t->n] = (struct an_cost_row){.symbol = *symbol};
		*bucket = ++t->n;
	}
	row = &t->row[*bucket - 1];
	/* Files of one name are one row: its path must not depend on order. */
	store_path_if_first_by_name(&row->symbol.path, symbol->path);
	store_path_if_first_by_name(&row->symbol.call_path, symbol->call_path);
	an_cost_add(&row->cost, cost);
	return 0;
}

int64_t an_cost_table_find_row_index(const struct an_cost_table *t,
				     const struct an_symbol *symbol)
{
	return t->n ? (int64_t)*find_bucket(t, symbol) - 1 : -1;
}

void an_cost_table_release(struct an_cost_table *t)
{
	free(t->row);
	free(t->bucket);
	*t = (struct an_cost_table){0};
}

static int compare_symbols_by_name_and_line(const struct an_symbol *a,
					    const struct an_symbol *b)
{
	int d = strcmp(a->object, b->object);

	if (d == 0)
		d = strcmp(a->file, b->file);
	if (d == 0 && a->function != NULL)
		d = strcmp(a->function, b->function);
	if (d == 0)
		d = (a->line > b->line) - (a->line < b->line);
	return d;
}

int an_cost_row_compare_instrs_desc(const void *x, const void *y)
{
	const struct an_cost_row *a = *(const struct an_cost_row *const *)x;
	const struct an_cost_row *b = *(const struct an_cost_row *const *)y;
	uint64_t p = a->cost.event[AN_IR], q = b->cost.event[AN_IR];

	return p != q ? (p < q) - (p > q)
		      : compare_symbols_by_name_and_line(&a->symbol,
							 &b->symbol);
}

const struct an_cost_row **
an_cost_table_sorted_rows(const struct an_cost_table *t,
			  int (*compare)(const void *, const void *))
{
	const struct an_cost_row **sorted = malloc(t->n * sizeof(*sorted));

	if (t->n == 0 || sorted == NULL) {
		free(sorted);
		return NULL;
	}
	for (uint32_t i = 0; i < t->n; i++)
		sorted[i] = &t->row[i];
	qsort(sorted, t->n, sizeof(*sorted), compare);
	return sorted;
}
