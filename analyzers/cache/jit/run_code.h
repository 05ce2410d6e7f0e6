/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_code.h - packs the descriptor of an access run for compiled code
 *
 * Compiled code passes these 32 bits to the slow path. For most runs they
 * contain all that it needs, so struct an_run is rarely loaded; its memory is
 * seldom in the host's caches.
 */
#ifndef ANALYZERS_CACHE_JIT_RUN_CODE_H
#define ANALYZERS_CACHE_JIT_RUN_CODE_H

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_RUN_DESC_ROW = 0,	/* lowest bit of a field: number in the block of
				   the run's first access */
	AN_RUN_DESC_INSTR = 10, /* lowest bit of a field: number in the block
				   of the instruction that makes the run's
				   first access */
	AN_RUN_DESC_PLAIN = 20, /* unguarded, not known to cross a line border,
				 at most AN_RUN_DESC_MAX_ACCESSES accesses, and
				 no lower level has shorter lines */
	AN_RUN_DESC_SPANS = 21, /* has a base address; may cross a border */
	AN_RUN_DESC_WRITES = 22,
	AN_RUN_DESC_WRITES_FIRST = 23, /* the run's first access writes */
	AN_RUN_DESC_ACCESSES = 24, /* lowest bit of a field: number of accesses,
				      valid only if bit AN_RUN_DESC_PLAIN is
				      set */
	AN_RUN_DESC_MAX_ACCESSES = UINT8_MAX,
};

_Static_assert(PT_MAX_ACCESSES == 1 << (AN_RUN_DESC_INSTR - AN_RUN_DESC_ROW) &&
		       PT_MAX_INSTRS ==
			       1 << (AN_RUN_DESC_PLAIN - AN_RUN_DESC_INSTR),
	       "a row fits, and an instruction");

/* Return the descriptor of an access run of a block. @first_data_level: first
   level of data; @no_lower_line_is_shorter: no lower level of data has shorter
   lines than the first. */
uint32_t an_run_desc_pack(const struct an_run *,
			  const struct an_l1 *first_data_level,
			  bool no_lower_line_is_shorter,
			  const struct an_block *);

static inline unsigned an_run_desc_first_access(uint32_t run_desc)
{
	return run_desc & (PT_MAX_ACCESSES - 1);
}

static inline unsigned an_run_desc_first_instr(uint32_t run_desc)
{
	return run_desc >> AN_RUN_DESC_INSTR & (PT_MAX_INSTRS - 1);
}

static inline unsigned an_run_desc_n_accesses(uint32_t run_desc)
{
	return run_desc >> AN_RUN_DESC_ACCESSES;
}

static inline bool an_run_desc_has_bit(uint32_t run_desc, int bit_number)
{
	return (run_desc & 1u << bit_number) != 0;
}

/* Return the access run of plan @p that @run_desc describes. */
static inline const struct an_run *
an_run_desc_find_run(uint32_t run_desc, const struct an_path_plan *p)
{
	const struct an_run *r = an_path_plan_runs(p);

	while (r->first_row < an_run_desc_first_access(run_desc))
		r++;
	return r;
}

#endif
