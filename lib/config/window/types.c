/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * types.c - reads `types`, the types of intercepted arguments and results
 *
 * All names are added before the definitions are read, so that a type may be
 * used before it is defined. The primitive types are added before all others:
 * when key `types` is read or, without that key, when a type is first searched.
 */
#include <errno.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/number.h"
#include "lib/config/window/read_state.h"

static const struct {
	const char *name;
	uint16_t kind;
	uint16_t size;
} primitives[] = {
	{"u1", PT_TYPE_UNSIGNED, 1},	 {"u2", PT_TYPE_UNSIGNED, 2},
	{"u4", PT_TYPE_UNSIGNED, 4},	 {"u8", PT_TYPE_UNSIGNED, 8},
	{"s1", PT_TYPE_SIGNED, 1},	 {"s2", PT_TYPE_SIGNED, 2},
	{"s4", PT_TYPE_SIGNED, 4},	 {"s8", PT_TYPE_SIGNED, 8},
	{"f4", PT_TYPE_FLOAT, 4},	 {"f8", PT_TYPE_FLOAT, 8},
	{"f10", PT_TYPE_FLOAT, 16},	 {"ascii", PT_TYPE_ASCII, 1},
	{"unicode", PT_TYPE_UNICODE, 4},
};

enum {
	N_PRIMITIVES = sizeof(primitives) / sizeof(primitives[0]),
	POINTER = 8, /* size of a pointer [bytes] */
};

/* ---- names ---- */

static int append_type_without_name_check(struct al_window_reader *r,
					  const char *name,
					  const struct pt_type *type)
{
	uint32_t i, offset;

	if (al_arrays_append_zeroed_entries(r->windows, AL_TYPES, 1, &i) ||
	    al_arrays_append_string(r->windows, name, &offset))
		return al_value_report_no_memory_return_einval(r);
	r->windows->type[i] = *type;
	r->windows->type[i].name = offset;
	return 0;
}

static int add_primitive_types(struct al_window_reader *r)
{
	int rc = 0;

	for (int i = 0; i < N_PRIMITIVES && !rc; i++)
		rc = append_type_without_name_check(
			r, primitives[i].name,
			&(struct pt_type){.kind = primitives[i].kind,
					  .size = primitives[i].size});
	return rc;
}

/* Return the index of the type named @name, or PT_NO_TYPE. */
static uint32_t find_type_index_by_name(const struct al_windows *w,
					const char *name)
{
	for (uint32_t i = 0; i < w->n[AL_TYPES]; i++)
		if (!strcmp(w->string + w->type[i].name, name))
			return i;
	return PT_NO_TYPE;
}

int al_type_find_by_yaml_name(struct al_window_reader *r,
			      const struct al_node *node, uint32_t *type_index)
{
	const char *words[PT_MAX_TYPES + 1] = {NULL};
	const struct al_windows *w = r->windows;

	if (!w->n[AL_TYPES] && add_primitive_types(r))
		return -EINVAL;
	if (!al_value_text_or_null(node))
		return al_yaml_error_at_node(node, r->message,
					     "a type is not a word");
	*type_index = find_type_index_by_name(w, node->text);
	if (*type_index != PT_NO_TYPE)
		return 0;
	for (uint32_t i = 0; i < w->n[AL_TYPES]; i++)
		words[i] = w->string + w->type[i].name;
	return al_value_report_unknown_word(r, node, "type", words);
}

/* Set @type_index to the index of the type named by key @key, which @map must
   have. @owner_name: name of @map in messages. Return: 0; -EINVAL with a
   message. */
static int read_required_type_index(struct al_window_reader *r,
				    const struct al_node *map, const char *key,
				    const char *owner_name,
				    uint32_t *type_index)
{
	const struct al_node *node =
		al_yaml_get_required(map, key, AL_TEXT, owner_name, r->message);

	return node ? al_type_find_by_yaml_name(r, node, type_index) : -EINVAL;
}

/* ---- structs ---- */
static int read_struct_field(struct al_window_reader *r,
			     const struct al_node *map,
			     uint32_t first_compared_field_index,
			     uint32_t field_index)
{
	static const char *const keys[] = {"name", "type", NULL};
	static const char what[] = "a field";
	struct al_windows *w = r->windows;
	const struct al_node *name;
	struct pt_field f = {0};
	int rc = al_yaml_check_known_keys(map, keys, what, r->message);

	if (rc)
		return rc;
	name = al_yaml_get_required(map, "name", AL_TEXT, what, r->message);
	if (!name || al_value_append_nonempty_string(r, name, &f.name) ||
	    read_required_type_index(r, map, "type", what, &f.type))
		return -EINVAL;
	for (uint32_t k = first_compared_field_index; k < field_index; k++)
		if (!strcmp(w->string + w->field[k].name, name->text))
			return al_yaml_error_at_node(
				name, r->message,
				"two fields are named '%.60s'", name->text);
	w->field[field_index] = f;
	return 0;
}

static int read_and_add_struct_fields(struct al_window_reader *r,
				      const struct al_node *list,
				      struct pt_type *t)
{
	uint32_t i;
	int rc = 0;

	t->kind = PT_TYPE_STRUCT;
	if (list->kind != AL_LIST || !list->child)
		return al_yaml_error_at_node(
			list, r->message, "'fields' is not a list of fields");
	for (const struct al_node *c = list->child; c; c = c->next)
		if (++t->n > AL_MAX_FIELDS)
			return al_yaml_error_at_node(c, r->message,
						     "more than %d fields",
						     AL_MAX_FIELDS);
	if (al_arrays_append_zeroed_entries(r->windows, AL_FIELDS, t->n,
					    &t->first))
		return al_value_report_no_memory_return_einval(r);
	i = t->first;
	for (const struct al_node *c = list->child; c && !rc; c = c->next)
		rc = read_struct_field(r, c, t->first, i++);
	return rc;
}

/* ---- pointers ---- */

static int read_array_direction_inc_or_dec(struct al_window_reader *r,
					   const struct al_node *map,
					   struct pt_type *t)
{
	static const char *const words[] = {"inc", "dec", NULL};
	const struct al_node *node = al_yaml_get(map, "direction");

	if (!node)
		return 0;
	if (!al_value_text_or_null(node))
		return al_yaml_error_at_node(node, r->message,
					     "'direction' is not a word");
	if (!strcmp(node->text, words[1]))
		t->flags |= PT_TYPE_DOWN;
	else if (strcmp(node->text, words[0]))
		return al_yaml_report_bad_word(node, words, r->message);
	return 0;
}

/* Set @t->value to the number of @node, the value of key `sentinel`: a negative
   number as two's complement of the element's size, with all higher bytes 0. An
   error if the number has more bits than an element or, if it is negative, no
   element can have this value. */
static int read_pointer_sentinel_value(struct al_window_reader *r,
				       const struct al_node *node,
				       struct pt_type *t)
{
	const char *text = al_value_text_or_null(node);
	const struct pt_type *e = &r->windows->type[t->element];
	bool minus = text && *text == '-';
	uint64_t value, most = UINT64_MAX;

	if (!e->size || e->kind == PT_TYPE_FLOAT)
		return al_yaml_error_at_node(
			node, r->message,
			"no sentinel ends elements of type "
			"'%.60s'",
			r->windows->string + e->name);
	if (e->size < sizeof(value))
		most = (1ull << 8 * e->size) - 1;
	if (!text || al_number_parse_digits_only(text + minus, &value))
		return al_yaml_error_at_node(node, r->message,
					     "'sentinel' is not a number");
	if (minus ? value > most / 2 + 1 || e->kind != PT_TYPE_SIGNED
		  : value > most)
		return al_yaml_error_at_node(
			node, r->message, "no element of type '%.60s' is %.60s",
			r->windows->string + e->name, text);
	t->value = (minus ? -value : value) & most;
	return 0;
}

static int read_count_sentinel_or_bound_variable(struct al_window_reader *r,
						 const struct al_node *node,
						 struct pt_type *t)
{
	static const struct {
		const char *key;
		enum pt_bound bound;
	} bounds[] = {
		{"count", PT_BOUND_COUNT},
		{"sentinel", PT_BOUND_SENTINEL},
		{"count_var", PT_BOUND_COUNT_VAR},
		{"end_var", PT_BOUND_END_VAR},
		{"start_var", PT_BOUND_START_VAR},
	};
	int i = 0;

	while (strcmp(bounds[i].key, node->key->text))
		i++;
	t->bound = bounds[i].bound;
	if (t->bound == PT_BOUND_COUNT)
		return al_value_parse_count(r, node, 1, UINT32_MAX, &t->value);
	if (t->bound == PT_BOUND_SENTINEL)
		return read_pointer_sentinel_value(r, node, t);
	return al_value_append_nonempty_string(r, node, &t->variable);
}

static int read_pointer_type(struct al_window_reader *r,
			     const struct al_node *map, struct pt_type *t)
{
	static const char *const bounds[] = {
		"count", "sentinel", "count_var", "end_var", "start_var", NULL};
	static const char *const keys[] = {"element",	"direction", "count",
					   "sentinel",	"count_var", "end_var",
					   "start_var", "end_valid", NULL};
	static const char what[] = "a pointer";
	const struct al_node *bound, *valid = al_yaml_get(map, "end_valid");
	bool end_valid = false;
	int rc = al_yaml_check_known_keys(map, keys, what, r->message);

	t->kind = PT_TYPE_POINTER;
	t->size = POINTER;
	if (!rc)
		rc = read_required_type_index(r, map, "element", what,
					      &t->element);
	if (!rc)
		rc = read_array_direction_inc_or_dec(r, map, t);
	if (!rc)
		rc = al_value_check_exclusive_and_find_node(r, map, bounds,
							    &bound);
	if (!rc && !bound)
		rc = al_yaml_error_at_node(
			map, r->message,
			"a pointer has no 'count', 'sentinel', "
			"'count_var', 'end_var' or 'start_var'");
	if (!rc)
		rc = read_count_sentinel_or_bound_variable(r, bound, t);
	if (!rc && valid && t->bound < PT_BOUND_END_VAR)
		rc = al_yaml_error_at_node(
			valid->key, r->message,
			"'end_valid' and '%s' exclude each other",
			bound->key->text);
	if (!rc)
		rc = al_value_read_bool_or_false(r, map, "end_valid",
						 &end_valid);
	if (end_valid)
		t->flags |= PT_TYPE_END_VALID;
	return rc;
}

/* ---- all ---- */
static int read_type_definition(struct al_window_reader *r,
				const struct al_node *map, uint32_t type_index)
{
	static const char *const keys[] = {"fields", "pointer", NULL};
	struct pt_type t = r->windows->type[type_index];
	const struct al_node *node;
	int rc = al_yaml_check_known_keys(map, keys, "a type", r->message);

	if (!rc)
		rc = al_value_check_exclusive_and_find_node(r, map, keys,
							    &node);
	if (rc)
		return rc;
	if (!node)
		return al_yaml_error_at_node(
			map, r->message, "a type has no 'fields' or 'pointer'");
	rc = !strcmp(node->key->text, keys[0])
		     ? read_and_add_struct_fields(r, node, &t)
		     : read_pointer_type(r, node, &t);
	r->windows->type[type_index] = t;
	return rc;
}

int al_types_read_and_lay_out(struct al_window_reader *r,
			      const struct al_node *map)
{
	struct al_windows *w = r->windows;
	uint32_t i = N_PRIMITIVES;
	int rc;

	if (map->kind != AL_MAP)
		return al_yaml_error_at_node(map, r->message,
					     "'types' is not 'key: value'");
	rc = add_primitive_types(r);
	for (const struct al_node *c = map->child; c && !rc; c = c->next) {
		if (find_type_index_by_name(w, c->key->text) != PT_NO_TYPE)
			return al_yaml_error_at_node(
				c->key, r->message, "'%.60s' is a type already",
				c->key->text);
		/* The size of a pointer does not depend on its element, so it
		   is known before the definitions are read. */
		rc = append_type_without_name_check(
			r, c->key->text,
			&(struct pt_type){.size = al_yaml_get(c, "pointer")
							  ? POINTER
							  : 0});
	}
	for (const struct al_node *c = map->child; c && !rc; c = c->next)
		rc = read_type_definition(r, c, i++);
	return rc ? rc : al_layout_set_sizes_and_offsets(r, map, N_PRIMITIVES);
}
