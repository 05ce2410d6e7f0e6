/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steady.S - a program that can be disturbed at a known point
 *
 * Room: tests. Linked alone, not position-independent.
 *
 *   steady LETTER    works, says "ready", reads a byte, works, says "done"
 *
 * A half is N = 1024 << (LETTER - 'a') rounds; its status is 7. Counts, a
 * modify being a read and a write:
 *
 *   in the read:     I 16 + 4 N   R 2 + N    W 2 N   M N
 *   at the end:      I 25 + 8 N   R 2 + 2 N  W 4 N   M 2 N
 */
	.text
	.globl _start
_start:
	mov	16(%rsp), %rsi
	movzbl	(%rsi), %ecx
	sub	$'a', %ecx
	mov	$1024, %ebx
	shl	%cl, %rbx

	.macro work
	mov	%rbx, %rdx
1:	incq	word
	mov	%rdx, word + 64
	dec	%rdx
	jnz	1b
	.endm

	.macro say text, bytes
	mov	$1, %eax
	mov	$1, %edi
	mov	$\text, %esi
	mov	$\bytes, %edx
	syscall
	.endm

	work
	say	ready, 6
	xor	%eax, %eax /* read */
	xor	%edi, %edi
	mov	$byte, %esi
	mov	$1, %edx
	syscall
	work
	say	done, 5
	mov	$231, %eax /* exit_group */
	mov	$7, %edi
	syscall
	ud2

	.section .rodata
ready:
	.ascii	"ready\n"
done:
	.ascii	"done\n"

	.data
	.balign	64
word:
	.quad	0
	.skip	56
	.quad	0
byte:
	.quad	0
	.section .note.GNU-stack, "", @progbits
