/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pointer_types.c - finds the structure that an instruction accesses: the one
 *                   that a register of its address points to
 *
 * A register has the type of the variable that lies in it. If none does, the
 * instruction that wrote the register last, among those that were executed
 * before, says where its value comes from: another register, a variable in
 * memory, or a member of a structure that another register points to.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/code/instr_flow.h"
#include "lib/symbols/debug_types.h"
#include "lib/symbols/local_variables.h"
#include "lib/symbols/type_entries.h"
#include "lib/symbols/type_layout.h"

enum {
	RSP = 4,
	RBP = 5,
	MAX_STEPS = 12, /* greatest number of instructions through which a
			   value is followed */
};

/* A search for the types of values. */
struct search {
	struct al_debug_types *types;
	const struct al_executed_instr *instr;
};

/* ---- code of the C library ---- */

/* Whether @die is a function with this name. */
static bool is_function_with_name(Dwarf_Die *die, const char *wanted_name)
{
	const char *name =
		dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;

	return name && !strcmp(name, wanted_name);
}

/* Whether compilation unit @unit is that of malloc() and its like of the GNU C
   library. */
static bool is_unit_of_libc_malloc(Dwarf_Die *unit)
{
	const char *path = dwarf_diename(unit);
	const char *slash = path ? strrchr(path, '/') : NULL;
	Dwarf_Die die;

	if (!path || strcmp(slash ? slash + 1 : path, "malloc.c") ||
	    dwarf_child(unit, &die))
		return false;
	do {
		if (is_function_with_name(&die, "__libc_malloc"))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

/* As is_unit_of_libc_malloc(); the result for the last unit is stored. */
static bool is_unit_of_libc_malloc_cached(struct al_debug_types *t,
					  Dwarf_Die *unit)
{
	Dwarf_Off offset = dwarf_dieoffset(unit);

	if (!t->has_malloc_answer || t->malloc_answer_unit != offset) {
		t->is_malloc_unit = is_unit_of_libc_malloc(unit);
		t->malloc_answer_unit = offset;
		t->has_malloc_answer = true;
	}
	return t->is_malloc_unit;
}

/* ---- variables ---- */

/* Convert the number of a general register as x86-64 encodes it, 0 (rax) to 15
   (r15), to DWARF's. */
static unsigned dwarf_number_of_register(unsigned x86_number)
{
	static const unsigned char of_first_8[] = {0, 2, 1, 3, 7, 6, 4, 5};

	return x86_number < sizeof(of_first_8) ? of_first_8[x86_number]
					       : x86_number;
}

/* Set @out to the scopes of an instruction. Return: false if there are none, or
   it is in the unit of the C library's malloc(). */
static bool find_scopes_of_instr(struct al_debug_types *t, uint64_t elf_address,
				 struct al_local_scopes *out)
{
	Dwarf_Die *unit =
		al_code_scopes_find_unit(&t->scopes, t->dwarf, elf_address);

	if (unit == NULL || is_unit_of_libc_malloc_cached(t, unit))
		return false;
	out->pc = elf_address;
	out->function =
		al_code_scopes_find_function(&t->scopes, unit, elf_address);
	out->n = al_code_scopes_list(&t->scopes, unit, elf_address, out->scope);
	out->frame_info = dwarf_getcfi_elf(t->main.elf);
	return out->function != NULL && out->n > 0;
}

/* Set @type_out to the type of what is at @displacement from the address in
   register @x86_number before instruction @instr_index, if that is in the
   function's frame. */
static bool find_type_in_frame(const struct search *s, unsigned instr_index,
			       unsigned x86_number, int64_t displacement,
			       Dwarf_Die *type_out)
{
	struct al_local_scopes scopes;

	return (x86_number == RSP || x86_number == RBP) &&
	       find_scopes_of_instr(s->types, s->instr[instr_index].elf_address,
				    &scopes) &&
	       al_local_variables_find_type_in_frame(
		       &scopes, dwarf_number_of_register(x86_number),
		       displacement, type_out);
}

/* Set @type_out to the type of the static variable around @elf_address, and
   @offset_out to the distance [bytes] of that address from its begin. */
static bool find_static_variable_type(struct al_debug_types *t,
				      uint64_t elf_address, Dwarf_Die *type_out,
				      uint64_t *offset_out)
{
	Dwarf_Die variable;
	Dwarf_Word size;

	return al_debug_types_find_variable_around(t, elf_address, &variable,
						   offset_out) &&
	       al_type_unpeeled_type_of_entry(&variable, type_out) &&
	       dwarf_aggregate_size(type_out, &size) == 0 && *offset_out < size;
}

/* ---- values ---- */

/* Set @element_out to the type of an element of @type, without typedefs and
   qualifiers, or to that of @type itself if it is no array, and @size_out to its
   size [bytes]. Return: whether it has a size. */
static bool read_element_type_and_size(Dwarf_Die *type, Dwarf_Die *element_out,
				       Dwarf_Word *size_out)
{
	if (dwarf_peel_type(type, element_out) != 0)
		return false;
	while (dwarf_tag(element_out) == DW_TAG_array_type)
		if (!al_type_peeled_type_of_entry(element_out, element_out))
			return false;
	return dwarf_aggregate_size(element_out, size_out) == 0 &&
	       *size_out > 0;
}

static bool find_pointee_of_register(const struct search *s,
				     unsigned instr_index, unsigned x86_number,
				     int steps, Dwarf_Die *pointee_out);

/* Set @pointee_out to the type at the address in the base register or, if that
   is not known, in the index register of @sum before instruction @instr_index.
   Return: whether one is known. */
static bool find_pointee_of_base_or_index(const struct search *s,
					  unsigned instr_index,
					  const struct al_register_sum *sum,
					  int steps, Dwarf_Die *pointee_out)
{
	return (sum->base != AL_NO_REGISTER &&
		find_pointee_of_register(s, instr_index, sum->base, steps,
					 pointee_out)) ||
	       (sum->index != AL_NO_REGISTER &&
		find_pointee_of_register(s, instr_index, sum->index, steps,
					 pointee_out));
}

/* Return the constant part of address @sum of instruction @in, as in the
   file. */
static uint64_t elf_address_of_sum(const struct al_executed_instr *in,
				   const struct al_register_sum *sum)
{
	return (uint64_t)sum->displacement +
	       (sum->is_code_relative ? in->elf_address + in->len : 0);
}

/* Set @pointee_out to the type at address @sum: that of a static variable, or
   what a register points to if a multiple of its size is added. */
static bool find_pointee_of_sum(const struct search *s, unsigned instr_index,
				const struct al_register_sum *sum, int steps,
				Dwarf_Die *pointee_out)
{
	uint64_t offset = (uint64_t)sum->displacement;
	Dwarf_Die element;
	Dwarf_Word size;
	bool is_found =
		sum->is_code_relative
			? find_static_variable_type(
				  s->types,
				  elf_address_of_sum(&s->instr[instr_index],
						     sum),
				  pointee_out, &offset)
			: find_pointee_of_base_or_index(s, instr_index, sum,
							steps, pointee_out);

	return is_found &&
	       read_element_type_and_size(pointee_out, &element, &size) &&
	       (int64_t)offset % (int64_t)size == 0;
}

/* Set @type_out to the type, without typedefs and qualifiers, of the value in
   memory at address @sum: that of a variable, or of a part of what a register
   points to. */
static bool find_type_in_memory(const struct search *s, unsigned instr_index,
				const struct al_register_sum *sum, int steps,
				Dwarf_Die *type_out)
{
	uint64_t offset = (uint64_t)sum->displacement;
	Dwarf_Die whole, element;
	Dwarf_Word size;
	int64_t rest;

	if (sum->index == AL_NO_REGISTER &&
	    find_type_in_frame(s, instr_index, sum->base, sum->displacement,
			       type_out))
		return true;
	if (!(sum->base == AL_NO_REGISTER
		      ? find_static_variable_type(
				s->types,
				elf_address_of_sum(&s->instr[instr_index], sum),
				&whole, &offset)
		      : find_pointee_of_base_or_index(s, instr_index, sum,
						      steps, &whole)) ||
	    !read_element_type_and_size(&whole, &element, &size))
		return false;
	rest = (int64_t)offset % (int64_t)size;
	return al_type_find_part_at_offset(
		&element, (uint64_t)(rest < 0 ? rest + (int64_t)size : rest),
		type_out);
}

/* Set @pointee_out to the type at the address that a register had when it was
   stored at address @place, relative to rbp, the last time before instruction
   @instr_index. Code that is not optimised stores registers so, in no variable,
   and loads them again. */
static bool find_pointee_of_stored_register(const struct search *s,
					    unsigned instr_index,
					    const struct al_register_sum *place,
					    int steps, Dwarf_Die *pointee_out)
{
	struct al_register_sum sum;

	if (place->base != RBP || place->index != AL_NO_REGISTER)
		return false;
	while (instr_index-- > 0) {
		const struct al_executed_instr *in = &s->instr[instr_index];
		unsigned stored = al_instr_decode_stored_register(
			in->code, in->len, &sum);

		if (stored != AL_NO_REGISTER && sum.base == RBP &&
		    sum.index == AL_NO_REGISTER &&
		    sum.displacement == place->displacement)
			return find_pointee_of_register(s, instr_index, stored,
							steps, pointee_out);
		if (al_instr_decode_register_value(in->code, in->len, RBP,
						   &sum) != AL_REGISTER_KEPT)
			break;
	}
	return false;
}

/* Set @pointee_out to the type that the pointer points to which instruction
   @instr_index loads from address @place. */
static bool find_pointee_of_loaded_value(const struct search *s,
					 unsigned instr_index,
					 const struct al_register_sum *place,
					 int steps, Dwarf_Die *pointee_out)
{
	Dwarf_Die value;

	return find_type_in_memory(s, instr_index, place, steps, &value)
		       ? al_type_is_pointer_or_reference(&value) &&
				 al_type_unpeeled_type_of_entry(&value,
								pointee_out)
		       : find_pointee_of_stored_register(s, instr_index, place,
							 steps, pointee_out);
}

/* Set @pointee_out to the type that the pointer points to which instruction
   @instr_index writes to register @x86_number. @is_written_out: set to whether
   it writes the register. Return: whether the type is known. */
static bool find_pointee_of_written_value(const struct search *s,
					  unsigned instr_index,
					  unsigned x86_number, int steps,
					  Dwarf_Die *pointee_out,
					  bool *is_written_out)
{
	const struct al_executed_instr *in = &s->instr[instr_index];
	struct al_register_sum sum;
	enum al_register_origin origin = al_instr_decode_register_value(
		in->code, in->len, x86_number, &sum);

	*is_written_out = origin != AL_REGISTER_KEPT;
	if (origin == AL_REGISTER_SUM)
		return find_pointee_of_sum(s, instr_index, &sum, steps,
					   pointee_out);
	return origin == AL_REGISTER_LOADED &&
	       find_pointee_of_loaded_value(s, instr_index, &sum, steps,
					    pointee_out);
}

/* Set @pointee_out to the type, with typedefs and qualifiers, at the address
   that register @x86_number holds before instruction @instr_index. @steps:
   number of instructions through which the value was followed. Return: false if
   it is not known. */
static bool find_pointee_of_register(const struct search *s,
				     unsigned instr_index, unsigned x86_number,
				     int steps, Dwarf_Die *pointee_out)
{
	struct al_local_scopes scopes;
	Dwarf_Die pointer;
	bool is_found = false, is_written = false;

	if (steps == MAX_STEPS)
		return false;
	if (find_scopes_of_instr(s->types, s->instr[instr_index].elf_address,
				 &scopes) &&
	    al_local_variables_find_pointer_in_register(
		    &scopes, dwarf_number_of_register(x86_number), &pointer) &&
	    al_type_unpeeled_type_of_entry(&pointer, pointee_out))
		return true;
	while (instr_index-- > 0 && !is_written)
		is_found = find_pointee_of_written_value(
			s, instr_index, x86_number, steps + 1, pointee_out,
			&is_written);
	return is_found;
}

/* ---- structures ---- */

/* Return the layout of structure @type, which is built at the first call for
   this structure; NULL if it has no layout or memory is short. */
static const struct an_type *
find_or_add_structure_layout(struct al_debug_types *t, Dwarf_Die *type)
{
	size_t size = t->pointed_size ? 2 * t->pointed_size : 64;
	Dwarf_Off entry = dwarf_dieoffset(type);
	struct al_pointed_type *bigger;

	for (size_t i = 0; i < t->n_pointed; i++)
		if (t->pointed[i].entry == entry)
			return t->pointed[i].type;
	if (t->n_pointed == t->pointed_size) {
		bigger = reallocarray(t->pointed, size, sizeof(*bigger));
		if (!bigger)
			return NULL;
		t->pointed = bigger;
		t->pointed_size = size;
	}
	t->pointed[t->n_pointed++] = (struct al_pointed_type){
		entry, al_type_layout_new(type, "", t->strings)};
	return t->pointed[t->n_pointed - 1].type;
}

/* Return the layout of @structure; NULL: it has no members, such as an enum of
   Rust, all of whose members are those of variants. */
static const struct an_type *
layout_with_members_or_null(struct al_debug_types *t, Dwarf_Die *structure)
{
	const struct an_type *type = find_or_add_structure_layout(t, structure);

	return type && type->n_members > 0 ? type : NULL;
}

/* Whether @type is a structure, class or union, or a typedef of one. */
static bool is_structure_or_typedef_of_one(Dwarf_Die *type)
{
	Dwarf_Die peeled;

	return dwarf_peel_type(type, &peeled) == 0 &&
	       al_type_is_structure_or_union(&peeled);
}

const struct an_type *
al_debug_types_find_accessed_structure(struct al_debug_types *t,
				       const struct al_executed_instr *instr,
				       unsigned n_instrs)
{
	const struct search s = {.types = t, .instr = instr};
	const struct al_executed_instr *last = &instr[n_instrs - 1];
	unsigned registers =
		al_instr_decode_register_flow(last->code, last->len).address;
	Dwarf_Die pointee;
	struct al_local_scopes scopes;

	if (t->dwarf == NULL ||
	    !find_scopes_of_instr(t, last->elf_address, &scopes))
		return NULL;
	for (; registers != 0; registers &= registers - 1)
		if (find_pointee_of_register(&s, n_instrs - 1,
					     (unsigned)__builtin_ctz(registers),
					     0, &pointee) &&
		    is_structure_or_typedef_of_one(&pointee))
			return layout_with_members_or_null(t, &pointee);
	return NULL;
}
