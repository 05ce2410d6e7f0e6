/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_counts.h - sums of what was recorded
 *
 * Room:    lib, not for others.
 * Used by: al_stream.c, al_record.c.
 */
#ifndef AL_COUNTS_H
#define AL_COUNTS_H

#include "lib/al_recover.h"
#include "lib/al_stream.h"

void al_counts_add(struct al_counts *to, const struct al_counts *c);

/* Adds what the recovery has found; it must be settled. */
void al_counts_recovered(struct al_counts *to, const struct al_recovery *);

#endif
