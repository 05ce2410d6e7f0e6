/* SPDX-License-Identifier: GPL-2.0-or-later */
/* local_variables.c - finds variables of a function; see local_variables.h */

#include "lib/symbols/local_variables.h"

#include <dwarf.h>
#include <stdlib.h>

#include "lib/symbols/type_entries.h"

/* An address: the value of a register plus a displacement [bytes]. */
struct frame_address {
	unsigned register_number;
	int64_t displacement;
};

/* Set @out to the address that a DWARF operation stands for: DW_OP_breg0 to 31
   or DW_OP_bregx. Return: false if it is another operation. */
static bool read_register_address(const Dwarf_Op *op, struct frame_address *out)
{
	if (op->atom == DW_OP_bregx)
		*out = (struct frame_address){(unsigned)op->number,
					      (int64_t)op->number2};
	else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		*out = (struct frame_address){op->atom - DW_OP_breg0,
					      (int64_t)op->number};
	else
		return false;
	return true;
}

/* Set @out to the canonical frame address (CFA) at s->pc. Return: false if it is
   not known, or more than a register and a displacement. */
static bool find_canonical_frame_address(const struct al_local_scopes *s,
					 struct frame_address *out)
{
	Dwarf_Frame *frame = NULL;
	bool is_found;
	Dwarf_Op *op;
	size_t n;

	if (s->frame_info == NULL ||
	    dwarf_cfi_addrframe(s->frame_info, s->pc, &frame) != 0)
		return false;
	is_found = dwarf_frame_cfa(frame, &op, &n) == 0 && n == 1 &&
		   read_register_address(op, out);
	free(frame);
	return is_found;
}

/* Set @out to the frame base of s->function at s->pc, which DW_OP_fbreg is
   relative to. Return: false if it is not known. */
static bool find_frame_base(const struct al_local_scopes *s,
			    struct frame_address *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr_integrate(s->function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, s->pc, &op, &n, 1) != 1 ||
	    n != 1)
		return false;
	if (op->atom == DW_OP_call_frame_cfa)
		return find_canonical_frame_address(s, out);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		*out = (struct frame_address){op->atom - DW_OP_reg0, 0};
		return true;
	}
	return read_register_address(op, out);
}

/* Return the only operation of the location of @variable at @pc; NULL: it has
   no location there, or one of several operations. */
static const Dwarf_Op *only_location_operation_or_null(Dwarf_Die *variable,
						       Dwarf_Addr pc)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t n;

	return dwarf_attr(variable, DW_AT_location, &attribute) &&
			       dwarf_getlocation_addr(&attribute, pc, &op, &n,
						      1) == 1 &&
			       n == 1
		       ? op
		       : NULL;
}

/* A place that is searched for a variable. */
struct place {
	bool is_in_frame; /* at `address`; else in its register */
	struct frame_address address;
	bool has_frame_base; /* `frame_base` is known */
	struct frame_address frame_base;
};

/* Set @type_out to the type of what is at the place, if that is @variable or a
   part of it, which has its address in @start. */
static bool find_type_of_part(Dwarf_Die *variable, const struct place *place,
			      struct frame_address start, Dwarf_Die *type_out)
{
	uint64_t offset = (uint64_t)place->address.displacement -
			  (uint64_t)start.displacement;
	Dwarf_Die type;
	Dwarf_Word size;

	return start.register_number == place->address.register_number &&
	       al_type_peeled_type_of_entry(variable, &type) &&
	       dwarf_aggregate_size(&type, &size) == 0 && offset < size &&
	       al_type_find_part_at_offset(&type, offset, type_out);
}

/* Set @type_out to the type of what is at the place, if that is @variable or a
   part of it. */
static bool find_type_of_variable_at_place(Dwarf_Die *variable,
					   const struct place *place,
					   Dwarf_Addr pc, Dwarf_Die *type_out)
{
	const Dwarf_Op *op = only_location_operation_or_null(variable, pc);
	unsigned register_number = place->address.register_number;
	struct frame_address start = place->frame_base;

	if (op == NULL)
		return false;
	if (!place->is_in_frame)
		return (op->atom == DW_OP_regx
				? op->number == register_number
				: op->atom == DW_OP_reg0 + register_number) &&
		       al_type_peeled_type_of_entry(variable, type_out) &&
		       al_type_is_pointer_or_reference(type_out);
	if (op->atom == DW_OP_fbreg && place->has_frame_base)
		start.displacement += (int64_t)op->number;
	else if (!read_register_address(op, &start))
		return false;
	return find_type_of_part(variable, place, start, type_out);
}

/* As find_type_of_variable_at_place(), for the innermost variable or parameter
   of the scopes that is there. Return: whether there is one. */
static bool find_type_at_place(const struct al_local_scopes *s,
			       const struct place *place, Dwarf_Die *type_out)
{
	for (unsigned i = 0; i < s->n; i++) {
		Dwarf_Die scope = s->scope[i], die;
		int more = dwarf_child(&scope, &die);

		if (dwarf_tag(&scope) == DW_TAG_compile_unit)
			continue;
		for (; !more; more = dwarf_siblingof(&die, &die)) {
			int tag = dwarf_tag(&die);

			if ((tag == DW_TAG_variable ||
			     tag == DW_TAG_formal_parameter) &&
			    find_type_of_variable_at_place(&die, place, s->pc,
							   type_out))
				return true;
		}
	}
	return false;
}

bool al_local_variables_find_pointer_in_register(
	const struct al_local_scopes *s, unsigned register_number,
	Dwarf_Die *type_out)
{
	struct place place = {.address = {register_number, 0}};

	return find_type_at_place(s, &place, type_out);
}

bool al_local_variables_find_type_in_frame(const struct al_local_scopes *s,
					   unsigned register_number,
					   int64_t displacement,
					   Dwarf_Die *type_out)
{
	struct place place = {.is_in_frame = true,
			      .address = {register_number, displacement}};

	place.has_frame_base = find_frame_base(s, &place.frame_base);
	return find_type_at_place(s, &place, type_out);
}
