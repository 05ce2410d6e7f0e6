/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chosen_functions.c - the functions that the option `of` names */

#include <errno.h>

#include "analyzers/loops/loops.h"
#include "base/tables/array.h"
#include "base/text/function_name.h"

int an_loops_list_chosen_functions(struct an_loop_state *l)
{
	const char *name = l->of;
	size_t n;

	for (; name != NULL && *name; name += n + (name[n] == '+')) {
		n = al_function_name_length_in_list(name, '+');
		if (n == 1 && *name == '*')
			l->is_any_chosen = true;
		else if (al_array_reserve_zeroed(l->chosen, l->max_chosen,
						 l->n_chosen + 1) == 0)
			l->chosen[l->n_chosen++] = an_named_function(name, n);
		else
			return -ENOMEM;
	}
	return 0;
}

/* Return the name of the function of instruction @node. */
static const char *function_name_of_node(const struct an_loop_state *l,
					 uint32_t node)
{
	const struct an_instr_node *in = &l->code.node[node];
	struct an_symbol symbol;

	l->env->symbol(l->env->host, in->block, in->instr, &symbol);
	return symbol.function;
}

bool an_loops_is_function_of_node_chosen(const struct an_loop_state *l,
					 uint32_t node)
{
	const char *name = function_name_of_node(l, node);

	for (size_t i = 0; i < l->n_chosen; i++)
		if (an_named_function_has_name(&l->chosen[i], name))
			return true;
	return l->is_any_chosen;
}

void an_loops_match_chosen_functions(struct an_loop_state *l)
{
	const char *last = NULL;

	for (uint32_t i = 0; l->n_chosen > 0 && i < l->code.n_nodes; i++) {
		const char *name;

		if (l->node[i].function == 0)
			continue;
		name = function_name_of_node(l, i);
		for (size_t k = 0; name != last && k < l->n_chosen; k++)
			an_named_function_note_executed_or_near(&l->chosen[k],
								name);
		last = name;
	}
}

void an_loops_merge_chosen_functions(struct an_loop_state *into,
				     const struct an_loop_state *from)
{
	for (size_t i = 0; i < into->n_chosen && i < from->n_chosen; i++)
		an_named_function_merge(&into->chosen[i], &from->chosen[i]);
}
