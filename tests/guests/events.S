/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.S - threads that run one after another, all counts known
 *
 * Room: tests. Linked alone, not position-independent.
 *
 * The first letter of the first argument picks what the second and the third
 * thread do, while the first one waits; N is 10 in the one, 30 in the other:
 *
 *   a   I 3N+8 R N+1 W N+1
 *   b   I 3N+20 R N+2 W N+1: a signal arrives before the last I 3N+9 R N+2 W N+1
 *   c   I 3N+15 R N+1 W N+5: asks for go before the last I 3N+6 R N+1 W N+1
 *
 * The first thread: I 54 R 9 W 6, in case b 6 more.
 */
	.set SIGUSR1, 10
	.set FLAGS, 0x350f00 /* as pthread_create(), without thread storage */
	.set EVENT, 0x414c0001 /* include/valgrind/alleria.h */

#include "cases.inc"

/* N times I 3 R 1 W 1, I 1 R 1 */
	function loop
	incq	word
	dec	%ecx
	jnz	loop
	ret
	end	loop

	function handler
	ret
	end	handler

give_back:
	mov	$15, %eax
	syscall

/* I 15; of the thread I 2, before it begins at \begin */
	.macro	run begin, stack
	mov	$56, %eax /* clone */
	mov	$FLAGS, %edi
	mov	$\stack, %esi
	mov	$tid, %edx
	mov	$tid, %r10d
	xor	%r8d, %r8d
	syscall
	test	%eax, %eax
	jz	\begin
	mov	%eax, %edx
	mov	$202, %eax /* futex: waits for its end */
	mov	$tid, %edi
	xor	%esi, %esi
	xor	%r10d, %r10d
	syscall
	.endm

/* I 2 R 1 W 1 and the loop */
	.macro	work n
	mov	$\n, %ecx
	call	loop
	.endm

	.macro	leave number
	mov	$\number, %eax
	xor	%edi, %edi
	syscall
	ud2
	.endm

	.macro	signal /* I 9 */
	mov	$186, %eax /* gettid */
	syscall
	mov	%eax, %esi
	mov	$39, %eax /* getpid */
	syscall
	mov	%eax, %edi
	mov	$SIGUSR1, %edx
	mov	$234, %eax /* tgkill */
	syscall
	.endm

	.macro	ask /* I 7 W 4 */
	movq	$EVENT, asked
	movq	$go, asked + 8
	movq	$0, asked + 16
	movq	$0, asked + 24
	mov	$asked, %eax
	xor	%edx, %edx
	rolq	$3, %rdi
	rolq	$13, %rdi
	rolq	$61, %rdi
	rolq	$51, %rdi
	xchgq	%rbx, %rbx
	.endm

	.macro	threads first, second
	run	\first, stack_2
	run	\second, stack_3
	work	5
	leave	231
	.endm

case_a:
	threads	a_2, a_3
a_2:
	work	10
	leave	60
a_3:
	work	30
	leave	60

case_b:
	mov	$13, %eax /* rt_sigaction */
	mov	$SIGUSR1, %edi
	mov	$action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	threads	b_2, b_3
b_2:
	signal
	work	10
	leave	60
b_3:
	signal
	work	30
	leave	60

case_c:
	threads	c_2, c_3
c_2:
	ask
	work	10
	leave	60
c_3:
	ask
	work	30
	leave	60

	.section .rodata
	.balign	8
action:
	.quad	handler
	.quad	0x4000000 /* SA_RESTORER */
	.quad	give_back
	.quad	0
cases:
	.quad	case_a, case_b, case_c
go:	.asciz	"go"

	.data
	.balign	8
word:	.quad	0
tid:	.long	0

	.bss
	.balign	16
asked:	.skip	48
	.skip	1 << 14
stack_2:
	.skip	1 << 14
stack_3:
	.section .note.GNU-stack, "", @progbits
