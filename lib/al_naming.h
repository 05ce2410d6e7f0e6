/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_naming.h - names of code, for a profile: each is told once
 *
 * Room:    lib.
 * Used by: al_track.c.
 * Threads: one at a time.
 */
#ifndef AL_NAMING_H
#define AL_NAMING_H

#include "lib/al_numbering.h"
#include "profile/pf_records.h"

struct al_executed;
struct al_symbols;

/* What was told. Zeroed: nothing. */
struct al_naming {
	struct al_numbering objects; /* by path */
	struct al_numbering texts;
	struct al_numbering code; /* by object and value */
};

/**
 * al_naming_add() - Name the instructions of executed blocks that have no name
 * yet.
 * @records: receives PF_OBJECT, PF_TEXT and PF_CODE, none when all have one.
 *
 * Return: 0; -ENOMEM.
 */
int al_naming_add(struct al_naming *, const struct al_executed *,
		  struct al_symbols *, struct pf_records *records);

void al_naming_release(struct al_naming *);

#endif
