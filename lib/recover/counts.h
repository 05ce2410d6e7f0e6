/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counts.h - sums of what was recorded
 */
#ifndef LIB_RECOVER_COUNTS_H
#define LIB_RECOVER_COUNTS_H

#include "lib/pipeline/stream.h"
#include "lib/recover/recover.h"

void al_counts_add(struct al_counts *to, const struct al_counts *c);

/* Adds what one recoverer has found, but for blocks that were cut. */
void al_counts_met(struct al_counts *to, const struct al_recoverer *);

/* Adds what all have found, who must be settled. */
void al_counts_executed(struct al_counts *to, const struct al_executed *);

/* Adds what the executions were for each window, as far as they are settled. */
void al_counts_windows(struct al_window_counts *to, const struct al_executed *);

#endif
