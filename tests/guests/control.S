/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.S - a program that says what to record of it, all counts known
 *
 * Room: tests. Linked alone.
 *
 * A request is I 7 W 4, its last instruction the one that makes it: what it
 * starts begins behind it, what it ends ends behind it. body N is I 2N R N W N.
 */
	.set TOOL, 0x414c0000 /* 'A', 'L'; then as include/valgrind/alleria.h */
	.set MARK, TOOL
	.set EVENT, TOOL + 1
	.set WINDOW_BEGIN, TOOL + 2
	.set WINDOW_END, TOOL + 3
	.set START, TOOL + 4
	.set STOP, TOOL + 5
	.set TOGGLE, TOOL + 6
	.set REGION, TOOL + 7
	.set FLUSH, TOOL + 8
	.set ACCESSES, 2

	.macro request kind, a=0, b=0, c=0
	movq	$\kind, asked
	movq	$\a, asked + 8
	movq	$\b, asked + 16
	movq	$\c, asked + 24
	mov	$asked, %eax
	xor	%edx, %edx
	rolq	$3, %rdi
	rolq	$13, %rdi
	rolq	$61, %rdi
	rolq	$51, %rdi
	xchgq	%rbx, %rbx
	.endm

	.macro body n
	.rept	\n
	mov	word, %rsi
	mov	%rsi, word + 8
	.endr
	.endm

	.text
	.globl _start
_start:
	body	10
	request	MARK, before
	request	WINDOW_BEGIN, roi
	body	100
	request	WINDOW_END, roi
	body	10
	request	WINDOW_BEGIN, roi
	body	50
	request	WINDOW_END, roi
	request	EVENT, go
	body	30
	request	EVENT, halt
	request	STOP, ACCESSES
	body	20
	request	START, ACCESSES
	request	TOGGLE, ACCESSES
	body	20
	request	TOGGLE, ACCESSES
	request	REGION, word, 16, twice
	request	MARK, before
	request	FLUSH
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	ud2

	.data
before:	.asciz "before"
roi:	.asciz "roi"
go:	.asciz "go"
halt:	.asciz "halt"
twice:	.asciz "two words"

	.bss
	.balign 16
word:	.skip 16
asked:	.skip 48

	.section .note.GNU-stack, "", @progbits
