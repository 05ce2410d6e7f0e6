/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern.c - stores one copy of each string; see intern.h
 */
#include "base/tables/intern.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct al_string {
	uint64_t hash;
	char text[];
};

/* Return the 64-bit FNV-1a hash of a string,
   http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash_string(const char *s)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * 0x100000001b3;
	return hash;
}

/* Return the slot that holds the string @s, or the empty slot in which to store
   it. @hash: hash of @s. */
static struct al_string **find_slot_of_string(const struct al_intern *in,
					      uint64_t hash, const char *s)
{
	size_t mask = in->n_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct al_string **slot = &in->slot[i];

		if (!*slot ||
		    ((*slot)->hash == hash && !strcmp((*slot)->text, s)))
			return slot;
	}
}

static int double_slots_and_rehash(struct al_intern *in)
{
	struct al_intern bigger = {0};

	bigger.n_slots = in->n_slots ? in->n_slots * 2 : 256;
	bigger.slot = calloc(bigger.n_slots, sizeof(*bigger.slot));
	if (!bigger.slot)
		return -ENOMEM;
	for (size_t i = 0; i < in->n_slots; i++)
		if (in->slot[i])
			*find_slot_of_string(&bigger, in->slot[i]->hash,
					     in->slot[i]->text) = in->slot[i];
	free(in->slot);
	in->slot = bigger.slot;
	in->n_slots = bigger.n_slots;
	return 0;
}

/* Return the table's copy of @s, which is added if it is new; "???" if memory
   is short. The caller holds in->lock. */
static const char *intern_locked_unknown_if_no_memory(struct al_intern *in,
						      const char *s)
{
	uint64_t hash = hash_string(s);
	size_t size = strlen(s) + 1;
	struct al_string **slot;

	if (in->n * 2 >= in->n_slots && double_slots_and_rehash(in) < 0)
		return "???";
	slot = find_slot_of_string(in, hash, s);
	if (!*slot) {
		*slot = malloc(sizeof(**slot) + size);
		if (!*slot)
			return "???";
		(*slot)->hash = hash;
		memcpy((*slot)->text, s, size);
		in->n++;
	}
	return (*slot)->text;
}

const char *al_intern_question_marks_if_no_memory(struct al_intern *in,
						  const char *string)
{
	const char *copy;

	pthread_mutex_lock(&in->lock);
	copy = intern_locked_unknown_if_no_memory(in, string);
	pthread_mutex_unlock(&in->lock);
	return copy;
}

void al_intern_init(struct al_intern *in)
{
	*in = (struct al_intern){0};
	pthread_mutex_init(&in->lock, NULL);
}

void al_intern_release(struct al_intern *in)
{
	for (size_t i = 0; i < in->n_slots; i++)
		free(in->slot[i]);
	free(in->slot);
	pthread_mutex_destroy(&in->lock);
}
