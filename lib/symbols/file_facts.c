/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file_facts.c - stores build ids and hashes of source files; see
   file_facts.h */

#include "lib/symbols/file_facts.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/symbols/elf.h"
#include "proto/shared/hash.h"

enum { READ_BYTES = 64 << 10 };

struct file_fact {
	bool has_id;	 /* `id` is set */
	bool has_source; /* `source` is set, or the file cannot be read */
	bool is_readable;
	struct al_source_hash source;
	char id[AL_BUILD_ID];
	char path[]; /* path of the file; key of the tree */
};

void al_file_facts_init(struct al_file_facts *f)
{
	*f = (struct al_file_facts){.by_path = NULL};
	pthread_mutex_init(&f->lock, NULL);
}

void al_file_facts_release(struct al_file_facts *facts_of_all_files)
{
	tdestroy(facts_of_all_files->by_path, free);
	facts_of_all_files->by_path = NULL;
	pthread_mutex_destroy(&facts_of_all_files->lock);
}

void al_file_facts_forbid_reading(struct al_file_facts *f)
{
	pthread_mutex_lock(&f->lock);
	f->reading_forbidden = true;
	pthread_mutex_unlock(&f->lock);
}

static int compare_facts_by_path(const void *a, const void *b)
{
	return strcmp(((const struct file_fact *)a)->path,
		      ((const struct file_fact *)b)->path);
}

/* Find the facts of @path, and add them if they are new. Return: NULL if memory
   is short. Context: lock held. */
static struct file_fact *find_or_add_facts_of_path(struct al_file_facts *f,
						   const char *path)
{
	size_t bytes = strlen(path) + 1;
	struct file_fact *new = calloc(1, sizeof(*new) + bytes);
	void *found;

	if (new == NULL)
		return NULL;
	memcpy(new->path, path, bytes);
	found = tsearch(new, &f->by_path, compare_facts_by_path);
	if (found == NULL || *(struct file_fact **)found != new)
		free(new);
	return found ? *(struct file_fact **)found : NULL;
}

static void read_object_build_id_or_empty(const char *path,
					  char id[AL_BUILD_ID])
{
	struct al_elf e;

	id[0] = '\0';
	if (al_elf_open_file(&e, path) < 0)
		return;
	al_elf_format_build_id(e.elf, id, AL_BUILD_ID);
	al_elf_close_file(&e);
}

void al_file_facts_get_or_read_build_id(struct al_file_facts *f,
					const char *path, char id[AL_BUILD_ID])
{
	struct file_fact *fact;

	id[0] = '\0';
	pthread_mutex_lock(&f->lock);
	fact = find_or_add_facts_of_path(f, path);
	if (fact != NULL && !fact->has_id && !f->reading_forbidden) {
		read_object_build_id_or_empty(path, fact->id);
		fact->has_id = true;
	}
	if (fact != NULL)
		memcpy(id, fact->id, AL_BUILD_ID);
	pthread_mutex_unlock(&f->lock);
}

void al_file_facts_set_build_id(struct al_file_facts *f, const char *path,
				const char *id)
{
	struct file_fact *fact;

	pthread_mutex_lock(&f->lock);
	fact = find_or_add_facts_of_path(f, path);
	if (fact != NULL) {
		snprintf(fact->id, sizeof(fact->id), "%s", id);
		fact->has_id = true;
	}
	pthread_mutex_unlock(&f->lock);
}

static void add_newline_count(struct al_source_hash *h, const char *text,
			      size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		h->lines += text[i] == '\n';
}

/* Read @file to its end, and set @h to the hash of its bytes and the number of
   its lines. Return: 0; -errno. */
static int hash_file_and_count_lines(FILE *file, struct al_source_hash *h)
{
	char *text = malloc(READ_BYTES);
	char last = '\n';
	size_t n;
	int err;

	*h = (struct al_source_hash){.hash = PT_HASH_START};
	errno = 0;
	while (text != NULL && (n = fread(text, 1, READ_BYTES, file)) > 0) {
		h->hash = pt_hash_update_with_bytes(h->hash, text, n);
		add_newline_count(h, text, n);
		last = text[n - 1];
	}
	h->lines += last != '\n';
	err = text == NULL   ? -ENOMEM
	      : ferror(file) ? -(errno ? errno : EIO)
			     : 0;
	free(text);
	return err;
}

int al_source_hash_regular_file_count_lines(const char *path,
					    struct al_source_hash *h)
{
	struct stat st;
	FILE *file;
	int err;

	/* Opening a FIFO would wait for its writer. */
	if (stat(path, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	file = fopen(path, "re");
	if (file == NULL)
		return -errno;
	err = hash_file_and_count_lines(file, h);
	fclose(file);
	return err;
}

bool al_file_facts_get_or_hash_source(struct al_file_facts *f, const char *path,
				      struct al_source_hash *h)
{
	struct file_fact *fact;
	bool known;

	pthread_mutex_lock(&f->lock);
	fact = find_or_add_facts_of_path(f, path);
	if (fact != NULL && !fact->has_source && !f->reading_forbidden) {
		fact->is_readable = path[0] == '/' &&
				    !al_source_hash_regular_file_count_lines(
					    path, &fact->source);
		fact->has_source = true;
	}
	known = fact != NULL && fact->is_readable;
	if (known)
		*h = fact->source;
	pthread_mutex_unlock(&f->lock);
	return known;
}

void al_file_facts_set_source_hash(struct al_file_facts *f, const char *path,
				   const struct al_source_hash *h)
{
	struct file_fact *fact;

	pthread_mutex_lock(&f->lock);
	fact = find_or_add_facts_of_path(f, path);
	if (fact != NULL) {
		fact->source = *h;
		fact->has_source = fact->is_readable = true;
	}
	pthread_mutex_unlock(&f->lock);
}
