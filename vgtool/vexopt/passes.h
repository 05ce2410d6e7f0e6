/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes.h - VEX's passes over a block, done in less time
 *
 * A function whose description names functions of VEX has the result of these,
 * in Valgrind 3.19 to 3.24, except for statements without effect and the
 * numbers of temporaries. The functions use static scratch memory, because
 * Valgrind makes one translation at a time.
 */
#ifndef VGTOOL_VEXOPT_PASSES_H
#define VGTOOL_VEXOPT_PASSES_H

#include "vgtool/vexopt/host_instr.h"
#include "vgtool/vexopt/vex_prelude.h"

/* Whether any of the bytes @low to @high (inclusive) of the guest's state must
   be exact (up to date in memory) wherever the program's memory is accessed. */
typedef Bool (*ps_precise_fn)(Int low, Int high, VexRegisterUpdates);

/* Return an expression equivalent to the call of @helper with @args, or NULL.
   @before: the block's statements, of which the first @n precede the call. */
typedef IRExpr *(*ps_spec_helper_fn)(const HChar *helper, IRExpr **args,
				     IRStmt **before, Int n);

/*
 * ps_flatten_block_or_null() - Flatten disassembled IR and remove redundant
 * GETs and copies
 *                (do_minimal_initial_iropt_BB())
 *
 * Return: the new block; NULL if the block is left to VEX; then nothing is
 *         changed.
 */
IRSB *ps_flatten_block_or_null(const IRSB *);

/*
 * ps_optimise_block_or_null() - Optimise a flat block before it is instrumented
 *                 (do_iropt_BB())
 * @block_addr: address of the block's first instruction
 *
 * Return: the new block; NULL if the block is left to VEX; then nothing is
 *         changed, except that temporaries may have been added.
 */
IRSB *ps_optimise_block_or_null(const IRSB *, ps_spec_helper_fn, ps_precise_fn,
				VexRegisterUpdates, Addr block_addr);

/*
 * ps_remove_dead_frame_puts() - Remove the loads that a flat
 * block has only because a register is exact where memory is accessed
 * @frame_pointer_offset: offset of the register in the guest's state
 *
 * The block was optimised with the register exact. Some PUTs (writes of the
 * guest's state) were preserved only for that. If the value of one was loaded
 * for nothing else, it is removed together with the load. So the block makes
 * the same loads as if the register had not been exact. The register is exact
 * except between a removed PUT and the next one.
 */
void ps_remove_dead_frame_puts(IRSB *, Int frame_pointer_offset);

/*
 * ps_build_trees_in_place_if_supported() - Turn a flat block into trees for
 * instruction selection
 *              (do_deadcode_BB(), ado_treebuild_BB())
 * @last_code_byte: set to the highest address of a byte of the block's guest
 *                  code, by its IMarks; all ones if it has none
 *
 * The block is changed in place: its statements are reused.
 *
 * Return: False if the block is left to VEX; then nothing is changed.
 */
Bool ps_build_trees_in_place_if_supported(IRSB *, ps_precise_fn,
					  VexRegisterUpdates,
					  Addr *last_code_byte);

/*
 * ps_allocate_registers_or_null() - Assign real registers to the virtual
 * registers of a block's code (doRegisterAllocation_v3())
 *
 * Return: the new code, made of the same instructions, which are changed in
 *         place, and of new ones that move, spill and reload registers; NULL if
 *         the code is left to VEX; then nothing is changed.
 */
struct ps_code *ps_allocate_registers_or_null(const struct ps_code *,
					      const struct ps_host *);

/* Whether two blocks are equal, constants bit by bit, apart from no-ops, from
   statements that copy a temporary or constant (other than F64i) to a
   temporary, and from the numbers of temporaries. False if one has more than
   2 * PS_MAX_TEMPS temporaries. */
Bool ps_is_equivalent_block(const IRSB *, const IRSB *);

#endif
