/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heavy.S - many accesses and few addresses: a round counts up forty words, a
 * line apart, whose addresses are known beforehand. 33000 rounds, six times,
 * and before each 80000 bytes counted up here and there
 *
 * Room: tests.
 */
	.globl	_start
	.text
_start:
	mov	$6, %ebx
	mov	$1, %eax
1:
	mov	$80000, %ecx
2:
	imul	$1103515245, %eax, %eax
	add	$12345, %eax
	mov	%eax, %esi
	shr	$16, %esi
	and	$0x1fc0, %esi
	incb	bytes(%rsi)
	dec	%ecx
	jnz	2b
	mov	$33000, %ecx
3:
	.set	i, 0
	.rept	40
	incq	bytes + i * 64
	.set	i, i + 1
	.endr
	dec	%ecx
	jnz	3b
	dec	%ebx
	jnz	1b
	mov	$60, %eax
	xor	%edi, %edi
	syscall

	.data
	.balign	64
bytes:
	.zero	0x2000
