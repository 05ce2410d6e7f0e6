/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file_facts.h - stores build ids of objects and hashes of source files
 *
 * A fact is read from the file when it is first asked for, and stored. A replay
 * stores the facts of its profile and forbids reading: files may have changed
 * since the run.
 *
 * Threads: any; every function locks.
 */
#ifndef LIB_SYMBOLS_FILE_FACTS_H
#define LIB_SYMBOLS_FILE_FACTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { AL_BUILD_ID = 129 /* [bytes] with the NUL */ };

struct al_source_hash {
	uint64_t hash;	/* pt_hash_add() over the file's bytes */
	uint64_t lines; /* number of lines */
};

struct al_file_facts {
	pthread_mutex_t lock; /* guards the members below */
	void *by_path;	      /* tsearch() tree of struct file_fact */
	bool reading_forbidden;
};

void al_file_facts_init(struct al_file_facts *);
void al_file_facts_release(struct al_file_facts *);

/* Return only stored facts from now on. */
void al_file_facts_forbid_reading(struct al_file_facts *);

/* Store the build id of the object at @path, in hex, "" if it has none, in
   @id. */
void al_file_facts_get_or_read_build_id(struct al_file_facts *,
					const char *path, char id[AL_BUILD_ID]);

/* Fetch hash and number of lines of the source file at @path. Return: false if
   they are not known: @path is not absolute, or no file that can be read. */
bool al_file_facts_get_or_hash_source(struct al_file_facts *, const char *path,
				      struct al_source_hash *);

/* Store a fact of a profile. Ids are cut to AL_BUILD_ID - 1 bytes. If memory is
   short, the fact stays unknown. */
void al_file_facts_set_build_id(struct al_file_facts *, const char *path,
				const char *id);
void al_file_facts_set_source_hash(struct al_file_facts *, const char *path,
				   const struct al_source_hash *);

/* Read hash and number of lines of a file. Return: 0; -errno. */
int al_source_hash_regular_file(const char *path, struct al_source_hash *);

#endif
