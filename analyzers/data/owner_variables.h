/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owner_variables.h - applies events of object files, their variables,
 * thread-local variables and stacks
 *
 * Each variable forms a group, and so does each thread's copy of a thread-local
 * variable (the copies of threads above AN_MAX_TLS_THREADS share one), and each
 * stack. With n data objects, an event takes O(log n) expected time, and as
 * much for each data object that it removes.
 *
 * Threads: one at a time.
 */
#ifndef ANALYZERS_DATA_OWNER_VARIABLES_H
#define ANALYZERS_DATA_OWNER_VARIABLES_H

#include "analyzers/data/owners.h"

/* Add the object file of a PT_MAPPED event if its number is that of the last
   file + 1. Ignore it otherwise, or if there are AN_MAX_DATA_GROUPS files.
   Return: 0; -ENOMEM. */
int an_owners_add_object_file(struct an_owners *, const struct an_batch *,
			      const struct an_stream_event *);

/* Add the variable of a PT_VARIABLE event and its group, unless it overlaps one
   that was not removed, its object file is not known, or there are too many
   groups. Return: 0; -ENOMEM. */
int an_owners_add_variable_unless_overlap(struct an_owners *,
					  const struct an_batch *,
					  const struct an_stream_event *);

/* Remove the variables of an object file; their groups remain. */
void an_owners_remove_variables_of_file(struct an_owners *,
					uint32_t file_number);

/* Add the variable of a PT_THREAD_VARIABLE event. Remove the thread-local
   variables that it overlaps, because their threads have ended. Return: 0;
   -ENOMEM. */
int an_owners_add_thread_variable(struct an_owners *, const struct an_batch *,
				  const struct an_stream_event *);

/* Remove the thread-local variables that overlap the addresses from @start to
   @last, inclusive. */
void an_owners_remove_tls_variables(struct an_owners *, uint64_t start,
				    uint64_t last);

/* Add the stack of a thread and its group. Remove the stacks that it overlaps,
   because their threads have ended. Return: 0; -ENOMEM. */
int an_owners_add_stack_remove_overlapped(struct an_owners *, uint32_t thread,
					  uint64_t start, uint64_t size);

/* Remove the stack that contains @addr: its thread ends. */
void an_owners_remove_stack_at(struct an_owners *, uint64_t addr);

#endif
