/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_table.c - hash tables of a run's processes; see process_table.h */

#include "lib/run/process_table.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/run/state.h"

enum { FIRST_BUCKETS = 64 };

static uint64_t
process_key_as_pid_or_tree_number_pair(const struct al_process *p,
				       enum al_process_key key_kind)
{
	return key_kind == AL_BY_PID ? (uint64_t)p->pid
				     : (uint64_t)p->tree << 32 | p->number;
}

static size_t bucket_index(uint64_t key, size_t n_buckets)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (n_buckets - 1);
}

/* Move the processes of all chains into @doubled_buckets, which has twice as
   many buckets; the order within a chain does not change. */
static void move_chains_to_doubled_buckets(struct al_processes *t,
					   enum al_process_key k,
					   struct al_process **doubled_buckets)
{
	for (size_t i = 0; i < t->n_buckets; i++) {
		struct al_process **low = &doubled_buckets[i],
				  *p = t->bucket[k][i];
		struct al_process **high = &doubled_buckets[i + t->n_buckets];

		for (; p; p = p->older[k]) {
			bool is_low =
				bucket_index(
					process_key_as_pid_or_tree_number_pair(
						p, k),
					2 * t->n_buckets) == i;

			*(is_low ? low : high) = p;
			if (is_low)
				low = &p->older[k];
			else
				high = &p->older[k];
		}
		*low = *high = NULL;
	}
}

/* Double the buckets if there are as many processes as buckets. Return: 0;
   -ENOMEM. */
static int grow_buckets_if_full(struct al_processes *t)
{
	size_t n = t->n_buckets ? 2 * t->n_buckets : FIRST_BUCKETS;
	struct al_process **to[AL_PROCESS_KEYS];

	if (t->n < t->n_buckets)
		return 0;
	for (int k = 0; k < AL_PROCESS_KEYS; k++) {
		to[k] = calloc(n, sizeof(struct al_process *));
		if (to[k])
			continue;
		while (k > 0)
			free(to[--k]);
		return -ENOMEM;
	}
	for (int k = 0; k < AL_PROCESS_KEYS; k++) {
		move_chains_to_doubled_buckets(t, (enum al_process_key)k,
					       to[k]);
		free(t->bucket[k]);
		t->bucket[k] = to[k];
	}
	t->n_buckets = n;
	return 0;
}

static struct al_process **chain_head_of_process(const struct al_processes *t,
						 const struct al_process *p,
						 enum al_process_key k)
{
	return &t->bucket[k][bucket_index(
		process_key_as_pid_or_tree_number_pair(p, k), t->n_buckets)];
}

static void push_to_front_of_chain(struct al_processes *t, struct al_process *p,
				   enum al_process_key k)
{
	struct al_process **link = chain_head_of_process(t, p, k);

	p->older[k] = *link;
	*link = p;
}

int al_processes_add(struct al_processes *t, struct al_process *p)
{
	if (grow_buckets_if_full(t))
		return -ENOMEM;
	push_to_front_of_chain(t, p, AL_BY_PID);
	push_to_front_of_chain(t, p, AL_BY_NUMBER);
	t->n++;
	return 0;
}

void al_processes_renumber(struct al_processes *t, struct al_process *p,
			   unsigned tree, unsigned number)
{
	struct al_process **link = chain_head_of_process(t, p, AL_BY_NUMBER);

	while (*link != p)
		link = &(*link)->older[AL_BY_NUMBER];
	*link = p->older[AL_BY_NUMBER];
	p->tree = tree;
	p->number = number;
	push_to_front_of_chain(t, p, AL_BY_NUMBER);
}

/* Return the first process with key @key in the chain from @p on, or NULL. */
static struct al_process *find_first_with_key_in_chain(struct al_process *p,
						       enum al_process_key k,
						       uint64_t key)
{
	while (p && process_key_as_pid_or_tree_number_pair(p, k) != key)
		p = p->older[k];
	return p;
}

static struct al_process *
find_newest_process_by_key(const struct al_processes *t, enum al_process_key k,
			   uint64_t key)
{
	if (!t->n_buckets)
		return NULL;
	return find_first_with_key_in_chain(
		t->bucket[k][bucket_index(key, t->n_buckets)], k, key);
}

struct al_process *al_processes_find_newest_by_pid(const struct al_processes *t,
						   pid_t pid)
{
	return find_newest_process_by_key(t, AL_BY_PID, (uint64_t)pid);
}

struct al_process *
al_processes_find_newest_by_number(const struct al_processes *t, unsigned tree,
				   unsigned number)
{
	return find_newest_process_by_key(t, AL_BY_NUMBER,
					  (uint64_t)tree << 32 | number);
}

struct al_process *
al_processes_next_older_with_same_key(const struct al_process *p,
				      enum al_process_key k)
{
	return find_first_with_key_in_chain(
		p->older[k], k, process_key_as_pid_or_tree_number_pair(p, k));
}

void al_processes_release_buckets(struct al_processes *t)
{
	for (int k = 0; k < AL_PROCESS_KEYS; k++)
		free(t->bucket[k]);
	*t = (struct al_processes){0};
}
