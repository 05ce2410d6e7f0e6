/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file_facts.h - stores build ids of objects and hashes of source files
 *
 * A fact is read from the file when it is first asked for, and stored. A replay
 * stores the facts of its profile and forbids reading: files may have changed
 * since the run.
 *
 * Threads: any; every function that reads or changes stored facts locks, except
 * al_file_facts_init() and al_file_facts_release().
 */
#ifndef LIB_SYMBOLS_FILE_FACTS_H
#define LIB_SYMBOLS_FILE_FACTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { AL_BUILD_ID = 129 /* [bytes] with the NUL */ };

struct al_source_hash {
	uint64_t hash;	/* pt_hash_update_with_bytes() over the file's bytes */
	uint64_t lines; /* number of lines of the file */
};

struct al_file_facts {
	pthread_mutex_t lock; /* guards the members below */
	void *by_path;	      /* tsearch() tree of struct file_fact */
	bool reading_forbidden;
};

void al_file_facts_init(struct al_file_facts *);
void al_file_facts_release(struct al_file_facts *);

/* Forbid al_file_facts_get_or_read_build_id() and
   al_file_facts_get_or_hash_source() to read files: from now on only stored
   facts are known. */
void al_file_facts_forbid_reading(struct al_file_facts *);

/* Write the build id of the object at @path to @id, in hex; "" if it has none
   or it is not known. The file is read at the first call. */
void al_file_facts_get_or_read_build_id(struct al_file_facts *,
					const char *path, char id[AL_BUILD_ID]);

/* Write the hash and the number of lines of the source file at @path to the
   last argument. The file is read at the first call. Return: false if they are
   not known: none are stored, and @path is not absolute, the file cannot be
   read or reading is forbidden; or memory is short. */
bool al_file_facts_get_or_hash_source(struct al_file_facts *, const char *path,
				      struct al_source_hash *);

/* Store the build id, or the hash and number of lines, of the file @path, as
   read from a profile. Build ids are cut to AL_BUILD_ID - 1 bytes. If memory is
   short, nothing is stored. */
void al_file_facts_set_build_id(struct al_file_facts *, const char *path,
				const char *id);
void al_file_facts_set_source_hash(struct al_file_facts *, const char *path,
				   const struct al_source_hash *);

/* Read a file, and compute its hash and its number of lines. Return: 0; -EINVAL
   if the file is not regular; another -errno. */
int al_source_hash_regular_file_count_lines(const char *path,
					    struct al_source_hash *);

#endif
