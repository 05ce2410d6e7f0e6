/* SPDX-License-Identifier: GPL-2.0-or-later */
/* local_variables.c - finds variables of a function; see local_variables.h */

#include "lib/symbols/local_variables.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/tables/array.h"
#include "lib/symbols/types/type_definitions.h"
#include "lib/symbols/types/type_entries.h"

enum {
	MAX_DEPTH = 64,	   /* blocks inside blocks */
	MAX_PLACES = 4096, /* of the variables of a function */
	POINTER_BYTES = 8,
};

/* ---- list ---- */

/* Set kind, register_number and displacement of @out, which must all be 0, to
   the place that a DWARF operation states. Return: false if that is neither a
   register nor relative to a register or the frame base. */
static bool read_place(const Dwarf_Op *op, struct al_local_place *out)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
		out->register_number = atom - DW_OP_reg0;
	} else if (atom == DW_OP_regx) {
		out->register_number = (unsigned)op->number;
	} else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		out->kind = AL_LOCAL_AT_REGISTER;
		out->register_number = atom - DW_OP_breg0;
		out->displacement = (int64_t)op->number;
	} else if (atom == DW_OP_bregx) {
		out->kind = AL_LOCAL_AT_REGISTER;
		out->register_number = (unsigned)op->number;
		out->displacement = (int64_t)op->number2;
	} else if (atom == DW_OP_fbreg) {
		out->kind = AL_LOCAL_AT_FRAME_BASE;
		out->displacement = (int64_t)op->number;
	} else {
		return false;
	}
	return true;
}

static int append_place(struct al_local_variables *v,
			const struct al_local_place *place)
{
	if (al_array_reserve(v->place, v->capacity, v->n + 1) != 0)
		return -ENOMEM;
	v->place[v->n++] = *place;
	return 0;
}

/* Append @place for each range of the code of @scope, as far as it is valid
   there. Return: 0; -ENOMEM. */
static int append_place_in_scope_ranges(struct al_local_variables *v,
					Dwarf_Die *scope,
					const struct al_local_place *place)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	int err = 0;

	while (!err && (offset = dwarf_ranges(scope, offset, &base, &start,
					      &end)) > 0) {
		struct al_local_place part = *place;

		if (part.start < start)
			part.start = start;
		if (part.end > end)
			part.end = end;
		if (part.start < part.end)
			err = append_place(v, &part);
	}
	return err;
}

/* If the type of @place, which is in a register, is a structure, replace it by
   that of its part at @offset [bytes]. Return: whether it is a pointer or
   reference then. */
static bool narrow_place_to_part_is_pointer(struct al_local_place *place,
					    uint64_t offset)
{
	return (!al_type_is_structure_or_union(&place->type) ||
		al_type_find_innermost_type_at_offset(NULL, &place->type,
						      offset, &place->type)) &&
	       al_type_has_pointer_or_reference_tag(&place->type);
}

/* Append the places of those parts of a variable that are pointers in
   registers, as of a slice of Rust or an iterator. @op: operations, with one
   that states the size after those of a part. @place: of the variable. Return:
   0; -ENOMEM. */
static int append_variable_parts_that_are_pointers(
	struct al_local_variables *v, Dwarf_Die *scope,
	const struct al_local_place *place, const Dwarf_Op *op, size_t n_ops)
{
	uint64_t offset = 0;
	int err = 0;

	for (size_t i = 0; !err && i < n_ops; i++) {
		struct al_local_place part = *place;

		if (op[i].atom == DW_OP_piece)
			offset += op[i].number;
		else if (i + 1 < n_ops && op[i + 1].atom == DW_OP_piece &&
			 op[i + 1].number == POINTER_BYTES &&
			 (i == 0 || op[i - 1].atom == DW_OP_piece) &&
			 read_place(&op[i], &part) &&
			 part.kind == AL_LOCAL_IN_REGISTER &&
			 narrow_place_to_part_is_pointer(&part, offset))
			err = append_place_in_scope_ranges(v, scope, &part);
	}
	return err;
}

/* Append the places that the operations @op of a variable state. @place: has
   the variable's start, end, depth and type. Return: 0; -ENOMEM. */
static int append_places(struct al_local_variables *v, Dwarf_Die *scope,
			 struct al_local_place place, const Dwarf_Op *op,
			 size_t n_ops)
{
	struct al_local_place part;

	if (n_ops != 1)
		return append_variable_parts_that_are_pointers(v, scope, &place,
							       op, n_ops);
	if (!read_place(op, &place))
		return 0;
	part = place;
	if (place.kind == AL_LOCAL_IN_REGISTER &&
	    narrow_place_to_part_is_pointer(&part, 0))
		place = part;
	return append_place_in_scope_ranges(v, scope, &place);
}

/* Append the places of a variable or parameter directly in @scope. @depth:
   blocks and inlined calls around the variable. Return: 0; -ENOMEM. */
static int append_variable(struct al_local_variables *v, Dwarf_Die *scope,
			   Dwarf_Die *variable, unsigned depth)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attribute;
	struct al_local_place place;
	Dwarf_Die type;
	ptrdiff_t offset = 0;
	size_t n_ops;
	Dwarf_Op *op;
	int err = 0;

	if (!dwarf_attr(variable, DW_AT_location, &attribute) ||
	    !al_type_peeled_type_of_entry(variable, &type))
		return 0;
	while (!err && v->n < MAX_PLACES &&
	       (offset = dwarf_getlocations(&attribute, offset, &base, &start,
					    &end, &op, &n_ops)) > 0) {
		place = (struct al_local_place){.start = start,
						.end = end,
						.depth = depth,
						.type = type};
		err = append_places(v, scope, place, op, n_ops);
	}
	return err;
}

/* Append the variables in @scope, a function, block or inlined call, and in the
   scopes inside it. @depth: blocks and inlined calls around the variables
   directly in @scope. Return: 0; -ENOMEM. */
static int append_variables_in_scope(struct al_local_variables *v,
				     Dwarf_Die *scope, unsigned depth)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(scope, &die);

	for (; !more && !err; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			err = append_variable(v, scope, &die, depth);
		else if ((tag == DW_TAG_lexical_block ||
			  tag == DW_TAG_inlined_subroutine ||
			  tag == DW_TAG_try_block ||
			  tag == DW_TAG_catch_block) &&
			 depth < MAX_DEPTH)
			err = append_variables_in_scope(v, &die, depth + 1);
	}
	return err;
}

int al_local_variables_list(struct al_local_variables *out,
			    const Dwarf_Die *function)
{
	out->function = *function;
	return append_variables_in_scope(out, &out->function, 0);
}

void al_local_variables_release(struct al_local_variables *v)
{
	free(v->place);
	*v = (struct al_local_variables){0};
}

/* ---- registers ---- */

bool al_local_variables_find_pointer(const struct al_local_variables *v,
				     Dwarf_Addr pc, unsigned register_number,
				     Dwarf_Die *type_out)
{
	const struct al_local_place *found = NULL;

	for (size_t i = 0; i < v->n; i++) {
		struct al_local_place *p = &v->place[i];

		if (p->kind == AL_LOCAL_IN_REGISTER &&
		    p->register_number == register_number && pc >= p->start &&
		    pc < p->end && (found == NULL || p->depth > found->depth) &&
		    al_type_has_pointer_or_reference_tag(&p->type))
			found = p;
	}
	if (found != NULL)
		*type_out = found->type;
	return found != NULL;
}

/* ---- frame ---- */

/* Set @out to the canonical frame address (CFA) at @pc. Return: false if it is
   not known, or more than a register and a displacement. */
static bool find_canonical_frame_address(Dwarf_CFI *frame_info, Dwarf_Addr pc,
					 struct al_local_place *out)
{
	Dwarf_Frame *frame = NULL;
	bool is_found;
	Dwarf_Op *op;
	size_t n;

	if (frame_info == NULL ||
	    dwarf_cfi_addrframe(frame_info, pc, &frame) != 0)
		return false;
	is_found = dwarf_frame_cfa(frame, &op, &n) == 0 && n == 1 &&
		   read_place(op, out) && out->kind == AL_LOCAL_AT_REGISTER;
	free(frame);
	return is_found;
}

/* Set register_number and displacement of @out to the frame base of the
   function at @pc. Return: false if it is not known. */
static bool find_frame_base(const struct al_local_variables *v,
			    Dwarf_CFI *frame_info, Dwarf_Addr pc,
			    struct al_local_place *out)
{
	Dwarf_Die function = v->function;
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t n;

	*out = (struct al_local_place){0};
	if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, pc, &op, &n, 1) != 1 || n != 1)
		return false;
	return op->atom == DW_OP_call_frame_cfa
		       ? find_canonical_frame_address(frame_info, pc, out)
		       : read_place(op, out) &&
				 out->kind != AL_LOCAL_AT_FRAME_BASE;
}

/* Set @type_out to the type of the part of a variable of @type that is @offset
   [bytes] after its begin. */
static bool find_type_of_part(struct al_type_definitions *definitions,
			      Dwarf_Die type, uint64_t offset,
			      Dwarf_Die *type_out)
{
	Dwarf_Word size;

	al_type_definitions_replace_declaration(definitions, &type);
	return dwarf_aggregate_size(&type, &size) == 0 && offset < size &&
	       al_type_find_innermost_type_at_offset(definitions, &type, offset,
						     type_out);
}

bool al_local_variables_find_type_in_frame(
	const struct al_local_variables *v,
	struct al_type_definitions *definitions, Dwarf_CFI *frame_info_or_null,
	Dwarf_Addr pc, unsigned register_number, int64_t displacement,
	Dwarf_Die *type_out)
{
	struct al_local_place base;
	bool has_base = find_frame_base(v, frame_info_or_null, pc, &base) &&
			base.register_number == register_number,
	     is_found = false;
	unsigned depth = 0;
	Dwarf_Die type;

	for (size_t i = 0; i < v->n; i++) {
		struct al_local_place *p = &v->place[i];
		bool is_relative = p->kind == AL_LOCAL_AT_FRAME_BASE;
		int64_t start =
			p->displacement + (is_relative ? base.displacement : 0);

		if (p->kind == AL_LOCAL_IN_REGISTER ||
		    !(is_relative ? has_base
				  : p->register_number == register_number) ||
		    pc < p->start || pc >= p->end ||
		    (is_found && p->depth <= depth) ||
		    !find_type_of_part(definitions, p->type,
				       (uint64_t)displacement - start, &type))
			continue;
		*type_out = type;
		depth = p->depth;
		is_found = true;
	}
	return is_found;
}
