/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_profile.h - where branches that are executed often mostly lead
 *
 * Of each chunk that is handed over the first units are looked at, one in some
 * hundreds of all: how often each exit was met. Where a block would go on, if
 * only it were known where its last branch leads, and that becomes known, the
 * block is forgotten, and made anew when it is executed next.
 */
#ifndef VGTOOL_INSTRUMENT_BRANCH_PROFILE_H
#define VGTOOL_INSTRUMENT_BRANCH_PROFILE_H

#include "vgtool/core/prelude.h"

/**
 * vt_bias_of() - Where the conditional branch at @branch, a block's last
 * instruction, mostly leads. Somebody who asks wants to know: before the first
 * question nothing is looked at.
 *
 * Return: 0: it is not known yet.
 */
Addr vt_bias_of(Addr branch);

/* A block that has been described, in translation or in a part of it. */
void vt_bias_note(const struct pt_log_block *);

/**
 * vt_bias_look() - Have a look at the chunk handed over last, once.
 *
 * Context: no code is running.
 * Return: whether any code was forgotten; what was looked up must not run.
 */
Bool vt_bias_look(void);

#endif
