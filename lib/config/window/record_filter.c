/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_filter.c - reads `profile` of a window: processes, threads, images
 *                   (object files), functions, instructions
 *
 * The entries of a list are adjacent in their array, in order of precedence;
 * their own lists are in other arrays. An omitted list is one entry for
 * everything; only `instructions` of a function with `intercept` is then empty.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/read_state.h"

/* A kind of list in the tree of a window, such as `images`. */
struct list_kind {
	const char *key;
	const char *what; /* name of an entry, for messages */
	enum al_array_kind array;
	int (*read)(struct al_window_reader *, const struct al_node *map,
		    uint32_t i);
	int (*compare)(const void *, const void *, void *windows);
};

static const struct list_kind functions, images, instructions, threads;

/* ---- any level ---- */
static const void *array_entry_at_index(const struct al_windows *w,
					enum al_array_kind kind,
					uint32_t entry_index)
{
	return (const char *)w->item[kind] +
	       entry_index * al_array_entry_size(kind);
}

/* Check that entry @entry_index of the array is not equal, by l->compare, to
   one of the entries [@first_index, @entry_index). Return: 0; -EINVAL with a
   message. */
static int check_entry_differs_from_earlier_ones(
	const struct al_window_reader *r, const struct al_node *node,
	const struct list_kind *l, uint32_t first_index, uint32_t entry_index)
{
	struct al_windows *w = r->windows;

	for (uint32_t k = first_index; k < entry_index; k++)
		if (!l->compare(array_entry_at_index(w, l->array, k),
				array_entry_at_index(w, l->array, entry_index),
				w))
			return al_yaml_error_at_node(
				node, r->message, "%s is given twice", l->what);
	return 0;
}

static int read_and_sort_list_entries(struct al_window_reader *r,
				      const struct al_node *list,
				      const struct list_kind *l,
				      uint32_t first_index,
				      uint32_t entry_count)
{
	struct al_windows *w = r->windows;
	uint32_t i = first_index;
	int rc = 0;

	for (const struct al_node *c = list->child; c && !rc; c = c->next) {
		rc = l->read(r, c, i);
		if (!rc)
			rc = check_entry_differs_from_earlier_ones(
				r, c, l, first_index, i++);
	}
	if (!rc && entry_count > 1)
		qsort_r((char *)w->item[l->array] +
				first_index * al_array_entry_size(l->array),
			entry_count, al_array_entry_size(l->array), l->compare,
			w);
	return rc;
}

/* Append the entries of @list to the array of kind @l, in order of
   precedence; if @list is NULL, one entry that applies to everything.
   @first_index, @entry_count: receive the index of the first entry and the
   number of entries. */
static int read_list_or_add_default_entry(struct al_window_reader *r,
					  const struct al_node *list,
					  const struct list_kind *l,
					  uint32_t *first_index,
					  uint32_t *entry_count)
{
	static const struct al_node nothing = {.kind = AL_MAP};

	*entry_count = !list;
	if (list && list->kind != AL_LIST)
		return al_yaml_error_at_node(list, r->message,
					     "'%s' is not a list", l->key);
	for (const struct al_node *c = list ? list->child : NULL; c;
	     c = c->next)
		if (++*entry_count > AL_MAX_ENTRIES)
			return al_yaml_error_at_node(c, r->message,
						     "more than %d '%s'",
						     AL_MAX_ENTRIES, l->key);
	if (al_arrays_append_zeroed_entries(r->windows, l->array, *entry_count,
					    first_index))
		return al_value_report_no_memory_return_einval(r);
	return list ? read_and_sort_list_entries(r, list, l, *first_index,
						 *entry_count)
		    : l->read(r, &nothing, *first_index);
}

static int compare_uint32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* Compare numbers of threads or processes, in ascending order. 0, which means
   any, comes last. Return: -1, 0 or 1. */
static int compare_numbers_zero_last(uint32_t a, uint32_t b)
{
	return compare_uint32(a - 1, b - 1);
}

static int compare_by_kind_then_name(uint32_t kind_a, uint32_t name_offset_a,
				     uint32_t kind_b, uint32_t name_offset_b,
				     const struct al_windows *w)
{
	int by_kind = compare_uint32(kind_a, kind_b);

	return by_kind ? by_kind
		       : strcmp(w->string + name_offset_a,
				w->string + name_offset_b);
}

/* ---- instructions ---- */

static int compare_selects_by_kind_then_name(const void *a, const void *b,
					     void *windows)
{
	const struct pt_select *x = a, *y = b;

	return compare_by_kind_then_name(x->kind, x->name, y->kind, y->name,
					 windows);
}

static const struct list_kind instructions = {
	"instructions", "an instruction", AL_SELECTS,
	al_instruction_read_select, compare_selects_by_kind_then_name};

/* ---- functions ---- */

static int read_function_kind_and_name(struct al_window_reader *r,
				       const struct al_node *map,
				       struct pt_function *f)
{
	const struct al_node *name = al_yaml_get(map, "name");
	bool decorated;
	int rc = al_value_read_bool_or_false(r, map, "decorated", &decorated);

	f->kind = PT_FUNCTION_ANY;
	if (rc || (!name && !decorated))
		return rc;
	if (!name)
		return al_yaml_error_at_node(
			map, r->message, "%s has no 'name'", functions.what);
	f->kind = decorated ? PT_FUNCTION_DECORATED : PT_FUNCTION_NAME;
	return al_value_append_nonempty_string(r, name, &f->name);
}

/* Read the keys `instructions` and `intercept` of a function. Without either,
   all instructions are recorded; with `intercept` alone, none. */
static int read_instrs_to_record_and_intercept(struct al_window_reader *r,
					       const struct al_node *map,
					       struct pt_function *f)
{
	const struct al_node *list = al_yaml_get(map, instructions.key);
	const struct al_node *intercept = al_yaml_get(map, "intercept");
	int rc = 0;

	if (intercept && f->kind == PT_FUNCTION_ANY)
		return al_yaml_error_at_node(
			intercept->key, r->message,
			"an interceptor's function has no 'name'");
	if (intercept)
		rc = al_intercept_read_and_append(r, intercept, &f->intercept);
	if (rc || (intercept && !list))
		return rc;
	return read_list_or_add_default_entry(r, list, &instructions,
					      &f->first_select, &f->n_selects);
}

static int read_function_entry(struct al_window_reader *r,
			       const struct al_node *map,
			       uint32_t function_index)
{
	static const char *const keys[] = {"name", "decorated", "instructions",
					   "intercept", NULL};
	struct pt_function f = {0};
	int rc =
		al_yaml_check_known_keys(map, keys, functions.what, r->message);

	if (!rc)
		rc = read_function_kind_and_name(r, map, &f);
	if (!rc)
		rc = read_instrs_to_record_and_intercept(r, map, &f);
	r->windows->function[function_index] = f;
	return rc;
}

static int compare_functions_by_kind_then_name(const void *a, const void *b,
					       void *windows)
{
	const struct pt_function *x = a, *y = b;

	return compare_by_kind_then_name(x->kind, x->name, y->kind, y->name,
					 windows);
}

static const struct list_kind functions = {"functions", "a function",
					   AL_FUNCTIONS, read_function_entry,
					   compare_functions_by_kind_then_name};

/* ---- images ---- */

static int read_how_image_is_selected(struct al_window_reader *r,
				      const struct al_node *map,
				      struct pt_image *image)
{
	static const char *const keys[] = {"path", "name", "main",
					   "any_but_system", NULL};
	static const uint32_t kinds[] = {PT_IMAGE_PATH, PT_IMAGE_NAME,
					 PT_IMAGE_MAIN, PT_IMAGE_NO_SYSTEM};
	const struct al_node *node;
	int i = 0,
	    rc = al_value_check_exclusive_and_find_node(r, map, keys, &node);
	bool yes = true;

	image->kind = PT_IMAGE_ANY;
	if (rc || !node)
		return rc;
	while (strcmp(keys[i], node->key->text))
		i++;
	if (kinds[i] == PT_IMAGE_PATH || kinds[i] == PT_IMAGE_NAME)
		rc = al_value_check_and_append_image_name(
			r, node, kinds[i] == PT_IMAGE_PATH, &image->name);
	else
		rc = al_value_read_bool_or_false(r, map, keys[i], &yes);
	if (yes)
		image->kind = kinds[i];
	return rc;
}

static int read_object_file_entry(struct al_window_reader *r,
				  const struct al_node *map,
				  uint32_t image_index)
{
	static const char *const keys[] = {
		"path", "name", "main", "any_but_system", "functions", NULL};
	struct pt_image image = {0};
	int rc = al_yaml_check_known_keys(map, keys, images.what, r->message);

	if (!rc)
		rc = read_how_image_is_selected(r, map, &image);
	if (!rc)
		rc = read_list_or_add_default_entry(
			r, al_yaml_get(map, functions.key), &functions,
			&image.first_function, &image.n_functions);
	r->windows->image[image_index] = image;
	return rc;
}

static int compare_images_by_kind_then_name(const void *a, const void *b,
					    void *windows)
{
	const struct pt_image *x = a, *y = b;

	return compare_by_kind_then_name(x->kind, x->name, y->kind, y->name,
					 windows);
}

static const struct list_kind images = {"images", "an image", AL_IMAGES,
					read_object_file_entry,
					compare_images_by_kind_then_name};

/* ---- threads and processes ---- */
static int read_thread_entry(struct al_window_reader *r,
			     const struct al_node *map, uint32_t lane_index)
{
	static const char *const keys[] = {"thread", "images", NULL};
	struct pt_lane lane = {.window = r->windows->n[AL_WINDOWS] - 1};
	int rc = al_yaml_check_known_keys(map, keys, threads.what, r->message);

	if (!rc)
		rc = al_value_read_process_or_thread(r, map, "thread",
						     &lane.thread);
	if (!rc)
		rc = read_list_or_add_default_entry(
			r, al_yaml_get(map, images.key), &images,
			&lane.first_image, &lane.n_images);
	r->windows->lane[lane_index] = lane;
	return rc;
}

static int compare_thread_entries_any_last(const void *a, const void *b,
					   void *unused_windows)
{
	const struct pt_lane *x = a, *y = b;

	(void)unused_windows;
	return compare_numbers_zero_last(x->thread, y->thread);
}

static const struct list_kind threads = {"threads", "a thread", AL_LANES,
					 read_thread_entry,
					 compare_thread_entries_any_last};

static int read_process_number_and_threads(struct al_window_reader *r,
					   const struct al_node *map,
					   uint32_t entry_index)
{
	static const char *const keys[] = {"process", "threads", NULL};
	struct al_process_entry entry = {0};
	int rc = al_yaml_check_known_keys(map, keys, "a process", r->message);

	if (!rc)
		rc = al_value_read_process_or_thread(r, map, "process",
						     &entry.number);
	if (!rc)
		rc = read_list_or_add_default_entry(
			r, al_yaml_get(map, threads.key), &threads,
			&entry.first_lane, &entry.n_lanes);
	r->windows->process_entry[entry_index] = entry;
	return rc;
}

static int compare_process_entries_any_last(const void *a, const void *b,
					    void *unused_windows)
{
	const struct al_process_entry *x = a, *y = b;

	(void)unused_windows;
	return compare_numbers_zero_last(x->number, y->number);
}

static const struct list_kind processes = {
	"profile", "a process", AL_PROCESS_ENTRIES,
	read_process_number_and_threads, compare_process_entries_any_last};

int al_window_read_process_entries(struct al_window_reader *r,
				   const struct al_node *list,
				   uint32_t window_index)
{
	uint32_t first, n;
	int rc =
		read_list_or_add_default_entry(r, list, &processes, &first, &n);

	if (rc)
		return rc;
	if (!n)
		return al_yaml_error_at_node(list, r->message, "no processes");
	r->windows->entry_list[window_index].first_entry = first;
	r->windows->entry_list[window_index].n_entries = n;
	return 0;
}
