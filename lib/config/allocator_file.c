/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocator_file.c - reads allocator functions; see allocator_file.h
 */
#include "lib/config/allocator_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "base/text/yaml.h"

/* Allocator functions that were read from the allocator file so far. */
struct al_allocators {
	struct pt_allocators head;
	struct pt_allocator function[PT_MAX_ALLOCATORS]; /* [head.n] */
	char strings[PT_MAX_ALLOCATOR_STRINGS]; /* [head.string_bytes] */
};

static const char a_function[] = "an allocator function";

/* Functions of CPython that allocate, resize and free memory. */
static const struct {
	const char *name;
	struct pt_allocator function;
} python[] = {
#define PYTHON(prefix)                                                         \
	{prefix "Malloc", {.kind = PT_ALLOCATES, .size = 0}},                  \
		{prefix "Calloc",                                              \
		 {.kind = PT_ALLOCATES_ARRAY, .count = 0, .size = 1}},         \
		{prefix "Realloc",                                             \
		 {.kind = PT_RESIZES, .pointer = 0, .size = 1}},               \
	{                                                                      \
		prefix "Free",                                                 \
		{                                                              \
			.kind = PT_FREES, .pointer = 0                         \
		}                                                              \
	}
	PYTHON("PyObject_"),
	PYTHON("PyMem_"),
	PYTHON("PyMem_Raw"),
#undef PYTHON
};

/* ---- building ---- */

/* Append a copy of @text to the strings, after the empty one. Return: its
   offset; 0 if @text is empty, or if there is no room. */
static uint32_t append_string_or_0(struct al_allocators *a, const char *text)
{
	size_t bytes = strlen(text) + 1;
	uint32_t offset = a->head.string_bytes ? a->head.string_bytes : 1;

	if (bytes == 1 || bytes > sizeof(a->strings) - offset)
		return 0;
	memcpy(a->strings + offset, text, bytes);
	a->head.string_bytes = offset + (uint32_t)bytes;
	return offset;
}

/* Append a copy of @f with the name @name and the object file @image. Return:
   whether there was room. */
static bool try_append_function(struct al_allocators *a,
				const struct pt_allocator *f, const char *name,
				const char *image)
{
	struct pt_allocator *new = &a->function[a->head.n];

	if (a->head.n == PT_MAX_ALLOCATORS)
		return false;
	*new = *f;
	new->name = append_string_or_0(a, name);
	new->image = append_string_or_0(a, image);
	if (!new->name || (*image && !new->image))
		return false;
	a->head.n++;
	return true;
}

static bool is_listed(const struct al_allocators *a, const char *name,
		      const char *image)
{
	for (uint32_t i = 0; i < a->head.n; i++)
		if (!strcmp(a->strings + a->function[i].name, name) &&
		    !strcmp(a->strings + a->function[i].image, image))
			return true;
	return false;
}

/* ---- reading ---- */

/* Set *@index from the text @number_text, the number of an argument. Return:
   whether it is one. */
static bool try_parse_argument_index(const char *number_text, uint8_t *index)
{
	uint64_t n;

	if (al_number_parse_digits_only(number_text, &n) ||
	    n >= PT_MAX_ARGUMENTS)
		return false;
	*index = (uint8_t)n;
	return true;
}

/* Read the value of @key, the number of an argument; if there is no such key,
   *@index stays as it is. Return: 0; -EINVAL with @message. */
static int read_argument_index_if_given(const struct al_node *map,
					const char *key, uint8_t *index,
					char *message)
{
	const struct al_node *n = al_yaml_get(map, key);

	if (!n)
		return 0;
	if (n->kind == AL_TEXT && try_parse_argument_index(n->text, index))
		return 0;
	return al_yaml_error_at_node(
		n, message,
		"%s '%.60s' is not the number of an argument, 0 to %d", key,
		n->kind == AL_TEXT ? n->text : "", PT_MAX_ARGUMENTS - 1);
}

/* Read `bytes`, the size of all blocks of a function that has no argument for
   it. Return: 0; -EINVAL with @message. */
static int read_fixed_block_size(const struct al_node *map, uint64_t *bytes,
				 char *message)
{
	const struct al_node *n = al_yaml_get(map, "bytes");

	if (n->kind != AL_TEXT || al_size_parse_optional_kmg(n->text, bytes) ||
	    !*bytes)
		return al_yaml_error_at_node(
			n, message,
			"bytes '%.60s' is not a number above 0, with K, M or G "
			"or without",
			n->kind == AL_TEXT ? n->text : "");
	return 0;
}

/* Read the size of a block or element: `size` or `bytes`, exactly one of which
   must be given. */
static int read_size_argument_or_fixed_size(const struct al_node *map,
					    struct pt_allocator *f,
					    char *message)
{
	const struct al_node *size = al_yaml_get(map, "size");
	const struct al_node *bytes = al_yaml_get(map, "bytes");

	f->size = PT_NO_ARGUMENT;
	if (!size && !bytes)
		return al_yaml_error_at_node(
			map, message,
			"%s has neither 'size', the number of an argument, nor "
			"'bytes'",
			a_function);
	if (size && bytes)
		return al_yaml_error_at_node(
			bytes->key, message,
			"'size' and 'bytes': give one or the other");
	return bytes ? read_fixed_block_size(map, &f->bytes, message)
		     : read_argument_index_if_given(map, "size", &f->size,
						    message);
}

/* Read `result`, where the function puts the address of the new block:
   'return', also if there is no such key, or '*N', the memory that argument N
   points to. */
static int read_result_place_if_given(const struct al_node *map,
				      struct pt_allocator *f, char *message)
{
	const struct al_node *n = al_yaml_get(map, "result");

	if (!n || (n->kind == AL_TEXT && !strcmp(n->text, "return")))
		return 0;
	if (n->kind != AL_TEXT || n->text[0] != '*' ||
	    !try_parse_argument_index(n->text + 1, &f->pointer))
		return al_yaml_error_at_node(
			n, message,
			"result '%.60s' is neither 'return' nor '*N', where N "
			"is the number of an argument",
			n->kind == AL_TEXT ? n->text : "");
	if (f->count != PT_NO_ARGUMENT)
		return al_yaml_error_at_node(
			n, message,
			"a function with 'count' returns its result");
	f->kind = PT_STORES;
	return 0;
}

/* Read the indices of the arguments `count` and `align`. The second one is
   checked and not stored. Return: 0; -EINVAL with a message. */
static int read_count_index_and_check_align_index(const struct al_node *map,
						  struct pt_allocator *f,
						  char *message)
{
	uint8_t unused_alignment;
	int rc = read_argument_index_if_given(map, "count", &f->count, message);

	return rc ? rc
		  : read_argument_index_if_given(map, "align",
						 &unused_alignment, message);
}

static int read_allocating_function(const struct al_node *map,
				    struct pt_allocator *f, char *message)
{
	static const char *const keys[] = {"alloc", "size",   "bytes", "count",
					   "align", "result", "image", NULL};
	int rc = al_yaml_check_known_keys(map, keys, a_function, message);

	if (!rc)
		rc = read_size_argument_or_fixed_size(map, f, message);
	if (!rc)
		rc = read_count_index_and_check_align_index(map, f, message);
	f->kind =
		f->count != PT_NO_ARGUMENT ? PT_ALLOCATES_ARRAY : PT_ALLOCATES;
	return rc ? rc : read_result_place_if_given(map, f, message);
}

static int read_resizing_function(const struct al_node *map,
				  struct pt_allocator *f, char *message)
{
	static const char *const keys[] = {
		"realloc", "pointer", "size", "count", "align", "image", NULL};
	int rc = al_yaml_check_known_keys(map, keys, a_function, message);

	if (!rc &&
	    !al_yaml_get_required(map, "size", AL_TEXT, a_function, message))
		return -EINVAL;
	if (!rc)
		rc = read_argument_index_if_given(map, "pointer", &f->pointer,
						  message);
	if (!rc)
		rc = read_argument_index_if_given(map, "size", &f->size,
						  message);
	if (!rc)
		rc = read_count_index_and_check_align_index(map, f, message);
	f->kind = f->count != PT_NO_ARGUMENT ? PT_RESIZES_ARRAY : PT_RESIZES;
	return rc;
}

static int read_freeing_function(const struct al_node *map,
				 struct pt_allocator *f, char *message)
{
	static const char *const keys[] = {"free", "pointer", "image", NULL};
	int rc = al_yaml_check_known_keys(map, keys, a_function, message);

	f->kind = PT_FREES;
	return rc ? rc
		  : read_argument_index_if_given(map, "pointer", &f->pointer,
						 message);
}

/* Keys that state what a function does: its map in the allocator file has
   exactly one of them. `read` reads the whole map, not only the key's
   value. */
static const struct {
	const char *key;
	int (*read)(const struct al_node *, struct pt_allocator *, char *);
} forms[] = {
	{"alloc", read_allocating_function},
	{"realloc", read_resizing_function},
	{"free", read_freeing_function},
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* Return the index in `forms` of what a function does: the only one of the keys
   alloc, realloc and free that @map has; -EINVAL with @message if it has none
   or several of them. */
static int find_index_of_alloc_realloc_or_free_key(const struct al_node *map,
						   char *message)
{
	int found = -1;

	for (int i = 0; i < FORMS; i++) {
		if (!al_yaml_get(map, forms[i].key))
			continue;
		if (found >= 0)
			return al_yaml_error_at_node(
				al_yaml_get(map, forms[i].key)->key, message,
				"'%s' and '%s': give one or the other",
				forms[found].key, forms[i].key);
		found = i;
	}
	if (found < 0)
		return al_yaml_error_at_node(
			map, message,
			"%s has neither 'alloc', 'realloc' nor 'free'",
			a_function);
	return found;
}

/* Read `image`, the name or path of an object file; "" if it is not given.
   Return: 0; -EINVAL with @message. */
static int read_image_or_empty(const struct al_node *map, const char **image,
			       char *message)
{
	const struct al_node *n = al_yaml_get(map, "image");

	*image = n && n->kind == AL_TEXT ? n->text : "";
	return n && !**image ? al_yaml_error_at_node(
				       n, message,
				       "'image' is not the name of a file")
			     : 0;
}

static int read_and_append_function(const struct al_node *map,
				    struct al_allocators *a, char *message)
{
	struct pt_allocator f = {.count = PT_NO_ARGUMENT};
	int form = find_index_of_alloc_realloc_or_free_key(map, message);
	const struct al_node *name;
	const char *image;

	if (form < 0)
		return -EINVAL;
	name = al_yaml_get_required(map, forms[form].key, AL_TEXT, a_function,
				    message);
	if (!name || forms[form].read(map, &f, message) ||
	    read_image_or_empty(map, &image, message))
		return -EINVAL;
	if (!*name->text)
		return al_yaml_error_at_node(name, message,
					     "a function has no name");
	if (is_listed(a, name->text, image))
		return al_yaml_error_at_node(
			name, message, "'%.100s' is listed twice", name->text);
	if (!try_append_function(a, &f, name->text, image))
		return al_yaml_error_at_node(
			name, message,
			"more than %d functions, or names of more than %d KiB",
			PT_MAX_ALLOCATORS, PT_MAX_ALLOCATOR_STRINGS >> 10);
	return 0;
}

static int read_list_of_functions(const struct al_node *root,
				  struct al_allocators *a, char *message)
{
	int rc = 0;

	if (root->kind != AL_LIST)
		return al_yaml_error_at_node(
			root, message,
			"the file is not a list of allocator functions: "
			"'- {alloc: NAME, size: 0}'");
	for (const struct al_node *n = root->child; n && !rc; n = n->next)
		rc = read_and_append_function(n, a, message);
	return rc;
}

static int append_python_functions(struct al_allocators *a, char *message)
{
	for (size_t i = 0; i < sizeof(python) / sizeof(python[0]); i++) {
		struct pt_allocator f = python[i].function;

		if (f.kind != PT_ALLOCATES_ARRAY)
			f.count = PT_NO_ARGUMENT;
		if (is_listed(a, python[i].name, ""))
			continue;
		if (!try_append_function(a, &f, python[i].name, ""))
			return al_message_return_einval(
				message,
				"'--allocators=python': more than %d functions",
				PT_MAX_ALLOCATORS);
	}
	return 0;
}

/* Add what one option --allocators names: the functions of the file with this
   path, or those of CPython ("python"), or that standard functions are no
   allocators ("none"). */
static int add_functions_of_file_or_set(struct al_allocators *a,
					const char *file_or_set, char *message)
{
	struct al_node *root;
	int rc;

	if (!strcmp(file_or_set, "python"))
		return append_python_functions(a, message);
	if (!strcmp(file_or_set, "none")) {
		a->head.flags |= PT_NO_STANDARD_ALLOCATORS;
		return 0;
	}
	rc = al_yaml_read(file_or_set, &root, message);
	if (rc)
		return rc;
	rc = read_list_of_functions(root, a, message);
	al_yaml_free_with_siblings(root);
	return rc;
}

/* Return the data of the PT_MSG_ALLOCATORS packet, which the caller frees, and
   set *@bytes_out to their length [bytes]. NULL: memory is short. */
static struct pt_allocators *alloc_packet_data(const struct al_allocators *a,
					       uint32_t *bytes_out)
{
	size_t functions = a->head.n * sizeof(a->function[0]);
	size_t strings = a->head.string_bytes ? a->head.string_bytes : 1;
	char *data = malloc(sizeof(a->head) + functions + strings);

	if (!data)
		return NULL;
	memcpy(data, &a->head, sizeof(a->head));
	((struct pt_allocators *)data)->string_bytes = (uint32_t)strings;
	memcpy(data + sizeof(a->head), a->function, functions);
	memcpy(data + sizeof(a->head) + functions, a->strings, strings);
	*bytes_out = (uint32_t)(sizeof(a->head) + functions + strings);
	return (struct pt_allocators *)data;
}

int al_allocators_read_all(const char *const *file_or_set, unsigned n,
			   struct pt_allocators **data, uint32_t *data_bytes,
			   char *message)
{
	struct al_allocators *a = calloc(1, sizeof(*a));
	int rc = 0;

	for (unsigned i = 0; a && i < n && !rc; i++)
		rc = add_functions_of_file_or_set(a, file_or_set[i], message);
	*data = a && !rc ? alloc_packet_data(a, data_bytes) : NULL;
	free(a);
	return rc || *data ? rc
			   : al_message_return_einval(message, "out of memory");
}
