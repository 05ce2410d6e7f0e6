/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_input.c - reads a JSON report of Alleria; see input.h */

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/path.h"
#include "lib/diff/input.h"

/* ---- memory ---- */

/* A block of memory for the JSON trees of one report. All blocks of a thread
   are freed together. */
struct block {
	struct block *next;
	max_align_t bytes[];
};

enum { BLOCK = 1 << 20, ALIGN = sizeof(max_align_t) };

static _Thread_local struct block *blocks;
static _Thread_local char *next_byte, *end_byte;

/* Add a block with @bytes bytes to the thread's list. Return the first of these
   bytes; NULL if memory is short. */
static char *add_arena_block(size_t bytes)
{
	struct block *b;

	if (bytes > SIZE_MAX - sizeof(*b))
		return NULL;
	b = malloc(sizeof(*b) + bytes);
	if (b == NULL)
		return NULL;
	b->next = blocks;
	blocks = b;
	return (char *)b->bytes;
}

static void *arena_allocate(size_t bytes)
{
	char *p;

	if (bytes > SIZE_MAX - ALIGN)
		return NULL;
	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (bytes > BLOCK / 4)
		return add_arena_block(bytes);
	if (bytes > (size_t)(end_byte - next_byte)) {
		p = add_arena_block(BLOCK);
		if (p == NULL)
			return NULL;
		next_byte = p;
		end_byte = p + BLOCK;
	}
	p = next_byte;
	next_byte += bytes;
	return p;
}

/* Do nothing: free_arena_blocks() frees all memory at once. */
static void ignore_json_free(void *unused_pointer)
{
	(void)unused_pointer;
}

static void free_arena_blocks(void)
{
	struct block *next;

	for (; blocks != NULL; blocks = next) {
		next = blocks->next;
		free(blocks);
	}
	next_byte = end_byte = NULL;
}

static pthread_once_t is_set_up = PTHREAD_ONCE_INIT;

static void set_process_wide_json_allocator(void)
{
	json_object_seed(0);
	json_set_alloc_funcs(arena_allocate, ignore_json_free);
}

/* ---- the report ---- */

/* Return the string of key @key of @map, interned; NULL if there is no such
   key, or its value is no string. */
static const char *intern_json_string_or_null(struct al_diff_input *in,
					      const json_t *map,
					      const char *key)
{
	const char *s = json_string_value(json_object_get(map, key));

	return s ? al_intern_question_marks_if_no_memory(in->strings, s) : NULL;
}

static uint64_t get_number_or_zero(const json_t *map, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(map, key));

	return n > 0 ? (uint64_t)n : 0;
}

/* Return one string with the strings of @list and @separator between them,
   interned. If memory is short, return NULL, or "???" if only the interning
   fails. */
static const char *join_and_intern_strings(struct al_diff_input *in,
					   const json_t *list,
					   const char *separator)
{
	const char *joined = NULL;
	char *text = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&text, &bytes);

	if (f == NULL)
		return NULL;
	for (size_t i = 0; i < json_array_size(list); i++)
		fprintf(f, "%s%s", i ? separator : "",
			json_string_value(json_array_get(list, i)) ?: "");
	if (fclose(f) == 0)
		joined = al_intern_question_marks_if_no_memory(in->strings,
							       text);
	free(text);
	return joined;
}

/* Set in->object and in->file from the lists "objects" and "files". Objects
   without a path or a build id are skipped, and files without a path or a hash.
   Return: 0; -ENOMEM. */
static int read_objects_and_source_files(struct al_diff_input *in,
					 const json_t *root)
{
	const json_t *objects = json_object_get(root, "objects");
	const json_t *files = json_object_get(root, "files");
	size_t n_objects = json_array_size(objects);
	size_t n_files = json_array_size(files);

	in->object = calloc(n_objects + 1, sizeof(*in->object));
	in->file = calloc(n_files + 1, sizeof(*in->file));
	if (!in->object || !in->file)
		return -ENOMEM;
	for (size_t i = 0; i < n_objects; i++) {
		const json_t *o = json_array_get(objects, i);
		struct al_diff_object *to = &in->object[in->n_objects];

		to->path = intern_json_string_or_null(in, o, "path");
		to->build_id = intern_json_string_or_null(in, o, "build_id");
		in->n_objects += to->path && to->build_id;
	}
	for (size_t i = 0; i < n_files; i++) {
		const json_t *f = json_array_get(files, i);
		const char *hash =
			json_string_value(json_object_get(f, "hash"));
		struct al_diff_file *to = &in->file[in->n_files];

		to->path = intern_json_string_or_null(in, f, "path");
		to->lines = get_number_or_zero(f, "lines");
		if (hash && to->path &&
		    sscanf(hash, "%" SCNx64, &to->hash) == 1)
			in->n_files++;
	}
	return 0;
}

static void write_cache_level_name_and_geometry(FILE *text_stream,
						const json_t *level,
						const char *name)
{
	fprintf(text_stream, "%s%s %" PRIu64 ",%" PRIu64 ",%" PRIu64,
		ftell(text_stream) > 0 ? "; " : "", name,
		get_number_or_zero(level, "size"),
		get_number_or_zero(level, "assoc"),
		get_number_or_zero(level, "line"));
}

/* Return a text such as "I1 32768,8,64; D1 ...", interned: size, associativity
   and line size of all caches if @all_not_only_i1_d1_ll is true or there are
   fewer than two, else of the first two and the last, named I1, D1 and LL. NULL
   or "???" if memory is short. */
static const char *intern_text_of_cache_levels(struct al_diff_input *in,
					       const json_t *levels,
					       bool all_not_only_i1_d1_ll)
{
	static const char *const name[] = {"I1", "D1", "LL"};
	size_t n = json_array_size(levels), bytes = 0;
	const char *result = NULL;
	char *text = NULL;
	FILE *f = open_memstream(&text, &bytes);

	if (f == NULL)
		return NULL;
	for (size_t i = 0; i < (all_not_only_i1_d1_ll || n < 2 ? n : 3); i++) {
		const json_t *level = json_array_get(
			levels, all_not_only_i1_d1_ll || i < 2 ? i : n - 1);
		const char *own =
			json_string_value(json_object_get(level, "name"));

		write_cache_level_name_and_geometry(
			f, level,
			all_not_only_i1_d1_ll || n < 2 ? own ?: "?" : name[i]);
	}
	if (fclose(f) == 0)
		result = al_intern_question_marks_if_no_memory(in->strings,
							       text);
	free(text);
	return result;
}

static void read_process_count_and_programs(struct al_diff_input *in,
					    const json_t *run)
{
	const json_t *list = json_object_get(run, "processes");
	json_t *programs = json_array();

	in->n_processes = json_array_size(list);
	for (size_t i = 0; i < in->n_processes; i++) {
		const json_t *argv =
			json_object_get(json_array_get(list, i), "command");
		const char *name = json_string_value(json_array_get(argv, 0));

		json_array_append_new(
			programs,
			json_string(name ? al_path_base_name(name) : "?"));
	}
	in->programs = join_and_intern_strings(in, programs, ", ");
	json_decref(programs);
}

static void read_window_names(struct al_diff_input *in, const json_t *run)
{
	const json_t *list = json_object_get(run, "windows");
	json_t *names = json_array();

	for (size_t i = 0; i < json_array_size(list); i++)
		json_array_append(
			names,
			json_object_get(json_array_get(list, i), "name"));
	in->windows = join_and_intern_strings(in, names, ", ");
	json_decref(names);
}

static void read_run_metadata(struct al_diff_input *in, const json_t *root)
{
	const json_t *alleria = json_object_get(root, "alleria");
	const json_t *run = json_object_get(root, "run");
	const json_t *command = json_object_get(run, "command");
	const json_t *e = json_object_get(run, "environment");
	const json_t *machine = json_object_get(run, "machine");
	const char *program = json_string_value(json_array_get(command, 0));

	in->version = intern_json_string_or_null(in, alleria, "version");
	in->valgrind = intern_json_string_or_null(in, alleria, "valgrind");
	in->status = intern_json_string_or_null(in, run, "status");
	in->reason = intern_json_string_or_null(in, run, "reason");
	in->program = program ? al_intern_question_marks_if_no_memory(
					in->strings, program)
			      : NULL;
	in->command = join_and_intern_strings(in, command, " ");
	in->geometry = intern_json_string_or_null(
		in, json_object_get(run, "geometry"), "options");
	read_process_count_and_programs(in, run);
	read_window_names(in, run);
	in->has_environment = e != NULL;
	in->variables = get_number_or_zero(e, "variables");
	in->environment_bytes = get_number_or_zero(e, "bytes");
	in->environment_hash = intern_json_string_or_null(in, e, "hash");
	in->processor = intern_json_string_or_null(in, machine, "cpu");
	if (machine != NULL)
		in->features = join_and_intern_strings(
			in, json_object_get(machine, "features"), " ");
}

static uint64_t sum_of_read_and_write_misses(const json_t *level)
{
	return get_number_or_zero(level, "read_misses") +
	       get_number_or_zero(level, "write_misses");
}

static void read_data_row(struct al_diff_input *in, const json_t *group,
			  struct al_diff_data_row *row)
{
	const json_t *levels = json_object_get(group, "levels");
	const json_t *place = json_object_get(group, "place");
	const json_t *first = json_array_get(levels, 0);
	const json_t *last =
		json_array_get(levels, json_array_size(levels) - 1);

	row->name = intern_json_string_or_null(in, group, "label") ?: "???";
	row->file = intern_json_string_or_null(in, place, "file");
	row->line = (uint32_t)get_number_or_zero(place, "line");
	row->count[AL_DIFF_LAST_MISSES] = sum_of_read_and_write_misses(last);
	row->count[AL_DIFF_FIRST_MISSES] = sum_of_read_and_write_misses(first);
	row->count[AL_DIFF_BYTES] = get_number_or_zero(group, "bytes");
	in->data_level[0] = intern_json_string_or_null(in, last, "name");
	in->data_level[1] = intern_json_string_or_null(in, first, "name");
}

/* Set in->data_row from the result of the analysis "data". Return: 0; -ENOMEM.
   */
static int read_data_rows_if_any(struct al_diff_input *in,
				 const json_t *analyses)
{
	const json_t *groups =
		json_object_get(json_object_get(analyses, "data"), "groups");
	size_t n = json_array_size(groups);

	in->data_row = calloc(n + 1, sizeof(*in->data_row));
	if (in->data_row == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		read_data_row(in, json_array_get(groups, i), &in->data_row[i]);
	in->n_data_rows = n;
	return 0;
}

static int check_has_cache_result_and_read_metadata(struct al_diff_input *in,
						    const json_t *root,
						    char *message)
{
	const json_t *cache =
		json_object_get(json_object_get(root, "analyses"), "cache");
	const json_t *levels = json_object_get(cache, "levels");

	if (json_object_get(root, "run") == NULL)
		return al_message_return_einval(
			message, "'%.300s' is no report of Alleria", in->path);
	if (!json_is_object(json_object_get(cache, "totals")))
		return al_message_return_einval(
			message,
			"'%.300s' has no result of the analysis "
			"'cache', which is what is compared; "
			"--analyze=cache adds it",
			in->path);
	read_run_metadata(in, root);
	for (int i = 0; i < AL_DIFF_EVENTS; i++)
		in->totals.event[i] =
			get_number_or_zero(json_object_get(cache, "totals"),
					   al_diff_event_name[i]);
	in->levels = intern_text_of_cache_levels(in, levels, true);
	in->first_and_last = intern_text_of_cache_levels(in, levels, false);
	if (read_objects_and_source_files(in, root) ||
	    read_data_rows_if_any(in, json_object_get(root, "analyses")))
		return al_message_return_einval(message, "out of memory");
	return 0;
}

/* Write the message for an error of reading the rows or the rest of a report,
   @err: the first error of JSON syntax in @text, if it has one. Return:
   -EINVAL. */
static int report_json_error(const struct al_diff_input *in, const char *text,
			     size_t bytes, int err, char *message)
{
	json_error_t e;

	if (err == -ENOMEM)
		return al_message_return_einval(message, "out of memory");
	if (json_loadb(text, bytes, 0, &e) != NULL)
		return al_message_return_einval(
			message,
			"'%.300s' is no report of Alleria: a function or a "
			"line is no object",
			in->path);
	return al_message_return_einval(message, "%.300s:%d:%d: no JSON: %s",
					in->path, e.line, e.column, e.text);
}

int al_diff_parse_json(struct al_diff_input *in, char *text, size_t bytes,
		       char *message)
{
	json_error_t e;
	json_t *root = NULL;
	char *rest;
	size_t rest_bytes;
	int err;

	pthread_once(&is_set_up, set_process_wide_json_allocator);
	in->kind = AL_DIFF_JSON;
	err = al_diff_read_json_rows_and_copy_rest(in, text, bytes, &rest,
						   &rest_bytes);
	if (err == 0)
		root = json_loadb(rest, rest_bytes, 0, &e);
	free(rest);
	err = root ? check_has_cache_result_and_read_metadata(in, root, message)
		   : report_json_error(in, text, bytes, err, message);
	free_arena_blocks();
	return err;
}
