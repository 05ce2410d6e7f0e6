/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call_value.c - decodes the arguments and results of intercepted calls
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "liballeria/calls/calls.h"
#include "liballeria/profile.h"

enum {
	/* greatest number of values in one argument or result, nested ones
	   included */
	MAX_VALUES = 1 << 18,
	/* limit of nested values: each pointer that was followed may lead to
	   nested structs */
	MAX_DEPTH = (PT_MAX_FOLLOWED + 1) * (PT_MAX_NESTED + 1),
};

/* An array of values, and a link in the list of arrays that are freed with a
   root value. */
struct value_array {
	struct value_array *next;
	struct alleria_value value[];
};

struct root_value {
	struct alleria_value root;
	struct value_array *arrays;
	uint32_t n;
	uint8_t bytes[]; /* copy of the recorded bytes of the argument or
			    result */
};

struct decoder {
	const struct al_windows *view;
	const uint8_t *pos;
	const uint8_t *end;
	struct root_value *root_value_of;
	unsigned depth;
	uint32_t flags; /* enum alleria_value_flags of a value that was not
			   recorded; else 0 */
};

static int decode_value(struct decoder *d, uint32_t type_number,
			struct alleria_value *v);

/* Allocate an array of @n zeroed values, which is freed with the root value.
   Return: the array; NULL with errno: ENOMEM, or EBADMSG if the root value
   would have more than MAX_VALUES. */
static struct alleria_value *alloc_values_owned_by_root(struct decoder *d,
							uint32_t n)
{
	struct value_array *array;

	if (n > MAX_VALUES - d->root_value_of->n) {
		errno = EBADMSG;
		return NULL;
	}
	array = calloc(1, sizeof(*array) + (n + 1) * sizeof(array->value[0]));
	if (!array)
		return NULL;
	array->next = d->root_value_of->arrays;
	d->root_value_of->arrays = array;
	d->root_value_of->n += n;
	return array->value;
}

static int copy_bytes_and_advance(struct decoder *d, void *to,
				  size_t byte_count)
{
	if ((size_t)(d->end - d->pos) < byte_count)
		return -EBADMSG;
	memcpy(to, d->pos, byte_count);
	d->pos += byte_count;
	return 0;
}

/* ---- numbers ---- */

/* Return the bits of the double that is nearest to an x87 value. @bytes:
   [16]. */
static uint64_t x87_to_double_bits(const uint8_t *bytes)
{
	long double x;
	double narrow;
	uint64_t n;

	memcpy(&x, bytes, sizeof(x));
	narrow = (double)x;
	memcpy(&n, &narrow, sizeof(n));
	return n;
}

/* Return a recorded number in the form of alleria_value.number: a float as the
   bits of a double, an integer of a signed type sign-extended, all others
   zero-extended. */
static uint64_t convert_number_to_64_bits(const struct pt_type *t,
					  const uint8_t *bytes)
{
	unsigned unused = t->size < 8 ? 64 - 8 * t->size : 0;
	uint64_t n = 0;
	double wide;
	float narrow;

	if (t->size == PT_X87_BYTES)
		return x87_to_double_bits(bytes);
	memcpy(&n, bytes, t->size);
	if (t->kind == PT_TYPE_SIGNED)
		return (uint64_t)((int64_t)(n << unused) >> unused);
	if (t->kind == PT_TYPE_FLOAT && t->size == sizeof(narrow)) {
		memcpy(&narrow, bytes, sizeof(narrow));
		wide = (double)narrow;
		memcpy(&n, &wide, sizeof(n));
	}
	return n;
}

static int decode_number_and_advance(struct decoder *d, const struct pt_type *t,
				     struct alleria_value *v)
{
	if ((size_t)(d->end - d->pos) < t->size)
		return -EBADMSG;
	v->bytes = d->pos;
	v->number = convert_number_to_64_bits(t, d->pos);
	d->pos += t->size;
	return 0;
}

/* ---- pointers ---- */

/* Return the address of the first element of pointer @v. That is the pointer's
   value, except for PT_BOUND_START_VAR, for which the value is the end: then it
   is computed back from the end by the number of elements, or is ALLERIA_NOT if
   not all of them were recorded. */
static uint64_t address_of_first_element(const struct pt_type *t,
					 uint32_t element_size,
					 const struct alleria_value *v)
{
	uint64_t n = v->n - (t->flags & PT_TYPE_END_VALID ? 1u : 0u);

	if (t->bound != PT_BOUND_START_VAR)
		return v->number;
	if (v->flags & (ALLERIA_CUT | ALLERIA_UNREADABLE | ALLERIA_UNFOLLOWED))
		return ALLERIA_NOT;
	if (v->n == 0)
		return v->number;
	return t->flags & PT_TYPE_DOWN ? v->number + n * element_size
				       : v->number - n * element_size;
}

/* Return the flags (enum alleria_value_flags) of a pointer of type @t.
   @coded_count: the recorded number of its elements, with marker bits. */
static uint32_t public_flags_of_recorded_pointer(const struct pt_type *t,
						 uint32_t coded_count)
{
	uint32_t flags = t->flags & PT_TYPE_DOWN ? ALLERIA_DOWNWARDS : 0;

	if (coded_count == PT_UNREADABLE)
		return flags | ALLERIA_UNREADABLE;
	if (coded_count & PT_NOT_FOLLOWED)
		return flags | ALLERIA_UNFOLLOWED;
	if (coded_count & PT_MORE)
		return flags | ALLERIA_CUT;
	return t->bound == PT_BOUND_SENTINEL ? flags | ALLERIA_TERMINATED
					     : flags;
}

/* Decode the v->n elements of pointer @v, of type @t. Numbers and characters
   are not decoded: v->bytes is set to all of them. Return: 0; -EBADMSG;
   -ENOMEM. */
static int decode_pointed_elements(struct decoder *d, const struct pt_type *t,
				   struct alleria_value *v)
{
	const struct pt_type *element_type = &d->view->type[t->element];
	struct alleria_value *element;
	int err = 0;

	if (element_type->kind != PT_TYPE_STRUCT &&
	    element_type->kind != PT_TYPE_POINTER) {
		if ((size_t)(d->end - d->pos) / element_type->size < v->n)
			return -EBADMSG;
		v->bytes = d->pos;
		d->pos += (size_t)v->n * element_type->size;
		return 0;
	}
	if (v->n == 0)
		return 0;
	/* each element is recorded as at least one byte */
	if (v->n > (size_t)(d->end - d->pos))
		return -EBADMSG;
	element = alloc_values_owned_by_root(d, v->n);
	if (!element)
		return -errno;
	v->element = element;
	for (uint32_t i = 0; !err && i < v->n; i++)
		err = decode_value(d, t->element, &element[i]);
	return err;
}

static int decode_pointer_and_elements(struct decoder *d,
				       const struct pt_type *t,
				       struct alleria_value *v)
{
	const struct pt_type *element_type = &d->view->type[t->element];
	uint32_t n;

	if (copy_bytes_and_advance(d, &v->number, sizeof(v->number)) ||
	    copy_bytes_and_advance(d, &n, sizeof(n)))
		return -EBADMSG;
	v->flags = public_flags_of_recorded_pointer(t, n);
	v->n = v->flags & (ALLERIA_UNREADABLE | ALLERIA_UNFOLLOWED)
		       ? 0
		       : n & PT_ELEMENTS;
	v->first = address_of_first_element(t, element_type->size, v);
	v->element_kind = element_type->kind;
	v->element_size = element_type->size;
	return decode_pointed_elements(d, t, v);
}

/* ---- any value ---- */

static int decode_struct_fields(struct decoder *d, const struct pt_type *t,
				struct alleria_value *v)
{
	const struct al_windows *w = d->view;
	struct alleria_value *field = alloc_values_owned_by_root(d, t->n);
	int err = 0;

	if (!field)
		return -errno;
	v->element = field;
	v->n = t->n;
	for (uint32_t i = 0; !err && i < t->n; i++) {
		const struct pt_field *f = &w->field[t->first + i];

		err = decode_value(d, f->type, &field[i]);
		field[i].offset = f->offset;
		field[i].name = w->string + f->name;
	}
	return err;
}

static void set_value_kind_size_and_type(const struct decoder *d,
					 uint32_t type_number,
					 struct alleria_value *v)
{
	const struct pt_type *t = &d->view->type[type_number];

	v->kind = t->kind;
	v->size = t->size;
	v->name = "";
	v->type = d->view->string + t->name;
}

static int set_type_and_decode_by_kind(struct decoder *d, uint32_t type_number,
				       struct alleria_value *v)
{
	const struct pt_type *t = &d->view->type[type_number];

	set_value_kind_size_and_type(d, type_number, v);
	if (t->kind == PT_TYPE_STRUCT)
		return decode_struct_fields(d, t, v);
	if (t->kind == PT_TYPE_POINTER)
		return decode_pointer_and_elements(d, t, v);
	return decode_number_and_advance(d, t, v);
}

static int decode_value(struct decoder *d, uint32_t type_number,
			struct alleria_value *v)
{
	int err = -EBADMSG;

	if (++d->depth <= MAX_DEPTH)
		err = set_type_and_decode_by_kind(d, type_number, v);
	d->depth--;
	return err;
}

static uint32_t missing_flags_of_value_state(uint32_t value_state)
{
	if (value_state == PT_CALL_WHOLE)
		return 0;
	return ALLERIA_MISSING |
	       (value_state == PT_CALL_UNREADABLE ? ALLERIA_UNREADABLE
						  : ALLERIA_UNFOLLOWED);
}

/* Find the value of @parameter_number in call record @r, and set the bytes and
   flags of decoder @d from it. Return: 1; 0: not recorded; -EBADMSG: malformed
   record. */
static int set_decoder_to_parameter(const struct pt_log_call *r,
				    uint32_t parameter_number,
				    struct decoder *d)
{
	const uint8_t *next = (const uint8_t *)(r + 1);
	const uint8_t *end = (const uint8_t *)r + r->head.bytes;
	struct pt_call_value v;

	while (next < end) {
		if ((size_t)(end - next) < sizeof(v))
			return -EBADMSG;
		memcpy(&v, next, sizeof(v));
		next += sizeof(v);
		if (v.bytes > (size_t)(end - next))
			return -EBADMSG;
		if (v.parameter == parameter_number) {
			d->pos = next;
			d->end = next + v.bytes;
			d->flags = missing_flags_of_value_state(v.state);
			return 1;
		}
		next += (v.bytes + 7) / 8 * 8;
	}
	return 0;
}

static int alloc_and_decode_root_value(struct decoder *d, uint32_t type_number,
				       struct alleria_value **out)
{
	size_t bytes = (size_t)(d->end - d->pos);
	int err;

	d->root_value_of = calloc(1, sizeof(*d->root_value_of) + bytes);
	if (!d->root_value_of)
		return -ENOMEM;
	memcpy(d->root_value_of->bytes, d->pos, bytes);
	d->pos = d->root_value_of->bytes;
	d->end = d->pos + bytes;
	set_value_kind_size_and_type(d, type_number, &d->root_value_of->root);
	d->root_value_of->root.flags = d->flags;
	err = d->flags ? 0
		       : decode_value(d, type_number, &d->root_value_of->root);
	if (!err && d->pos != d->end)
		err = -EBADMSG;
	if (err)
		alleria_value_free(&d->root_value_of->root);
	else
		*out = &d->root_value_of->root;
	return err;
}

int alleria_call_value(const struct alleria_call *call, uint32_t parameter,
		       uint32_t when, struct alleria_value **out)
{
	const struct ap_call *c = (const struct ap_call *)call;
	const struct pt_log_call *r =
		when == ALLERIA_AT_RETURN ? c->end : c->call;
	const struct pt_intercept *element_type =
		((const struct ap_intercepted *)call->of)->plan;
	struct decoder d = {.view = &c->intercepts->view};
	uint32_t type = element_type->result, wanted_parameter = PT_RESULT;
	int found;

	*out = NULL;
	if (when != ALLERIA_AT_CALL && when != ALLERIA_AT_RETURN)
		return ALLERIA_E_ARGUMENT;
	if (parameter < element_type->n_parameters) {
		type = d.view->parameter[element_type->first_parameter +
					 parameter]
			       .type;
		wanted_parameter = parameter;
	} else if (parameter != ALLERIA_RESULT) {
		return ALLERIA_E_RANGE;
	}
	if (!r || type == PT_NO_TYPE)
		return 0;
	found = set_decoder_to_parameter(r, wanted_parameter, &d);
	if (found <= 0)
		return ap_alleria_error_of_negative_errno(found);
	return ap_alleria_error_of_negative_errno(
		alloc_and_decode_root_value(&d, type, out));
}

void alleria_value_free(struct alleria_value *v)
{
	struct root_value *w = (struct root_value *)v;
	struct value_array *array, *next;

	for (array = w ? w->arrays : NULL; array; array = next) {
		next = array->next;
		free(array);
	}
	free(w);
}
