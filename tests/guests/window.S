/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.S - functions of which every instruction and access is known
 *
 * Room: tests. Linked alone, not position-independent.
 *
 * The first letter of the first argument picks what runs; tests/windows.test
 * reads the lines
 *
 *   case LETTER "WHAT": O openings I instructions R reads W writes: WORDS
 *
 * WORDS are tests/tools/windows.py's. A modify is a read and a write. Status 0,
 * or 1 when a handler was told the wrong place of a fault.
 *
 * To add up: start is I 3 R 3; finish is I 3.
 */
	.set SIGSEGV, 11

#include "cases.inc"

/* I 3 R 2 W 1 */
	function hot
	incq	word
	nop
	ret
	end	hot

/* I 2 R 1 W 1, then hot */
	function tail
	incq	word
	jmp	hot
	end	tail

/* N times I 3 R 1 W 1, I 1 R 1; its first instruction is the loop's */
	function loop
	incq	word
	dec	%ecx
	jnz	loop
	ret
	end	loop

/* N deep, N from 1: N - 1 times I 4 R 1 W 1, then I 3 R 1 */
	function down
	dec	%ecx
	jz	1f
	call	down
1:	ret
	end	down

/* I 3 R 3 W 1: leaves as longjmp() does */
	function leap
	incq	word
	mov	stack, %rsp
	jmp	*landing
	end	leap

/* I 2 W 1, then leap */
	function over
	nop
	call	leap
	ret
	end	over

/* I 5 R 3 W 2: the third one faults */
	function faulty
	incq	word
	nop
fault:
	mov	%rax, 0
	incq	word
	ret
	end	faulty

/* Mends rip, or says that it was wrong: I 4 R 3 W 1, then give_back. */
	function handler
	cmpq	$fault, 168(%rdx)
	jne	wrong
	addq	$8, 168(%rdx)
	ret
	end	handler

/* I 2 */
give_back:
	mov	$15, %eax
	syscall

wrong:
	mov	$1, %edi
	mov	$60, %eax
	syscall
	ud2

/* N times I 4 R 2 W 1: string instructions, a count may end in their midst */
	function copy
	mov	$from, %esi
	mov	$to, %edi
	mov	$100, %ecx
	rep movsb
	ret
	end	copy

finish:
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	ud2

	.macro	handle /* I 6 */
	mov	$13, %eax /* rt_sigaction */
	mov	$SIGSEGV, %edi
	mov	$action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	.endm

/* case a "the second of five calls": O 1 I 3 R 2 W 1: on=call:hot:2 till=return:hot:2 */
/* case a "from the second call on": O 1 I 19 R 8 W 7: on=call:hot:2 */
/* case a "from the second return to the fourth call": O 1 I 5 R 2 W 3: on=return:hot:2 till=call:hot:4 */
/* case a "each call": O 5 I 15 R 10 W 5: on=call:hot:1 till=return:hot:1 reopen */
/* case a "a function from the third call on": O 1 I 9 R 6 W 3: in=hot on=call:hot:3 */
/* case a "a sixth call never comes": O 0 I 0 R 0 W 0: on=call:hot:6 */
/* case a "till without on": O 1 I 7 R 5 W 2: till=return:hot:1 */
/* case a "memory instructions of a function": O 1 I 10 R 10 W 5: in=hot mem */
/* case a "three counts from each opening": O 2 I 6 R 4 W 2: on=call:hot:2 till=instructions:3:opening reopen */
/* case a "reads and writes": O 1 I 2 R 1 W 2: on=reads:7 till=writes:6 */
/* case a "two windows that overlap": O 2 I 11 R 6 W 5: on=call:hot:2 till=return:hot:3 + on=call:hot:3 till=return:hot:4 */
case_a:
	call	hot
	call	hot
	call	hot
	call	hot
	call	hot
	jmp	finish

/* case b "three thousand openings": O 3000 I 9000 R 6000 W 3000: on=call:hot:1 till=return:hot:1 reopen */
case_b:
	mov	$3000, %ebx
1:	call	hot
	dec	%ebx
	jnz	1b
	jmp	finish

/* case c "recursion, from the first call on": O 1 I 19 R 5 W 4: on=call:down:1 till=return:down:1 */
/* case c "recursion, from the third call on": O 1 I 11 R 3 W 2: on=call:down:3 till=return:down:3 */
/* case c "recursion, between returns": O 1 I 2 R 2 W 0: on=return:down:5 till=return:down:3 */
case_c:
	mov	$5, %ecx
	call	down
	jmp	finish

/* case d "a function by a tail call": O 1 I 3 R 2 W 1: on=call:hot:1 till=return:hot:1 */
/* case d "one that ends in a tail call": O 1 I 5 R 3 W 2: on=call:tail:1 till=return:tail:1 */
case_d:
	call	tail
	jmp	finish

/* case e "a jump to the first instruction is no call": O 1 I 16 R 6 W 5: on=call:loop:2 till=return:loop:2 */
case_e:
	mov	$4, %ecx
	call	loop
	mov	$5, %ecx
	call	loop
	jmp	finish

/* case f "longjmp out of a function": O 1 I 3 R 3 W 1: on=call:leap:1 till=return:leap:1 */
/* case f "longjmp out of its caller": O 2 I 10 R 6 W 4: on=call:over:1 till=return:over:1 reopen */
/* case f "after a longjmp": O 1 I 3 R 0 W 0: on=return:over:2 */
case_f:
	mov	%rsp, stack
	movq	$1f, landing
	call	over
1:	movq	$finish, landing
	call	over
	ud2

/* case g "a fault in what is recorded": O 1 I 11 R 6 W 3: on=call:faulty:1 till=return:faulty:1 */
/* case g "a fault in all that is recorded": O 1 I 5 R 3 W 2: in=faulty */
/* case g "a fault in what is not recorded": O 1 I 3 R 2 W 1: in=hot */
/* case g "a handler": O 1 I 4 R 3 W 1: on=call:handler:1 in=handler */
/* case g "a window after a fault": O 1 I 3 R 2 W 1: on=call:hot:1 till=return:hot:1 */
/* case g "a count behind a fault": O 1 I 4 R 2 W 3: on=instructions:26 till=instructions:30 */
/* case g "writes behind a fault": O 1 I 2 R 1 W 2: on=writes:6 till=writes:8 */
case_g:
	handle
	call	faulty
	nop
	nop
	nop
	incq	word
	incq	word
	incq	word
	call	hot
	jmp	finish

/* case h "a count ends in a string instruction": O 1 I 7 R 7 W 7: on=instructions:30 till=instructions:37 */
/* case h "accesses end in a string instruction": O 1 I 5 R 5 W 5: on=accesses:30 till=accesses:40 */
case_h:
	call	copy
	jmp	finish

/* case i "where the third of four longjmps lands": O 1 I 13 R 3 W 3: on=return:over:3 */
case_i:
	mov	$5, %ebx
	mov	%rsp, stack
	movq	$1f, landing
1:	dec	%ebx
	jz	finish
	call	over
	ud2

	.section .rodata
	.balign	8
action:
	.quad	handler
	.quad	0x4000004 /* SA_RESTORER, SA_SIGINFO */
	.quad	give_back
	.quad	0
cases:
	.quad	case_a, case_b, case_c, case_d, case_e, case_f, case_g, case_h, case_i

	.data
word:
	.quad	0
stack:
	.quad	0
landing:
	.quad	0
from:
	.skip	128
to:
	.skip	128
	.section .note.GNU-stack, "", @progbits
