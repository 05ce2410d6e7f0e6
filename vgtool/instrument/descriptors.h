/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptors.h - logs each block's descriptor once, and finds it by its route
 */
#ifndef VGTOOL_INSTRUMENT_DESCRIPTORS_H
#define VGTOOL_INSTRUMENT_DESCRIPTORS_H

#include "vgtool/instrument/block.h"

/**
 * vt_descriptor_find_or_log_block() - Log the object files that were mapped or
 * unmapped since the last call, then the descriptor of a block. If an equal
 * block in the same object file was logged before, and a translation of its
 * code was discarded, return that block's record and log no descriptor.
 *
 * Context: no translated code is running.
 * Return: the record, with the block's id and the route (number) of its first
 *         exit, valid for ever; NULL if the limits of descriptor_budget.h are
 *         reached or no ring is attached.
 */
const struct pt_log_block *
vt_descriptor_find_or_log_block(const struct vt_block_layout *);

/* Return how many of the block's first @instr_count instructions were
   logged: those that some window records. */
UInt vt_descriptor_count_recorded_instrs(const struct pt_log_block *,
					 UInt instr_count);

/* Return the number of blocks that were described. */
UInt vt_descriptor_n_described_blocks(void);

/* Return the record of the block that has @route (a number for a block and one
   of its exits); NULL if no block has it. The record has all instructions, also
   those that were not logged. */
const struct pt_log_block *vt_descriptor_find_block_by_route(UInt route);

/* Return the record of those slots of the block that hold its values, its time
   stamp or the process's instruction count; NULL if it has no such slots. */
const struct pt_log_values *
vt_descriptor_value_slots_or_null(const struct pt_log_block *);

/* Return the arrays that follow a record: its n_instrs instructions, n_accesses
   accesses, and n_exits exits. */
const struct pt_instr *vt_descriptor_instrs(const struct pt_log_block *);
const struct pt_access *vt_descriptor_accesses(const struct pt_log_block *);
const struct pt_exit *vt_descriptor_exits(const struct pt_log_block *);

#endif
