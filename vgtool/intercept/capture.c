/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.c - encodes values as bytes of the log; see calls.h */

#include "vgtool/intercept/calls.h"

#include "proto/call.h"
#include "vgtool/core/plan_view.h"

/* A value that is encoded, and its context. */
struct value {
	UInt type;
	const UChar *addr;
	UInt parent_type; /* type of the innermost struct that contains the
			     value or a pointer that was followed to it;
			     PT_NO_TYPE: none */
	const UChar *parent;
	UInt depth; /* number of pointers followed to reach the value */
};

/* The elements that a pointer points to. */
struct elements {
	Addr first;
	Long step;   /* [bytes] from an element to the next; negative:
			downwards */
	ULong max_n; /* number of elements, unless a sentinel ends them
			earlier */
	Bool has_sentinel;
};

static void append_value_of_any_type(struct vt_capture *c,
				     const struct value *p);

/* Append @byte_count bytes, for which space was reserved. */
static void append_reserved_bytes(struct vt_capture *c, const void *bytes,
				  UInt byte_count)
{
	VG_(memcpy)(c->bytes + c->n, bytes, byte_count);
	c->n += byte_count;
	c->reserved -= byte_count;
}

/* Return the encoded size [bytes] of a value of type @type_index, without the
   elements that its pointers point to. */
static UInt encoded_size_without_pointees(UInt type_index)
{
	const struct pt_type *t = vt_plan_type(type_index);
	UInt i, n = 0;

	if (t->kind == PT_TYPE_POINTER)
		return PT_POINTER_BYTES;
	if (t->kind != PT_TYPE_STRUCT)
		return t->size;
	for (i = t->first; i < t->first + t->n; i++)
		n += encoded_size_without_pointees(vt_plan_field(i)->type);
	return n;
}

static UInt unreserved_free_bytes(const struct vt_capture *c)
{
	return c->size - c->n - c->reserved;
}

/* ---- variables ---- */

/* Return the integer of type @t at @number_addr, sign-extended to 64 bits if
   its type is signed; 0 if it is longer than 8 bytes. */
static ULong read_integer_as_u64_or_0_if_over_8_bytes(const void *number_addr,
						      const struct pt_type *t)
{
	ULong value = 0;
	UInt unused;

	if (t->size > sizeof(value))
		return 0;
	VG_(memcpy)(&value, number_addr, t->size);
	unused = 64 - 8 * t->size;
	if (t->kind == PT_TYPE_SIGNED && unused < 64)
		value = (ULong)((Long)(value << unused) >> unused);
	return value;
}

static Bool is_same_plan_string(UInt a_offset, UInt b_offset)
{
	return VG_(strcmp)(vt_plan_string_at_offset_in_strings(a_offset),
			   vt_plan_string_at_offset_in_strings(b_offset)) == 0;
}

/* Address and type of a variable. */
struct variable {
	const void *addr; /* address of the field in the program's memory, or of
			     the copy of the parameter; NULL: it cannot be
			     read */
	const struct pt_type *type;
};

/* Find the variable by which the plan gives the length of the array that
   pointer @pointer points to: a field of the struct that contains the pointer,
   or else a parameter of the call. @name: offset of the variable's name among
   the plan's strings. Return: its address and type; the address is NULL if the
   variable is unreadable or missing. */
static struct variable
find_sibling_field_or_parameter_by_name(const struct vt_capture *c,
					const struct value *pointer, UInt name)
{
	const struct pt_type *s;
	UInt i;

	if (pointer->parent_type != PT_NO_TYPE) {
		s = vt_plan_type(pointer->parent_type);
		for (i = 0; i < s->n; i++) {
			const struct pt_field *f = vt_plan_field(s->first + i);

			if (is_same_plan_string(f->name, name))
				return (struct variable){pointer->parent +
								 f->offset,
							 vt_plan_type(f->type)};
		}
	}
	for (i = 0; i < c->intercept->n_parameters; i++) {
		const struct pt_parameter *q =
			vt_plan_parameter(c->intercept->first_parameter + i);

		if (is_same_plan_string(q->name, name))
			return (struct variable){c->arg[i],
						 vt_plan_type(q->type)};
	}
	return (struct variable){NULL, NULL};
}

static ULong read_integer_field_or_param_or_0(const struct vt_capture *c,
					      const struct value *pointer,
					      UInt name_offset)
{
	struct variable v = find_sibling_field_or_parameter_by_name(
		c, pointer, name_offset);

	return v.addr == NULL ? 0
			      : read_integer_as_u64_or_0_if_over_8_bytes(
					v.addr, v.type);
}

/* Return the number in a field or parameter; 0 if it is unreadable, missing or
   negative. @name_offset: offset of its name in the plan's strings. */
static ULong read_count_field_or_param_or_0(const struct vt_capture *c,
					    const struct value *pointer,
					    UInt name_offset)
{
	struct variable v = find_sibling_field_or_parameter_by_name(
		c, pointer, name_offset);
	ULong n = v.addr == NULL ? 0
				 : read_integer_as_u64_or_0_if_over_8_bytes(
					   v.addr, v.type);

	return n > 0 && v.type->kind == PT_TYPE_SIGNED && (Long)n < 0 ? 0 : n;
}

/* ---- pointers ---- */

/* Return the number of elements of @element_bytes bytes from address
   @first_addr up to @end_addr or, with PT_TYPE_DOWN, down to @end_addr. The
   element at @end_addr counts only with PT_TYPE_END_VALID. Return 0 if
   @end_addr lies in the other direction. */
static ULong
count_elements_up_or_down_to_end(const struct pt_type *pointer_type,
				 UInt element_bytes, Addr first_addr,
				 Addr end_addr)
{
	Addr from = pointer_type->flags & PT_TYPE_DOWN ? end_addr : first_addr;
	Addr to = pointer_type->flags & PT_TYPE_DOWN ? first_addr : end_addr;
	ULong n = (to - from) / element_bytes;

	if (to < from)
		return 0;
	return pointer_type->flags & PT_TYPE_END_VALID && n < ~0ULL ? n + 1 : n;
}

static struct elements compute_elements_from_bound(const struct vt_capture *c,
						   const struct value *p,
						   const struct pt_type *t,
						   Addr address)
{
	UInt size = vt_plan_type(t->element)->size;
	struct elements e = {
		.first = address,
		.step = t->flags & PT_TYPE_DOWN ? -(Long)size : (Long)size,
		.max_n = t->value,
	};

	switch (t->bound) {
	case PT_BOUND_SENTINEL:
		e.max_n = ~0ULL;
		e.has_sentinel = True;
		break;
	case PT_BOUND_COUNT_VAR:
		e.max_n = read_count_field_or_param_or_0(c, p, t->variable);
		break;
	case PT_BOUND_END_VAR:
		e.max_n = count_elements_up_or_down_to_end(
			t, size, address,
			read_integer_field_or_param_or_0(c, p, t->variable));
		break;
	case PT_BOUND_START_VAR:
		e.first = read_integer_field_or_param_or_0(c, p, t->variable);
		e.max_n = count_elements_up_or_down_to_end(t, size, e.first,
							   address);
		break;
	}
	return e;
}

/* Return the number of elements up to and including the sentinel, the value
   that ends an array, among @max_elements contiguous numbers at @first; 0:
   there is no sentinel. */
static ULong
count_through_sentinel_value_or_0(const struct pt_type *pointer_type,
				  const struct pt_type *element_type,
				  Addr first, ULong max_elements)
{
	const UChar *bytes = (const UChar *)first;
	ULong i;

	for (i = 0; i < max_elements; i++)
		if (VG_(memcmp)(bytes + i * element_type->size,
				&pointer_type->value, element_type->size) == 0)
			return i + 1;
	return 0;
}

/* Append the elements @e, which are contiguous numbers: those up to e->max_n or
   up to and including the sentinel value, and of these as many as are readable
   and have room. Set e->max_n if the sentinel value is found. Return the number
   of elements appended. */
static UInt
append_contiguous_numbers_return_count(struct vt_capture *c,
				       const struct pt_type *pointer_type,
				       struct elements *e)
{
	const struct pt_type *element = vt_plan_type(pointer_type->element);
	ULong n = unreserved_free_bytes(c) / element->size, sentinel;

	if (e->max_n < n)
		n = e->max_n;
	n = vt_memory_count_readable_bytes(&c->readable, e->first,
					   n * element->size) /
	    element->size;
	sentinel = e->has_sentinel ? count_through_sentinel_value_or_0(
					     pointer_type, element, e->first, n)
				   : 0;
	if (sentinel > 0)
		n = e->max_n = sentinel;
	c->reserved += n * element->size;
	append_reserved_bytes(c, (const void *)e->first, n * element->size);
	return n;
}

/* Append the elements @e one by one. Stop before an element that is unreadable
   or has no room, after the sentinel value, and after e->max_n or
   PT_MAX_ELEMENTS elements. Set e->max_n if the sentinel value is found. Return
   the number of elements appended. */
static UInt append_elements_singly_return_count(struct vt_capture *c,
						const struct value *p,
						const struct pt_type *t,
						struct elements *e)
{
	const struct pt_type *element_type = vt_plan_type(t->element);
	UInt n, bytes = encoded_size_without_pointees(t->element);
	struct value element = *p;
	Addr addr = e->first;

	element.type = t->element;
	element.depth++;
	for (n = 0; n < e->max_n && n < PT_MAX_ELEMENTS; n++, addr += e->step) {
		if (bytes > unreserved_free_bytes(c) ||
		    !vt_memory_is_readable_cached(&c->readable, addr,
						  element_type->size))
			return n;
		c->reserved += bytes;
		element.addr = (const UChar *)addr;
		append_value_of_any_type(c, &element);
		if (e->has_sentinel && VG_(memcmp)(element.addr, &t->value,
						   element_type->size) == 0)
			e->max_n = n + 1;
	}
	return n;
}

static Bool are_elements_contiguous_numbers(const struct pt_type *element,
					    const struct elements *e)
{
	return element->kind != PT_TYPE_STRUCT &&
	       element->kind != PT_TYPE_POINTER &&
	       element->size < PT_X87_BYTES && e->step > 0;
}

/* Return: the number of elements appended, with PT_MORE if there are more;
   PT_NOT_FOLLOWED or PT_UNREADABLE if none was appended for that reason. */
static UInt append_elements(struct vt_capture *c, const struct value *p,
			    const struct pt_type *t, Addr address)
{
	const struct pt_type *element = vt_plan_type(t->element);
	struct elements e = compute_elements_from_bound(c, p, t, address);
	UInt n;

	if (p->depth >= PT_MAX_FOLLOWED || element->size == 0)
		return PT_NOT_FOLLOWED;
	if (e.max_n == 0)
		return 0;
	if (!vt_memory_is_readable_cached(&c->readable, e.first, element->size))
		return PT_UNREADABLE;
	n = are_elements_contiguous_numbers(element, &e)
		    ? append_contiguous_numbers_return_count(c, t, &e)
		    : append_elements_singly_return_count(c, p, t, &e);
	return n | (n < e.max_n ? PT_MORE : 0);
}

static void append_pointer_and_elements(struct vt_capture *c,
					const struct value *p,
					const struct pt_type *t)
{
	Addr address;
	UInt n_offset = c->n + sizeof(address), n = 0;

	VG_(memcpy)(&address, p->addr, sizeof(address));
	append_reserved_bytes(c, &address, sizeof(address));
	append_reserved_bytes(c, &n, sizeof(n));
	n = append_elements(c, p, t, address);
	VG_(memcpy)(c->bytes + n_offset, &n, sizeof(n));
}

/* ---- all ---- */

static void append_struct_fields(struct vt_capture *c, const struct value *p,
				 const struct pt_type *t)
{
	struct value field = *p;
	UInt i;

	field.parent_type = p->type;
	field.parent = p->addr;
	for (i = t->first; i < t->first + t->n; i++) {
		field.type = vt_plan_field(i)->type;
		field.addr = p->addr + vt_plan_field(i)->offset;
		append_value_of_any_type(c, &field);
	}
}

/* Append an x87 number. The 6 bytes that pad it in memory are undefined, so
   zeros replace them. */
static void append_x87_number_zero_padded(struct vt_capture *c,
					  const UChar *number_addr)
{
	enum { NUMBER = 10 };
	UChar whole[PT_X87_BYTES] = {0};

	VG_(memcpy)(whole, number_addr, NUMBER);
	append_reserved_bytes(c, whole, sizeof(whole));
}

static void append_value_of_any_type(struct vt_capture *c,
				     const struct value *p)
{
	const struct pt_type *t = vt_plan_type(p->type);

	if (t->kind == PT_TYPE_STRUCT)
		append_struct_fields(c, p, t);
	else if (t->kind == PT_TYPE_POINTER)
		append_pointer_and_elements(c, p, t);
	else if (t->size == PT_X87_BYTES)
		append_x87_number_zero_padded(c, p->addr);
	else
		append_reserved_bytes(c, p->addr, t->size);
}

Bool vt_capture_append_value_if_room(struct vt_capture *c, UInt type_index,
				     const void *value_addr)
{
	const struct value p = {.type = type_index,
				.addr = value_addr,
				.parent_type = PT_NO_TYPE};

	if (encoded_size_without_pointees(type_index) > c->size)
		return False;
	c->reserved = encoded_size_without_pointees(type_index);
	append_value_of_any_type(c, &p);
	return True;
}
