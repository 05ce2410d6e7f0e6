/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_json.c - writes a result as members of a JSON object; see
   result_json.h */

#include "base/result/result_json.h"

static void write_row_as_object(const struct al_table *t,
				const union al_cell *cell, struct an_sink *sink)
{
	sink->begin(sink, NULL);
	for (unsigned i = 0; i < t->n_stored; i++) {
		const struct al_column *c = &t->column[i];

		if (c->key == NULL)
			continue;
		if (c->kind == AL_COLUMN_NUMBER)
			sink->number(sink, c->key, cell[i].number);
		else if (cell[i].text != NULL)
			sink->string(sink, c->key, cell[i].text);
	}
	sink->end(sink);
}

static void write_table_as_list(const struct al_table *t, struct an_sink *sink)
{
	sink->begin_list(sink, t->key);
	for (size_t i = 0; i < t->n_rows; i++)
		write_row_as_object(t, al_table_row(t, i), sink);
	sink->end(sink);
}

static void write_series_as_list(const struct al_result_node *n,
				 struct an_sink *sink)
{
	sink->begin_list(sink, n->key);
	for (size_t i = 0; i < n->n; i++)
		sink->number(sink, NULL, n->series[i]);
	sink->end(sink);
}

static void write_real_series_as_list(const struct al_result_node *n,
				      struct an_sink *sink)
{
	sink->begin_list(sink, n->key);
	for (size_t i = 0; i < n->n; i++)
		sink->real(sink, NULL, n->reals[i]);
	sink->end(sink);
}

static void begin_object_or_list(const struct al_result_node *n,
				 struct an_sink *sink)
{
	if (n->kind == AL_RESULT_LIST)
		sink->begin_list(sink, n->key);
	else
		sink->begin(sink, n->key);
}

static void write_value_series_or_table(const struct al_result_node *n,
					struct an_sink *sink)
{
	switch (n->kind) {
	case AL_RESULT_NUMBER:
		sink->number(sink, n->key, n->value.number);
		break;
	case AL_RESULT_REAL:
		sink->real(sink, n->key, n->value.real);
		break;
	case AL_RESULT_STRING:
		sink->string(sink, n->key, n->value.text);
		break;
	case AL_RESULT_WORD:
		sink->word(sink, n->key, n->value.text);
		break;
	case AL_RESULT_SERIES:
		write_series_as_list(n, sink);
		break;
	case AL_RESULT_REAL_SERIES:
		write_real_series_as_list(n, sink);
		break;
	default:
		if (n->table != NULL && n->table->key != NULL)
			write_table_as_list(n->table, sink);
	}
}

void al_model_write_to_sink(const struct al_model *m, struct an_sink *sink)
{
	const struct al_result_node *n = m->root.first, *parent = &m->root;

	while (n != NULL || parent != &m->root) {
		if (n == NULL) {
			sink->end(sink);
			n = parent->next;
			parent = parent->parent;
			continue;
		}
		if (n->kind == AL_RESULT_OBJECT || n->kind == AL_RESULT_LIST) {
			begin_object_or_list(n, sink);
			parent = n;
			n = n->first;
			continue;
		}
		write_value_series_or_table(n, sink);
		n = n->next;
	}
}
