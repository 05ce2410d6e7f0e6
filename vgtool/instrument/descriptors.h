/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptors.h - the blocks that the daemon has been told of
 */
#ifndef VGTOOL_INSTRUMENT_DESCRIPTORS_H
#define VGTOOL_INSTRUMENT_DESCRIPTORS_H

#include "vgtool/instrument/block.h"

/**
 * vt_log_block() - Describe a block to the daemon, and with it objects that
 * were mapped or unmapped since the last one. A block that has been described
 * before, in the same object, is not described again.
 *
 * Context: no code is running.
 * Return: its record, which has its id and route; NULL when there are no more
 *         routes, no memory, or no daemon.
 */
const struct pt_log_block *vt_log_block(const struct vt_plan *);

/* How many of the block's first @n instructions the daemon was told of: those
   that somebody wants. */
UInt vt_log_told(const struct pt_log_block *, UInt n);

/* Blocks ever described. */
UInt vt_log_n_blocks(void);

/* The record of the block that a route belongs to, kept to finish units that a
   fault cuts short; NULL for an unknown route. */
const struct pt_log_block *vt_log_find(UInt route);

/* What was told before it; NULL: nothing. */
const struct pt_log_values *vt_log_values(const struct pt_log_block *);

/* The arrays behind a record. */
const struct pt_instr *vt_log_instrs(const struct pt_log_block *);
const struct pt_access *vt_log_accesses(const struct pt_log_block *);
const struct pt_exit *vt_log_exits(const struct pt_log_block *);

#endif
