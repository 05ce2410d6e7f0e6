/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_compiler.h - the machine code of a run
 */
#ifndef ANALYZERS_CACHE_JIT_RUN_COMPILER_H
#define ANALYZERS_CACHE_JIT_RUN_COMPILER_H

#include "analyzers/cache/jit/assembler.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum { AN_RUN_CODE = 140 }; /* [bytes] at most */

/* Where a run's code jumps to be searched for, and goes on behind that. The
   jumps' distances are still to be filled in. */
struct an_search {
	size_t from[2]; /* 0: none */
	size_t back;
	uint32_t sought; /* the caller's: see run_code.h */
};

struct an_search an_runcode(struct an_emit *, const struct an_run *,
			    const struct an_first *);

/* The code that lists a run's use instead. f->hints: what lines are remembered
   by. */
struct an_search an_spreadcode(struct an_emit *, const struct an_run *,
			       const struct an_first *f);

#endif
