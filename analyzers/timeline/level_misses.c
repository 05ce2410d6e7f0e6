/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level_misses.c - counts misses and write-backs of cache levels by bin; see
   timeline.h */

#include <errno.h>

#include "analyzers/timeline/timeline.h"

void an_miss_scan_begin_batch(struct an_miss_scan *s,
			      const struct an_cachesim *sim,
			      const struct an_batch *batch,
			      const struct an_bin_starts *starts)
{
	s->sim = sim;
	s->plan = sim->inflight[batch->inflight_slot].plan;
	s->starts = starts;
	s->next_start = 0;
	s->next_order = 0;
}

static uint64_t *get_level_series(struct an_miss_scan *s, int level,
				  enum an_level_series series)
{
	return an_bins_series(&s->counts.bins,
			      an_series_of_level(level, series));
}

/* Add the misses that are counted in `missed` to the current bin. */
static void flush_misses_to_current_bin(struct an_miss_scan *s)
{
	static const struct {
		int path;
		enum an_level_series series;
	} of_kind[AN_MISS_KINDS] = {
		[AN_MISS_FETCH] = {AN_INSTRUCTION, AN_LEVEL_READ_MISSES},
		[AN_MISS_READ] = {AN_DATA, AN_LEVEL_READ_MISSES},
		[AN_MISS_WRITE] = {AN_DATA, AN_LEVEL_WRITE_MISSES},
	};

	for (int kind = 0; kind < AN_MISS_KINDS; kind++)
		for (int levels = 1; levels <= AN_MAX_LEVELS; levels++) {
			const int *path =
				s->sim->hierarchy.path[of_kind[kind].path];

			for (int i = 0;
			     s->missed[kind][levels] > 0 && i < levels; i++)
				get_level_series(
					s, path[i],
					of_kind[kind].series)[s->bin] +=
					s->missed[kind][levels];
			s->missed[kind][levels] = 0;
		}
}

/* Set the current bin to that of the last bin start that is not after miss
   @m. */
static __attribute__((noinline)) void begin_bin_of_miss(struct an_miss_scan *s,
							const struct an_miss *m)
{
	const struct an_bin_starts *starts = s->starts;
	size_t i = s->next_start;
	int64_t bin;

	while (i < starts->n &&
	       starts->item[i].program_order <= m->program_order)
		i++;
	s->next_start = i;
	s->next_order =
		i < starts->n ? starts->item[i].program_order : UINT64_MAX;
	flush_misses_to_current_bin(s);
	bin = an_time_counts_begin_bin_of_time(&s->counts,
					       starts->item[i - 1].time);
	if (bin < 0)
		s->error = (int)bin;
	else
		s->bin = (uint32_t)bin;
}

/* Return the bin of the execution that missed. Call in program order of the
   misses. */
static inline uint32_t find_bin_of_miss(struct an_miss_scan *s,
					const struct an_miss *m)
{
	if (m->program_order >= s->next_order)
		begin_bin_of_miss(s, m);
	return s->bin;
}

static enum an_miss_kind
get_fetch_read_or_write_kind(const struct an_miss_scan *s,
			     const struct an_miss *m)
{
	const struct an_block *b = s->plan[m->block].data->block;

	if (m->path != AN_DATA)
		return AN_MISS_FETCH;
	return b->access[m->row].kind == PT_STORE ? AN_MISS_WRITE
						  : AN_MISS_READ;
}

void an_miss_scan_count_miss_in_time_bin(struct an_miss_scan *s,
					 const struct an_miss *m,
					 int missed_level_count)
{
	uint32_t bin = find_bin_of_miss(s, m);

	if (s->error)
		return;
	s->missed[get_fetch_read_or_write_kind(s, m)][missed_level_count]++;
	if (s->counts.has_heat && m->path == AN_DATA &&
	    an_heat_map_add(&s->counts.heat, AN_HEAT_MISSES, m->addr, bin, 1) !=
		    0)
		s->error = -ENOMEM;
}

void an_miss_scan_count_write_back(struct an_miss_scan *s,
				   const struct an_miss *m,
				   const struct an_write_back *w)
{
	int level = s->sim->hierarchy.path[AN_DATA][w->level];
	uint32_t bin = find_bin_of_miss(s, m);

	if (!s->error)
		get_level_series(s, level, AN_LEVEL_WRITEBACKS)[bin]++;
}

void an_miss_scan_add_last_misses_to_bin(struct an_miss_scan *s)
{
	if (s->sim != NULL && s->counts.bins.count != NULL)
		flush_misses_to_current_bin(s);
	s->sim = NULL;
}
