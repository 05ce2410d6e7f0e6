/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level_misses.c - counts the misses of cache levels by bin; see timeline.h */

#include <errno.h>

#include "analyzers/timeline/timeline.h"

/* Return the bin of the execution that missed. Call in program order of the
   misses. */
static uint32_t find_bin_of_miss(struct an_chunk_scan *s,
				 const struct an_miss *m)
{
	size_t i = s->next_start;

	while (i < s->n_starts && s->start[i].program_order <= m->program_order)
		i++;
	if (i != s->next_start)
		s->miss_bin = an_bins_bin_of_time(&s->counts->bins,
						  s->start[i - 1].time);
	s->next_start = i;
	return s->miss_bin;
}

static void add_heat_of_miss(struct an_chunk_scan *s, const struct an_miss *m,
			     uint32_t bin)
{
	if (an_heat_map_add(&s->counts->heat, AN_HEAT_MISSES, m->addr, bin,
			    1) != 0)
		s->error = -ENOMEM;
}

void an_chunk_scan_count_miss(void *scan, const struct an_miss *m, int levels)
{
	struct an_chunk_scan *s = scan;
	const struct an_hierarchy *h = &s->sim->hierarchy;
	uint32_t bin = find_bin_of_miss(s, m);
	bool is_write =
		m->path == AN_DATA &&
		s->probes[m->block].block->access[m->row].kind == PT_STORE;

	for (int i = 0; i < levels; i++)
		an_bins_series(&s->counts->bins,
			       an_series_of_level(
				       h->path[m->path][i],
				       is_write ? AN_LEVEL_WRITE_MISSES
						: AN_LEVEL_READ_MISSES))[bin]++;
	if (s->counts->has_heat && m->path == AN_DATA)
		add_heat_of_miss(s, m, bin);
}

void an_chunk_scan_count_write_back(void *scan, const struct an_miss *m,
				    const struct an_write_back *w)
{
	struct an_chunk_scan *s = scan;
	int level = s->sim->hierarchy.path[AN_DATA][w->level];

	an_bins_series(
		&s->counts->bins,
		an_series_of_level(
			level, AN_LEVEL_WRITEBACKS))[find_bin_of_miss(s, m)]++;
}
