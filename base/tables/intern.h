/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern.h - one copy of each string
 *
 * Threads: any.
 */
#ifndef BASE_TABLES_INTERN_H
#define BASE_TABLES_INTERN_H

#include <pthread.h>
#include <stddef.h>

struct al_intern {
	pthread_mutex_t lock;	 /* guards all that follows */
	struct al_string **slot; /* power of two of them, open addressing */
	size_t n_slots;
	size_t n;
};

void al_intern_init(struct al_intern *);
void al_intern_release(struct al_intern *);

/* The one copy of @string, alive until release; "???" when memory is short. */
const char *al_intern(struct al_intern *, const char *string);

#endif
