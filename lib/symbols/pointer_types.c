/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pointer_types.c - finds the structure that an instruction accesses: the one
 *                   that a register of its address points to
 *
 * A register has the type of the variable that lies in it. If none does, the
 * code of the function is searched backwards, along all paths, for an
 * instruction that writes the register. This instruction says where the value
 * comes from: another register, a variable in memory, a member of a structure
 * that another register points to, or a call. Where paths meet that have
 * pointers to several types, the type is not known.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/code/instr_flow.h"
#include "lib/symbols/debug_types.h"
#include "lib/symbols/local_variables.h"
#include "lib/symbols/types/type_entries.h"
#include "lib/symbols/types/type_layout.h"

enum {
	RAX = 0,
	RSP = 4,
	RBP = 5,
	MAX_STEPS = 12,	    /* greatest number of instructions through which a
			   value is followed */
	MAX_PATHS = 32,	    /* places where paths of the code meet that are
			   searched, for each value */
	MAX_SEARCHED = 512, /* instructions that are searched, for each
				access */
	MAX_LATER = 8,	    /* instructions after a value was stored that are
			       searched for a variable that has it, too */
	DECODING_COST = 8,  /* instructions that could be searched instead of
				decoding the operands of one */
};

/* A search for the types of values in a function. */
struct search {
	struct al_debug_types *types;
	const struct al_function_flow *flow;
	unsigned n_left; /* instructions that may still be searched */
};

/* A value, or element of an array, that a register points to. */
struct pointee {
	Dwarf_Die type;	 /* with typedefs and qualifiers */
	int64_t offset;	 /* [bytes] of the address in the value; if is_element,
			   only known modulo the element's size */
	bool is_element; /* a register was added to the address, or the
			    register was advanced, as in a loop */
};

/* ---- variables ---- */

/* Convert the number of a general register as x86-64 encodes it, 0 (rax) to 15
   (r15), to DWARF's. */
static unsigned dwarf_number_of_register(unsigned x86_number)
{
	static const unsigned char of_first_8[] = {0, 2, 1, 3, 7, 6, 4, 5};

	return x86_number < sizeof(of_first_8) ? of_first_8[x86_number]
					       : x86_number;
}

/* Return the address of an instruction, as in the file. */
static uint64_t elf_address_of_instr(const struct search *s,
				     uint32_t instr_index)
{
	return s->flow->start + s->flow->instr[instr_index].offset;
}

/* Return the address after an instruction, as in the file. */
static uint64_t elf_address_after_instr(const struct search *s,
					uint32_t instr_index)
{
	return elf_address_of_instr(s, instr_index) +
	       s->flow->instr[instr_index].step.len;
}

/* Set @type_out to the type of what is at @displacement from the address in
   register @x86_number before instruction @instr_index, if that is in the
   function's frame. */
static bool find_type_in_frame(const struct search *s, uint32_t instr_index,
			       unsigned x86_number, int64_t displacement,
			       Dwarf_Die *type_out)
{
	return (x86_number == RSP || x86_number == RBP) &&
	       al_local_variables_find_type_in_frame(
		       &s->flow->variables, &s->types->definitions,
		       s->types->frame_info,
		       elf_address_of_instr(s, instr_index),
		       dwarf_number_of_register(x86_number), displacement,
		       type_out);
}

/* Set @out to what the variable points to that is in register @x86_number
   before instruction @instr_index. Return: false if there is none. */
static bool find_pointee_of_variable(const struct search *s,
				     uint32_t instr_index, unsigned x86_number,
				     struct pointee *out)
{
	Dwarf_Die pointer;

	*out = (struct pointee){.offset = 0};
	return al_local_variables_find_pointer(
		       &s->flow->variables,
		       elf_address_of_instr(s, instr_index),
		       dwarf_number_of_register(x86_number), &pointer) &&
	       al_type_definitions_find_entry_type(&s->types->definitions,
						   &pointer, &out->type);
}

/* Set @out to the static variable around @elf_address. */
static bool find_static_variable(struct al_debug_types *t, uint64_t elf_address,
				 struct pointee *out)
{
	Dwarf_Die variable;
	Dwarf_Word size;
	uint64_t offset;

	if (!al_debug_types_find_variable(t, elf_address, &variable, &offset) ||
	    !al_type_definitions_find_entry_type(&t->definitions, &variable,
						 &out->type) ||
	    dwarf_aggregate_size(&out->type, &size) != 0)
		return false;
	out->offset = (int64_t)offset;
	out->is_element = false;
	return offset < size;
}

/* ---- values ---- */

static bool find_pointee_of_register(struct search *s, uint32_t instr_index,
				     unsigned x86_number, int steps_followed,
				     struct pointee *out);

/* Set @out to what address @sum, before instruction @instr_index, points to: a
   static variable, or what the base register or, if that is not known, the
   index register points to. Return: false if it is not known. */
static bool find_pointee_of_sum(struct search *s, uint32_t instr_index,
				const struct al_register_sum *sum,
				int steps_followed, struct pointee *out)
{
	bool has_base = sum->base != AL_NO_REGISTER,
	     has_index = sum->index != AL_NO_REGISTER;

	if (!has_base && !has_index)
		return find_static_variable(
			s->types,
			(uint64_t)sum->displacement +
				(sum->is_code_relative
					 ? elf_address_after_instr(s,
								   instr_index)
					 : 0),
			out);
	if (!(has_base && find_pointee_of_register(s, instr_index, sum->base,
						   steps_followed, out)) &&
	    !(has_index && find_pointee_of_register(s, instr_index, sum->index,
						    steps_followed, out)))
		return false;
	out->offset =
		(int64_t)((uint64_t)out->offset + (uint64_t)sum->displacement);
	out->is_element |= has_base && has_index;
	return true;
}

/* Set @element_out to the type of the value, or of the element of an array,
   that @p points into, without typedefs and qualifiers, and @offset_out to the
   offset in it [bytes]. Return: false if the address is outside of the value,
   or the size of the value is not known or 0. */
static bool find_element_and_offset(const struct search *s,
				    const struct pointee *p,
				    Dwarf_Die *element_out,
				    uint64_t *offset_out)
{
	Dwarf_Die type = p->type;
	bool is_element = p->is_element;
	Dwarf_Word size;
	int64_t offset;

	if (dwarf_peel_type(&type, element_out) != 0)
		return false;
	for (int depth = 0; dwarf_tag(element_out) == DW_TAG_array_type;
	     depth++) {
		is_element = true;
		if (depth == MAX_STEPS ||
		    !al_type_definitions_find_type_of_entry(
			    &s->types->definitions, element_out, element_out))
			return false;
	}
	if (dwarf_aggregate_size(element_out, &size) != 0 || size == 0 ||
	    size > INT64_MAX)
		return false;
	offset = is_element ? p->offset % (int64_t)size : p->offset;
	*offset_out =
		(uint64_t)(is_element && offset < 0 ? offset + (int64_t)size
						    : offset);
	return *offset_out < size;
}

/* Set @type_out to the type, without typedefs and qualifiers, of the innermost
   part of a value, or of the element of an array, that @p points to. */
static bool find_part_of_pointee(const struct search *s,
				 const struct pointee *p, Dwarf_Die *type_out)
{
	Dwarf_Die element;
	uint64_t offset;

	return find_element_and_offset(s, p, &element, &offset) &&
	       al_type_find_innermost_type_at_offset(
		       &s->types->definitions, &element, offset, type_out);
}

/* Set @out to what the variable points to in whose place in the frame
   instruction @instr_index stores register @x86_number, which so has the
   variable's value. Code that is not optimised has few variables in registers.
   */
static bool find_pointee_of_variable_stored_to(struct search *s,
					       uint32_t instr_index,
					       unsigned x86_number,
					       struct pointee *out)
{
	const struct al_flow_instr *in = &s->flow->instr[instr_index];
	const uint8_t *code = s->flow->code + in->offset;
	struct al_register_sum place;
	Dwarf_Die pointer;

	if (!al_instr_may_store_register(code, in->step.len, x86_number) ||
	    s->n_left < DECODING_COST || instr_index + 1 >= s->flow->n)
		return false;
	s->n_left -= DECODING_COST;
	*out = (struct pointee){.offset = 0};
	return al_instr_decode_stored_register(code, in->step.len, &place) ==
		       x86_number &&
	       place.index == AL_NO_REGISTER &&
	       find_type_in_frame(s, instr_index + 1, place.base,
				  place.displacement, &pointer) &&
	       al_type_has_pointer_or_reference_tag(&pointer) &&
	       al_type_definitions_find_entry_type(&s->types->definitions,
						   &pointer, &out->type);
}

/* As find_pointee_of_variable_stored_to(), for the instructions after
   @instr_index that are executed next, until one changes the register. */
static bool find_pointee_of_variable_stored_later(struct search *s,
						  uint32_t instr_index,
						  unsigned x86_number,
						  struct pointee *out)
{
	for (int n = 0; n < MAX_LATER; n++) {
		const struct al_flow_instr *in;

		if (++instr_index >= s->flow->n)
			return false;
		in = &s->flow->instr[instr_index];
		if (find_pointee_of_variable_stored_to(s, instr_index,
						       x86_number, out))
			return true;
		if (in->step.transfer != AL_TRANSFER_NEXT ||
		    (in->step.written & 1u << x86_number))
			return false;
	}
	return false;
}

/* Set @out to what the register pointed to that was stored last at address
   @place, relative to rbp or rsp, in the instructions before @instr_index. Code
   that is not optimised stores registers so, in no variable, and loads them
   again. */
static bool find_pointee_of_stored_register(struct search *s,
					    uint32_t instr_index,
					    const struct al_register_sum *place,
					    int steps_followed,
					    struct pointee *out)
{
	const struct al_flow_instr *instr = s->flow->instr;
	struct al_register_sum sum;

	if ((place->base != RBP && place->base != RSP) ||
	    place->index != AL_NO_REGISTER)
		return false;
	while (instr_index-- > 0 &&
	       !(instr[instr_index].step.written & 1u << place->base) &&
	       !(place->base == RSP &&
		 al_instr_may_push_or_pop(s->flow->code +
					  instr[instr_index].offset)) &&
	       s->n_left >= DECODING_COST) {
		const struct al_flow_instr *in = &instr[instr_index];
		unsigned stored = al_instr_decode_stored_register(
			s->flow->code + in->offset, in->step.len, &sum);

		s->n_left -= DECODING_COST;
		if (stored != AL_NO_REGISTER && sum.base == place->base &&
		    sum.index == AL_NO_REGISTER &&
		    sum.displacement == place->displacement)
			return find_pointee_of_register(s, instr_index, stored,
							steps_followed, out) ||
			       find_pointee_of_variable_stored_later(
				       s, instr_index, stored, out);
	}
	return false;
}

/* Set @out to what the pointer at address @place points to, which instruction
   @instr_index loads. */
static bool find_pointee_of_loaded_value(struct search *s, uint32_t instr_index,
					 const struct al_register_sum *place,
					 int steps_followed,
					 struct pointee *out)
{
	struct pointee around;
	Dwarf_Die value;
	bool is_in_frame = place->index == AL_NO_REGISTER &&
			   find_type_in_frame(s, instr_index, place->base,
					      place->displacement, &value);

	if (!is_in_frame && !(find_pointee_of_sum(s, instr_index, place,
						  steps_followed, &around) &&
			      find_part_of_pointee(s, &around, &value)))
		return find_pointee_of_stored_register(s, instr_index, place,
						       steps_followed, out);
	*out = (struct pointee){.offset = 0};
	return al_type_has_pointer_or_reference_tag(&value) &&
	       al_type_definitions_find_entry_type(&s->types->definitions,
						   &value, &out->type);
}

/* Replace @return_type_in_out, the type that a function returns, by that of its
   part in register rax, as of a structure of one pointer. Return: false if it
   is not known. */
static bool narrow_return_type_to_part_in_rax(const struct search *s,
					      Dwarf_Die *return_type_in_out)
{
	Dwarf_Word size;

	return !al_type_is_structure_or_union(return_type_in_out) ||
	       (dwarf_aggregate_size(return_type_in_out, &size) == 0 &&
		size <= 8 &&
		al_type_find_innermost_type_at_offset(&s->types->definitions,
						      return_type_in_out, 0,
						      return_type_in_out));
}

/* Set @out to what the pointer points to that the function called by
   instruction @instr_index returns. */
static bool find_pointee_of_return_value(const struct search *s,
					 uint32_t instr_index,
					 struct pointee *out)
{
	const struct al_instr_step *step = &s->flow->instr[instr_index].step;
	uint64_t called = elf_address_after_instr(s, instr_index) +
			  (uint64_t)(int64_t)step->displacement;
	struct al_code_range *function =
		step->has_target
			? al_code_scopes_find_function(&s->types->scopes,
						       s->types->dwarf, called)
			: NULL;
	Dwarf_Die value;

	*out = (struct pointee){.offset = 0};
	return function != NULL &&
	       al_type_definitions_find_type_of_entry(
		       &s->types->definitions, &function->entry, &value) &&
	       narrow_return_type_to_part_in_rax(s, &value) &&
	       al_type_has_pointer_or_reference_tag(&value) &&
	       al_type_definitions_find_entry_type(&s->types->definitions,
						   &value, &out->type);
}

/* Set @out to what register @x86_number points to after instruction
   @instr_index, which writes it. */
static bool find_pointee_of_written_value(struct search *s,
					  uint32_t instr_index,
					  unsigned x86_number,
					  int steps_followed,
					  struct pointee *out)
{
	const struct al_flow_instr *in = &s->flow->instr[instr_index];
	struct al_register_sum sum;
	bool is_advanced;

	if (instr_index + 1 < s->flow->n &&
	    find_pointee_of_variable(s, instr_index + 1, x86_number, out))
		return true;
	if (s->n_left < DECODING_COST)
		return false;
	s->n_left -= DECODING_COST;
	if (in->step.transfer == AL_TRANSFER_CALL)
		return x86_number == RAX &&
		       find_pointee_of_return_value(s, instr_index, out);
	switch (al_instr_decode_register_value(
		s->flow->code + in->offset, in->step.len, x86_number, &sum)) {
	case AL_REGISTER_SUM:
		is_advanced = sum.base == x86_number;
		if (!find_pointee_of_sum(s, instr_index, &sum, steps_followed,
					 out))
			return false;
		out->is_element |= is_advanced;
		return true;
	case AL_REGISTER_LOADED:
		return find_pointee_of_loaded_value(s, instr_index, &sum,
						    steps_followed, out);
	default:
		return false;
	}
}

/* ---- paths ---- */

/* Places in a function up to which its code was searched backwards, and from
   which it must still be. */
struct paths {
	uint32_t visited
		[MAX_PATHS]; /* [n_visited] instructions that jumps lead to */
	unsigned n_visited;
	uint32_t pending[MAX_PATHS]; /* [n_pending] */
	unsigned n_pending;
};

/* Add the jumps to instruction @instr_index to the pending places, as far as
   there is room for them. Return: false if they were added before, or `visited`
   is full. */
static bool
add_jumps_to_instr_false_if_seen_or_full(struct paths *p,
					 const struct al_function_flow *flow,
					 uint32_t instr_index)
{
	uint32_t jump = flow->instr[instr_index].jump;

	if (jump == AL_NO_INSTR)
		return true;
	for (unsigned i = 0; i < p->n_visited; i++)
		if (p->visited[i] == instr_index)
			return false;
	if (p->n_visited == MAX_PATHS)
		return false;
	p->visited[p->n_visited++] = instr_index;
	for (; jump != AL_NO_INSTR && p->n_pending < MAX_PATHS;
	     jump = flow->jump[jump].next)
		p->pending[p->n_pending++] = flow->jump[jump].from;
	return true;
}

/* Whether control can pass from instruction @instr_index to the next one. */
static bool can_control_pass_to_next_instr(const struct al_function_flow *flow,
					   uint32_t instr_index)
{
	unsigned transfer = flow->instr[instr_index].step.transfer;

	return transfer != AL_TRANSFER_JUMP && transfer != AL_TRANSFER_END;
}

/* Set @out to what register @x86_number points to before instruction
   @instr_index, if the instructions directly before it say so, or a variable
   has the register at the begin of the function. Add jumps that lead to these
   instructions to @pending_paths. */
static bool find_pointee_straight_back(struct search *s,
				       struct paths *pending_paths,
				       uint32_t instr_index,
				       unsigned x86_number, int steps_followed,
				       struct pointee *out)
{
	const struct al_flow_instr *instr = s->flow->instr;

	for (; s->n_left > 0; instr_index--) {
		s->n_left--;
		if (!add_jumps_to_instr_false_if_seen_or_full(
			    pending_paths, s->flow, instr_index))
			return false;
		if (instr_index == 0)
			return find_pointee_of_variable(s, 0, x86_number, out);
		if (!can_control_pass_to_next_instr(s->flow, instr_index - 1))
			return false;
		if (instr[instr_index - 1].step.written & 1u << x86_number)
			return find_pointee_of_written_value(
				s, instr_index - 1, x86_number,
				steps_followed + 1, out);
		if (find_pointee_of_variable_stored_to(s, instr_index - 1,
						       x86_number, out))
			return true;
	}
	return false;
}

/* Whether two pointees have one type, typedefs aside. */
static bool have_one_type(const struct pointee *a, const struct pointee *b)
{
	Dwarf_Die type_a = a->type, type_b = b->type, peeled_a, peeled_b;

	return dwarf_peel_type(&type_a, &peeled_a) == 0 &&
	       dwarf_peel_type(&type_b, &peeled_b) == 0 &&
	       dwarf_dieoffset(&peeled_a) == dwarf_dieoffset(&peeled_b);
}

/* Set @out to what register @x86_number points to before instruction
   @instr_index. @steps_followed: number of instructions through which the value
   was followed. Return: false if it is not known. Once a path has led to a
   type, jumps backwards are not followed: loops do not change the type of a
   pointer. */
static bool find_pointee_of_register(struct search *s, uint32_t instr_index,
				     unsigned x86_number, int steps_followed,
				     struct pointee *out)
{
	struct paths paths = {.pending = {instr_index}, .n_pending = 1};
	struct pointee other;
	bool is_found = false;

	if (steps_followed == MAX_STEPS || x86_number == RSP)
		return false;
	if (find_pointee_of_variable(s, instr_index, x86_number, out))
		return true;
	while (paths.n_pending > 0) {
		uint32_t from = paths.pending[--paths.n_pending];

		if ((is_found && from > instr_index) ||
		    !find_pointee_straight_back(s, &paths, from, x86_number,
						steps_followed, &other))
			continue;
		if (is_found && !have_one_type(out, &other))
			return false;
		if (!is_found)
			*out = other;
		is_found = true;
	}
	return is_found;
}

/* ---- structures ---- */

/* Whether @type is a structure, class or union, or a typedef of one. */
static bool is_structure_or_typedef_of_one(Dwarf_Die *type)
{
	Dwarf_Die peeled;

	return dwarf_peel_type(type, &peeled) == 0 &&
	       al_type_is_structure_or_union(&peeled);
}

/* Set s->flow to the function that contains @elf_address. Return: the index of
   the instruction there; AL_NO_INSTR: there is none, or it is in the unit of
   the C library's malloc(). */
static uint32_t find_function_and_instr(struct search *s, uint64_t elf_address)
{
	struct al_debug_types *t = s->types;
	Dwarf_Die *unit =
		al_code_scopes_find_unit(&t->scopes, t->dwarf, elf_address);
	const struct al_code_range *function =
		al_code_scopes_find_function(&t->scopes, t->dwarf, elf_address);

	if (function == NULL || al_debug_types_is_libc_malloc_unit(t, unit))
		return AL_NO_INSTR;
	s->flow = al_function_flows_find_or_read(&t->flows, &t->main, function);
	return s->flow ? al_function_flow_find_instr(s->flow, elf_address)
		       : AL_NO_INSTR;
}

const struct an_type *
al_debug_types_find_accessed_structure(struct al_debug_types *t,
				       uint64_t elf_address)
{
	struct search s = {.types = t, .n_left = MAX_SEARCHED};
	const struct al_flow_instr *in;
	struct al_register_sum address;
	struct pointee pointee;
	Dwarf_Die element;
	uint64_t offset;
	uint32_t i;

	if (t->dwarf == NULL)
		return NULL;
	i = find_function_and_instr(&s, elf_address);
	if (i == AL_NO_INSTR)
		return NULL;
	in = &s.flow->instr[i];
	return al_instr_decode_address(s.flow->code + in->offset, in->step.len,
				       &address) &&
			       (address.base != AL_NO_REGISTER ||
				address.index != AL_NO_REGISTER) &&
			       find_pointee_of_sum(&s, i, &address, 0,
						   &pointee) &&
			       is_structure_or_typedef_of_one(&pointee.type) &&
			       find_element_and_offset(&s, &pointee, &element,
						       &offset)
		       ? al_debug_types_structure_layout(t, &pointee.type)
		       : NULL;
}
