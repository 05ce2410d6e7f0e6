/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes.h - VEX's passes over a block, done in less time
 *
 * Each has the result of VEX's function that it names, in Valgrind 3.19 to
 * 3.24, but for statements that do nothing and the numbers of temporaries.
 * Static scratch memory: one translation at a time, as in Valgrind.
 */
#ifndef VGTOOL_VEXOPT_PASSES_H
#define VGTOOL_VEXOPT_PASSES_H

#include "vgtool/vexopt/host_instr.h"

/* Whether changes of the guest's state from byte to byte must be seen where
   memory is accessed. */
typedef Bool (*ps_precise)(Int low, Int high, VexRegisterUpdates);

/* An expression that means the same as a helper's call, or NULL. */
typedef IRExpr *(*ps_special)(const HChar *helper, IRExpr **args,
			      IRStmt **before, Int n);

/*
 * ps_initial() - what was disassembled, flat, without needless reads of the
 *                guest's state and copies (do_minimal_initial_iropt_BB())
 *
 * Return: the new block; NULL: left to VEX, and nothing is changed.
 */
IRSB *ps_initial(const IRSB *);

/*
 * ps_optimise() - a flat block, cleaned up for the tool (do_iropt_BB())
 *
 * Return: as above, but for temporaries that may have been added.
 */
IRSB *ps_optimise(const IRSB *, ps_special, ps_precise, VexRegisterUpdates,
		  Addr guest);

/*
 * ps_frame() - leave out the loads that a flat block has just because a
 *              register is exact where memory is accessed
 * @low:        the register's place in the guest's state
 *
 * The block was optimised with the register exact. Of the PUTs that it has for
 * that alone, those whose value was loaded for nothing else are left out with
 * their loads. So the block makes the same loads as if the register had not been
 * exact, and the register is exact but between such a load and the next PUT.
 */
void ps_frame(IRSB *, Int low);

/*
 * ps_trees() - a flat block, in trees for the choice of instructions
 *              (do_deadcode_BB(), ado_treebuild_BB()), made of the block's own
 *              statements
 * @last:       the last byte of its code
 *
 * Return: False: left to VEX, and nothing is changed.
 */
Bool ps_trees(IRSB *, ps_precise, VexRegisterUpdates, Addr *last);

/*
 * ps_registers() - a block's code with real registers in the place of virtual
 *                  ones (doRegisterAllocation_v3())
 *
 * Return: the new code, of the same instructions; NULL: left to VEX, and nothing
 * is changed.
 */
struct ps_code *ps_registers(const struct ps_code *, const struct ps_host *);

#endif
