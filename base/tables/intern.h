/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern.h - stores one copy of each string
 *
 * Threads: any.
 */
#ifndef BASE_TABLES_INTERN_H
#define BASE_TABLES_INTERN_H

#include <pthread.h>
#include <stddef.h>

struct al_intern {
	pthread_mutex_t lock;	 /* guards the other members */
	struct al_string **slot; /* open addressing; n_slots is a power of
				    two */
	size_t n_slots;
	size_t n;
};

void al_intern_init(struct al_intern *);
void al_intern_release(struct al_intern *);

/* Return the table's copy of @string, which lives until al_intern_release().
   Equal strings yield the same address. "???" if memory is short. */
const char *al_intern_question_marks_if_no_memory(struct al_intern *,
						  const char *string);

#endif
