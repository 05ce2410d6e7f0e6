/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_words.c - what windows record, in words
 *
 * A line tells the way through the tree, without levels that are but "any",
 * then the instructions.
 */
#include <string.h>

#include "lib/config/window/explain/explain.h"

/* The way to what is being told: an entry of each level, or NULL. */
struct way {
	const struct al_windows *w;
	FILE *out;
	uint32_t number;
	bool alone; /* no other entry beside the process */
	const struct pt_lane *lane;
	uint32_t n_lanes;
	const struct pt_image *image;
	uint32_t n_images;
	const struct pt_function *function;
	uint32_t n_functions;
};

/* ---- the way ---- */

static const char *other(uint32_t n)
{
	return n > 1 ? "other " : "";
}

static void tell_process(const struct way *way)
{
	if (way->number)
		fprintf(way->out, "- process %u", way->number);
	else
		fprintf(way->out, "- any %sprocess",
			way->alone ? "" : "other ");
}

static void tell_thread(const struct way *way)
{
	if (way->lane->thread)
		fprintf(way->out, ", thread %u", way->lane->thread);
	else if (way->n_lanes > 1)
		fputs(", any other thread", way->out);
}

static void tell_image(const struct way *way)
{
	const char *name = way->w->string + way->image->name;

	switch (way->image->kind) {
	case PT_IMAGE_PATH:
		fprintf(way->out, ", file '%s'", name);
		break;
	case PT_IMAGE_NAME:
		fprintf(way->out, ", image '%s'", name);
		break;
	case PT_IMAGE_MAIN:
		fputs(", the main executable", way->out);
		break;
	case PT_IMAGE_NO_SYSTEM:
		fprintf(way->out, ", any %simage that is not the system's",
			other(way->n_images));
		break;
	default:
		if (way->n_images > 1)
			fputs(", any other image", way->out);
	}
}

static void tell_function(const struct way *way)
{
	const struct pt_function *f = way->function;

	if (f->kind == PT_FUNCTION_DECORATED)
		fputs(", the linker's", way->out);
	else if (f->kind == PT_FUNCTION_NAME)
		fputs(",", way->out);
	if (f->kind != PT_FUNCTION_ANY)
		fprintf(way->out, " function '%s'", way->w->string + f->name);
	else if (way->n_functions > 1)
		fputs(", any other function", way->out);
}

static void tell(const struct way *way)
{
	tell_process(way);
	if (way->lane)
		tell_thread(way);
	if (way->image)
		tell_image(way);
	if (way->function)
		tell_function(way);
	fputs(": ", way->out);
}

/* ---- instructions ---- */

static void tell_record(const struct way *way, uint32_t record)
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
		if (record & 1u << i) {
			fprintf(way->out, "%s%s", before, fields[i]);
			before = ", ";
		}
	fputs(record ? ")" : " (no fields)", way->out);
}

static void tell_select(const struct way *way, const struct pt_select *s,
			uint32_t n)
{
	static const char *const kinds[] = {
		[PT_SELECT_FORM] = "form",
		[PT_SELECT_CLASS] = "class",
		[PT_SELECT_ISA] = "instruction set",
		[PT_SELECT_EXTENSION] = "extension",
		[PT_SELECT_CATEGORY] = "category",
	};

	if (s->kind == PT_SELECT_ANY)
		fprintf(way->out, "any %sinstruction", other(n));
	else if (s->kind == PT_SELECT_ANY_MEM)
		fprintf(way->out, "%sinstructions that access memory",
			other(n));
	else
		fprintf(way->out, "instructions of %s '%s'", kinds[s->kind],
			way->w->string + s->name);
	tell_record(way, s->record);
}

static void tell_parameter(const struct way *way, const struct pt_parameter *p)
{
	static const char *const when[] = {"", "", ", at the return",
					   ", at the call and the return"};
	const char *name = way->w->string + p->name;

	if (*name)
		fputs(name, way->out);
	else
		fprintf(way->out, "parameter %u", p->index);
	fprintf(way->out, " (%s%s)",
		way->w->string + way->w->type[p->type].name,
		when[p->flags & 3]);
}

static void tell_calls(const struct way *way)
{
	const struct pt_intercept *c =
		&way->w->intercept[way->function->intercept - 1];

	fputs("its calls", way->out);
	for (uint32_t i = 0; i < c->n_parameters; i++) {
		fputs(i ? ", " : ", with ", way->out);
		tell_parameter(way, &way->w->parameter[c->first_parameter + i]);
	}
	if (c->result != PT_NO_TYPE)
		fprintf(way->out, ", and the result (%s)",
			way->w->string + way->w->type[c->result].name);
	if (c->flags & PT_INTERCEPT_PURE)
		fputs(", and its code", way->out);
	fputs("; ", way->out);
}

static void tell_selects(const struct way *way)
{
	const struct pt_function *f = way->function;

	tell(way);
	if (f->intercept)
		tell_calls(way);
	for (uint32_t i = 0; i < f->n_selects; i++) {
		if (i)
			fputs("; ", way->out);
		tell_select(way, &way->w->select[f->first_select + i],
			    f->n_selects);
	}
	fputs(f->n_selects   ? "\n"
	      : f->intercept ? "no instructions\n"
			     : "nothing\n",
	      way->out);
}

/* ---- the tree ---- */

static void tell_functions(struct way way)
{
	way.n_functions = way.image->n_functions;
	if (!way.n_functions) {
		tell(&way);
		fputs("nothing\n", way.out);
	}
	for (uint32_t i = 0; i < way.n_functions; i++) {
		way.function = &way.w->function[way.image->first_function + i];
		tell_selects(&way);
	}
}

static void tell_images(struct way way)
{
	way.n_images = way.lane->n_images;
	if (!way.n_images) {
		tell(&way);
		fputs("nothing\n", way.out);
	}
	for (uint32_t i = 0; i < way.n_images; i++) {
		way.image = &way.w->image[way.lane->first_image + i];
		tell_functions(way);
	}
}

void al_lane_explain(const struct al_windows *w, uint32_t lane, FILE *out)
{
	struct way way = {.w = w,
			  .out = out,
			  .alone = true,
			  .lane = &w->lane[lane],
			  .n_lanes = 1};

	tell_images(way);
}

void al_profile_explain(const struct al_windows *w, uint32_t window, FILE *out)
{
	const struct al_profile *p = &w->profile[window];

	for (uint32_t i = 0; i < p->n_follows; i++) {
		const struct al_follow *f = &w->follow[p->first_follow + i];
		struct way way = {.w = w,
				  .out = out,
				  .number = f->number,
				  .alone = p->n_follows == 1,
				  .n_lanes = f->n_lanes};

		if (!f->n_lanes) {
			tell(&way);
			fputs("followed, but not recorded\n", out);
		}
		for (uint32_t k = 0; k < f->n_lanes; k++) {
			way.lane = &w->lane[f->first_lane + k];
			tell_images(way);
		}
	}
}
