/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_names.c - numbers call stacks whose names are equal; see site_names.h
 */

#include "analyzers/data/site_names.h"

#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"

/* Kinds of keys in an_site_names.names: word 2 of a key. Words 0 and 1 are
   given here; a name is given by its number. Strings are given by their
   addresses. */
enum key_kind {
	KEY_FUNCTION = 1, /* name of the function, name of the object file */
	KEY_UNNAMED,	  /* a KEY_FUNCTION "???", address in the object file */
	KEY_PLACE,	  /* a KEY_FUNCTION or KEY_UNNAMED, source file */
	KEY_LINE,    /* a KEY_PLACE, line << 32 | line of the inlined call */
	KEY_CALLER,  /* number of the outer callers (a KEY_CALLER) or
			     NO_CALLER, name of this caller: a KEY_LINE; a
			     KEY_FUNCTION if lines are not compared; or a
			     KEY_ADDRESS */
	KEY_ADDRESS, /* address of code that lies in no object file, 0 */
};

enum { NO_CALLER = UINT32_MAX };

static int find_or_add_key_number(struct an_site_names *s, uint64_t a,
				  uint64_t b, enum key_kind kind,
				  uint32_t *number)
{
	int64_t n = al_key_table_find_or_add_index(
		&s->names, &(struct al_key){{a, b, kind}});

	*number = (uint32_t)n;
	return n < 0 ? -ENOMEM : 0;
}

/* Set @number to the number of the name of the code at @addr: of its function,
   and if @has_line, of its line, or of its address if neither is known.
   @log_bytes: as for an_site_names_find_or_add_stack_number(). Return: 0;
   -ENOMEM. */
static int number_name_of_code(struct an_site_names *s, uint64_t addr,
			       uint64_t log_bytes, bool has_line,
			       uint32_t *number)
{
	struct an_symbol symbol;
	int err;

	if (!s->env->symbol_in_site(s->env->host, addr, log_bytes, &symbol))
		return find_or_add_key_number(s, addr, 0, KEY_ADDRESS, number);
	err = find_or_add_key_number(s, (uintptr_t)symbol.function,
				     (uintptr_t)symbol.object, KEY_FUNCTION,
				     number);
	if (!err && has_line && symbol.unnamed_address != 0)
		err = find_or_add_key_number(s, *number, symbol.unnamed_address,
					     KEY_UNNAMED, number);
	if (!err && has_line)
		err = find_or_add_key_number(s, *number, (uintptr_t)symbol.file,
					     KEY_PLACE, number);
	if (!err && has_line)
		err = find_or_add_key_number(s, *number,
					     (uint64_t)symbol.line << 32 |
						     symbol.call_line,
					     KEY_LINE, number);
	return err;
}

/* Set @name to the number of the name of the call before @return_address.
   Return: 0; -ENOMEM. */
static int find_or_number_name_of_call(struct an_site_names *s,
				       uint64_t return_address,
				       uint64_t log_bytes, uint32_t *name)
{
	uint32_t code;
	bool is_new;
	int err;

	if (al_array_reserve(s->name_of_code, s->code_size, s->code.n + 1) != 0)
		return -ENOMEM;
	err = al_key_table_find_or_add_pair(&s->code, return_address,
					    s->n_unmapped, &code, &is_new);
	if (!err && is_new)
		err = number_name_of_code(s, return_address - 1, log_bytes,
					  s->has_lines, &s->name_of_code[code]);
	if (!err)
		*name = s->name_of_code[code];
	return err;
}

int an_site_names_find_or_add_stack_number(struct an_site_names *s,
					   const uint64_t *return_address,
					   uint32_t n, uint64_t log_bytes,
					   uint32_t *stack_number)
{
	uint32_t name, outer = NO_CALLER;
	int err = 0;

	if (n > s->depth)
		n = s->depth;
	while (n-- > 0 && !err) {
		err = find_or_number_name_of_call(s, return_address[n],
						  log_bytes, &name);
		if (!err)
			err = find_or_add_key_number(s, outer, name, KEY_CALLER,
						     &outer);
	}
	*stack_number = outer;
	return err;
}

int an_site_names_find_or_add_function(struct an_site_names *s,
				       uint64_t entry_address,
				       uint64_t log_bytes, uint32_t *number)
{
	return number_name_of_code(s, entry_address, log_bytes, false, number);
}

void an_site_names_release(struct an_site_names *s)
{
	al_key_table_release(&s->names);
	al_key_table_release(&s->code);
	free(s->name_of_code);
	*s = (struct an_site_names){0};
}
