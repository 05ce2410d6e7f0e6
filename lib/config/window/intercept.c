/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intercept.c - reads the key `intercept` of a function in a window file: which
 *               arguments and results of the function's calls are recorded
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config/window/read_state.h"

static const char a_parameter[] = "a parameter";

/* ---- variables ---- */

/* State of a traversal of an interceptor's types. */
struct type_walk {
	struct al_window_reader *r;
	const struct al_node *node; /* node of the type where the traversal
				       began, for messages */
	const struct pt_intercept *call;
	bool *visited; /* [types + 1][types] whether a type was visited; first
			  index: 1 + index of the struct that encloses it, 0
			  outside of structs; second index: that of the type */
};

/* Return the index of the type of variable @name: the field of this name in
   struct @enclosing_struct_index, or else the interceptor's parameter of this
   name; PT_NO_TYPE if there is neither. @enclosing_struct_index: index of the
   struct's type; PT_NO_TYPE: no struct. */
static uint32_t
find_type_of_field_else_parameter(const struct type_walk *k, const char *name,
				  uint32_t enclosing_struct_index)
{
	const struct al_windows *w = k->r->windows;
	const struct pt_type *s = &w->type[enclosing_struct_index];
	const struct pt_parameter *p = &w->parameter[k->call->first_parameter];

	for (uint32_t i = 0; enclosing_struct_index != PT_NO_TYPE && i < s->n;
	     i++)
		if (!strcmp(w->string + w->field[s->first + i].name, name))
			return w->field[s->first + i].type;
	for (uint32_t i = 0; i < k->call->n_parameters; i++)
		if (!strcmp(w->string + p[i].name, name))
			return p[i].type;
	return PT_NO_TYPE;
}

static int
check_bound_variable_exists_and_fits(const struct type_walk *k,
				     const struct pt_type *pointer_type,
				     uint32_t enclosing_struct_index)
{
	const struct al_windows *w = k->r->windows;
	const char *name = w->string + pointer_type->variable;
	uint32_t type;
	bool fits;

	if (pointer_type->bound < PT_BOUND_COUNT_VAR)
		return 0;
	type = find_type_of_field_else_parameter(k, name,
						 enclosing_struct_index);
	if (type == PT_NO_TYPE)
		return al_yaml_error_at_node(
			k->node, k->r->message,
			"type '%.60s' needs a parameter '%.60s'",
			w->string + pointer_type->name, name);
	if (pointer_type->bound == PT_BOUND_COUNT_VAR)
		fits = w->type[type].kind <= PT_TYPE_SIGNED;
	else
		fits = w->type[type].kind == PT_TYPE_POINTER ||
		       (w->type[type].kind == PT_TYPE_UNSIGNED &&
			w->type[type].size == 8);
	return fits ? 0
		    : al_yaml_error_at_node(
			      k->node, k->r->message,
			      "'%.60s', which type '%.60s' needs, is no "
			      "%s",
			      name, w->string + pointer_type->name,
			      pointer_type->bound == PT_BOUND_COUNT_VAR
				      ? "integer"
				      : "address");
}

static int check_reachable_bound_variables(const struct type_walk *k,
					   uint32_t type_index,
					   uint32_t enclosing_struct_index)
{
	const struct al_windows *w = k->r->windows;
	const struct pt_type *t = &w->type[type_index];
	bool *visited_entry = k->visited +
			      (enclosing_struct_index + 1) * w->n[AL_TYPES] +
			      type_index;
	int rc = 0;

	if (*visited_entry)
		return 0;
	*visited_entry = true;
	if (t->kind == PT_TYPE_POINTER) {
		rc = check_bound_variable_exists_and_fits(
			k, t, enclosing_struct_index);
		return rc ? rc
			  : check_reachable_bound_variables(
				    k, t->element, enclosing_struct_index);
	}
	for (uint32_t i = 0; i < t->n && !rc; i++)
		rc = check_reachable_bound_variables(
			k, w->field[t->first + i].type, type_index);
	return rc;
}

/* Check that each variable that bounds a pointer in the types of the result and
   of the parameters exists, and that its type is an integer or an address, as
   the bound requires. The result is checked first, then the parameters in the
   order of the file. Return: 0; -EINVAL with a message. */
static int
check_pointer_bound_vars_of_intercept(struct al_window_reader *r,
				      const struct al_node *map,
				      const struct pt_intercept *call)
{
	struct al_windows *w = r->windows;
	size_t n = w->n[AL_TYPES];
	struct type_walk k = {.r = r, .call = call};
	const struct al_node *list = al_yaml_get(map, "params");
	uint32_t type;
	int rc = 0;

	k.visited = calloc(n + 1, n + 1);
	if (!k.visited)
		return al_value_report_no_memory_return_einval(r);
	k.node = al_yaml_get(map, "return");
	if (call->result != PT_NO_TYPE)
		rc = check_reachable_bound_variables(&k, call->result,
						     PT_NO_TYPE);
	for (const struct al_node *c = list ? list->child : NULL; c && !rc;
	     c = c->next) {
		k.node = al_yaml_get(c, "type");
		rc = al_type_find_by_yaml_name(r, k.node, &type);
		if (!rc)
			rc = check_reachable_bound_variables(&k, type,
							     PT_NO_TYPE);
	}
	free(k.visited);
	return rc;
}

/* ---- keys ---- */

static int read_parameter_in_out_flags(struct al_window_reader *r,
				       const struct al_node *map,
				       uint32_t *flags)
{
	const struct al_node *in_key = al_yaml_get(map, "in");
	bool in, out;
	int rc = al_value_read_bool_or_false(r, map, "in", &in);

	if (!rc)
		rc = al_value_read_bool_or_false(r, map, "out", &out);
	if (rc)
		return rc;
	if (!in_key && !out)
		in = true;
	*flags = (in ? PT_PARAMETER_IN : 0) | (out ? PT_PARAMETER_OUT : 0);
	if (!*flags)
		return al_yaml_error_at_node(
			in_key, r->message,
			"a parameter is neither 'in' nor 'out'");
	return 0;
}

/* Read a parameter of an intercepted function, which is recorded at the call,
   at the return, or at both. */
static int read_intercept_parameter(struct al_window_reader *r,
				    const struct al_node *map,
				    struct pt_parameter *p)
{
	static const char *const keys[] = {"name", "index", "type",
					   "in",   "out",   NULL};
	const struct al_node *name, *index, *type;
	uint64_t number = 0;
	int rc = al_yaml_check_known_keys(map, keys, a_parameter, r->message);

	if (rc)
		return rc;
	index = al_yaml_get_required(map, "index", AL_TEXT, a_parameter,
				     r->message);
	if (!index ||
	    al_value_parse_count(r, index, 0, PT_MAX_PARAMETERS - 1, &number))
		return -EINVAL;
	p->index = (uint32_t)number;
	type = al_yaml_get_required(map, "type", AL_TEXT, a_parameter,
				    r->message);
	if (!type || al_type_find_by_yaml_name(r, type, &p->type))
		return -EINVAL;
	name = al_yaml_get(map, "name");
	if (name && al_value_append_nonempty_string(r, name, &p->name))
		return -EINVAL;
	return read_parameter_in_out_flags(r, map, &p->flags);
}

static int check_parameter_index_and_name_unique(
	const struct al_window_reader *r, const struct al_node *map,
	const struct pt_parameter *all_parameters, uint32_t new_index)
{
	const char *strings = r->windows->string;

	for (uint32_t i = 0; i < new_index; i++) {
		if (all_parameters[i].index == all_parameters[new_index].index)
			return al_yaml_error_at_node(
				al_yaml_get(map, "index"), r->message,
				"index %u is given twice",
				all_parameters[new_index].index);
		if (all_parameters[new_index].name &&
		    !strcmp(strings + all_parameters[i].name,
			    strings + all_parameters[new_index].name))
			return al_yaml_error_at_node(
				al_yaml_get(map, "name"), r->message,
				"two parameters are named '%.60s'",
				strings + all_parameters[new_index].name);
	}
	return 0;
}

static int compare_parameters_by_index(const void *a, const void *b)
{
	const struct pt_parameter *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

static int read_sort_and_add_parameters(struct al_window_reader *r,
					const struct al_node *list,
					struct pt_intercept *c)
{
	struct al_windows *w = r->windows;
	struct pt_parameter p[PT_MAX_PARAMETERS] = {0};
	uint32_t n = 0;
	int rc = 0;

	if (list && list->kind != AL_LIST)
		return al_yaml_error_at_node(list, r->message,
					     "'params' is not a list");
	for (const struct al_node *m = list ? list->child : NULL; m && !rc;
	     m = m->next, n++) {
		if (n == PT_MAX_PARAMETERS)
			return al_yaml_error_at_node(m, r->message,
						     "more than %d parameters",
						     PT_MAX_PARAMETERS);
		rc = read_intercept_parameter(r, m, &p[n]);
		if (!rc)
			rc = check_parameter_index_and_name_unique(r, m, p, n);
	}
	if (rc)
		return rc;
	c->n_parameters = n;
	if (al_arrays_append_zeroed_entries(w, AL_PARAMETERS, n,
					    &c->first_parameter))
		return al_value_report_no_memory_return_einval(r);
	qsort(p, n, sizeof(p[0]), compare_parameters_by_index);
	if (n)
		memcpy(w->parameter + c->first_parameter, p, n * sizeof(p[0]));
	return 0;
}

int al_intercept_read_and_append(struct al_window_reader *r,
				 const struct al_node *map,
				 uint32_t *index_plus_1)
{
	static const char *const keys[] = {"return", "params", "pure", NULL};
	const struct al_node *result = al_yaml_get(map, "return");
	struct al_windows *w = r->windows;
	struct pt_intercept c = {.result = PT_NO_TYPE};
	bool pure;
	uint32_t i;
	int rc = al_yaml_check_known_keys(map, keys, "an interceptor",
					  r->message);

	if (!rc && result)
		rc = al_type_find_by_yaml_name(r, result, &c.result);
	if (!rc)
		rc = read_sort_and_add_parameters(r, al_yaml_get(map, "params"),
						  &c);
	if (!rc)
		rc = check_pointer_bound_vars_of_intercept(r, map, &c);
	if (!rc)
		rc = al_value_read_bool_or_false(r, map, "pure", &pure);
	if (rc)
		return rc;
	c.flags = pure ? PT_INTERCEPT_PURE : 0;
	al_intercept_set_value_locations(w, &c);
	if (w->n[AL_INTERCEPTS] == PT_MAX_INTERCEPTS)
		return al_yaml_error_at_node(map, r->message,
					     "more than %d interceptors",
					     PT_MAX_INTERCEPTS);
	if (al_arrays_append_zeroed_entries(w, AL_INTERCEPTS, 1, &i))
		return al_value_report_no_memory_return_einval(r);
	w->intercept[i] = c;
	*index_plus_1 = i + 1;
	return 0;
}
