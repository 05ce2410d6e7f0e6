/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * used_names.c - lists the objects and source files that results name; see
 * run_context.h
 *
 * The lists come from the results, so that they are the same in a replay and do
 * not depend on other programs of the same daemon.
 */
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/report/run_context.h"
#include "base/text/path.h"
#include "lib/symbols/file_facts.h"
#include "lib/symbols/symbols.h"

struct al_used_names {
	struct an_sink sink; /* first member: callbacks cast its address */
	struct an_sink *to;
	/* tsearch() trees of strings: file names of objects without directory,
	   and paths of source files */
	void *objects;
	void *paths;
};

/* Whether @key is @word. Most keys already differ in their first characters. */
static bool is_key_exactly_equal(const char *key, const char *word)
{
	return key != NULL && *key == *word && strcmp(key, word) == 0;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Add a copy of @name to @tree, unless the tree has an equal string. If memory
   is short, nothing is added. */
static void add_name_copy_to_tree_if_new(void **tree, const char *name)
{
	char *copy;

	if (tfind(name, tree, compare_strings) != NULL)
		return;
	copy = strdup(name);
	if (copy != NULL && tsearch(copy, tree, compare_strings) == NULL)
		free(copy);
}

static struct al_used_names *used_names_of_sink(struct an_sink *sink)
{
	return (struct al_used_names *)sink;
}

static void forward_begin(struct an_sink *sink, const char *key)
{
	used_names_of_sink(sink)->to->begin(used_names_of_sink(sink)->to, key);
}

static void forward_begin_list(struct an_sink *sink, const char *key)
{
	used_names_of_sink(sink)->to->begin_list(used_names_of_sink(sink)->to,
						 key);
}

static void forward_end(struct an_sink *sink)
{
	used_names_of_sink(sink)->to->end(used_names_of_sink(sink)->to);
}

static void forward_number(struct an_sink *sink, const char *key,
			   uint64_t value)
{
	used_names_of_sink(sink)->to->number(used_names_of_sink(sink)->to, key,
					     value);
}

/* Forward a string; before that, store it if its key is "object" or "path". */
static void forward_string_store_object_or_path(struct an_sink *sink,
						const char *key,
						const char *value)
{
	struct al_used_names *n = used_names_of_sink(sink);

	if (is_key_exactly_equal(key, "object"))
		add_name_copy_to_tree_if_new(&n->objects, value);
	else if (is_key_exactly_equal(key, "path"))
		add_name_copy_to_tree_if_new(&n->paths, value);
	n->to->string(n->to, key, value);
}

/* Forward a floating-point number. */
static void forward_real(struct an_sink *sink, const char *key, double value)
{
	used_names_of_sink(sink)->to->real(used_names_of_sink(sink)->to, key,
					   value);
}

static void forward_word(struct an_sink *sink, const char *key,
			 const char *word)
{
	used_names_of_sink(sink)->to->word(used_names_of_sink(sink)->to, key,
					   word);
}

struct al_used_names *al_used_names_new_collector(struct an_sink *to)
{
	struct al_used_names *n = calloc(1, sizeof(*n));

	if (n != NULL)
		*n = (struct al_used_names){
			.sink = {forward_begin, forward_begin_list, forward_end,
				 forward_number,
				 forward_string_store_object_or_path,
				 forward_real, forward_word},
			.to = to,
		};
	return n;
}

struct an_sink *al_used_names_sink(struct al_used_names *object_and_path_names)
{
	return &object_and_path_names->sink;
}

void al_used_names_free(struct al_used_names *object_and_path_names)
{
	if (object_and_path_names == NULL)
		return;
	tdestroy(object_and_path_names->objects, free);
	tdestroy(object_and_path_names->paths, free);
	free(object_and_path_names);
}

static void write_object_path_and_build_id(const char *path,
					   struct al_symbols *symbols,
					   struct an_sink *out)
{
	char id[AL_BUILD_ID];

	al_file_facts_get_or_read_build_id(al_symbols_file_facts(symbols), path,
					   id);
	out->begin(out, NULL);
	out->string(out, "path", path);
	out->string(out, "build_id", id);
	out->end(out);
}

static int compare_pointed_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_objects_named_in_report_sorted(const struct al_used_names *n,
						 struct al_symbols *symbols,
						 struct an_sink *out)
{
	size_t n_known = 0, n_used = 0;
	const char **used, *path;

	while (al_symbols_object_path_or_null(symbols, n_known) != NULL)
		n_known++;
	used = calloc(n_known + 1, sizeof(*used));
	for (size_t i = 0; used != NULL && i < n_known; i++) {
		path = al_symbols_object_path_or_null(symbols, i);
		if (tfind(al_path_base_name(path), &n->objects,
			  compare_strings))
			used[n_used++] = path;
	}
	if (n_used > 0)
		qsort(used, n_used, sizeof(*used), compare_pointed_strings);
	out->begin_list(out, "objects");
	for (size_t i = 0; i < n_used; i++)
		write_object_path_and_build_id(used[i], symbols, out);
	out->end(out);
	free(used);
}

/* Argument of write_source_hash_if_file_readable(), which twalk_r() calls for
   each source path: @facts has or computes the hash of the file, @out receives
   it. */
struct source_hash_writer {
	struct al_file_facts *facts;
	struct an_sink *out;
};

static void write_source_hash_if_file_readable(const void *path_node,
					       VISIT visit, void *writer)
{
	const struct source_hash_writer *w = writer;
	const char *path = *(const char *const *)path_node;
	struct al_source_hash h;
	char hash[17];

	if ((visit != postorder && visit != leaf) ||
	    !al_file_facts_get_or_hash_source(w->facts, path, &h))
		return;
	snprintf(hash, sizeof(hash), "%016" PRIx64, h.hash);
	w->out->begin(w->out, NULL);
	w->out->string(w->out, "path", path);
	w->out->string(w->out, "hash", hash);
	w->out->number(w->out, "lines", h.lines);
	w->out->end(w->out);
}

void al_used_names_write_objects_and_files(const struct al_used_names *n,
					   struct al_symbols *symbols,
					   struct an_sink *out)
{
	struct source_hash_writer w = {NULL, out};

	if (symbols == NULL)
		return;
	w.facts = al_symbols_file_facts(symbols);
	write_objects_named_in_report_sorted(n, symbols, out);
	out->begin_list(out, "files");
	twalk_r(n->paths, write_source_hash_if_file_readable, &w);
	out->end(out);
}
