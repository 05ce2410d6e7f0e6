/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - what a program tells of by a name
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_MARKS_H
#define LIB_RECOVER_MARKS_H

#include <stdint.h>

#include "proto/log.h"

struct al_intern;

struct al_mark {
	const char *name; /* interned */
	uint64_t start;	  /* address, of a region */
	uint64_t size;	  /* [bytes] */
	uint32_t kind;	  /* enum pt_named, or a later version's */
};

/* In order of their ids, which begin with 1. Zeroed: none. */
struct al_marks {
	struct al_mark *mark;
	uint32_t n;
	uint32_t size;
};

/* Takes a record: 0; -EPROTO; -ENOMEM. */
int al_marks_take(struct al_marks *, struct al_intern *,
		  const struct pt_log_named *);

/* The one with an id, or NULL. */
const struct al_mark *al_marks_find(const struct al_marks *, uint32_t id);

void al_marks_release(struct al_marks *);

#endif
