/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - the state of the analysis "timeline"
 *
 * An execution belongs to the bin (bins.h) of its last instruction. The
 * executions of a chunk are counted first, and the starts of bins in the chunk
 * are listed; then each miss of the chunk is counted in its bin. If
 * an_hierarchy_has_separate_simulable_l1s() is false, this is done for each
 * batch instead.
 *
 * The pages of a bin and their accesses are taken from the simulated first
 * level of data, which lists the lines that were used in the bin
 * (analyzers/cache/model/l1.h). If there is no simulable first level of data
 * alone, or it is partitioned, pages are looked up for each access.
 *
 * Threads: a struct an_chunk_scan belongs to the stage of batch(), but to tail
 * if the first level is partitioned; a struct an_miss_scan to the stage in
 * which the simulation reports misses: tail if code and data have separate
 * simulable first levels, else the stage of batch(). See analyzer.h.
 */
#ifndef ANALYZERS_TIMELINE_TIMELINE_H
#define ANALYZERS_TIMELINE_TIMELINE_H

#include "analyzers/cache/simulation.h"
#include "analyzers/timeline/exec_counts.h"
#include "analyzers/timeline/heat_map.h"
#include "analyzers/timeline/seen_table.h"

/* Series of the bins. The misses and writebacks of each cache level follow. */
enum an_time_series {
	AN_TIME_INSTRUCTIONS,
	AN_TIME_READS,
	AN_TIME_WRITES,
	AN_TIME_LEVELS,
};

enum an_level_series {
	AN_LEVEL_READ_MISSES,
	AN_LEVEL_WRITE_MISSES,
	AN_LEVEL_WRITEBACKS,
	AN_LEVEL_SERIES,
};

enum { AN_TIME_WINDOWS = 8 }; /* windows that are counted: the first ones */

/* Use sets of the bins. */
enum { AN_USED_PAGES, AN_USED_THREADS, AN_USE_SETS };

static inline unsigned an_series_of_level(int level, enum an_level_series s)
{
	return AN_TIME_LEVELS + (unsigned)level * AN_LEVEL_SERIES + s;
}

/* The result: the counts of one exec image, or the sums of those of several. */
struct an_time_counts {
	struct an_bins bins;
	struct an_bins windows; /* series n counts the instructions that are
				   executed while window n is open; not wider
				   than `bins` */
	bool has_heat;
	struct an_heat_map heat;
};

/* The start of a bin in a chunk. */
struct an_bin_start {
	uint32_t program_order; /* an_program_order_key() of the first execution
				   of the chunk in the bin, or less */
	uint64_t time;		/* [instructions] a time in the bin */
};

/* The starts of bins in a chunk, or in a batch if misses are counted for each
   batch, in order; the first is that of the bin in which the chunk or batch
   begins, with program order 0. */
struct an_bin_starts {
	struct an_bin_start *item; /* [n] */
	size_t n, size;
};

enum { AN_RECENT_PAGES = 2048 };

/* A page that was accessed in the current bin, or in an earlier one if its
   generation is not that of the scan. */
struct an_recent_page {
	uint64_t tag; /* address of the page | generation of the bin; 0: none */
	uint64_t n_accesses; /* accesses to the page in the current bin that are
				not in the heat map yet; meaningless without a
				heat map */
};

struct an_chunk_scan {
	struct an_time_counts *counts;
	struct an_cachesim *sim; /* NULL before the first batch and after
				    an_chunk_scan_finish_after_last_chunk() */
	struct an_l1 *l1; /* first level of data, which lists used lines; NULL:
			     pages are looked up for each access */
	struct an_used_lines used_lines; /* of `l1`, in the current bin */
	struct an_exec_counts exec_counts;

	uint64_t n_execs; /* executions that were counted so far, without those
			     of warm-up */
	uint64_t time;	  /* number of instructions that were counted so far */
	uint64_t bin_end; /* [instructions] time at which the bin after the
			     current one begins */
	uint32_t bin;
	uint64_t packed; /* counts of executions that are not in the bins yet
			    */
	uint64_t thread; /* number of the running thread */
	uint32_t open_windows; /* bit n: window n is open */

	struct an_seen_table pages, threads;
	unsigned generation; /* changes with each bin; below the size of a page
			      */
	struct an_recent_page recent[AN_RECENT_PAGES]; /* by the lower bits of
							  the page's number */
	uint16_t used[AN_RECENT_PAGES]; /* [n_used] indices in `recent` of pages
					   of the current bin; only with a heat
					   map */
	size_t n_used;

	struct an_bin_starts starts[AN_INFLIGHT_SLOTS]; /* by the chunk's
							   in-flight slot */
	int error;					/* 0 or -ENOMEM */
};

enum an_miss_kind { AN_MISS_FETCH, AN_MISS_READ, AN_MISS_WRITE, AN_MISS_KINDS };

/* Counts misses and write-backs of a chunk in their bins. */
struct an_miss_scan {
	struct an_time_counts counts;  /* of misses and write-backs only */
	const struct an_cachesim *sim; /* the cache simulation, which simulates
					  all chunks of the exec image */
	const struct an_plan *plan;    /* by block id */
	const struct an_bin_starts *starts;
	size_t next_start;   /* index in `starts` of the first bin that begins
			      after the last reported miss */
	uint64_t next_order; /* program order of the first execution of bin
				start `next_start`; UINT64_MAX: there is none */
	uint32_t bin;	     /* of the last reported miss */
	uint64_t missed[AN_MISS_KINDS][AN_MAX_LEVELS + 1]; /* [kind][levels]:
							      misses in this bin
							      that missed so
							      many levels and
							      are not in
							      `counts` yet */
	int error;					   /* 0 or -ENOMEM */
};

/* Return a new scan, which counts into @counts; NULL: memory is short. */
struct an_chunk_scan *an_chunk_scan_new(struct an_time_counts *counts);
void an_chunk_scan_free(struct an_chunk_scan *);

/* Thread switches and window changes at marks in the stream of executions.
   Initialise with zeros: none. */
struct an_mark_changes {
	uint64_t thread;	 /* number of the thread that runs from now on;
				    0: no change */
	uint32_t opened, closed; /* windows that marks opened or closed; bit n:
				    window n */
};

void an_mark_changes_add_thread_or_window(struct an_mark_changes *,
					  const struct an_mark *);

/* Apply changes to the scan, and set them to zeros. */
void an_chunk_scan_apply_and_clear_changes(struct an_chunk_scan *,
					   struct an_mark_changes *);

/* Count the executions of a chunk, or of a batch of it, and simulate their data
   accesses if @sim has a first level for data alone that is not partitioned.
   @sim has received their blocks. Executions of a warm-up are simulated, not
   counted. Return: 0 or -errno. */
int an_chunk_scan_count_and_simulate_batch(struct an_chunk_scan *,
					   struct an_cachesim *sim,
					   const struct an_batch *);

/* Count what is not in the bins yet; call after the last chunk, while the
   simulation exists. Sets `error`. */
void an_chunk_scan_finish_after_last_chunk(struct an_chunk_scan *);

/* level_misses.c: begin a chunk, or a batch of it, whose executions were
   counted; count a miss or a write-back, as an_miss_observer does. */
void an_miss_scan_begin_batch(struct an_miss_scan *, const struct an_cachesim *,
			      const struct an_batch *,
			      const struct an_bin_starts *);
void an_miss_scan_count_miss_in_time_bin(struct an_miss_scan *,
					 const struct an_miss *,
					 int missed_level_count);
void an_miss_scan_count_write_back(struct an_miss_scan *,
				   const struct an_miss *,
				   const struct an_write_back *);

/* Count what is not in the bins yet; call after the last chunk, while the
   simulation exists. */
void an_miss_scan_add_last_misses_to_bin(struct an_miss_scan *);

/* time_counts.c: an_time_counts_init() initialises counts for the levels of a
   geometry. an_time_counts_begin_bin_of_time() does for bins and heat
   map what an_bins_begin_bin_of_time() does. an_time_counts_merge() adds the
   counts of another exec image, or the misses of the same one, and returns 0 or
   -ENOMEM. */
int64_t an_time_counts_begin_bin_of_time(struct an_time_counts *,
					 uint64_t time);

/* time_counts.c: add @n_instrs instructions, in the bin of @time, to the series
   of the open windows. Return: 0 or -ENOMEM. */
int an_time_counts_add_window_instrs(struct an_time_counts *,
				     uint32_t open_window_mask, uint64_t time,
				     uint64_t n_instrs);

/* Widen the bins of `windows`, which count instructions executed in open
   windows, until they are as wide as the bins of `bins`. */
void an_time_counts_double_window_bin_width(struct an_time_counts *);
void an_time_counts_init(struct an_time_counts *, const struct an_geometry *,
			 bool has_heat);
int an_time_counts_merge(struct an_time_counts *,
			 const struct an_time_counts *from);
void an_time_counts_release(struct an_time_counts *);

/* timeline_report.c: add the result to the result model, from which reports are
   made. */
void an_time_counts_add_to_model(const struct an_time_counts *,
				 const struct an_geometry *, struct al_model *);

/* A series of a result. */
struct an_named_series {
	const char *name;      /* key in JSON, title of a column and a track */
	const uint64_t *count; /* [bins.n] */
};

/* time_counts.c: return the list of all series, and set *@n_out to their
   number; names and numbers that are computed are in the model's memory. NULL:
   memory is short, or nothing was counted. */
const struct an_named_series *
an_time_counts_list_series(const struct an_time_counts *,
			   const struct an_geometry *, struct al_model *,
			   unsigned *n_out);

/* The result as chart.c prints it. */
struct an_time_chart {
	const struct an_time_counts *counts;
	const struct an_geometry *geometry;
	const struct an_named_series *series; /* [n_series] */
	unsigned n_series;
};

/* chart.c: print accesses, misses, working set and threads as rows of
   characters, from the start of the run to its end. @state: a struct
   an_time_chart. */
void an_time_chart_print(const void *state, uint64_t unused, struct an_text *);

/* series_output.c: write the series to the output of the analysis, as
   comma-separated values with a line for each bin, or as counter tracks for
   Perfetto. Return: 0 or -errno. */
int an_time_counts_write_csv_to_env_output(const struct an_time_counts *,
					   const struct an_env *);
int an_time_counts_write_perfetto(const struct an_time_counts *,
				  const struct an_env *);

#endif
