/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * al_symbols.c - function, file and line of an address in an object file
 *
 * Room:    lib.
 * Threads: one mutex guards everything; it is held while an object is read.
 */
#include "lib/al_symbols.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/al_elf.h"
#include "lib/al_intern.h"
#include "lib/al_linetab.h"
#include "lib/al_symtab.h"

struct object {
	const char *path; /* interned, the key */
	const char *name; /* interned, without directory */
	struct al_symtab functions;
	struct al_linetab lines;
};

struct al_symbols {
	pthread_mutex_t lock; /* guards all that follows */
	struct al_intern strings;
	const char *unknown; /* interned "???" */
	struct object **object;
	size_t n_objects;
	struct object *last; /* found last; NULL at first */
};

struct al_symbols *al_symbols_new(void)
{
	struct al_symbols *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	s->unknown = al_intern(&s->strings, "???");
	return s;
}

static void free_object(struct object *o)
{
	al_symtab_release(&o->functions);
	al_linetab_release(&o->lines);
	free(o);
}

void al_symbols_free(struct al_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_objects; i++)
		free_object(s->object[i]);
	free(s->object);
	al_intern_release(&s->strings);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *al_symbols_intern(struct al_symbols *s, const char *string)
{
	const char *one;

	pthread_mutex_lock(&s->lock);
	one = al_intern(&s->strings, string);
	pthread_mutex_unlock(&s->lock);
	return one;
}

static bool has_debug_info(Elf *elf)
{
	return al_elf_section(elf, ".debug_info", NULL) ||
	       al_elf_section(elf, ".zdebug_info", NULL);
}

/* What cannot be read has no names; that is no error. */
static void read_object(struct al_symbols *s, struct object *o)
{
	struct al_elf main, debug = {.elf = NULL};

	if (al_elf_open(&main, o->path) < 0)
		return;
	if (!has_debug_info(main.elf))
		al_elf_open_debug(&debug, o->path, main.elf);
	al_symtab_read(&o->functions, main.elf, debug.elf);
	al_linetab_read(&o->lines, main.elf, debug.elf, &s->strings);
	al_elf_close(&debug);
	al_elf_close(&main);
}

static struct object *new_object(struct al_symbols *s, const char *path)
{
	struct object **bigger;
	const char *slash = strrchr(path, '/');
	struct object *o;

	bigger = realloc(s->object, (s->n_objects + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	s->object = bigger;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->path = path;
	o->name = al_intern(&s->strings, slash ? slash + 1 : path);
	read_object(s, o);
	s->object[s->n_objects++] = o;
	return o;
}

static struct object *find_object(struct al_symbols *s, const char *path)
{
	if (s->last && s->last->path == path)
		return s->last;
	for (size_t i = 0; i < s->n_objects; i++)
		if (s->object[i]->path == path)
			return s->last = s->object[i];
	return s->last = new_object(s, path);
}

static void find(struct al_symbols *s, const char *path, uint64_t value,
		 struct an_symbol *out)
{
	struct object *o = find_object(s, path);
	const struct al_line *line;
	const char *function;

	if (!o)
		return;
	out->object = o->name;
	function = al_symtab_find(&o->functions, value, &s->strings);
	if (function)
		out->function = function;
	line = al_linetab_find(&o->lines, value);
	if (line) {
		out->file = line->file;
		out->line = line->line;
	}
}

void al_symbols_find(struct al_symbols *s, const char *path, uint64_t value,
		     struct an_symbol *out)
{
	out->function = out->file = out->object = s->unknown;
	out->line = 0;
	if (!path)
		return;
	pthread_mutex_lock(&s->lock);
	find(s, path, value, out);
	pthread_mutex_unlock(&s->lock);
}
