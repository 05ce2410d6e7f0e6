/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_json.c - writes a comparison as JSON; see output.h */

#include <math.h>

#include "base/text/json.h"
#include "base/text/path.h"
#include "lib/diff/output.h"

static const char *const comparable[] = {
	[AL_DIFF_ALL_SAME] = "same",
	[AL_DIFF_NOTED] = "noted",
	[AL_DIFF_NOT_COMPARABLE] = "not comparable",
};

const char *al_diff_comparability_name(enum al_diff_comparable c)
{
	return comparable[c];
}

void al_diff_json_write_costs(struct an_sink *out,
			      const struct al_diff_costs old_and_new_costs[2])
{
	for (int i = 0; i < AL_DIFF_EVENTS; i++) {
		out->begin(out, al_diff_event_name[i]);
		out->number(out, "a", old_and_new_costs[0].event[i]);
		out->number(out, "b", old_and_new_costs[1].event[i]);
		out->end(out);
	}
}

static void write_note_strings(struct an_sink *out,
			       const struct al_diff_notes *n)
{
	for (size_t i = 0; i < n->n; i++)
		out->string(out, NULL, n->text[i]);
}

static void write_function_json_object(struct an_sink *out,
				       const struct al_diff_function *f)
{
	out->begin(out, NULL);
	out->string(out, "name", f->name);
	if (f->b_name)
		out->string(out, "b_name", f->b_name);
	out->string(out, "object", f->shown_object);
	out->string(out, "match", al_diff_match_name(f->match));
	if (f->match == AL_DIFF_RENAMED)
		out->number(out, "similarity", f->similarity);
	if (f->inlined_into)
		out->string(out, "inlined_into", f->inlined_into);
	al_diff_json_write_costs(out, f->costs);
	out->end(out);
}

static void write_number_or_null(struct an_sink *out, const char *key,
				 bool is_known, uint32_t value)
{
	if (is_known)
		out->number(out, key, value);
	else
		al_json_write_null(out, key);
}

static void write_line_json_object(struct an_sink *out,
				   const struct al_diff_line *l)
{
	out->begin(out, NULL);
	out->string(out, "file", al_path_base_name(l->path));
	out->string(out, "path", l->path);
	out->string(out, "function", l->function);
	write_number_or_null(out, "a", l->has[0], l->line[0]);
	write_number_or_null(out, "b", l->has[1], l->line[1]);
	out->string(out, "match", al_diff_match_name(l->match));
	al_diff_json_write_costs(out, l->costs);
	out->end(out);
}

static void
write_data_objects_of_one_name_as_json(struct an_sink *out,
				       const struct al_diff_data *data)
{
	static const char *const key[AL_DIFF_DATA_COUNTS] = {
		[AL_DIFF_LAST_MISSES] = "last_misses",
		[AL_DIFF_FIRST_MISSES] = "first_misses",
		[AL_DIFF_BYTES] = "bytes",
	};

	out->begin(out, NULL);
	out->string(out, "name", data->name);
	if (data->b_name)
		out->string(out, "b_name", data->b_name);
	out->string(out, "match", al_diff_match_name(data->match));
	for (int i = 0; i < AL_DIFF_DATA_COUNTS; i++) {
		out->begin(out, key[i]);
		out->number(out, "a", data->count[0][i]);
		out->number(out, "b", data->count[1][i]);
		out->end(out);
	}
	out->end(out);
}

void al_diff_json_write_limit_result(struct an_sink *out,
				     const struct al_diff_limit *l)
{
	out->begin(out, NULL);
	out->string(out, "limit", l->text);
	if (isfinite(l->found))
		al_json_write_finite_real(out, "value", l->found);
	else
		al_json_write_null(out, "value");
	al_json_write_bool(out, "exceeded", l->exceeded);
	out->end(out);
}

void al_diff_write_json(const struct al_diff_report *r, FILE *file)
{
	const struct al_diff *d = r->diff;
	const struct al_diff_costs totals[2] = {d->in[0]->totals,
						d->in[1]->totals};
	struct al_json json;
	struct an_sink *out = &json.sink;

	al_json_init(&json, file);
	out->begin(out, NULL);
	out->number(out, "schema", AL_DIFF_SCHEMA);
	out->string(out, "comparable", comparable[d->comparable]);
	out->begin_list(out, "noted");
	write_note_strings(out, &d->obstacles);
	write_note_strings(out, &d->noted);
	out->end(out);
	out->begin_list(out, "builds");
	write_note_strings(out, &d->builds);
	out->end(out);
	out->begin(out, "totals");
	al_diff_json_write_costs(out, totals);
	out->end(out);
	out->begin_list(out, "functions");
	for (size_t i = 0; i < d->n_functions; i++)
		write_function_json_object(out, &d->function[i]);
	out->end(out);
	out->begin_list(out, "lines");
	for (size_t i = 0; i < d->n_lines; i++)
		write_line_json_object(out, &d->line[i]);
	out->end(out);
	if (d->n_data > 0)
		out->begin_list(out, "data");
	for (size_t i = 0; i < d->n_data; i++)
		write_data_objects_of_one_name_as_json(out, &d->data[i]);
	if (d->n_data > 0)
		out->end(out);
	out->begin_list(out, "limits");
	for (size_t i = 0; i < r->n_limits; i++)
		al_diff_json_write_limit_result(out, &r->limit[i]);
	out->end(out);
	out->end(out);
}
