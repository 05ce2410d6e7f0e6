/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * straddle.c - accesses and instructions across lines and pages, and some that
 *              share a line
 */
#include "guest.h"

#define AT(insn, at)                                                           \
	__asm__ volatile(insn : : "r"(at) : "rax", "xmm0", "memory")

/* Every width around @edge. */
static NOINLINE void around(uint8_t *edge)
{
	int i;

	for (i = -34; i <= 2; i++) {
		AT("movb (%0), %%al", edge + i);
		AT("movw (%0), %%ax", edge + i);
		AT("movl (%0), %%eax", edge + i);
		AT("movq %%rax, (%0)", edge + i);
		AT("movdqu (%0), %%xmm0", edge + i);
		AT("movdqu %%xmm0, (%0)", edge + i);
		AT("addl $1, (%0)", edge + i);
		AT("addq $1, (%0)", edge + i);
		AT("fldt (%0)\n fstpt (%0)", edge + i);
		AT("lock incq (%0)", edge + i);
	}
}

/* The stack itself off its alignment, across a line and a page. */
static NOINLINE void stack(uint8_t *top)
{
	__asm__ volatile("mov %%rsp, %%rdx\n"
			 "mov %0, %%rsp\n"
			 "push %%rax\n"
			 "pushw $3\n"
			 "push %%rax\n"
			 "call 1f\n"
			 "1: pop %%rax\n"
			 "pop %%rax\n"
			 "popw %%ax\n"
			 "pop %%rax\n"
			 "mov %%rdx, %%rsp\n"
			 :
			 : "r"(top)
			 : "rax", "rdx", "memory");
}

/* Long instructions that begin near the end of a line, then of a page. */
extern void code(uint8_t *);
__asm__(".p2align 12\n"
	".globl code\n"
	"code:\n"
	".macro long_at n\n"
	"	.skip 32 - \\n, 0x90\n"
	"	movabs $0x1122334455667788, %rax\n"
	"	movl $0x12345678, 0x40(%rdi)\n"
	"	.p2align 6, 0x90\n"
	".endm\n"
	".altmacro\n"
	"	.skip 4096 - 70, 0x90\n"
	"	movl $0x12345678, 0x11223(%rdi)\n"
	"	.skip 59, 0x90\n"
	"	movabs $0x1122334455667788, %rax\n"
	"	.p2align 6, 0x90\n"
	".irp n, 1,2,3,4,5,6,7,8,9\n"
	"	long_at \\n\n"
	".endr\n"
	"	ret\n"
	".noaltmacro\n");

/* Each line is read first, and written while it is there. */
static NOINLINE void read_first(uint8_t *from, uint8_t *end)
{
	for (; from < end; from += 64)
		AT("movq (%0), %%rax\n movq %%rax, 8(%0)", from);
}

int guest_main(void)
{
	uint8_t *page = guest_map(1 << 20, GUEST_RW);
	int i;

	around(page + 64);
	around(page + 4096);
	around(page + 8192 + 32);
	for (i = 0; i < 16; i++)
		stack(page + 8192 + i);
	code(page + 128);
	for (i = 0; i < 4; i++)
		read_first(page, page + (1 << 18));
	return 0;
}
