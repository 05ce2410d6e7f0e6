/* SPDX-License-Identifier: GPL-2.0-or-later */
/* size_grid.c - arranges caches by size and associativity; see size_grid.h */

#include "analyzers/sweep/size_grid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t an_sweep_next_larger_line_size_or_0(const struct an_sweep *s,
					     uint32_t current_size)
{
	uint32_t least = 0;

	for (unsigned i = 0; i < s->n; i++) {
		uint32_t line = s->shape[i].line;

		if (line > current_size && (least == 0 || line < least))
			least = line;
	}
	return least;
}

static int compare_u64_ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Sort @n values and remove duplicates. Return: number of remaining values. */
static unsigned sort_and_remove_duplicates(uint64_t *value, unsigned n)
{
	unsigned n_unique = 0;

	qsort(value, n, sizeof(*value), compare_u64_ascending);
	for (unsigned i = 0; i < n; i++)
		if (n_unique == 0 || value[n_unique - 1] != value[i])
			value[n_unique++] = value[i];
	return n_unique;
}

static void list_unique_cache_sizes(struct an_sweepgrid *g,
				    const struct an_sweep *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->shape[i].line == g->line)
			g->size[g->n_sizes++] = s->shape[i].size;
	g->n_sizes = sort_and_remove_duplicates(g->size, g->n_sizes);
}

static bool has_column_of_assoc(const struct an_sweepgrid *g, uint32_t assoc)
{
	for (unsigned i = 0; i < g->n_assocs; i++)
		if (g->assoc[i] == assoc)
			return true;
	return false;
}

/* List the associativities of the caches with more than one set; each is a
   column of the grid. If the associativity of some cache with one set is not
   listed, add the column AN_FULLY_ASSOC, which holds all caches with one set.
   @scratch: scratch memory for s->n numbers. */
static void list_unique_assoc_columns(struct an_sweepgrid *g,
				      const struct an_sweep *s,
				      uint64_t *scratch)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (s->shape[i].line == g->line && s->shape[i].sets > 1)
			scratch[n++] = s->shape[i].assoc;
	n = sort_and_remove_duplicates(scratch, n);
	for (unsigned i = 0; i < n; i++)
		g->assoc[g->n_assocs++] = (uint32_t)scratch[i];
	for (unsigned i = 0; i < s->n; i++)
		if (s->shape[i].line == g->line &&
		    !has_column_of_assoc(g, s->shape[i].assoc)) {
			g->assoc[g->n_assocs++] = AN_FULLY_ASSOC;
			break;
		}
}

static const struct an_sweepcount *
find_count_of_shape(const struct an_sweep *s,
		    const struct an_sweepcount *counts, uint32_t line_size,
		    uint64_t cache_size, uint32_t assoc)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct an_shape *x = &s->shape[i];

		if (x->line == line_size && x->size == cache_size &&
		    (assoc == AN_FULLY_ASSOC ? x->sets == 1
					     : x->assoc == assoc))
			return &counts[i];
	}
	return NULL;
}

int an_sweepgrid_build(struct an_sweepgrid *g, const struct an_sweep *s,
		       const struct an_sweepcount *counts, uint32_t line_size)
{
	uint64_t *scratch = malloc(s->n * sizeof(*scratch));

	*g = (struct an_sweepgrid){.line = line_size};
	g->size = malloc(s->n * sizeof(*g->size));
	g->assoc = malloc((s->n + 1) * sizeof(*g->assoc));
	if (scratch != NULL && g->size != NULL && g->assoc != NULL) {
		list_unique_cache_sizes(g, s);
		list_unique_assoc_columns(g, s, scratch);
		g->cell = malloc(g->n_sizes * g->n_assocs * sizeof(*g->cell));
	}
	free(scratch);
	if (g->cell == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < g->n_sizes; i++)
		for (unsigned a = 0; a < g->n_assocs; a++)
			g->cell[i * g->n_assocs + a] = find_count_of_shape(
				s, counts, line_size, g->size[i], g->assoc[a]);
	return 0;
}

void an_sweepgrid_release(struct an_sweepgrid *g)
{
	free(g->size);
	free(g->assoc);
	free(g->cell);
}

double an_sweepgrid_miss_percent(const struct an_sweepgrid *g,
				 unsigned size_index, unsigned assoc_index)
{
	const struct an_sweepcount *c =
		g->cell[size_index * g->n_assocs + assoc_index];
	uint64_t all, misses;

	if (c == NULL)
		return -1;
	all = c->accesses[AN_READ] + c->accesses[AN_WRITE];
	misses = c->misses[AN_READ] + c->misses[AN_WRITE];
	return all ? 100 * (double)misses / (double)all : 0;
}

const char *an_sweepgrid_format_size(char to[AN_LABEL_SIZE], uint64_t bytes)
{
	static const char *const unit[] = {"", "K", "M", "G"};
	unsigned i = 0;

	for (; i < 3 && bytes % 1024 == 0; bytes /= 1024)
		i++;
	snprintf(to, AN_LABEL_SIZE, "%llu%s", (unsigned long long)bytes,
		 unit[i]);
	return to;
}

const char *an_sweepgrid_format_full_or_n_way(char buffer[AN_LABEL_SIZE],
					      uint32_t assoc)
{
	if (assoc == AN_FULLY_ASSOC)
		return "full";
	snprintf(buffer, AN_LABEL_SIZE, "%u-way", assoc);
	return buffer;
}
