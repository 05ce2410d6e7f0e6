/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_words.c - describes what windows record in words
 *
 * A line has the path through the tree, then the calls and the instructions of
 * the program that are recorded there, with their fields. The path always has
 * the process; the thread, the image and the function are left out if their
 * level has only an entry for "any".
 */
#include <string.h>

#include "lib/config/window/explain/explain.h"

/* Path in the tree of a window (processes, lanes, images, functions) to the
   entry that is printed: one entry of each level, or NULL. */
struct path {
	const struct al_windows *w;
	FILE *out;
	uint32_t number;
	bool is_only_entry; /* the window has no entry for another process */
	const struct pt_lane *lane;
	uint32_t n_lanes;
	const struct pt_image *image;
	uint32_t n_images;
	const struct pt_function *function;
	uint32_t n_functions;
};

/* ---- the path ---- */
static const char *other_word_or_empty_if_single(uint32_t entry_count)
{
	return entry_count > 1 ? "other " : "";
}

static void print_process_of_record_filter(const struct path *path)
{
	if (path->number)
		fprintf(path->out, "- process %u", path->number);
	else
		fprintf(path->out, "- any %sprocess",
			path->is_only_entry ? "" : "other ");
}

static void print_thread_of_record_filter(const struct path *path)
{
	if (path->lane->thread)
		fprintf(path->out, ", thread %u", path->lane->thread);
	else if (path->n_lanes > 1)
		fputs(", any other thread", path->out);
}

static void print_image_of_record_filter(const struct path *path)
{
	const char *name = path->w->string + path->image->name;

	switch (path->image->kind) {
	case PT_IMAGE_PATH:
		fprintf(path->out, ", file '%s'", name);
		break;
	case PT_IMAGE_NAME:
		fprintf(path->out, ", image '%s'", name);
		break;
	case PT_IMAGE_MAIN:
		fputs(", the main executable", path->out);
		break;
	case PT_IMAGE_NO_SYSTEM:
		fprintf(path->out, ", any %simage that is not the system's",
			other_word_or_empty_if_single(path->n_images));
		break;
	default:
		if (path->n_images > 1)
			fputs(", any other image", path->out);
	}
}

static void print_function_of_record_filter(const struct path *path)
{
	const struct pt_function *f = path->function;

	if (f->kind == PT_FUNCTION_DECORATED)
		fputs(", the linker's", path->out);
	else if (f->kind == PT_FUNCTION_NAME)
		fputs(",", path->out);
	if (f->kind != PT_FUNCTION_ANY)
		fprintf(path->out, " function '%s'", path->w->string + f->name);
	else if (path->n_functions > 1)
		fputs(", any other function", path->out);
}

static void print_process_thread_image_function(const struct path *path)
{
	print_process_of_record_filter(path);
	if (path->lane)
		print_thread_of_record_filter(path);
	if (path->image)
		print_image_of_record_filter(path);
	if (path->function)
		print_function_of_record_filter(path);
	fputs(": ", path->out);
}

/* ---- instructions ---- */
static void print_recorded_field_names(const struct path *path,
				       uint32_t field_bits)
{
	static const char *const fields[] = {
		"routine",
		"timestamp",
		"address and size",
		"value",
		"bytes",
		"core",
		"physical address (not recorded yet)"};
	const char *before = " (";

	for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (field_bits & 1u << i) {
			fprintf(path->out, "%s%s", before, fields[i]);
			before = ", ";
		}
	fputs(field_bits ? ")" : " (no fields)", path->out);
}

static void
print_instrs_and_fields_of_select(const struct path *path,
				  const struct pt_select *s,
				  uint32_t select_count_for_word_other)
{
	static const char *const kinds[] = {
		[PT_SELECT_FORM] = "form",
		[PT_SELECT_CLASS] = "class",
		[PT_SELECT_ISA] = "instruction set",
		[PT_SELECT_EXTENSION] = "extension",
		[PT_SELECT_CATEGORY] = "category",
	};

	if (s->kind == PT_SELECT_ANY)
		fprintf(path->out, "any %sinstruction",
			other_word_or_empty_if_single(
				select_count_for_word_other));
	else if (s->kind == PT_SELECT_ANY_MEM)
		fprintf(path->out, "%sinstructions that access memory",
			other_word_or_empty_if_single(
				select_count_for_word_other));
	else
		fprintf(path->out, "instructions of %s '%s'", kinds[s->kind],
			path->w->string + s->name);
	print_recorded_field_names(path, s->record);
}

static void print_intercepted_parameter(const struct path *window_tree_path,
					const struct pt_parameter *p)
{
	static const char *const when[] = {"", "", ", at the return",
					   ", at the call and the return"};
	const char *name = window_tree_path->w->string + p->name;

	if (*name)
		fputs(name, window_tree_path->out);
	else
		fprintf(window_tree_path->out, "parameter %u", p->index);
	fprintf(window_tree_path->out, " (%s%s)",
		window_tree_path->w->string +
			window_tree_path->w->type[p->type].name,
		when[p->flags & 3]);
}

/* Print which parameters of the function's calls are recorded, and the result
   if it is. */
static void print_which_call_params_are_recorded(const struct path *path)
{
	const struct pt_intercept *c =
		&path->w->intercept[path->function->intercept - 1];

	fputs("its calls", path->out);
	for (uint32_t i = 0; i < c->n_parameters; i++) {
		fputs(i ? ", " : ", with ", path->out);
		print_intercepted_parameter(
			path, &path->w->parameter[c->first_parameter + i]);
	}
	if (c->result != PT_NO_TYPE)
		fprintf(path->out, ", and the result (%s)",
			path->w->string + path->w->type[c->result].name);
	if (c->flags & PT_INTERCEPT_PURE)
		fputs(", and its code", path->out);
	fputs("; ", path->out);
}

static void print_function_and_instrs_to_record(const struct path *path)
{
	const struct pt_function *f = path->function;

	print_process_thread_image_function(path);
	if (f->intercept)
		print_which_call_params_are_recorded(path);
	for (uint32_t i = 0; i < f->n_selects; i++) {
		if (i)
			fputs("; ", path->out);
		print_instrs_and_fields_of_select(
			path, &path->w->select[f->first_select + i],
			f->n_selects);
	}
	fputs(f->n_selects   ? "\n"
	      : f->intercept ? "no instructions\n"
			     : "nothing\n",
	      path->out);
}

/* ---- the tree ---- */

static void print_functions_to_record_of_image(struct path path)
{
	path.n_functions = path.image->n_functions;
	if (!path.n_functions) {
		print_process_thread_image_function(&path);
		fputs("nothing\n", path.out);
	}
	for (uint32_t i = 0; i < path.n_functions; i++) {
		path.function =
			&path.w->function[path.image->first_function + i];
		print_function_and_instrs_to_record(&path);
	}
}

static void print_recorded_code_of_thread_entry(struct path tree_path)
{
	tree_path.n_images = tree_path.lane->n_images;
	if (!tree_path.n_images) {
		print_process_thread_image_function(&tree_path);
		fputs("nothing\n", tree_path.out);
	}
	for (uint32_t i = 0; i < tree_path.n_images; i++) {
		tree_path.image =
			&tree_path.w->image[tree_path.lane->first_image + i];
		print_functions_to_record_of_image(tree_path);
	}
}

void al_thread_entry_explain_recorded_code(const struct al_windows *w,
					   uint32_t thread_entry_index,
					   FILE *out)
{
	struct path path = {.w = w,
			    .out = out,
			    .is_only_entry = true,
			    .lane = &w->lane[thread_entry_index],
			    .n_lanes = 1};

	print_recorded_code_of_thread_entry(path);
}

void al_window_explain_recorded_code(const struct al_windows *w,
				     uint32_t window_index, FILE *out)
{
	const struct al_process_entry_list *p = &w->entry_list[window_index];

	for (uint32_t i = 0; i < p->n_entries; i++) {
		const struct al_process_entry *f =
			&w->process_entry[p->first_entry + i];
		struct path path = {.w = w,
				    .out = out,
				    .number = f->number,
				    .is_only_entry = p->n_entries == 1,
				    .n_lanes = f->n_lanes};

		if (!f->n_lanes) {
			print_process_thread_image_function(&path);
			fputs("followed, but not recorded\n", out);
		}
		for (uint32_t k = 0; k < f->n_lanes; k++) {
			path.lane = &w->lane[f->first_lane + k];
			print_recorded_code_of_thread_entry(path);
		}
	}
}
