/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiler.h - compiles the data plans of blocks (their runs of accesses) to
 * machine code
 *
 * Threads: one at a time, except an_compiler_run_code_to_list_line_uses().
 *
 * A block that is executed often gets machine code of its own: it checks for
 * each run whether its line is where the hint says, stores the time of use, and
 * jumps to the code of the next execution's block. All constants of the plan
 * are immediate operands, so of a run only slots, hints and ways are loaded.
 * Runs that are guarded or cross a line border, and runs whose line is not
 * where the hint says, are passed to a callback.
 *
 * On other processors than x86-64, or without executable memory,
 * an_compiler_can_compile_ensure_entries() returns false, and the caller
 * interprets everything.
 */
#ifndef ANALYZERS_CACHE_JIT_COMPILER_H
#define ANALYZERS_CACHE_JIT_COMPILER_H

#include "analyzers/cache/jit/assembler.h"
#include "analyzers/cache/jit/run_code.h"
#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_MAX_CODE = 24 << 20, /* [bytes] maximum size of all code */
	AN_MAX_OLD_ENTRIES = 24,
};

/* State of compiled code while it runs, shared with the functions that it calls
   back. */
struct an_jit_frame {
	/* Set by the caller of the compiled code: */

	/* Simulate an access run that is guarded or crosses a line border, or
	   whose line is not in the way that the hint names; with
	   AN_COMPILE_SCATTER, only list the line uses of a run that is guarded
	   or crosses a line border. @run_desc: the run's descriptor, see
	   run_code.h. @slots: slots (recorded addresses) of the execution.
	   @line: line of the run's first byte, valid only if bit
	   AN_RUN_DESC_PLAIN is set. @last: line of its last byte, valid only if
	   AN_RUN_DESC_SPANS is set, too. */
	void (*search)(struct an_jit_frame *, const struct an_exec *,
		       uint32_t run_desc, const uint32_t *slots, uint64_t line,
		       uint64_t last);
	/* Simulate an execution of a block that is not compiled; with
	   AN_COMPILE_SCATTER, only list its line uses. */
	void (*other)(struct an_jit_frame *, const struct an_exec *);

	/* First struct of the union: set by an_compiler_simulate_batch(),
	   arrays of the simulated level. Second struct: set by the caller of
	   an_compiler_run_code_to_list_line_uses(), see
	   analyzers/cache/parallel/scatter.c. */
	union {
		struct {
			const uint64_t *way;
			int32_t *used;
			const uint32_t *hint;
			uint8_t *dirty;
			int32_t clock; /* replaces the level's clock while the
					  code runs */
		};
		struct {
			uint64_t *last_use;
			uint64_t *line;	    /* end of the list of lines used */
			uint32_t *position; /* end of the list of the uses'
					       positions */
			uint64_t *full; /* the code stops when `line` reaches
					    this address */
			uint32_t exec_position; /* index of the execution in the
						   chunk << AN_ACCESS_BITS */
		};
	};

	/* Set by an_compiler_simulate_batch(), or by the caller of
	   an_compiler_run_code_to_list_line_uses(): */
	uint64_t hints; /* mask of line numbers: of the level's hints, less than
			   2^32; or of an_partition_inflight.last_use, as given
			   to an_compiler_count_block_compile_if_hot() */
	const uint32_t *base;
	const struct an_exec *end;
	const struct pt_shared_u64 *entry;
	const struct an_exec *next; /* next execution to run, where the code
				     stores where it stopped; unused by
				     an_compiler_simulate_batch() */

	/* Set by the caller of the compiled code: */
	struct an_l1
		*l1; /* NULL with an_compiler_run_code_to_list_line_uses() */
	const struct an_batch *batch;
	const struct an_plan *plan; /* by block. This and the next three members
				       are used by the callbacks only. */
	void *caller;
	void *misses;
};

enum an_compile_mode {
	AN_COMPILE_SIMULATE, /* the code simulates lines */
	AN_COMPILE_SCATTER,  /* the code lists uses of lines */
};

/* A compiler that is all zeros is valid; nothing is compiled. */
struct an_compiler {
	struct an_emit out;
	bool is_widening; /* no lower level of data has shorter lines than
				 the first */
	struct pt_shared_u64
		*entry;	      /* by block id: address of the block's code or, if
				 it has none, of code that calls `other` */
	uint16_t *exec_count; /* by block: executions while it was not compiled;
				 up to COMPILE_AFTER */
	uint32_t n_entries;
	struct pt_shared_u64 *old_entries
		[AN_MAX_OLD_ENTRIES]; /* outgrown arrays of entries, which
					     may still be in use */
	unsigned n_old_entries;
	enum an_compile_mode mode;
	size_t start_offset; /* this and the next three members: offsets in
				out.code of the code that all blocks share */
	size_t leave_offset;
	size_t search_offset;
	size_t uncompiled_offset;
};

/* Initialise the compiler, and write the code that all blocks share to @code:
   AN_MAX_CODE bytes of executable memory; NULL: nothing will be compiled.
   @no_lower_line_is_shorter: no lower level of data has shorter lines than the
   first. */
void an_compiler_init(struct an_compiler *, uint8_t *code, enum an_compile_mode,
		      bool no_lower_line_is_shorter);

/**
 * an_compiler_can_compile_ensure_entries() - Enlarge the arrays of entries and
 * counts if a block id below @n_blocks has no entry yet.
 *
 * Return: whether compiled code can be run, as by an_compiler_simulate_batch();
 * false: there is no executable memory, or memory is short.
 */
bool an_compiler_can_compile_ensure_entries(struct an_compiler *,
					    uint32_t n_blocks);

/**
 * an_compiler_count_block_compile_if_hot() - Count an execution of a block that
 * has no machine code; compile the block when COMPILE_AFTER executions are
 * counted, if there is space for its code.
 *
 * The level's `shift` and `hint_mask` become constants of the code. For code
 * that lists uses of cache lines, hint_mask is the mask for
 * an_partition_inflight.last_use.
 *
 * Context: called from an_jit_frame.other; for code that lists uses, by the
 * thread that calls an_compiler_can_compile_ensure_entries().
 */
void an_compiler_count_block_compile_if_hot(struct an_compiler *,
					    uint32_t block_id,
					    const struct an_path_plan *,
					    const struct an_l1 *);

/* Simulate the executions of frame->batch, at least one. */
void an_compiler_simulate_batch(const struct an_compiler *,
				struct an_jit_frame *);

/* List the uses of lines of the executions from frame->next to frame->end,
   until the list is full; frame->next is set to the first execution not listed.
   frame->entry must be the compiler's `entry` at the time when
   an_compiler_can_compile_ensure_entries() returned. Context: any thread, even
   while another one compiles. */
void an_compiler_run_code_to_list_line_uses(const struct an_compiler *,
					    struct an_jit_frame *);

/* Free the arrays; the memory of the code belongs to the host of the
   analysis. */
void an_compiler_release(struct an_compiler *);

#endif
