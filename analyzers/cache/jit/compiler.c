/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiler.c - compiles the data plans of blocks for x86-64; see compiler.h
 *
 * Registers while the code runs:
 *
 *	rbx frame	r12 execution	rbp its slots
 *	r13 ways	r14 used	r15 hints	rdi dirty
 *	r8d clock	r9 end		r10 entries	r11 base
 *	esi hint mask
 *	rax, rcx, rdx: of a run, see run_compiler.c
 *
 * In code that lists uses, r13, r14, r15, rdi and r8d hold the members of the
 * second struct of the union in struct an_jit_frame, in their order.
 */

#include "analyzers/cache/jit/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/cache/jit/run_compiler.h"

#ifdef __x86_64__

enum {
	MAX_BLOCK_CODE =
		96,	    /* [bytes] maximum for a block without its exits and
			     runs */
	MAX_EXIT_CODE = 16, /* [bytes] maximum for an exit */
	SEARCH_CALL = 15,   /* [bytes] code of a run that calls the slow path */
	COMPILE_AFTER = 64, /* executions of a block before it is compiled */
	AHEAD = 1024,	    /* [bytes] prefetch distance from the slots being
			   read */
};

#define FIELD(name) ((uint8_t)offsetof(struct an_jit_frame, name))

_Static_assert(offsetof(struct an_jit_frame, next) < 128,
	       "fields are addressed by a signed byte");

/* Write code that loads, from the frame at rbx, the registers that calls do not
   preserve, or whose values callbacks may change. */
static void emit_load_frame_registers(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x44, 0x8b, 0x43, FIELD(clock)); /* mov r8d, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x4b, FIELD(end));   /* mov r9, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x53, FIELD(entry)); /* mov r10, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x5b, FIELD(base));  /* mov r11, [rbx + ] */
	AN_EMIT(e, 0x48, 0x8b, 0x7b, FIELD(dirty)); /* mov rdi, [rbx + ] */
	AN_EMIT(e, 0x8b, 0x73, FIELD(hints));	    /* mov esi, [rbx + ] */
	if (c->mode != AN_COMPILE_SCATTER)
		return;
	AN_EMIT(e, 0x4c, 0x8b, 0x73, FIELD(line));     /* mov r14, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x7b, FIELD(position)); /* mov r15, [rbx + ] */
}

static void emit_store_frame_registers(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x44, 0x89, 0x43, FIELD(clock)); /* mov [rbx + ], r8d */
	if (c->mode != AN_COMPILE_SCATTER)
		return;
	AN_EMIT(e, 0x4c, 0x89, 0x73, FIELD(line));     /* mov [rbx + ], r14 */
	AN_EMIT(e, 0x4c, 0x89, 0x7b, FIELD(position)); /* mov [rbx + ], r15 */
}

/* Write a jump to the code of the block of the execution that r12 points to. */
static void emit_jump_to_exec_block_code(struct an_emit *e)
{
	AN_EMIT(e, 0x41, 0x8b, 0x04, 0x24); /* mov eax, [r12]: an_exec.block */
	AN_EMIT(e, 0x41, 0xff, 0x24, 0xc2); /* jmp [r10 + 8 * rax] */
}

/* Write code that jumps to the epilogue if the list of uses of cache lines has
   no room for another execution. */
static void emit_leave_if_use_list_full(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x49, 0x39, 0xfe); /* cmp r14, rdi */
	AN_EMIT(e, 0x0f, 0x83);	      /* jae leave */
	an_emit_jump_distance(e, c->leave_offset);
}

static void emit_advance_to_next_exec(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x49, 0x83, 0xc4, 0x08); /* add r12, 8 */
	if (c->mode == AN_COMPILE_SCATTER) {
		AN_EMIT(e, 0x41, 0x81, 0xc0); /* add r8d, imm32 */
		an_emit(e, 1u << AN_ACCESS_BITS, 4);
	}
	AN_EMIT(e, 0x4d, 0x39, 0xcc); /* cmp r12, r9 */
	AN_EMIT(e, 0x0f, 0x84);	      /* je leave */
	an_emit_jump_distance(e, c->leave_offset);
	if (c->mode == AN_COMPILE_SCATTER)
		emit_leave_if_use_list_full(c);
	emit_jump_to_exec_block_code(e);
}

/* Write the function void start(struct an_jit_frame *rdi, const struct an_exec
   *rsi). */
static void emit_prologue_and_first_jump(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57);
	AN_EMIT(e, 0x48, 0x83, 0xec, 0x08);	   /* sub rsp, 8 */
	AN_EMIT(e, 0x48, 0x89, 0xfb);		   /* mov rbx, rdi */
	AN_EMIT(e, 0x49, 0x89, 0xf4);		   /* mov r12, rsi */
	AN_EMIT(e, 0x4c, 0x8b, 0x6b, FIELD(way));  /* mov r13, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x73, FIELD(used)); /* mov r14, [rbx + ] */
	AN_EMIT(e, 0x4c, 0x8b, 0x7b, FIELD(hint)); /* mov r15, [rbx + ] */
	emit_load_frame_registers(c);
	emit_jump_to_exec_block_code(e);
}

static void emit_store_registers_and_return(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	emit_store_frame_registers(c);
	if (c->mode == AN_COMPILE_SCATTER)
		/* mov [rbx + ], r12 */
		AN_EMIT(e, 0x4c, 0x89, 0x63, FIELD(next));
	AN_EMIT(e, 0x48, 0x83, 0xc4, 0x08); /* add rsp, 8 */
	AN_EMIT(e, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b);
	AN_EMIT(e, 0xc3);
}

/* Write a routine, shared by all access runs, that passes its inputs to
   frame->search and returns. Its inputs: edx, the run's descriptor
   (run_code.h); rcx and rax, the lines of the run's first and last byte. */
static void emit_shared_slow_path_routine(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	AN_EMIT(e, 0x48, 0x83, 0xec, 0x08); /* sub rsp, 8 */
	emit_store_frame_registers(c);
	AN_EMIT(e, 0x48, 0x89, 0xdf);	       /* mov rdi, rbx */
	AN_EMIT(e, 0x4c, 0x89, 0xe6);	       /* mov rsi, r12 */
	AN_EMIT(e, 0x49, 0x89, 0xc8);	       /* mov r8, rcx */
	AN_EMIT(e, 0x49, 0x89, 0xc1);	       /* mov r9, rax */
	AN_EMIT(e, 0x48, 0x89, 0xe9);	       /* mov rcx, rbp */
	AN_EMIT(e, 0xff, 0x53, FIELD(search)); /* call [rbx + ] */
	emit_load_frame_registers(c);
	AN_EMIT(e, 0x48, 0x83, 0xc4, 0x08); /* add rsp, 8 */
	AN_EMIT(e, 0xc3);
}

static void emit_uncompiled_exec_handler(struct an_compiler *c)
{
	struct an_emit *e = &c->out;

	emit_store_frame_registers(c);
	AN_EMIT(e, 0x48, 0x89, 0xdf);	      /* mov rdi, rbx */
	AN_EMIT(e, 0x4c, 0x89, 0xe6);	      /* mov rsi, r12 */
	AN_EMIT(e, 0xff, 0x53, FIELD(other)); /* call [rbx + ] */
	emit_load_frame_registers(c);
	emit_advance_to_next_exec(c);
}

void an_compiler_init(struct an_compiler *c, uint8_t *code,
		      enum an_compile_mode mode, bool no_lower_line_is_shorter)
{
	struct an_emit *e = &c->out;

	c->mode = mode;
	c->is_widening = no_lower_line_is_shorter;
	*e = (struct an_emit){code, 0};
	if (code == NULL)
		return;
	c->start_offset = e->used;
	emit_prologue_and_first_jump(c);
	c->leave_offset = e->used;
	emit_store_registers_and_return(c);
	c->search_offset = e->used;
	emit_shared_slow_path_routine(c);
	c->uncompiled_offset = e->used;
	emit_uncompiled_exec_handler(c);
}

static void emit_slow_path_of_run(struct an_compiler *c,
				  const struct an_slow_path_jumps *s)
{
	struct an_emit *e = &c->out;

	for (int i = 0; i < 2; i++)
		if (s->jump[i])
			an_emit_patch_jump_to_here(e, s->jump[i]);
	AN_EMIT(e, 0xba); /* mov edx, imm32: the run's descriptor */
	an_emit(e, s->run_desc, 4);
	AN_EMIT(e, 0xe8); /* call rel32: the shared slow path */
	an_emit_jump_distance(e, c->search_offset);
	AN_EMIT(e, 0xe9); /* jmp rel32: back to the run's code */
	an_emit_jump_distance(e, s->resume);
}

static void emit_load_slots_addr(struct an_emit *e)
{
	AN_EMIT(e, 0x41, 0x8b, 0x4c, 0x24, 0x04); /* mov ecx, [r12 + 4] */
	AN_EMIT(e, 0x81, 0xe1);			  /* and ecx, imm32 */
	an_emit(e,
		an_exec_first_slot_word_index((struct an_exec){0, UINT32_MAX}),
		4);
	AN_EMIT(e, 0x49, 0x8d, 0x2c, 0x8b); /* lea rbp, [r11 + 4 * rcx] */
	AN_EMIT(e, 0x0f, 0x18, 0x8d);	    /* prefetcht0 [rbp + disp32] */
	an_emit(e, AHEAD, 4);
}

/* Write a jump that is taken if the execution left the block by exit @exit or
   an earlier one. Return: offset of the jump's distance, which the caller fills
   in. */
static size_t emit_jump_if_exit_at_or_before(struct an_emit *e, unsigned exit)
{
	/* cmp dword [r12 + 4], imm32 */
	AN_EMIT(e, 0x41, 0x81, 0x7c, 0x24, 0x04);
	an_emit(e, an_exec(0, exit + 1, 0).exit_and_offset, 4);
	AN_EMIT(e, 0x0f, 0x82); /* jb rel32 */
	an_emit(e, 0, 4);
	return e->used - 4;
}

/* Write a block's code, except its access runs' calls of the slow path:
   @slow_paths receives the jumps to these. */
static void emit_block_fast_paths(struct an_compiler *c,
				  const struct an_path_plan *p,
				  const struct an_l1 *f,
				  struct an_slow_path_jumps *slow_paths)
{
	const struct an_run *r = an_path_plan_runs(p);
	unsigned last = p->block->n_exits - 1u, exit = 0, n_outs = 0;
	size_t out[PT_MAX_EXITS];

	emit_load_slots_addr(&c->out);
	for (unsigned i = 0;; i++) {
		unsigned here = exit;

		while (exit < last && p->n_runs[exit] == i)
			exit++;
		if (exit > here)
			out[n_outs++] = emit_jump_if_exit_at_or_before(
				&c->out, exit - 1);
		if (i == p->n_runs[last])
			break;
		slow_paths[i] =
			c->mode == AN_COMPILE_SCATTER
				? an_emit_append_run_line_use(&c->out, &r[i], f)
				: an_emit_run_fast_path(&c->out, &r[i], f);
		slow_paths[i].run_desc =
			an_run_desc_pack(&r[i], f, c->is_widening, p->block);
	}
	for (unsigned i = 0; i < n_outs; i++)
		an_emit_patch_jump_to_here(&c->out, out[i]);
	emit_advance_to_next_exec(c);
}

static void compile_block_if_code_memory_left(struct an_compiler *c,
					      const struct an_path_plan *p,
					      const struct an_l1 *f)
{
	const struct an_block *b = p->block;
	unsigned n = p->n_runs[b->n_exits - 1];
	size_t max_size = MAX_BLOCK_CODE +
			  (size_t)n * (AN_MAX_RUN_CODE + SEARCH_CALL) +
			  (size_t)b->n_exits * MAX_EXIT_CODE;
	const uint8_t *entry = c->out.code + c->out.used;
	struct an_slow_path_jumps *s;

	if (AN_MAX_CODE - c->out.used < max_size)
		return;
	s = malloc((n + 1u) * sizeof(*s));
	if (s == NULL)
		return;
	emit_block_fast_paths(c, p, f, s);
	for (unsigned i = 0; i < n; i++)
		emit_slow_path_of_run(c, &s[i]);
	free(s);
	/* Pairs with the load of the entry by the machine code that
	   emit_jump_to_exec_block_code() wrote, which other threads may run. On
	   x86-64 every load acquires, so a thread that loads the entry sees the
	   block's code. */
	pt_store_release(&c->entry[b->id], (uintptr_t)entry);
}

void an_compiler_count_block_compile_if_hot(struct an_compiler *c,
					    uint32_t block_id,
					    const struct an_path_plan *p,
					    const struct an_l1 *f)
{
	uint16_t *times = &c->exec_count[block_id];

	if (*times < COMPILE_AFTER && ++*times == COMPILE_AFTER)
		compile_block_if_code_memory_left(c, p, f);
}

/* Replace the array of entries by a copy with @entry_count entries, and enlarge
   c->exec_count. The old array is not freed until an_compiler_release(),
   because other threads may use it. Return: false if memory is short, or
   AN_MAX_OLD_ENTRIES arrays were replaced before. */
static bool grow_entry_array_without_freeing_old(struct an_compiler *c,
						 uint32_t entry_count)
{
	struct pt_shared_u64 *entry = malloc(entry_count * sizeof(*entry));
	void *times =
		realloc(c->exec_count, entry_count * sizeof(*c->exec_count));

	if (times != NULL)
		c->exec_count = times;
	if (entry == NULL || times == NULL ||
	    c->n_old_entries == AN_MAX_OLD_ENTRIES) {
		free(entry);
		return false;
	}
	if (c->n_entries > 0)
		memcpy(entry, c->entry, c->n_entries * sizeof(*entry));
	for (uint32_t i = c->n_entries; i < entry_count; i++) {
		entry[i].value =
			(uintptr_t)(c->out.code + c->uncompiled_offset);
		c->exec_count[i] = 0;
	}
	c->old_entries[c->n_old_entries++] = c->entry;
	c->entry = entry;
	c->n_entries = entry_count;
	return true;
}

bool an_compiler_can_compile_ensure_entries(struct an_compiler *c,
					    uint32_t n_blocks)
{
	uint32_t n = c->n_entries ? c->n_entries : 1024;

	while (n < n_blocks)
		n *= 2;
	return c->out.code && (n == c->n_entries ||
			       grow_entry_array_without_freeing_old(c, n));
}

void an_compiler_simulate_batch(const struct an_compiler *c,
				struct an_jit_frame *frame)
{
	void (*start)(struct an_jit_frame *, const struct an_exec *);
	struct an_l1 *f = frame->l1;

	frame->way = f->way;
	frame->used = f->used;
	frame->hint = f->hint;
	frame->dirty = f->dirty;
	frame->hints = f->hint_mask;
	frame->base = frame->batch->slots;
	frame->end = frame->batch->exec + frame->batch->n_execs;
	frame->entry = c->entry;
	frame->clock = f->clock;
	*(const void **)&start = c->out.code + c->start_offset;
	start(frame, frame->batch->exec);
	f->clock = frame->clock;
}

void an_compiler_run_code_to_list_line_uses(const struct an_compiler *c,
					    struct an_jit_frame *frame)
{
	void (*start)(struct an_jit_frame *, const struct an_exec *);

	*(const void **)&start = c->out.code + c->start_offset;
	start(frame, frame->next);
}

#else

/* On hosts other than x86-64 nothing is compiled:
   an_compiler_can_compile_ensure_entries() returns false, so that nothing calls
   the three functions after it; they do nothing. */

void an_compiler_init(struct an_compiler *c, uint8_t *code,
		      enum an_compile_mode mode, bool no_lower_line_is_shorter)
{
	(void)code;
	(void)mode;
	(void)no_lower_line_is_shorter;
	*c = (struct an_compiler){0};
}

bool an_compiler_can_compile_ensure_entries(struct an_compiler *c,
					    uint32_t n_blocks)
{
	(void)n_blocks;
	return c->entry != NULL;
}

void an_compiler_count_block_compile_if_hot(struct an_compiler *c,
					    uint32_t block_id,
					    const struct an_path_plan *p,
					    const struct an_l1 *f)
{
	(void)c;
	(void)block_id;
	(void)p;
	(void)f;
}

void an_compiler_simulate_batch(const struct an_compiler *c,
				struct an_jit_frame *frame)
{
	(void)c;
	(void)frame;
}

void an_compiler_run_code_to_list_line_uses(const struct an_compiler *c,
					    struct an_jit_frame *frame)
{
	(void)c;
	(void)frame;
}

#endif

void an_compiler_release(struct an_compiler *c)
{
	for (unsigned i = 0; i < c->n_old_entries; i++)
		free(c->old_entries[i]);
	free(c->entry);
	free(c->exec_count);
	*c = (struct an_compiler){0};
}
