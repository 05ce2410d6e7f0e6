/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warmup.S - walks over 64 lines of data, of which every instruction is known
 *
 * Room: tests. Linked alone, not position-independent.
 *
 * The first letter of the first argument picks what runs; tests/warmup.test
 * says what of it is recorded. start is I 3 R 3, a walk I 259 R 65: the read of
 * line k (from 64, the first, to 1) is 4 k - 1 instructions before its ret.
 */
#include "cases.inc"

	.macro walking name
	function \name
	mov	$lines, %eax
	mov	$64, %ecx
1:	mov	(%rax), %rdx
	add	$64, %eax
	dec	%ecx
	jnz	1b
	ret
	end	\name
	.endm

	.balign 64
	walking	walk
	.balign 64
	walking	other

finish:
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	ud2

case_a:
	call	walk
	call	walk
	call	walk
	jmp	finish

	.data
	.balign 8
cases:
	.quad	case_a

	.bss
	.balign 4096
lines:	.skip	4096
