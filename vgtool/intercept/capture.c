/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.c - values as bytes of the log; see capture.h */

#include "vgtool/intercept/capture.h"

#include "proto/call.h"
#include "vgtool/core/plan_view.h"

/* Where a value is. */
struct place {
	UInt type;
	const UChar *at;
	UInt around; /* struct that it is a field of, or PT_NO_TYPE */
	const UChar *struct_at;
	UInt depth; /* pointers that lead here */
};

/* What a pointer leads to. */
struct elements {
	Addr first;
	Long step;  /* [bytes] from one to the next */
	ULong most; /* how many, if no sentinel comes before */
	Bool has_sentinel;
};

static void put_value(struct vt_capture *c, const struct place *p);

/* What was set aside for it. */
static void put(struct vt_capture *c, const void *bytes, UInt n)
{
	VG_(memcpy)(c->bytes + c->n, bytes, n);
	c->n += n;
	c->owed -= n;
}

/* [bytes] of a value without what it leads to */
static UInt least(UInt type)
{
	const struct pt_type *t = vt_given_type(type);
	UInt i, n = 0;

	if (t->kind == PT_TYPE_POINTER)
		return PT_POINTER_BYTES;
	if (t->kind != PT_TYPE_STRUCT)
		return t->size;
	for (i = t->first; i < t->first + t->n; i++)
		n += least(vt_given_field(i)->type);
	return n;
}

static UInt room(const struct vt_capture *c)
{
	return c->size - c->n - c->owed;
}

/* ---- variables ---- */

static ULong number_at(const void *at, const struct pt_type *t)
{
	ULong value = 0;
	UInt unused;

	if (t->size > sizeof(value))
		return 0;
	VG_(memcpy)(&value, at, t->size);
	unused = 64 - 8 * t->size;
	if (t->kind == PT_TYPE_SIGNED && unused < 64)
		value = (ULong)((Long)(value << unused) >> unused);
	return value;
}

static Bool same(UInt a, UInt b)
{
	return VG_(strcmp)(vt_given_string(a), vt_given_string(b)) == 0;
}

/* A variable's place and type. */
struct variable {
	const void *at; /* NULL: it cannot be read */
	const struct pt_type *type;
};

/* A field beside the pointer, else a parameter. */
static struct variable variable(const struct vt_capture *c,
				const struct place *p, UInt name)
{
	const struct pt_type *s;
	UInt i;

	if (p->around != PT_NO_TYPE) {
		s = vt_given_type(p->around);
		for (i = 0; i < s->n; i++) {
			const struct pt_field *f = vt_given_field(s->first + i);

			if (same(f->name, name))
				return (struct variable){
					p->struct_at + f->offset,
					vt_given_type(f->type)};
		}
	}
	for (i = 0; i < c->of->n_parameters; i++) {
		const struct pt_parameter *q =
			vt_given_parameter(c->of->first_parameter + i);

		if (same(q->name, name))
			return (struct variable){c->arg[i],
						 vt_given_type(q->type)};
	}
	return (struct variable){NULL, NULL};
}

static ULong number_in(const struct vt_capture *c, const struct place *p,
		       UInt name)
{
	struct variable v = variable(c, p, name);

	return v.at == NULL ? 0 : number_at(v.at, v.type);
}

/* One below 0 is none; an unsigned one is as many as it says. */
static ULong count_in(const struct vt_capture *c, const struct place *p,
		      UInt name)
{
	struct variable v = variable(c, p, name);
	ULong n = v.at == NULL ? 0 : number_at(v.at, v.type);

	return n > 0 && v.type->kind == PT_TYPE_SIGNED && (Long)n < 0 ? 0 : n;
}

/* ---- pointers ---- */

/* Elements from one address up, or down, to another. */
static ULong between(const struct pt_type *t, UInt size, Addr first, Addr end)
{
	Addr from = t->flags & PT_TYPE_DOWN ? end : first;
	Addr to = t->flags & PT_TYPE_DOWN ? first : end;
	ULong n = (to - from) / size;

	if (to < from)
		return 0;
	return t->flags & PT_TYPE_END_VALID && n < ~0ULL ? n + 1 : n;
}

static struct elements find_elements(const struct vt_capture *c,
				     const struct place *p,
				     const struct pt_type *t, Addr address)
{
	UInt size = vt_given_type(t->element)->size;
	struct elements e = {
		.first = address,
		.step = t->flags & PT_TYPE_DOWN ? -(Long)size : (Long)size,
		.most = t->value,
	};

	switch (t->bound) {
	case PT_BOUND_SENTINEL:
		e.most = ~0ULL;
		e.has_sentinel = True;
		break;
	case PT_BOUND_COUNT_VAR:
		e.most = count_in(c, p, t->variable);
		break;
	case PT_BOUND_END_VAR:
		e.most =
			between(t, size, address, number_in(c, p, t->variable));
		break;
	case PT_BOUND_START_VAR:
		e.first = number_in(c, p, t->variable);
		e.most = between(t, size, e.first, address);
		break;
	}
	return e;
}

/* Of numbers side by side, how many there are up to the sentinel, and with it;
   0: it is not among them. */
static ULong find_sentinel(const struct pt_type *t, const struct pt_type *of,
			   Addr first, ULong n)
{
	const UChar *at = (const UChar *)first;
	ULong i;

	for (i = 0; i < n; i++)
		if (VG_(memcmp)(at + i * of->size, &t->value, of->size) == 0)
			return i + 1;
	return 0;
}

/* Numbers side by side, as many as there are and have room. */
static UInt put_at_once(struct vt_capture *c, const struct pt_type *t,
			struct elements *e)
{
	const struct pt_type *of = vt_given_type(t->element);
	ULong n = room(c) / of->size, last;

	if (e->most < n)
		n = e->most;
	n = vt_memory_readable(&c->readable, e->first, n * of->size) / of->size;
	last = e->has_sentinel ? find_sentinel(t, of, e->first, n) : 0;
	if (last > 0)
		n = e->most = last;
	c->owed += n * of->size;
	put(c, (const void *)e->first, n * of->size);
	return n;
}

/* One by one, whole or not at all. */
static UInt put_each(struct vt_capture *c, const struct place *p,
		     const struct pt_type *t, struct elements *e)
{
	const struct pt_type *of = vt_given_type(t->element);
	UInt n, bytes = least(t->element);
	struct place element = *p;
	Addr at = e->first;

	element.type = t->element;
	element.depth++;
	for (n = 0; n < e->most && n < PT_MAX_ELEMENTS; n++, at += e->step) {
		if (bytes > room(c) ||
		    !vt_memory_can_read(&c->readable, at, of->size))
			return n;
		c->owed += bytes;
		element.at = (const UChar *)at;
		put_value(c, &element);
		if (e->has_sentinel &&
		    VG_(memcmp)(element.at, &t->value, of->size) == 0)
			e->most = n + 1;
	}
	return n;
}

static Bool is_flat(const struct pt_type *of, const struct elements *e)
{
	return of->kind != PT_TYPE_STRUCT && of->kind != PT_TYPE_POINTER &&
	       of->size < PT_X87_BYTES && e->step > 0;
}

static UInt put_elements(struct vt_capture *c, const struct place *p,
			 const struct pt_type *t, Addr address)
{
	const struct pt_type *of = vt_given_type(t->element);
	struct elements e = find_elements(c, p, t, address);
	UInt n;

	if (p->depth >= PT_MAX_FOLLOWED || of->size == 0)
		return PT_NOT_FOLLOWED;
	if (e.most == 0)
		return 0;
	if (!vt_memory_can_read(&c->readable, e.first, of->size))
		return PT_UNREADABLE;
	n = is_flat(of, &e) ? put_at_once(c, t, &e) : put_each(c, p, t, &e);
	return n | (n < e.most ? PT_MORE : 0);
}

static void put_pointer(struct vt_capture *c, const struct place *p,
			const struct pt_type *t)
{
	Addr address;
	UInt at = c->n + sizeof(address), n = 0;

	VG_(memcpy)(&address, p->at, sizeof(address));
	put(c, &address, sizeof(address));
	put(c, &n, sizeof(n));
	n = put_elements(c, p, t, address);
	VG_(memcpy)(c->bytes + at, &n, sizeof(n));
}

/* ---- all ---- */

static void put_struct(struct vt_capture *c, const struct place *p,
		       const struct pt_type *t)
{
	struct place field = *p;
	UInt i;

	field.around = p->type;
	field.struct_at = p->at;
	for (i = t->first; i < t->first + t->n; i++) {
		field.type = vt_given_field(i)->type;
		field.at = p->at + vt_given_field(i)->offset;
		put_value(c, &field);
	}
}

/* The 6 bytes behind an x87 number are anything. */
static void put_x87(struct vt_capture *c, const UChar *at)
{
	enum { NUMBER = 10 };
	UChar whole[PT_X87_BYTES] = {0};

	VG_(memcpy)(whole, at, NUMBER);
	put(c, whole, sizeof(whole));
}

static void put_value(struct vt_capture *c, const struct place *p)
{
	const struct pt_type *t = vt_given_type(p->type);

	if (t->kind == PT_TYPE_STRUCT)
		put_struct(c, p, t);
	else if (t->kind == PT_TYPE_POINTER)
		put_pointer(c, p, t);
	else if (t->size == PT_X87_BYTES)
		put_x87(c, p->at);
	else
		put(c, p->at, t->size);
}

Bool vt_capture(struct vt_capture *c, UInt type, const void *at)
{
	const struct place p = {.type = type, .at = at, .around = PT_NO_TYPE};

	if (least(type) > c->size)
		return False;
	c->owed = least(type);
	put_value(c, &p);
	return True;
}
