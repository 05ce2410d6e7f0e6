/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_profile.h - samples where frequently executed branches mostly lead
 *
 * The first units of each published chunk are read, about one unit in some
 * hundreds, and the exits that they name are counted. Superblock formation
 * (translate/superblock.h) asks for the usual direction of the branch at a
 * block's end. If it is not known yet, the block ends there; once the branch
 * has been counted often enough, the translation of the block is discarded, and
 * its next translation continues past the branch.
 */
#ifndef VGTOOL_INSTRUMENT_BRANCH_PROFILE_H
#define VGTOOL_INSTRUMENT_BRANCH_PROFILE_H

#include "vgtool/core/prelude.h"

/**
 * vt_branch_cond_target_or_request() - Return the more frequent target of the
 * conditional branch at address @branch_addr. Sampling begins with the first
 * call.
 *
 * Return: the target's address; 0: not known yet.
 */
Addr vt_branch_cond_target_or_request(Addr branch_addr);

/* Add the exits of a block that was just described. They are counted if
   vt_branch_cond_target_or_request() did not know the branch at the block's
   end. */
void vt_branch_count_exits_if_requested(const struct pt_log_block *);

/**
 * vt_branch_sample_chunk_discard_due() - Count the exits by which executions in
 * the chunk published last have left their blocks, if that has not been done.
 *
 * Context: no translated code is running.
 * Return: whether translations were discarded; then translated code that the
 *         scheduler has looked up before must not run.
 */
Bool vt_branch_sample_chunk_discard_due(void);

#endif
