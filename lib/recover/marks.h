/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * marks.h - stores the named marks of an exec image: events and memory regions
 *
 * Threads: one at a time.
 */
#ifndef LIB_RECOVER_MARKS_H
#define LIB_RECOVER_MARKS_H

#include <stdint.h>

#include "proto/log.h"

struct al_intern;

/* A named event or memory region, as a PT_LOG_NAMED record defines it. */
struct al_mark {
	const char *name; /* name of the event or region, interned */
	uint64_t start;	  /* for a memory region: its first address */
	uint64_t size;	  /* for a memory region: its size [bytes] */
	uint32_t kind;	  /* enum pt_named, or a value of a later version */
};

/* All marks of an exec image. Initialise with zeros. */
struct al_marks {
	struct al_mark *mark; /* [n] marks; mark[i] has id i + 1 */
	uint32_t n;
	uint32_t size; /* allocated elements of mark */
};

/* Add the mark of a log record, and intern its name. Return: 0; -EPROTO if the
   record is invalid, its id is not 1 + the number of marks, or there are
   PT_MAX_NAMES marks; -ENOMEM. */
int al_marks_add_from_log_record(struct al_marks *, struct al_intern *,
				 const struct pt_log_named *);

/* Return the mark (a named event or memory region) with id @id, from 1; NULL if
   there is none. The pointer is valid until the next mark is added. */
const struct al_mark *al_marks_find(const struct al_marks *, uint32_t id);

void al_marks_release(struct al_marks *);

#endif
