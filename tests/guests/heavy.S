/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heavy.S - many accesses and few addresses: each round counts up forty words,
 * a line apart, whose addresses are known beforehand, 60000 rounds
 *
 * Room: tests.
 */
	.globl	_start
	.text
_start:
	mov	$60000, %ecx
1:
	.set	i, 0
	.rept	40
	incq	words + i * 64
	.set	i, i + 1
	.endr
	dec	%ecx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.data
	.balign	64
words:
	.zero	40 * 64
