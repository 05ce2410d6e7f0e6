/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_runcode.c - the machine code of a run, for x86-64; see an_runcode.h
 *
 * The first line is in rcx, the last byte's in rax, its way in edx. What is in
 * brackets stands there when it is needed:
 *
 *	mov  rcx, [rbp + place]
 *	[add rcx, delta]
 *	[lea rax, [rcx + span];  shr rax, shift]
 *	shr  rcx, shift
 *	mov  edx, ecx;  and edx, hints;  mov edx, [r15 + 4 * rdx]
 *	cmp  rcx, [r13 + 8 * rdx];  jne search
 *	[cmp rcx, rax;  jne search]
 *	inc  r8d;  mov [r14 + 4 * rdx], r8d
 *	[mov byte [rdi + rdx], 1]
 */

#include "analyzers/an_runcode.h"

/* mov rcx, the run's first address */
static void emit_address(struct an_emit *e, const struct an_run *r)
{
	AN_EMIT(e, 0x48, 0x8b, 0x8d); /* mov rcx, [rbp + ] */
	an_emit(e, 4u * r->place, 4);
	if (r->delta == 0)
		return;
	if ((int64_t)r->delta == (int8_t)r->delta) {
		AN_EMIT(e, 0x48, 0x83, 0xc1); /* add rcx, */
		an_emit(e, r->delta, 1);
	} else if ((int64_t)r->delta == (int32_t)r->delta) {
		AN_EMIT(e, 0x48, 0x81, 0xc1); /* add rcx, */
		an_emit(e, r->delta, 4);
	} else {
		AN_EMIT(e, 0x48, 0xb8); /* mov rax, */
		an_emit(e, r->delta, 8);
		AN_EMIT(e, 0x48, 0x01, 0xc1); /* add rcx, rax */
	}
}

/* The lines of the first byte and, if it may be another, the last; where the
   first may be. */
static void emit_lines(struct an_emit *e, const struct an_run *r,
		       const struct an_first *f)
{
	emit_address(e, r);
	if (r->span > 0) {
		AN_EMIT(e, 0x48, 0x8d, 0x81); /* lea rax, [rcx + ] */
		an_emit(e, r->span, 4);
		AN_EMIT(e, 0x48, 0xc1, 0xe8, (uint8_t)f->shift); /* shr rax, */
	}
	AN_EMIT(e, 0x48, 0xc1, 0xe9, (uint8_t)f->shift); /* shr rcx, */
	AN_EMIT(e, 0x89, 0xca);				 /* mov edx, ecx */
	AN_EMIT(e, 0x81, 0xe2);				 /* and edx, */
	an_emit(e, f->hints, 4);
	AN_EMIT(e, 0x41, 0x8b, 0x14, 0x97); /* mov edx, [r15 + 4 * rdx] */
}

/* The same where the address is known. */
static void emit_known_line(struct an_emit *e, uint64_t line,
			    const struct an_first *f)
{
	AN_EMIT(e, 0x48, 0xb9); /* mov rcx, */
	an_emit(e, line, 8);
	AN_EMIT(e, 0x41, 0x8b, 0x97); /* mov edx, [r15 + ] */
	an_emit(e, 4 * (line & f->hints), 4);
}

static void emit_use(struct an_emit *e, const struct an_run *r)
{
	AN_EMIT(e, 0x41, 0xff, 0xc0);	    /* inc r8d */
	AN_EMIT(e, 0x45, 0x89, 0x04, 0x96); /* mov [r14 + 4 * rdx], r8d */
	if (r->writes)
		AN_EMIT(e, 0xc6, 0x04, 0x17, 0x01); /* mov [rdi + rdx], 1 */
}

static size_t emit_unless_equal(struct an_emit *e)
{
	AN_EMIT(e, 0x0f, 0x85); /* jne */
	an_emit(e, 0, 4);
	return e->used - 4;
}

static size_t emit_always(struct an_emit *e)
{
	AN_EMIT(e, 0xe9); /* jmp */
	an_emit(e, 0, 4);
	return e->used - 4;
}

struct an_search an_runcode(struct an_emit *e, const struct an_run *r,
			    const struct an_first *f)
{
	uint64_t line = r->delta >> f->shift;
	bool known = !r->based && line == (r->delta + r->span) >> f->shift;
	struct an_search s = {{0}, 0, 0};

	if (r->span == AN_GUARDED || (!r->based && !known)) {
		s.from[0] = emit_always(e);
		s.back = e->used;
		return s;
	}
	if (known)
		emit_known_line(e, line, f);
	else
		emit_lines(e, r, f);
	AN_EMIT(e, 0x49, 0x3b, 0x4c, 0xd5, 0x00); /* cmp rcx, [r13 + 8 * rdx] */
	s.from[0] = emit_unless_equal(e);
	if (!known && r->span > 0) {
		AN_EMIT(e, 0x48, 0x39, 0xc1); /* cmp rcx, rax */
		s.from[1] = emit_unless_equal(e);
	}
	emit_use(e, r);
	s.back = e->used;
	return s;
}
