/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_profile.h - samples where frequently executed branches mostly lead
 *
 * The first units, at most 128, of each chunk that is published because it is
 * full are read, and the marked exits that they name are counted. Superblock
 * formation (translate/superblock.h) asks for the usual direction of the branch
 * at a block's end. If it is not known yet, the block ends there, and the exits
 * of the branch are marked; once they have been counted often enough, the
 * translation of the block is discarded, and its next translation continues
 * past the branch.
 */
#ifndef VGTOOL_INSTRUMENT_BRANCH_PROFILE_H
#define VGTOOL_INSTRUMENT_BRANCH_PROFILE_H

#include "vgtool/core/prelude.h"

/**
 * vt_branch_usual_target_or_request_count() - Return the more frequent target
 * of the conditional branch at address @branch_addr. If the branch is not
 * known, remember it for the next
 * vt_branch_mark_exits_to_count(). The first call starts the
 * sampling.
 *
 * Return: the target's address; 0: not known yet.
 */
Addr vt_branch_usual_target_or_request_count(Addr branch_addr);

/* Make room for counters of the exits of a block that was just described. If
   the block ends with the branch that vt_branch_usual_target_or_request_count()
   was last called for and did not know, mark the branch's exits: they are
   counted from now on. No-op until vt_branch_usual_target_or_request_count() is
   called. */
void vt_branch_mark_exits_to_count(const struct pt_log_block *);

/**
 * vt_branch_count_sampled_exits_drop_code() - Count the marked exits in
 * the first units of the chunk published last, if that has not been done; then
 * discard the translations of the blocks whose branches were counted often
 * enough, but at most once in 32 chunks plus an eighth of all chunks so far.
 *
 * Context: no translated code is running.
 * Return: whether translations were discarded; then translated code that the
 *         scheduler has looked up before must not run.
 */
Bool vt_branch_count_sampled_exits_drop_code(void);

#endif
