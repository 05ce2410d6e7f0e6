/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time_counts.c - adds up and names the counts of a timeline; see timeline.h */

#include <stdio.h>

#include "analyzers/timeline/timeline.h"

enum { MAX_NAME = AN_LEVEL_NAME + 16 };

void an_time_counts_init(struct an_time_counts *c, const struct an_geometry *g,
			 bool has_heat)
{
	c->bins.n_use_sets = AN_USE_SETS;
	c->bins.n_series = an_series_of_level(g->n_levels, 0);
	c->windows.n_series = AN_TIME_WINDOWS;
	c->has_heat = has_heat;
}

int64_t an_time_counts_begin_bin_of_time(struct an_time_counts *c,
					 uint64_t time)
{
	unsigned shift = c->bins.shift;
	int64_t bin = an_bins_begin_bin_of_time(&c->bins, time);

	for (; shift < c->bins.shift; shift++)
		an_heat_map_double_column_width(&c->heat);
	return bin;
}

int an_time_counts_add_window_instrs(struct an_time_counts *c,
				     uint32_t open_window_mask, uint64_t time,
				     uint64_t n_instrs)
{
	int64_t bin = an_bins_begin_bin_of_time(&c->windows, time);

	for (unsigned i = 0; bin >= 0 && i < AN_TIME_WINDOWS; i++)
		if (open_window_mask >> i & 1)
			an_bins_series(&c->windows, i)[bin] += n_instrs;
	return bin < 0 ? (int)bin : 0;
}

void an_time_counts_double_window_bin_width(struct an_time_counts *c)
{
	while (c->windows.count && c->windows.shift < c->bins.shift)
		an_bins_double_width(&c->windows);
}

int an_time_counts_merge(struct an_time_counts *c,
			 const struct an_time_counts *from)
{
	int err;

	if (from->bins.count == NULL)
		return 0;
	while (c->bins.shift < from->bins.shift) {
		an_bins_double_width(&c->bins);
		an_heat_map_double_column_width(&c->heat);
	}
	err = an_bins_merge(&c->bins, &from->bins);
	if (!err)
		err = an_bins_merge(&c->windows, &from->windows);
	an_time_counts_double_window_bin_width(c);
	return err ? err
		   : an_heat_map_merge(&c->heat, &from->heat,
				       c->bins.shift - from->bins.shift);
}

void an_time_counts_release(struct an_time_counts *c)
{
	an_bins_release(&c->bins);
	an_bins_release(&c->windows);
	an_heat_map_release(&c->heat);
}

/* The list of a timeline's series while it is built. */
struct list {
	const struct an_bins *bins;
	struct al_model *model;
	struct an_named_series *item; /* [n] */
	unsigned n;
};

static void append_series(struct list *l, const char *name,
			  const uint64_t *count)
{
	l->item[l->n++] = (struct an_named_series){name, count};
}

static void append_series_of_level(struct list *l, const struct an_level *level,
				   int level_index)
{
	static const char *const key[AN_LEVEL_SERIES] = {
		[AN_LEVEL_READ_MISSES] = "read_misses",
		[AN_LEVEL_WRITE_MISSES] = "write_misses",
		[AN_LEVEL_WRITEBACKS] = "writebacks",
	};
	char name[MAX_NAME];

	for (unsigned i = 0; i < AN_LEVEL_SERIES; i++) {
		snprintf(name, sizeof(name), "%s.%s", level->name, key[i]);
		append_series(
			l,
			al_model_copy_string_empty_if_no_memory(l->model, name),
			an_bins_series(l->bins,
				       an_series_of_level(level_index, i)));
	}
}

/* Append the series of each window that was open while instructions were
   executed. */
static void append_series_of_opened_windows(struct list *l,
					    const struct an_bins *b,
					    uint32_t n_bins)
{
	char name[MAX_NAME];
	const uint64_t *count;
	uint32_t bin;

	for (unsigned i = 0; b->count && i < AN_TIME_WINDOWS; i++) {
		count = an_bins_series(b, i);
		for (bin = 0; bin < n_bins && count[bin] == 0; bin++)
			;
		snprintf(name, sizeof(name), "window%u.instructions", i + 1);
		if (bin < n_bins)
			append_series(l,
				      al_model_copy_string_empty_if_no_memory(
					      l->model, name),
				      count);
	}
}

/* Append the number of distinct things that were used in each bin. */
static void append_distinct_use_counts(struct list *l, const char *name,
				       unsigned use_set)
{
	uint64_t *count = al_model_alloc_uninitialised(
		l->model, l->bins->n * sizeof(*count));

	if (count == NULL)
		return;
	an_bins_compute_distinct_uses(l->bins, use_set, count);
	append_series(l, name, count);
}

const struct an_named_series *
an_time_counts_list_series(const struct an_time_counts *c,
			   const struct an_geometry *g, struct al_model *m,
			   unsigned *n_out)
{
	const struct an_bins *b = &c->bins;
	struct list l = {.bins = b, .model = m};

	*n_out = 0;
	if (b->count == NULL)
		return NULL;
	l.item = al_model_alloc_uninitialised(
		m, (b->n_series + 2 * AN_USE_SETS + AN_TIME_WINDOWS) *
			   sizeof(*l.item));
	if (l.item == NULL)
		return NULL;
	append_series(&l, "instructions",
		      an_bins_series(b, AN_TIME_INSTRUCTIONS));
	append_series(&l, "reads", an_bins_series(b, AN_TIME_READS));
	append_series(&l, "writes", an_bins_series(b, AN_TIME_WRITES));
	for (int i = 0; i < g->n_levels; i++)
		append_series_of_level(&l, &g->level[i], i);
	append_series_of_opened_windows(&l, &c->windows, b->n);
	append_series(&l, "threads",
		      an_bins_use_row(b, AN_USED_THREADS, AN_USE_FIRST));
	append_distinct_use_counts(&l, "running_threads", AN_USED_THREADS);
	append_series(&l, "new_pages",
		      an_bins_use_row(b, AN_USED_PAGES, AN_USE_FIRST));
	append_distinct_use_counts(&l, "working_set", AN_USED_PAGES);
	*n_out = l.n;
	return l.item;
}
