/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_compiler.c - writes the machine code of a run, for x86-64; see
 * run_compiler.h
 *
 * Listed is the code of an unguarded run with a base address. In the simulating
 * code rcx is the line of the run's first byte, rax that of its last byte, and
 * edx the index of the line's way. Instructions in brackets are present only if
 * needed:
 *
 *	mov  rcx, [rbp + place]
 *	[add rcx, delta]
 *	[lea rax, [rcx + span];  shr rax, shift]
 *	shr  rcx, shift
 *	mov  edx, ecx;  and edx, esi;  mov edx, [r15 + 4 * rdx]
 *	cmp  rcx, [r13 + 8 * rdx];  jne search
 *	[cmp rcx, rax;  jne search]
 *	inc  r8d;  mov [r14 + 4 * rdx], r8d
 *	[mov byte [rdi + rdx], 1]
 *	[add qword [r13 + 8 * rdx + n_accesses - way], accesses of the run]
 *
 * In the code that lists uses, these instructions follow after `shr rcx,
 * shift`:
 *
 *	[cmp rcx, rax;  jne search]
 *	mov  edx, ecx;  and edx, esi;  lea rcx, [4 * rcx + writes]
 *	mov  rax, [r13 + 8 * rdx];  xor rax, rcx
 *	cmp  rax, 1;  jbe skip          or, if the run writes:  je skip
 *	mov  [r13 + 8 * rdx], rcx;  mov [r14], rcx
 *	lea  eax, [r8 + first];  mov [r15], eax;  add r14, 8;  add r15, 4
 *    skip:
 */

#include "analyzers/cache/jit/run_compiler.h"

/* Append the operand [register + @offset] of an instruction. @modrm_disp8:
   ModRM byte for a one-byte offset, which is used if @offset fits; otherwise
   the offset has four bytes. */
static void emit_modrm_and_displacement(struct an_emit *e, uint8_t modrm_disp8,
					unsigned offset)
{
	bool is_short = offset <= INT8_MAX;

	AN_EMIT(e, (uint8_t)(is_short ? modrm_disp8 : modrm_disp8 ^ 0xc0));
	an_emit(e, offset, is_short ? 1 : 4);
}

/* Write code that sets rcx to the constant @value. */
static void emit_mov_constant_into_rcx(struct an_emit *e, uint64_t value)
{
	if (value <= UINT32_MAX) {
		AN_EMIT(e, 0xb9); /* mov ecx, imm32 */
		an_emit(e, value, 4);
	} else {
		AN_EMIT(e, 0x48, 0xb9);
		an_emit(e, value, 8);
	}
}

/* Write code that sets rcx to the address of the first byte of access run @r:
   its base address, which is in the execution's slots at rbp, plus r->delta.
   Changes rax if the delta needs 64 bits. */
static void emit_load_run_address_into_rcx(struct an_emit *e,
					   const struct an_run *r)
{
	AN_EMIT(e, 0x48, 0x8b); /* mov rcx, [rbp + disp] */
	emit_modrm_and_displacement(e, 0x4d, 4u * r->slot_or_instr);
	if (r->delta == 0)
		return;
	if ((int64_t)r->delta == (int8_t)r->delta) {
		AN_EMIT(e, 0x48, 0x83, 0xc1); /* add rcx, imm8 */
		an_emit(e, r->delta, 1);
	} else if ((int64_t)r->delta == (int32_t)r->delta) {
		AN_EMIT(e, 0x48, 0x81, 0xc1); /* add rcx, imm32 */
		an_emit(e, r->delta, 4);
	} else {
		AN_EMIT(e, 0x48, 0xb8); /* mov rax, imm64 */
		an_emit(e, r->delta, 8);
		AN_EMIT(e, 0x48, 0x01, 0xc1); /* add rcx, rax */
	}
}

/* Write code that computes the line of the first byte of access run @r in rcx
   and, if it may differ, the line of the last byte in rax. */
static void emit_compute_run_line_numbers(struct an_emit *e,
					  const struct an_run *r,
					  const struct an_l1 *f)
{
	emit_load_run_address_into_rcx(e, r);
	if (r->span > 0) {
		AN_EMIT(e, 0x48, 0x8d); /* lea rax, [rcx + disp] */
		emit_modrm_and_displacement(e, 0x41, r->span);
		AN_EMIT(e, 0x48, 0xc1, 0xe8, (uint8_t)f->shift); /* shr rax, */
	}
	AN_EMIT(e, 0x48, 0xc1, 0xe9, (uint8_t)f->shift); /* shr rcx, */
}

static void emit_compute_hint_index_of_line(struct an_emit *e)
{
	AN_EMIT(e, 0x89, 0xca); /* mov edx, ecx */
	AN_EMIT(e, 0x21, 0xf2); /* and edx, esi */
}

/* Write code that computes the lines of access run @r, and in edx the way that
   the hint names for the first line. */
static void emit_compute_run_lines_and_hinted_way(struct an_emit *e,
						  const struct an_run *r,
						  const struct an_l1 *f)
{
	emit_compute_run_line_numbers(e, r, f);
	emit_compute_hint_index_of_line(e);
	AN_EMIT(e, 0x41, 0x8b, 0x14, 0x97); /* mov edx, [r15 + 4 * rdx] */
}

/* Write code that sets rcx to @line, which is known when compiling, and edx to
   the way that the line's hint names. */
static void emit_load_line_and_hinted_way(struct an_emit *e, uint64_t line,
					  const struct an_l1 *f)
{
	emit_mov_constant_into_rcx(e, line);
	AN_EMIT(e, 0x41, 0x8b, 0x97); /* mov edx, [r15 + disp32] */
	an_emit(e, 4 * (line & f->hint_mask), 4);
}

/* Write code that adds the number of accesses of access run @r to the counter
   of way edx. */
static void emit_add_run_accesses_to_way_counter(struct an_emit *e,
						 const struct an_run *r,
						 const struct an_l1 *f)
{
	AN_EMIT(e, 0x49, 0x81, 0x84, 0xd5); /* add qword [r13 + 8 * rdx +
					       disp32], imm32 */
	an_emit(e, (uint64_t)(f->n_accesses - f->way) * sizeof(*f->way), 4);
	an_emit(e, an_run_n_accesses_or_instrs(r), 4);
}

static void emit_last_use_time_and_dirty_update(struct an_emit *e,
						const struct an_run *r)
{
	AN_EMIT(e, 0x41, 0xff, 0xc0);	    /* inc r8d */
	AN_EMIT(e, 0x45, 0x89, 0x04, 0x96); /* mov [r14 + 4 * rdx], r8d */
	if (r->writes)
		AN_EMIT(e, 0xc6, 0x04, 0x17, 0x01); /* mov [rdi + rdx], 1 */
}

static size_t emit_jne_return_offset_to_patch(struct an_emit *e)
{
	AN_EMIT(e, 0x0f, 0x85); /* jne rel32 */
	an_emit(e, 0, 4);
	return e->used - 4;
}

static size_t emit_jmp_return_offset_to_patch(struct an_emit *e)
{
	AN_EMIT(e, 0xe9); /* jmp rel32 */
	an_emit(e, 0, 4);
	return e->used - 4;
}

/* Knowledge about the lines of an access run when it is compiled. */
enum line_knowledge {
	AT_RUN_TIME, /* unknown: the lines depend on the base address, which is
			loaded from a slot */
	KNOWN_LINE,  /* one line, whose number is known */
	SLOW_PATH,   /* guarded, or known to cross a line border */
};

static enum line_knowledge
classify_run_as_known_runtime_or_slow(const struct an_run *r,
				      const struct an_l1 *f)
{
	if (!an_run_can_be_one_unguarded_line(r, f->shift))
		return SLOW_PATH;
	return r->base_mask ? AT_RUN_TIME : KNOWN_LINE;
}

/* Write code that sets rcx to the run's first line and edx to the way that the
   line's hint names, and jumps to the slow path if the way holds another line,
   or the run ends in another line. */
static void emit_hinted_way_check(struct an_emit *e, const struct an_run *r,
				  const struct an_l1 *f,
				  enum line_knowledge knowledge,
				  struct an_slow_path_jumps *s)
{
	if (knowledge == KNOWN_LINE)
		emit_load_line_and_hinted_way(e, r->delta >> f->shift, f);
	else
		emit_compute_run_lines_and_hinted_way(e, r, f);
	AN_EMIT(e, 0x49, 0x3b, 0x4c, 0xd5, 0x00); /* cmp rcx, [r13 + 8 * rdx] */
	s->jump[0] = emit_jne_return_offset_to_patch(e);
	if (knowledge == AT_RUN_TIME && r->span > 0) {
		AN_EMIT(e, 0x48, 0x39, 0xc1); /* cmp rcx, rax */
		s->jump[1] = emit_jne_return_offset_to_patch(e);
	}
}

struct an_slow_path_jumps an_emit_run_fast_path(struct an_emit *e,
						const struct an_run *r,
						const struct an_l1 *f)
{
	enum line_knowledge knowledge =
		classify_run_as_known_runtime_or_slow(r, f);
	struct an_slow_path_jumps s = {{0}, 0, 0};

	if (knowledge == SLOW_PATH) {
		s.jump[0] = emit_jmp_return_offset_to_patch(e);
	} else {
		emit_hinted_way_check(e, r, f, knowledge, &s);
		emit_last_use_time_and_dirty_update(e, r);
		if (f->n_accesses != NULL)
			emit_add_run_accesses_to_way_counter(e, r, f);
	}
	s.resume = e->used;
	return s;
}

/* Write code that appends the use (of a line) in rcx to the list and stores it
   in entry edx of an_partition_inflight.last_use, unless that entry has a use
   of the same line that is equal or a write. */
static void emit_append_line_use_unless_repeated(struct an_emit *e,
						 const struct an_run *r)
{
	size_t skip_end;

	AN_EMIT(e, 0x49, 0x8b, 0x44, 0xd5, 0x00); /* mov rax, [r13 + 8 *
						     rdx]: last use of the
						     line's set */
	AN_EMIT(e, 0x48, 0x31, 0xc8);		  /* xor rax, rcx */
	if (r->writes)
		AN_EMIT(e, 0x74, 0); /* je */
	else
		AN_EMIT(e, 0x48, 0x83, 0xf8, 0x01, 0x76,
			0); /* cmp rax, 1; jbe */
	skip_end = e->used;
	AN_EMIT(e, 0x49, 0x89, 0x4c, 0xd5, 0x00); /* mov [r13 + 8 * rdx], rcx */
	AN_EMIT(e, 0x49, 0x89, 0x0e);		  /* mov [r14], rcx */
	AN_EMIT(e, 0x41, 0x8d, 0x80);		  /* lea eax, [r8 + ]:
						     position of the use */
	an_emit(e, r->first_row, 4);
	AN_EMIT(e, 0x41, 0x89, 0x07);	    /* mov [r15], eax */
	AN_EMIT(e, 0x49, 0x83, 0xc6, 0x08); /* add r14, 8 */
	AN_EMIT(e, 0x49, 0x83, 0xc7, 0x04); /* add r15, 4 */
	e->code[skip_end - 1] = (uint8_t)(e->used - skip_end);
}

static void emit_append_use_of_compile_time_line(struct an_emit *e,
						 const struct an_run *r,
						 uint64_t line,
						 const struct an_l1 *f)
{
	emit_mov_constant_into_rcx(e, line << AN_USE_LINE_SHIFT | r->writes);
	AN_EMIT(e, 0xba); /* mov edx, imm32 */
	an_emit(e, line & f->hint_mask, 4);
	emit_append_line_use_unless_repeated(e, r);
}

struct an_slow_path_jumps an_emit_append_run_line_use(struct an_emit *e,
						      const struct an_run *r,
						      const struct an_l1 *f)
{
	enum line_knowledge knowledge =
		classify_run_as_known_runtime_or_slow(r, f);
	struct an_slow_path_jumps s = {{0}, 0, 0};

	if (knowledge == SLOW_PATH) {
		s.jump[0] = emit_jmp_return_offset_to_patch(e);
	} else if (knowledge == KNOWN_LINE) {
		emit_append_use_of_compile_time_line(e, r, r->delta >> f->shift,
						     f);
	} else {
		emit_compute_run_line_numbers(e, r, f);
		if (r->span > 0) {
			AN_EMIT(e, 0x48, 0x39, 0xc1); /* cmp rcx, rax */
			s.jump[0] = emit_jne_return_offset_to_patch(e);
		}
		emit_compute_hint_index_of_line(e);
		AN_EMIT(e, 0x48, 0x8d, 0x0c, 0x8d); /* lea rcx, [4 * rcx +
						       disp32] */
		an_emit(e, r->writes, 4);
		emit_append_line_use_unless_repeated(e, r);
	}
	s.resume = e->used;
	return s;
}
