/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unused.S - loads whose value nobody uses: Valgrind leaves most of them out,
 * under Cachegrind more than under Lackey
 *
 * Room: tests.
 */
	.text
	.globl _start
_start:
	mov	$100, %ecx
1:	mov	word, %rbp
	mov	word + 8, %rax
	mov	%rcx, %rbp
	mov	%rcx, %rax
	mov	word + 16, %rbx
	mov	%rax, word + 24
	mov	%rcx, %rbx
	dec	%ecx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.data
word:
	.quad	1, 2, 3, 4

	.section .note.GNU-stack, "", @progbits
