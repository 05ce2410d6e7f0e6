/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * argument_place.c - finds the registers and stack slots of arguments and
 *                    results
 *
 * Implements the System V calling convention of x86-64. Each 8 bytes of a value
 * are in an integer register if any of them is not floating-point, else in a
 * vector register. An argument is entirely on the stack if it has more than
 * 16 bytes or an x87 number, or if too few registers are left for it. A result
 * of more than 16 bytes is in memory whose address the caller passes in the
 * first integer register; a smaller one with an x87 number is in st0. The
 * parameters that the window file does not list are assumed to be integers.
 */
#include <string.h>

#include "lib/config/window/read_state.h"

enum {
	INTEGERS = 6, /* integer registers for arguments */
	VECTORS = 8,  /* vector registers for arguments */
	EIGHT = 8,    /* [bytes] of one part of a value, and of a stack slot */
};

/* Classes of a value's two parts of 8 bytes: PT_IN_INTEGER or PT_IN_VECTOR; 0:
   the value has no such part. part[0] is PT_IN_X87 or PT_ON_STACK if this is
   the class of the whole value. */
struct classes {
	uint32_t part[2];
};

/* Index of the next free register or stack slot, for each enum
   pt_value_place up to PT_ON_STACK. */
struct next {
	uint32_t slot[PT_ON_STACK + 1];
};

/* ---- classes ---- */
static void add_type_at_offset_to_classes(const struct al_windows *w,
					  uint32_t type_index, uint32_t offset,
					  struct classes *c)
{
	const struct pt_type *t = &w->type[type_index];
	uint32_t *part = &c->part[offset / EIGHT];

	if (t->kind == PT_TYPE_STRUCT) {
		for (uint32_t i = t->first; i < t->first + t->n; i++)
			add_type_at_offset_to_classes(
				w, w->field[i].type,
				offset + w->field[i].offset, c);
	} else if (t->size == PT_X87_BYTES) {
		*part = PT_IN_X87;
	} else if (t->kind != PT_TYPE_FLOAT) {
		*part = PT_IN_INTEGER;
	} else if (!*part) {
		*part = PT_IN_VECTOR;
	}
}

static struct classes get_value_classes_of_type(const struct al_windows *w,
						uint32_t type_index)
{
	struct classes c = {{0}};

	if (w->type[type_index].size > 2 * EIGHT)
		c.part[0] = PT_ON_STACK;
	else
		add_type_at_offset_to_classes(w, type_index, 0, &c);
	return c;
}

/* Whether a type is or contains an x87 number. Only such types need more
   alignment than a stack slot has. */
static bool is_or_contains_x87_number(const struct al_windows *w,
				      uint32_t type_index)
{
	const struct pt_type *t = &w->type[type_index];

	if (t->kind == PT_TYPE_FLOAT)
		return t->size == PT_X87_BYTES;
	if (t->kind != PT_TYPE_STRUCT)
		return false;
	for (uint32_t i = t->first; i < t->first + t->n; i++)
		if (is_or_contains_x87_number(w, w->field[i].type))
			return true;
	return false;
}

/* ---- registers and stack slots ---- */

static void assign_registers(const struct classes *c, struct next *next,
			     struct pt_where *where)
{
	for (int i = 0; i < 2 && c->part[i]; i++)
		where[i] =
			(struct pt_where){c->part[i], next->slot[c->part[i]]++};
}

static bool can_pass_value_in_registers(const struct classes *value_classes,
					const struct next *next_free_slot)
{
	struct next after = *next_free_slot;
	struct pt_where where[2];

	if (value_classes->part[0] > PT_IN_VECTOR)
		return false;
	assign_registers(value_classes, &after, where);
	return after.slot[PT_IN_INTEGER] <= INTEGERS &&
	       after.slot[PT_IN_VECTOR] <= VECTORS;
}

/* Assign to the whole argument the next stack slots of the System V ABI. */
static void assign_argument_stack_slots(const struct al_windows *types,
					uint32_t value_type_index,
					struct next *next,
					struct pt_where *where)
{
	uint32_t *slot = &next->slot[PT_ON_STACK];

	if (is_or_contains_x87_number(types, value_type_index))
		*slot += *slot % 2;
	where[0] = (struct pt_where){PT_ON_STACK, *slot};
	*slot += (types->type[value_type_index].size + EIGHT - 1) / EIGHT;
}

static void assign_parameter_location(const struct al_windows *w,
				      struct pt_parameter *p, struct next *next)
{
	struct classes c = get_value_classes_of_type(w, p->type);

	if (can_pass_value_in_registers(&c, next))
		assign_registers(&c, next, p->where);
	else
		assign_argument_stack_slots(w, p->type, next, p->where);
}

/* Set c->where to the location of the result. Return: whether this is memory,
   whose address the caller passes in the first integer register. */
static bool set_result_place_return_is_in_memory(const struct al_windows *w,
						 struct pt_intercept *c)
{
	struct classes classes = get_value_classes_of_type(w, c->result);
	struct next next = {{0}};

	if (classes.part[0] == PT_IN_X87)
		c->where[0].place = PT_IN_X87;
	else if (classes.part[0] == PT_ON_STACK)
		c->where[0].place = PT_IN_MEMORY;
	else
		assign_registers(&classes, &next, c->where);
	return c->where[0].place == PT_IN_MEMORY;
}

void al_intercept_set_value_locations(const struct al_windows *w,
				      struct pt_intercept *c)
{
	struct next next = {{0}};
	uint32_t index = 0;

	if (c->result != PT_NO_TYPE &&
	    set_result_place_return_is_in_memory(w, c))
		next.slot[PT_IN_INTEGER]++;
	for (uint32_t i = 0; i < c->n_parameters; index++) {
		struct pt_parameter *p = &w->parameter[c->first_parameter + i];

		if (p->index == index) {
			assign_parameter_location(w, p, &next);
			i++;
		} else if (next.slot[PT_IN_INTEGER] < INTEGERS) {
			next.slot[PT_IN_INTEGER]++;
		} else {
			next.slot[PT_ON_STACK]++;
		}
	}
}
