/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vt_capture.c - values as bytes of the log; see vt_capture.h */

#include "vgtool/vt_capture.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_vki.h>

#include "proto/pt_call.h"
#include "vgtool/vt_given.h"

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

Bool vt_capture_can_read(struct vt_capture *c, Addr at, ULong bytes)
{
	Addr end = at + bytes, from, to;

	if (end < at)
		return False;
	if (at >= c->readable && end <= c->readable_end)
		return True;
	from = VG_PGROUNDDN(at);
	to = VG_PGROUNDUP(end);
	if (to <= from ||
	    !VG_(am_is_valid_for_client)(from, to - from, VKI_PROT_READ))
		return False;
	c->readable = from;
	c->readable_end = to;
	return True;
}

static void put(struct vt_capture *c, const void *bytes, UInt n)
{
	if (c->n + n > c->size) {
		c->full = True;
		return;
	}
	VG_(memcpy)(c->bytes + c->n, bytes, n);
	c->n += n;
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

/* A field beside the pointer, else a parameter. */
static ULong variable(const struct vt_capture *c, const struct place *p,
		      UInt name)
{
	const struct pt_type *s;
	UInt i;

	if (p->around != PT_NO_TYPE) {
		s = vt_given_type(p->around);
		for (i = 0; i < s->n; i++) {
			const struct pt_field *f = vt_given_field(s->first + i);

			if (same(f->name, name))
				return number_at(p->struct_at + f->offset,
						 vt_given_type(f->type));
		}
	}
	for (i = 0; i < c->of->n_parameters; i++) {
		const struct pt_parameter *q =
			vt_given_parameter(c->of->first_parameter + i);

		if (same(q->name, name))
			return number_at(&c->arg[i], vt_given_type(q->type));
	}
	return 0;
}

/* ---- pointers ---- */

/* Elements from one address up, or down, to another. */
static ULong between(const struct pt_type *t, UInt size, Addr first, Addr end)
{
	Addr from = t->flags & PT_TYPE_DOWN ? end : first;
	Addr to = t->flags & PT_TYPE_DOWN ? first : end;
	ULong more = t->flags & PT_TYPE_END_VALID ? 1 : 0;

	return to < from ? 0 : (to - from) / size + more;
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
		e.most = variable(c, p, t->variable);
		if ((Long)e.most < 0)
			e.most = 0;
		break;
	case PT_BOUND_END_VAR:
		e.most = between(t, size, address, variable(c, p, t->variable));
		break;
	case PT_BOUND_START_VAR:
		e.first = variable(c, p, t->variable);
		e.most = between(t, size, e.first, address);
		break;
	}
	return e;
}

/* How much of [at, at + bytes) can be read before something cannot. */
static ULong readable(struct vt_capture *c, Addr at, ULong bytes)
{
	Addr end = at;

	while (end - at < bytes && vt_capture_can_read(c, end, 1))
		end = c->readable_end;
	return end - at < bytes ? end - at : bytes;
}

/* Numbers side by side, as many as there are and have room. */
static UInt put_at_once(struct vt_capture *c, UInt size,
			const struct elements *e)
{
	ULong room = (c->size - c->n) / size;
	ULong n = e->most < room ? e->most : room;

	n = readable(c, e->first, n * size) / size;
	put(c, (const void *)e->first, n * size);
	return n;
}

/* One by one. A part of one that has no room is taken back. */
static UInt put_each(struct vt_capture *c, const struct place *p,
		     const struct pt_type *t, struct elements *e)
{
	const struct pt_type *of = vt_given_type(t->element);
	struct place element = *p;
	Addr at = e->first;
	UInt n, before;

	element.type = t->element;
	element.depth++;
	for (n = 0; n < e->most && !c->full; n++, at += e->step) {
		if (!vt_capture_can_read(c, at, of->size))
			break;
		before = c->n;
		element.at = (const UChar *)at;
		put_value(c, &element);
		if (c->full) {
			c->n = before;
			break;
		}
		if (e->has_sentinel &&
		    number_at(element.at, of) == number_at(&t->value, of)) {
			e->most = n + 1;
			return n + 1;
		}
	}
	c->full = False;
	return n;
}

static Bool is_flat(const struct pt_type *of, const struct elements *e)
{
	return of->kind != PT_TYPE_STRUCT && of->kind != PT_TYPE_POINTER &&
	       !e->has_sentinel && e->step > 0;
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
	if (!vt_capture_can_read(c, e.first, of->size))
		return PT_UNREADABLE;
	n = is_flat(of, &e) ? put_at_once(c, of->size, &e)
			    : put_each(c, p, t, &e);
	return n | (n < e.most ? PT_MORE : 0);
}

static void put_pointer(struct vt_capture *c, const struct place *p,
			const struct pt_type *t)
{
	Addr address;
	UInt before = c->n, n = PT_NOT_FOLLOWED;

	VG_(memcpy)(&address, p->at, sizeof(address));
	put(c, &address, sizeof(address));
	put(c, &n, sizeof(n));
	if (c->full)
		return;
	n = put_elements(c, p, t, address);
	VG_(memcpy)(c->bytes + before + sizeof(address), &n, sizeof(n));
}

/* ---- all ---- */

static void put_struct(struct vt_capture *c, const struct place *p,
		       const struct pt_type *t)
{
	struct place field = *p;
	UInt i;

	field.around = p->type;
	field.struct_at = p->at;
	for (i = t->first; i < t->first + t->n && !c->full; i++) {
		field.type = vt_given_field(i)->type;
		field.at = p->at + vt_given_field(i)->offset;
		put_value(c, &field);
	}
}

static void put_value(struct vt_capture *c, const struct place *p)
{
	const struct pt_type *t = vt_given_type(p->type);

	if (t->kind == PT_TYPE_STRUCT)
		put_struct(c, p, t);
	else if (t->kind == PT_TYPE_POINTER)
		put_pointer(c, p, t);
	else
		put(c, p->at, t->size);
}

void vt_capture(struct vt_capture *c, UInt type, const void *at)
{
	const struct place p = {.type = type, .at = at, .around = PT_NO_TYPE};

	put_value(c, &p);
}
