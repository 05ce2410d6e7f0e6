/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.c - finds function, file and line of an address; see symbols.h
 *
 * Threads: one mutex guards the list of objects, and one mutex each object,
 *          held while its file is read. Only al_symbols_lock_all() holds the
 *          list's and an object's at once. The strings' mutex may be acquired
 *          while either is held.
 */
#include "lib/symbols/symbols.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/intern.h"
#include "base/text/path.h"
#include "lib/symbols/debug_types.h"
#include "lib/symbols/elf.h"
#include "lib/symbols/file_facts.h"
#include "lib/symbols/inline_table.h"
#include "lib/symbols/line_table.h"
#include "lib/symbols/symbol_table.h"

struct object {
	const char *path; /* path, interned; key of the tree */
	const char *name; /* name of the object file without directory,
			     interned */

	pthread_mutex_t lock; /* guards the members below */
	bool read;	      /* the object's file was read, or reading it
				 failed */
	struct al_symtab functions;
	struct al_linetab lines;
	struct al_inlines inlines; /* empty if the object is the system's */
	/* names from a profile; if there are some, the file is read only for
	   `types` */
	struct al_cached_names cached_names;
	struct al_cached_names cached_calls; /* files and lines of calls that
						were inlined, from a profile */
	bool has_types; /* `types` was opened, or opening it failed */
	struct al_debug_types types;
};

struct al_symbols {
	struct al_intern strings;
	struct al_file_facts file_facts; /* locks itself */
	const char *unknown;		 /* the text "???", interned */

	pthread_mutex_t lock;	/* guards the members below */
	pthread_cond_t changed; /* signalled by al_symbols_read_in_background()
				   and when `quit` was set */
	struct object **object; /* [n_objects] objects, in the order of
				   addition */
	size_t n_objects;
	void *by_path;	     /* tsearch() tree of the objects */
	struct object *last; /* result of the last find_or_add_object(), or
				NULL */
	bool reads_ahead;    /* the thread `reader`, which opens files before
				the first lookup in them, exists */
	bool quit;
	pthread_t reader;
};

struct al_symbols *al_symbols_new(void)
{
	struct al_symbols *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	al_intern_init(&s->strings);
	al_file_facts_init(&s->file_facts);
	s->unknown = al_intern_question_marks_if_no_memory(&s->strings, "???");
	return s;
}

static void free_object_and_its_symbol_tables(struct object *o)
{
	al_symtab_release(&o->functions);
	al_linetab_release(&o->lines);
	al_inlines_release(&o->inlines);
	al_cached_names_release(&o->cached_names);
	al_cached_names_release(&o->cached_calls);
	al_debug_types_release(&o->types);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

/* Stop the reader thread, and wait for it. */
static void stop_and_join_reader_thread(struct al_symbols *s)
{
	pthread_mutex_lock(&s->lock);
	s->quit = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (s->reads_ahead)
		pthread_join(s->reader, NULL);
}

/* Free nothing: the tree that finds an object by its path does not own the
   objects. */
static void free_nothing(void *object)
{
	(void)object;
}

void al_symbols_free(struct al_symbols *s)
{
	if (!s)
		return;
	stop_and_join_reader_thread(s);
	tdestroy(s->by_path, free_nothing);
	for (size_t i = 0; i < s->n_objects; i++)
		free_object_and_its_symbol_tables(s->object[i]);
	free(s->object);
	al_file_facts_release(&s->file_facts);
	al_intern_release(&s->strings);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *al_symbols_intern_or_question_marks(struct al_symbols *s,
						const char *string)
{
	return al_intern_question_marks_if_no_memory(&s->strings, string);
}

struct al_intern *al_symbols_intern_table(struct al_symbols *s)
{
	return &s->strings;
}

static bool has_debug_info(Elf *elf)
{
	return al_elf_find_section(elf, ".debug_info", NULL) ||
	       al_elf_find_section(elf, ".zdebug_info", NULL);
}

/* Read the tables of an object, unless they were read or it has stored names.
   If the file cannot be read, the tables are empty; this is no error. Context:
   the object's lock is held. */
static void read_object_tables_once(struct al_symbols *s, struct object *o)
{
	struct al_elf main, debug = {.elf = NULL};

	if (o->read || o->cached_names.n)
		return;
	o->read = true;
	if (al_elf_open_file(&main, o->path) < 0)
		return;
	if (!has_debug_info(main.elf))
		al_elf_find_and_open_debug_file(&debug, o->path, main.elf);
	al_symtab_read_functions(&o->functions, main.elf, debug.elf);
	if (!al_path_is_in_system_folder(o->path))
		al_inlines_read(&o->inlines, debug.elf ? debug.elf : main.elf,
				&s->strings);
	al_linetab_open_debug_file_or_main(&o->lines, &main, &debug,
					   &s->strings);
	al_elf_close_file(&debug);
	al_elf_close_file(&main);
}

static int compare_objects_by_path_pointer(const void *one, const void *other)
{
	uintptr_t a = (uintptr_t)((const struct object *)one)->path;
	uintptr_t b = (uintptr_t)((const struct object *)other)->path;

	return (a > b) - (a < b);
}

/* Add an object. Return: NULL if memory is short. Context: lock held. */
static struct object *add_object_file_of_path(struct al_symbols *s,
					      const char *interned_path)
{
	struct object **bigger;
	const char *slash = strrchr(interned_path, '/');
	struct object *o;

	bigger = realloc(s->object, (s->n_objects + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	s->object = bigger;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->path = interned_path;
	if (!tsearch(o, &s->by_path, compare_objects_by_path_pointer)) {
		free(o);
		return NULL;
	}
	o->name = al_intern_question_marks_if_no_memory(
		&s->strings, slash ? slash + 1 : interned_path);
	pthread_mutex_init(&o->lock, NULL);
	s->object[s->n_objects++] = o;
	return o;
}

/* Find an object, and add it if it is new. Return: NULL if memory is short.
   Context: lock held. */
static struct object *find_or_add_object(struct al_symbols *s,
					 const char *interned_path)
{
	const struct object key = {.path = interned_path};
	void *found;

	if (s->last && s->last->path == interned_path)
		return s->last;
	found = tfind(&key, &s->by_path, compare_objects_by_path_pointer);
	return s->last = found ? *(struct object **)found
			       : add_object_file_of_path(s, interned_path);
}

/* Find an object, and add it if it is new. Return: NULL if memory is short. */
static struct object *lock_find_or_add_object_unlock(struct al_symbols *s,
						     const char *interned_path)
{
	struct object *o;

	pthread_mutex_lock(&s->lock);
	o = find_or_add_object(s, interned_path);
	pthread_mutex_unlock(&s->lock);
	return o;
}

/* Wait for object number @object_index, and return it; NULL when the thread
   must stop. */
static struct object *wait_for_added_object_or_quit(struct al_symbols *s,
						    size_t object_index)
{
	struct object *o = NULL;

	pthread_mutex_lock(&s->lock);
	while (!s->quit && object_index == s->n_objects)
		pthread_cond_wait(&s->changed, &s->lock);
	if (!s->quit)
		o = s->object[object_index];
	pthread_mutex_unlock(&s->lock);
	return o;
}

static void *read_objects_until_quit(void *symbols)
{
	struct al_symbols *s = symbols;
	struct object *o;

	for (size_t n = 0; (o = wait_for_added_object_or_quit(s, n)); n++) {
		pthread_mutex_lock(&o->lock);
		read_object_tables_once(s, o);
		pthread_mutex_unlock(&o->lock);
	}
	return NULL;
}

/* Start the reader thread, with all signals blocked. If that fails, objects are
   read at the first lookup. Context: lock held. */
static void start_single_reader_thread(struct al_symbols *s)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	s->reads_ahead = pthread_create(&s->reader, NULL,
					read_objects_until_quit, s) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void al_symbols_read_in_background(struct al_symbols *s,
				   const char *interned_path)
{
	pthread_mutex_lock(&s->lock);
	find_or_add_object(s, interned_path);
	if (!s->reads_ahead)
		start_single_reader_thread(s);
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

/* Return the part of the interned @path after its last slash, interned. */
static const char *intern_base_name(struct al_symbols *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? al_intern_question_marks_if_no_memory(&s->strings,
							     slash + 1)
		     : path;
}

/* Set in @out that the instruction was inlined into a call at line @call_line
   of file @call_path, which is interned; and whether @out->path, which must be
   set, is a file of the system. */
static void set_inlined_call_and_is_system_source(struct al_symbols *s,
						  struct an_symbol *out,
						  const char *call_path,
						  uint32_t call_line)
{
	out->call_line = call_line;
	out->call_path = call_path;
	out->call_file = intern_base_name(s, call_path);
	out->is_system_source = al_path_is_system_source(out->path);
}

/* Set function, file, line and inlined call in @out from the names stored for
   the object; unchanged if no name is stored for @elf_address. Context: the
   object's lock is held. */
static void fill_symbol_from_stored_names(struct al_symbols *s,
					  struct object *o,
					  uint64_t elf_address,
					  struct an_symbol *out)
{
	struct al_cached_name name = {.value = elf_address}, call;

	if (!al_cached_names_find_by_inner_address(&o->cached_names, &name))
		return;
	call = name;
	out->function = name.function;
	out->path = name.file;
	out->file = intern_base_name(s, name.file);
	out->line = name.line;
	if (al_cached_names_find_by_exact_address(&o->cached_calls, &call))
		set_inlined_call_and_is_system_source(s, out, call.file,
						      call.line);
}

/* Set the call in @out to the innermost inlined call that contains @elf_address
   and lies neither in the file of the instruction's line (@out->path) nor in a
   file of the system; unchanged if there is none. */
static void set_inlined_call_in_other_nonsystem_file(
	struct al_symbols *s, const struct al_inlines *inlines,
	uint64_t elf_address, struct an_symbol *out)
{
	const struct al_inlined *i =
		al_inlines_find_innermost(inlines, elf_address);

	while (i && (i->path == out->path || al_path_is_system_source(i->path)))
		i = al_inlines_find_outer_around(inlines, i, elf_address);
	if (i)
		set_inlined_call_and_is_system_source(s, out, i->path, i->line);
}

/* Set function, file, line and inlined call in @out, as far as they are known,
   from the tables of the object's file, which is read first if it was not.
   Context: the object's lock is held. */
static void fill_symbol_from_object_file(struct al_symbols *s, struct object *o,
					 uint64_t elf_address,
					 struct an_symbol *out)
{
	const struct al_line *line;
	const char *function;

	read_object_tables_once(s, o);
	function = al_symtab_find_demangled_name(&o->functions, elf_address,
						 &s->strings);
	if (function)
		out->function = function;
	line = al_linetab_find_range(&o->lines, elf_address);
	if (line) {
		out->path = line->path;
		out->file = line->file;
		out->line = line->line;
		set_inlined_call_in_other_nonsystem_file(s, &o->inlines,
							 elf_address, out);
	}
}

/* Set in @out the name of the object and whether it is the system's; set the
   rest to unknown. Return the object, which is added if it is new; NULL if
   @interned_path is NULL or memory is short. */
static struct object *init_symbol_find_or_add_object(struct al_symbols *s,
						     const char *interned_path,
						     struct an_symbol *out)
{
	struct object *o;

	out->function = out->file = out->path = out->object = s->unknown;
	out->line = out->call_line = 0;
	out->unnamed_address = 0;
	out->call_file = out->call_path = NULL;
	out->is_system =
		interned_path && al_path_is_in_system_folder(interned_path);
	out->is_system_source = false;
	if (!interned_path)
		return NULL;
	o = lock_find_or_add_object_unlock(s, interned_path);
	if (o)
		out->object = o->name;
	return o;
}

void al_symbols_init_symbol_with_object_name(struct al_symbols *s,
					     const char *interned_path,
					     struct an_symbol *out)
{
	init_symbol_find_or_add_object(s, interned_path, out);
}

void al_symbols_fill_symbol_at_address(struct al_symbols *s,
				       const char *interned_path,
				       uint64_t elf_address,
				       struct an_symbol *out)
{
	struct object *o =
		init_symbol_find_or_add_object(s, interned_path, out);

	if (!o)
		return;
	pthread_mutex_lock(&o->lock);
	if (o->cached_names.n)
		fill_symbol_from_stored_names(s, o, elf_address, out);
	else
		fill_symbol_from_object_file(s, o, elf_address, out);
	pthread_mutex_unlock(&o->lock);
}

/* Return the types of object @path, opened at the first call for this object,
   with the lock of the object acquired; the caller unlocks *@locked_object.
   NULL: memory is short, and nothing is locked. */
static struct al_debug_types *
lock_object_and_open_types(struct al_symbols *s, const char *path,
			   struct object **locked_object)
{
	struct object *o = *locked_object =
		lock_find_or_add_object_unlock(s, path);

	if (!o)
		return NULL;
	pthread_mutex_lock(&o->lock);
	if (!o->has_types)
		al_debug_types_open_and_list_variables(&o->types, path,
						       &s->strings);
	o->has_types = true;
	return &o->types;
}

const struct an_type *
al_symbols_find_variable_type(struct al_symbols *s, const char *path,
			      uint64_t text_start_in_memory,
			      uint64_t address_in_memory)
{
	const struct an_type *type;
	struct object *o;
	struct al_debug_types *t = lock_object_and_open_types(s, path, &o);

	if (!t)
		return NULL;
	type = al_debug_types_find_variable_type(
		t, address_in_memory - text_start_in_memory + t->text);
	pthread_mutex_unlock(&o->lock);
	return type;
}

const struct an_type *al_symbols_find_thread_variable_type(struct al_symbols *s,
							   const char *path,
							   uint64_t offset)
{
	const struct an_type *type;
	struct object *o;
	struct al_debug_types *t = lock_object_and_open_types(s, path, &o);

	if (!t)
		return NULL;
	type = al_debug_types_find_thread_variable_type(t, offset);
	pthread_mutex_unlock(&o->lock);
	return type;
}

const struct an_type *al_symbols_find_accessed_structure(struct al_symbols *s,
							 const char *path,
							 uint64_t elf_address)
{
	const struct an_type *type;
	struct object *o;
	struct al_debug_types *t = lock_object_and_open_types(s, path, &o);

	if (!t)
		return NULL;
	type = al_debug_types_find_accessed_structure(t, elf_address);
	pthread_mutex_unlock(&o->lock);
	return type;
}

/* Acquire all locks. The lock of the list is acquired first, since no thread
   acquires that one while it holds another of these locks. */
void al_symbols_lock_all(struct al_symbols *s)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_objects; i++)
		pthread_mutex_lock(&s->object[i]->lock);
	pthread_mutex_lock(&s->file_facts.lock);
	pthread_mutex_lock(&s->strings.lock);
}

void al_symbols_unlock_all(struct al_symbols *s)
{
	pthread_mutex_unlock(&s->strings.lock);
	pthread_mutex_unlock(&s->file_facts.lock);
	for (size_t i = 0; i < s->n_objects; i++)
		pthread_mutex_unlock(&s->object[i]->lock);
	pthread_mutex_unlock(&s->lock);
}

int al_symbols_add_name_stored_in_profile(struct al_symbols *s,
					  const char *interned_path,
					  const struct al_cached_name *name)
{
	struct object *o = lock_find_or_add_object_unlock(s, interned_path);
	int err;

	if (!o)
		return -ENOMEM;
	pthread_mutex_lock(&o->lock);
	err = al_cached_names_add_interned_at_address(&o->cached_names, name);
	pthread_mutex_unlock(&o->lock);
	return err;
}

int al_symbols_add_cached_inlined_call(struct al_symbols *s,
				       const char *interned_path,
				       const struct al_cached_name *call)
{
	struct object *o = lock_find_or_add_object_unlock(s, interned_path);
	int err;

	if (!o)
		return -ENOMEM;
	pthread_mutex_lock(&o->lock);
	err = al_cached_names_add_interned_at_address(&o->cached_calls, call);
	pthread_mutex_unlock(&o->lock);
	return err;
}

struct al_file_facts *al_symbols_file_facts(struct al_symbols *s)
{
	return &s->file_facts;
}

const char *al_symbols_object_path_or_null(struct al_symbols *s,
					   size_t object_index)
{
	const char *path;

	pthread_mutex_lock(&s->lock);
	path = object_index < s->n_objects ? s->object[object_index]->path
					   : NULL;
	pthread_mutex_unlock(&s->lock);
	return path;
}
