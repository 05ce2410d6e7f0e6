/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_table.h - finds processes of a run by pid or by number
 *
 * There is a hash table for each kind of key. Its buckets are chains of
 * processes, because process ids are reused; the process that was added or
 * renumbered last is the first. Code in other folders, except lib/replay, uses
 * the functions of run.h instead.
 *
 * Threads: one at a time.
 */
#ifndef LIB_RUN_PROCESS_TABLE_H
#define LIB_RUN_PROCESS_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct al_process;

enum al_process_key { AL_BY_PID, AL_BY_NUMBER, AL_PROCESS_KEYS };

/* All processes of a run. Initialise with zeros. */
struct al_processes {
	/* for each kind of key: array of n_buckets chains, each given by its
	   first process or NULL; NULL: nothing was added yet */
	struct al_process **bucket[AL_PROCESS_KEYS];
	size_t n_buckets; /* number of buckets: a
							power of two, or 0 */
	size_t n;	  /* number of processes */
};

/* Add a process, whose pid, tree and number are set. Return: 0; -ENOMEM. */
int al_processes_add(struct al_processes *, struct al_process *);

/* Return the newest process with that pid, or with that tree and number; NULL
   if there is none. */
struct al_process *al_processes_find_newest_by_pid(const struct al_processes *,
						   pid_t pid);
struct al_process *
al_processes_find_newest_by_number(const struct al_processes *, unsigned tree,
				   unsigned number);

/* Return the process that was added last before @p with the same pid, or with
   the same number of the tree and number in it, depending on the kind of key;
   NULL if there is none. */
struct al_process *
al_processes_next_older_with_same_key(const struct al_process *p,
				      enum al_process_key);

/* Set tree and number of a process that was added before, and move it to the
   chain of its new number. */
void al_processes_renumber(struct al_processes *, struct al_process *,
			   unsigned tree, unsigned number);

void al_processes_release_buckets(struct al_processes *);

#endif
