/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_compiler.h - writes the machine code of an access run (accesses that need
   one lookup) */
#ifndef ANALYZERS_CACHE_JIT_RUN_COMPILER_H
#define ANALYZERS_CACHE_JIT_RUN_COMPILER_H

#include "analyzers/cache/jit/assembler.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_MAX_RUN_CODE = 140
}; /* [bytes] maximum size of a run's code, without
				   that which calls the slow path */

/* Offsets in the machine code of an access run: the distances of jumps to the
   slow path, still to be filled in, and where the run's code continues after
   the slow path. */
struct an_slow_path_jumps {
	size_t jump[2]; /* offsets of the jumps' distances; 0: no such jump */
	size_t resume;
	uint32_t run_desc; /* the run's descriptor, see run_code.h; set by the
			    caller */
};

/* Write machine code that simulates an access run if it is unguarded and within
   one line, which is in the way that the hint names, and else jumps to the slow
   path. */
struct an_slow_path_jumps an_emit_run_fast_path(struct an_emit *,
						const struct an_run *,
						const struct an_l1 *);

/* Write machine code that, instead of simulating an access run, appends its use
   of a line to the buffer of scatter.c, unless it repeats the last use of the
   line's set; a run that is guarded or crosses a line border jumps to the slow
   path. f->hint_mask: mask of line numbers for
   an_partition_inflight.last_use. */
struct an_slow_path_jumps an_emit_append_run_line_use(struct an_emit *,
						      const struct an_run *,
						      const struct an_l1 *f);

#endif
