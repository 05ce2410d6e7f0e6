/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name_reader.c - reads the names of code from the file; see names.h
 *
 * Records refer to texts and objects by number. Each number is looked up,
 * because the text or object may be in a damaged block; other names stay
 * usable.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/tables/array.h"
#include "liballeria/names.h"
#include "profile/format/records.h"

struct numbered_text {
	uint64_t number;
	const char *text;     /* the text, interned */
	const char *build_id; /* build id of an object; else "" */
};

struct item_list {
	void *item;
	size_t n;
	size_t size;
};

struct name_records {
	struct alleria_profile *profile;
	struct item_list texts;
	struct item_list objects;
	struct item_list code;	/* list of struct pf_code_name */
	struct item_list calls; /* list of struct pf_code_name */
};

/* Append an item to a list and return its address; NULL: memory is short. */
static void *append_uninitialized_item(struct item_list *l, size_t item_size)
{
	if (l->n == l->size &&
	    al_array_grow(&l->item, &l->size, l->n + 1, item_size, false))
		return NULL;
	return (char *)l->item + l->n++ * item_size;
}

/* ---- reading ---- */

/* Read a number, a string (a text or the path of an object) and, if it follows,
   a build id, and append them to @l. Return: 0; -EBADMSG; -ENOMEM. */
static int read_and_append_text_and_build_id(struct name_records *g,
					     struct item_list *l,
					     struct pf_fact_reader *f)
{
	struct numbered_text s = {.build_id = ""};
	const char *text, *more;
	struct numbered_text *new;

	if (!pf_fact_read_u64(f, &s.number) || !pf_fact_read_string(f, &text))
		return -EBADMSG;
	s.text = ap_intern_or_question_marks(g->profile, text);
	if (pf_fact_read_string(f, &more))
		s.build_id = ap_intern_or_question_marks(g->profile, more);
	new = append_uninitialized_item(l, sizeof(*new));
	if (!new)
		return -ENOMEM;
	*new = s;
	return 0;
}

static int append_all_code_names_of_fact(struct item_list *l,
					 struct pf_fact_reader *f)
{
	for (; (size_t)(f->end - f->pos) >= sizeof(struct pf_code_name);
	     f->pos += sizeof(struct pf_code_name)) {
		void *new = append_uninitialized_item(
			l, sizeof(struct pf_code_name));

		if (!new)
			return -ENOMEM;
		memcpy(new, f->pos, sizeof(struct pf_code_name));
	}
	return 0;
}

static int append_name_fact_ignore_other_kinds(struct name_records *g,
					       struct pf_fact_reader *f)
{
	switch (f->kind) {
	case PF_OBJECT:
		return read_and_append_text_and_build_id(g, &g->objects, f);
	case PF_TEXT:
		return read_and_append_text_and_build_id(g, &g->texts, f);
	case PF_CODE:
		return append_all_code_names_of_fact(&g->code, f);
	case PF_CALL:
		return append_all_code_names_of_fact(&g->calls, f);
	}
	return 0;
}

/* Append the names in file block @entry_index to the lists of @g. If the block
   is damaged, use its records before the damage, set names.damaged, and count
   the block as damaged. Return: 0, also if the block cannot be read; -ENOMEM.
   */
static int read_names_block_count_if_damaged(struct name_records *g,
					     uint32_t entry_index)
{
	struct pf_fact_reader f;
	const void *payload;
	size_t offset = 0;
	int err = ap_load_block(g->profile, entry_index, &payload), more = 1;

	while (!err && more > 0) {
		more = pf_records_read_next_fact_or_0_at_end(
			payload, ap_entry_head(g->profile, entry_index)->bytes,
			&offset, &f);
		err = more > 0 ? append_name_fact_ignore_other_kinds(g, &f)
			       : more;
	}
	if (err == -EBADMSG) {
		g->profile->names.damaged = true;
		ap_count_damaged_block_once(g->profile, entry_index);
	}
	return err == -ENOMEM ? err : 0;
}

static int read_all_names_blocks(struct name_records *g)
{
	int err = 0;

	for (size_t i = 0; !err && i < g->profile->n_read; i++)
		if (ap_entry_head(g->profile, (uint32_t)i)->kind == PF_NAMES)
			err = read_names_block_count_if_damaged(g, (uint32_t)i);
	return err;
}

/* ---- sorting ---- */

static int compare_numbered_texts_by_number(const void *one, const void *other)
{
	const struct numbered_text *a = one, *b = other;

	return (a->number > b->number) - (a->number < b->number);
}

static void sort_list(struct item_list *l, size_t item_size,
		      int (*compare)(const void *, const void *))
{
	if (l->n)
		qsort(l->item, l->n, item_size, compare);
}

static const struct numbered_text *
find_text_by_number_in_sorted_list(const struct item_list *l, uint64_t number)
{
	const struct numbered_text key = {.number = number};

	return l->n ? bsearch(&key, l->item, l->n, sizeof(key),
			      compare_numbered_texts_by_number)
		    : NULL;
}

static const char *get_text_or_question_marks(const struct name_records *g,
					      uint32_t text_number)
{
	const struct numbered_text *s =
		find_text_by_number_in_sorted_list(&g->texts, text_number);

	return s ? s->text : ap_intern_or_question_marks(g->profile, "???");
}

static int compare_code_names_by_object_and_address(const void *one,
						    const void *other)
{
	const struct pf_code_name *a = one, *b = other;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* Return the line of the call that an instruction was inlined into; 0: none is
   known. */
static uint32_t inline_call_line_of_code_or_0(const struct name_records *g,
					      const struct pf_code_name *code)
{
	const struct pf_code_name *call =
		g->calls.n ? bsearch(code, g->calls.item, g->calls.n,
				     sizeof(*call),
				     compare_code_names_by_object_and_address)
			   : NULL;

	return call ? call->line : 0;
}

static int compare_names_by_object_and_value(const void *one, const void *other)
{
	const struct ap_name *a = one, *b = other;
	int order = a->object == b->object ? 0 : strcmp(a->object, b->object);

	return order ? order : (a->value > b->value) - (a->value < b->value);
}

/* Add to @names the names of code that has none in the profile, found in the
   object files; if any was added, sort @names again. Return: 0; -errno. */
static int add_names_from_object_files(struct alleria_profile *p,
				       struct ap_names *names)
{
	size_t n = names->n;
	int err = ap_names_add_missing_from_object_files(p, names);

	if (!err && names->n > n)
		qsort(names->name, names->n, sizeof(*names->name),
		      compare_names_by_object_and_value);
	return err;
}

/* Build the names of code by object and value; leave out code of unknown
   objects. Return: 0; -ENOMEM. */
static int build_sorted_code_names_of_known_objects(struct name_records *g,
						    struct ap_names *names)
{
	const struct pf_code_name *code = g->code.item;

	names->name = calloc(g->code.n + 1, sizeof(*names->name));
	if (!names->name)
		return -ENOMEM;
	for (size_t i = 0; i < g->code.n; i++) {
		const struct numbered_text *object =
			find_text_by_number_in_sorted_list(&g->objects,
							   code[i].object);

		if (!object)
			continue;
		names->name[names->n++] = (struct ap_name){
			.object = object->text,
			.value = code[i].value,
			.function =
				get_text_or_question_marks(g, code[i].function),
			.file = get_text_or_question_marks(g, code[i].file),
			.line = code[i].line,
			.call_line = inline_call_line_of_code_or_0(g, &code[i]),
		};
	}
	qsort(names->name, names->n, sizeof(*names->name),
	      compare_names_by_object_and_value);
	return 0;
}

/* Store the paths and build ids of all objects that were read (g->objects) in
   new arrays, names->path and names->build_id. Return: 0; -ENOMEM. */
static int build_object_path_and_id_lists(struct name_records *g,
					  struct ap_names *names)
{
	const struct numbered_text *s = g->objects.item;

	names->path = calloc(g->objects.n + 1, sizeof(*names->path));
	names->build_id = calloc(g->objects.n + 1, sizeof(*names->build_id));
	if (!names->path || !names->build_id)
		return -ENOMEM;
	for (size_t i = 0; i < g->objects.n; i++) {
		names->path[i] = s[i].text;
		names->build_id[i] = s[i].build_id;
	}
	names->n_objects = g->objects.n;
	return 0;
}

/* ---- functions and lines ---- */

/* Compare two pointers to names by path of object, then name of function, then
   value, so that of a function's names that of the lowest value comes first. */
static int compare_names_by_object_function_value(const void *one,
						  const void *other)
{
	const struct ap_name *a = *(struct ap_name *const *)one;
	const struct ap_name *b = *(struct ap_name *const *)other;
	int order = a->object == b->object ? 0 : strcmp(a->object, b->object);

	if (!order && a->function != b->function)
		order = strcmp(a->function, b->function);
	return order ? order : (a->value > b->value) - (a->value < b->value);
}

/* Append the function of @n to names->function, which has room for it. */
static void append_function_of_name(struct ap_names *names,
				    const struct ap_name *n)
{
	names->function[names->n_functions] = (struct alleria_function){
		.name = n->function,
		.file = n->file,
		.object = n->object,
		.value = n->value,
		.line = n->line,
		.number = (uint32_t)names->n_functions,
	};
	names->n_functions++;
}

static int compare_functions_by_object_and_value(const void *one,
						 const void *other)
{
	const struct alleria_function *a = one, *b = other;
	int order = a->object == b->object ? 0 : strcmp(a->object, b->object);

	return order ? order : (a->value > b->value) - (a->value < b->value);
}

/* Build the list of functions, sorted by object and value, and store in each
   name the number of its function. @names_sorted_by_function: all names, sorted
   by compare_names_by_object_function_value(). Return: 0; -ENOMEM. */
static int build_function_list(struct ap_names *names,
			       struct ap_name **names_sorted_by_function)
{
	uint32_t *final_number;

	for (size_t i = 0; i < names->n; i++) {
		if (i == 0 ||
		    names_sorted_by_function[i]->object !=
			    names_sorted_by_function[i - 1]->object ||
		    names_sorted_by_function[i]->function !=
			    names_sorted_by_function[i - 1]->function)
			append_function_of_name(names,
						names_sorted_by_function[i]);
		names_sorted_by_function[i]->number =
			(uint32_t)names->n_functions - 1;
	}
	final_number = calloc(names->n_functions + 1, sizeof(*final_number));
	if (!final_number)
		return -ENOMEM;
	qsort(names->function, names->n_functions, sizeof(*names->function),
	      compare_functions_by_object_and_value);
	for (uint32_t i = 0; i < names->n_functions; i++) {
		final_number[names->function[i].number] = i;
		names->function[i].number = i;
	}
	for (size_t i = 0; i < names->n; i++)
		names->name[i].number = final_number[names->name[i].number];
	free(final_number);
	return 0;
}

/* List the functions, and set the number of the function in each name. Return:
   0; -ENOMEM. */
static int build_functions_and_set_name_numbers(struct ap_names *names)
{
	struct ap_name **sorted =
		calloc(names->n + 1, sizeof(struct ap_name *));
	int err = -ENOMEM;

	names->function = calloc(names->n + 1, sizeof(*names->function));
	if (sorted && names->function) {
		for (size_t i = 0; i < names->n; i++)
			sorted[i] = &names->name[i];
		qsort(sorted, names->n, sizeof(struct ap_name *),
		      compare_names_by_object_function_value);
		err = build_function_list(names, sorted);
	}
	free(sorted);
	return err;
}

static int build_source_lines_of_names_merge_equal(struct ap_names *names)
{
	names->line = calloc(names->n + 1, sizeof(*names->line));
	if (!names->line)
		return -ENOMEM;
	for (size_t i = 0; i < names->n; i++) {
		const struct ap_name *n = &names->name[i];

		if (i > 0 && n[-1].object == n->object &&
		    n[-1].file == n->file && n[-1].line == n->line &&
		    n[-1].number == n->number)
			continue;
		names->line[names->n_lines++] = (struct alleria_line){
			.file = n->file,
			.object = n->object,
			.value = n->value,
			.line = n->line,
			.function = n->number,
		};
	}
	return 0;
}

void ap_names_clear(struct ap_names *n)
{
	free(n->name);
	free(n->function);
	free(n->line);
	free(n->path);
	free(n->build_id);
	*n = (struct ap_names){0};
}

int ap_names_read_recorded_once(struct alleria_profile *p)
{
	struct name_records g = {.profile = p};
	struct ap_names *names = &p->names;
	int err;

	if (names->read)
		return 0;
	err = read_all_names_blocks(&g);
	sort_list(&g.texts, sizeof(struct numbered_text),
		  compare_numbered_texts_by_number);
	sort_list(&g.objects, sizeof(struct numbered_text),
		  compare_numbered_texts_by_number);
	sort_list(&g.calls, sizeof(struct pf_code_name),
		  compare_code_names_by_object_and_address);
	if (!err)
		err = build_sorted_code_names_of_known_objects(&g, names);
	if (!err)
		err = build_object_path_and_id_lists(&g, names);
	free(g.texts.item);
	free(g.objects.item);
	free(g.code.item);
	free(g.calls.item);
	if (err)
		ap_names_clear(names);
	names->read = !err;
	return err;
}

int ap_names_read_with_object_files_once(struct alleria_profile *p)
{
	struct ap_names *names = &p->names;
	int err = ap_names_read_recorded_once(p);

	if (err || names->is_complete)
		return err;
	err = add_names_from_object_files(p, names);
	if (!err)
		err = build_functions_and_set_name_numbers(names);
	if (!err)
		err = build_source_lines_of_names_merge_equal(names);
	if (err)
		ap_names_clear(names);
	names->is_complete = !err;
	return err;
}
