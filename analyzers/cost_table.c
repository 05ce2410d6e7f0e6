/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost_table.c - sums events by function and line; see cost_table.h */

#include "analyzers/cost_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"

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

static struct al_key key_of_function(const struct an_symbol *s)
{
	return (struct al_key){{(uintptr_t)s->function, (uintptr_t)s->file,
				(uintptr_t)s->object}};
}

/* Return the key of the symbol's row: @function_number (the number of the
   symbol's function), lines, and file of the call. */
static struct al_key
key_of_function_number_line_and_call(const struct an_symbol *s,
				     uint64_t function_number)
{
	return (struct al_key){{function_number,
				(uint64_t)s->call_line << 32 | s->line,
				(uintptr_t)s->call_file}};
}

/* Return the index of the row of @symbol. If it is new, its key and, if that is
   new, the key of its function are added. Return AL_KEY_TABLE_NO_MEMORY if
   memory is short. */
static int64_t find_or_add_row_number(struct an_cost_table *t,
				      const struct an_symbol *symbol)
{
	const struct al_key function = key_of_function(symbol);
	int64_t n = al_key_table_find_or_add_index(&t->functions, &function);
	const struct al_key row =
		key_of_function_number_line_and_call(symbol, (uint64_t)n);

	return n < 0 ? n : al_key_table_find_or_add_index(&t->keys, &row);
}

/* Set *@path to @other if *@path is NULL or sorts after @other; no-op if @other
   is NULL. */
static void store_path_if_first_by_name(const char **path, const char *other)
{
	if (*path != other && other != NULL &&
	    (*path == NULL || strcmp(other, *path) < 0))
		*path = other;
}

int an_cost_table_add(struct an_cost_table *t, const struct an_symbol *symbol,
		      const struct an_cost *cost)
{
	int64_t n = find_or_add_row_number(t, symbol);
	struct an_cost_row *row;

	if (n < 0 || al_array_reserve(t->row, t->size, t->keys.n) != 0)
		return -ENOMEM;
	row = &t->row[n];
	if (n == t->n) {
		*row = (struct an_cost_row){.symbol = *symbol};
		t->n++;
	}
	/* Files with equal names share a row, whose path must not depend on the
	   order in which they are added. */
	store_path_if_first_by_name(&row->symbol.path, symbol->path);
	store_path_if_first_by_name(&row->symbol.call_path, symbol->call_path);
	an_cost_add(&row->cost, cost);
	return 0;
}

int64_t an_cost_table_find_row_index(const struct an_cost_table *t,
				     const struct an_symbol *symbol)
{
	const struct al_key function = key_of_function(symbol);
	int64_t n =
		al_key_table_find_index_or_minus_1(&t->functions, &function);
	const struct al_key row =
		key_of_function_number_line_and_call(symbol, (uint64_t)n);

	return n < 0 ? -1 : al_key_table_find_index_or_minus_1(&t->keys, &row);
}

void an_cost_table_release(struct an_cost_table *t)
{
	free(t->row);
	al_key_table_release(&t->functions);
	al_key_table_release(&t->keys);
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
an_cost_table_alloc_sorted_rows(const struct an_cost_table *t,
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
