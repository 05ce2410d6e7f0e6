/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known.S - programs whose every access is known: faults, signals, processes
 *
 * Room: tests. Linked alone, not position-independent.
 *
 * The first letter of the first argument picks a case. Each has a line that
 * tests/signals.test reads:
 *
 *   case LETTER "WHAT": I instructions R reads W writes M modifies S signals END
 *
 * and those about processes have lines that tests/processes.test reads, one
 * for each process, by number:
 *
 *   process LETTER PARENT: I instructions R reads W writes END
 *
 * A modify counts as a read and as a write. An instruction that faults was
 * fetched, so it counts; of its accesses, those before the fault count. What
 * is never reached ends in ud2, so that what was loaded is still wanted:
 * Valgrind leaves loads out that nobody looks at.
 *
 * To add up: start is I 3 R 3; handle is I 10; resume_at is I 2 W 2, and the
 * handler that jumps there I 2 R 2; protect is I 5; finish is I 3.
 */
	.set SIGILL, 4
	.set SIGTRAP, 5
	.set SIGABRT, 6
	.set SIGBUS, 7
	.set SIGFPE, 8
	.set SIGKILL, 9
	.set SIGUSR1, 10
	.set SIGSEGV, 11

	.text
	.globl _start
_start:
	mov	16(%rsp), %rsi
	movzbl	(%rsi), %eax
	jmp	*cases - 'A' * 8(, %rax, 8)

	.macro quit
	mov	$60, %eax
	xor	%edi, %edi
	syscall
	ud2
	.endm

finish:
	quit

	.macro handle signal, action=jump_out
	mov	$131, %eax /* sigaltstack */
	mov	$signal_stack, %edi
	xor	%esi, %esi
	syscall
	mov	$13, %eax /* rt_sigaction */
	mov	$\signal, %edi
	mov	$\action, %esi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	.endm

	.macro resume_at label
	mov	%rsp, resume_stack
	movq	$\label, resume
	.endm

	.macro protect address, how=0
	mov	$10, %eax /* mprotect */
	mov	$\address, %edi
	mov	$4096, %esi
	mov	$\how, %edx
	syscall
	.endm

	.macro kill_self signal
	mov	$39, %eax /* getpid */
	syscall
	mov	%eax, %edi
	mov	$\signal, %esi
	mov	$62, %eax /* kill */
	syscall
	.endm

	.macro map_beyond_end /* rax: of a file; its last page is beyond the end */
	mov	$2, %eax /* open */
	mov	$path, %edi
	xor	%esi, %esi
	syscall
	mov	%eax, %r8d
	mov	$9, %eax /* mmap */
	xor	%edi, %edi
	mov	$0x100000, %esi
	mov	$1, %edx
	mov	$2, %r10d
	xor	%r9d, %r9d
	syscall
	.endm

/* ---- handlers ---- */

jump:
	mov	resume_stack, %rsp
	jmp	*resume

skip: /* I 2 R 2 W 1 M 1, then give_back */
	addq	$8, 168(%rdx) /* the context's rip */
	ret

count: /* I 2 R 2 W 1 M 1, then give_back */
	incl	word
	ret

give_back: /* I 2 */
	mov	$15, %eax
	syscall

/* ---- a handler, and the program goes on ---- */

/* case a "nothing faults": I 6 R 3 W 0 M 0 S 0 code:0 */
	.set	case_a, finish

/* case b "the third of five stores faults": I 23 R 5 W 4 M 0 S 1 code:0 */
case_b:
	handle	SIGSEGV
	resume_at finish
	mov	%rax, word
	mov	%rax, word + 8
	mov	%rax, 0
	mov	%rax, word + 16
	mov	%rax, word + 24
	ud2

/* case c "the third of four loads faults": I 23 R 7 W 2 M 0 S 1 code:0 */
case_c:
	handle	SIGSEGV
	resume_at finish
	mov	word, %rbx
	mov	word + 8, %rbp
	mov	0, %r12
	mov	word + 16, %r13
	ud2

/* case d "push of memory: the stack faults": I 22 R 6 W 2 M 0 S 1 code:0 */
case_d:
	handle	SIGSEGV
	resume_at finish
	mov	$8, %esp
	pushq	word
	ud2

/* case e "movs: the destination faults": I 23 R 6 W 2 M 0 S 1 code:0 */
case_e:
	handle	SIGSEGV
	resume_at finish
	mov	$word, %esi
	xor	%edi, %edi
	movsq
	ud2

/* case f "movs: the source faults": I 23 R 5 W 2 M 0 S 1 code:0 */
case_f:
	handle	SIGSEGV
	resume_at finish
	xor	%esi, %esi
	mov	$word, %edi
	movsq
	ud2

/* case g "a modify of read-only memory": I 21 R 6 W 2 M 0 S 1 code:0 */
case_g:
	handle	SIGSEGV
	resume_at finish
	addq	$1, readonly
	ud2

/* case h "rep movs: the sixth store faults": I 34 R 11 W 7 M 0 S 1 code:0 */
case_h:
	handle	SIGSEGV
	protect	hole
	resume_at finish
	mov	$word, %esi
	mov	$hole - 5, %edi
	mov	$20, %ecx
	rep movsb
	ud2

/* case i "rep stos: the third store faults": I 30 R 5 W 4 M 0 S 1 code:0 */
case_i:
	handle	SIGSEGV
	protect	hole
	resume_at finish
	mov	$hole - 16, %edi
	mov	$10, %ecx
	rep stosq
	ud2

/* case j "the seventh of eight pushes faults": I 33 R 5 W 8 M 0 S 1 code:0 */
case_j:
	handle	SIGSEGV
	protect	page
	resume_at finish
	mov	$hole + 48, %esp
	.rept 8
	push	%rax
	.endr
	ud2

/* case k "a division by zero in memory": I 24 R 7 W 2 M 0 S 1 code:0 */
case_k:
	handle	SIGFPE
	resume_at finish
	mov	$1, %eax
	xor	%edx, %edx
	mov	word + 8, %rbx
	idivl	word
	mov	%rax, word
	ud2

/* case l "ud2": I 22 R 5 W 3 M 0 S 1 code:0 */
case_l:
	handle	SIGILL
	resume_at finish
	movq	$1, word
	ud2
	movq	$1, word + 8
	ud2

/* case m "bytes that are no instruction": I 22 R 5 W 3 M 0 S 1 code:0 */
case_m:
	handle	SIGILL
	resume_at finish
	movq	$1, word
	.byte	6
	movq	$1, word + 8
	ud2

/* case n "a page beyond the end of its file": I 34 R 6 W 2 M 0 S 1 code:0 */
case_n:
	handle	SIGBUS
	resume_at finish
	map_beyond_end
	mov	word, %rbx
	mov	0xff000(%rax), %r12
	ud2

/* case o "int3": I 22 R 5 W 3 M 0 S 1 code:0 */
case_o:
	handle	SIGTRAP
	resume_at finish
	movq	$1, word
	int3
	movq	$1, word + 8
	ud2

/* case p "the handler skips what faulted": I 24 R 5 W 3 M 1 S 1 code:0 */
case_p:
	handle	SIGSEGV, step_over
	mov	%rax, word
	mov	%rax, 0 /* 8 bytes long */
	mov	%rax, word + 8
	jmp	finish

/* case q "a hundred faults": I 620 R 304 W 203 M 101 S 100 code:0 */
case_q:
	handle	SIGSEGV
	resume_at again
again:
	decl	hundred
	jz	finish
	mov	%rax, word
	mov	%rax, 0
	ud2

/* case r "a signal to itself": I 27 R 5 W 1 M 1 S 1 code:0 */
case_r:
	handle	SIGUSR1, count_it
	kill_self SIGUSR1
	jmp	finish

/* case C "a call to nowhere": I 22 R 5 W 3 M 0 S 1 code:0 */
case_C:
	handle	SIGSEGV
	resume_at finish
	xor	%eax, %eax
	call	*%rax
	ud2

/* case D "a gather whose third lane faults": I 24 R 8 W 2 M 0 S 1 code:0 */
case_D:
	handle	SIGSEGV
	resume_at finish
	xor	%eax, %eax
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vmovdqu	lanes, %xmm2
	vpgatherdd %xmm1, (%rax, %xmm2, 1), %xmm0
	ud2

/* case G "a locked modify of read-only memory": I 21 R 6 W 2 M 0 S 1 code:0 */
case_G:
	handle	SIGSEGV
	resume_at finish
	lock incq readonly
	ud2

/* case H "a call on a stack that faults": I 22 R 5 W 2 M 0 S 1 code:0 */
case_H:
	handle	SIGSEGV
	resume_at finish
	mov	$8, %esp
	call	finish
	ud2

/* case I "ret from a stack that faults": I 22 R 5 W 2 M 0 S 1 code:0 */
case_I:
	handle	SIGSEGV
	resume_at finish
	xor	%esp, %esp
	ret

/* case J "a store half of which is in no page": I 26 R 5 W 2 M 0 S 1 code:0 */
case_J:
	handle	SIGSEGV
	protect	hole
	resume_at finish
	movups	%xmm0, hole - 8
	ud2

/* case K "fxsave to read-only memory": I 22 R 5 W 3 M 0 S 1 code:0 */
case_K:
	handle	SIGSEGV
	resume_at finish
	mov	%rax, word
	fxsave	readonly
	mov	%rax, word + 8
	ud2

/* case P "a division, wanted late": I 25 R 5 W 2 M 0 S 1 code:0 */
case_P:
	handle	SIGFPE
	resume_at finish
	mov	$1, %eax
	xor	%edx, %edx
	xor	%ebp, %ebp
	mov	$page, %ebx
	idiv	%ebp
	mov	(%rbx), %rbx
	mov	(%rbx), %rcx
	mov	%rcx, word
	xor	%edx, %edx
	mov	%rax, word
	ud2

/* case Q "a load, wanted late": I 21 R 5 W 2 M 0 S 1 code:0 */
case_Q:
	handle	SIGSEGV
	resume_at finish
	mov	0, %rax
	mov	word, %rcx
	add	%rcx, %rax
	xor	%ecx, %ecx
	ud2

/* case R "a page that may but be written is read": I 28 R 6 W 3 M 0 S 1 code:0 */
case_R:
	handle	SIGSEGV
	protect	hole, 2
	resume_at finish
	mov	hole, %rax
	mov	%rax, word
	mov	%rax, 0
	ud2

/* ---- no handler, and the program dies ---- */
	ud2

/* case s "SIGKILL": I 10 R 3 W 1 M 0 S 1 signal:9 */
case_s:
	movq	$1, word
	kill_self SIGKILL
	ud2

/* case t "the third of five stores kills": I 6 R 3 W 2 M 0 S 1 signal:11 */
case_t:
	mov	%rax, word
	mov	%rax, word + 8
	mov	%rax, 0
	mov	%rax, word + 16
	mov	%rax, word + 24
	ud2

/* case u "a division by zero kills": I 7 R 5 W 0 M 0 S 1 signal:8 */
case_u:
	mov	$1, %eax
	xor	%edx, %edx
	mov	word + 8, %rbx
	idivl	word
	mov	%rax, word
	ud2

/* case v "ud2 kills": I 5 R 3 W 1 M 0 S 1 signal:4 */
case_v:
	movq	$1, word
	ud2
	movq	$1, word + 8
	ud2

/* case w "a page beyond its file's end kills": I 17 R 4 W 0 M 0 S 1 signal:7 */
case_w:
	map_beyond_end
	mov	word, %rbx
	mov	0xff000(%rax), %r12
	ud2

/* case x "SIGABRT kills": I 9 R 3 W 0 M 0 S 1 signal:6 */
case_x:
	kill_self SIGABRT
	ud2

/* case y "rep movs: the sixth store kills": I 17 R 9 W 5 M 0 S 1 signal:11 */
case_y:
	protect	hole
	mov	$word, %esi
	mov	$hole - 5, %edi
	mov	$20, %ecx
	rep movsb
	ud2

/* case z "push of memory: the stack kills": I 5 R 4 W 0 M 0 S 1 signal:11 */
case_z:
	mov	$8, %esp
	pushq	word
	ud2

/* case A "bytes that are no instruction kill": I 5 R 3 W 1 M 0 S 1 signal:4 */
case_A:
	movq	$1, word
	.byte	6
	ud2

/* case B "a jump to nowhere kills": I 6 R 3 W 1 M 0 S 1 signal:11 */
case_B:
	movq	$1, word
	xor	%eax, %eax
	jmp	*%rax

/* ---- processes ---- */

	.macro exec_myself /* I 5 R 1; the second argument is our path */
	mov	24(%rsp), %rdi
	mov	$59, %eax /* execve */
	mov	$arguments, %esi
	xor	%edx, %edx
	syscall
	.endm

	.macro fork_by number /* I 4 in the parent, 2 in the child */
	mov	$\number, %eax
	syscall
	test	%eax, %eax
	jz	1f
	.endm

	.macro await_child /* I 6 */
	mov	$61, %eax /* wait4 */
	mov	$-1, %rdi
	xor	%esi, %esi
	xor	%edx, %edx
	xor	%r10d, %r10d
	syscall
	.endm

/* exec fails; the program goes on */
/* process E 0: I 12 R 3 W 1 code:0 */
case_E:
	mov	$nowhere, %edi
	mov	$59, %eax /* execve */
	mov	$arguments, %esi
	xor	%edx, %edx
	syscall
	movq	$1, word
	quit

/* exec of itself, as case a */
/* process F 0: I 14 R 7 W 0 code:0 */
case_F:
	exec_myself
	ud2

/* fork; the parent waits */
/* process L 0: I 16 R 3 W 0 code:0 */
/* process L 1: I 6 R 0 W 1 code:0 */
case_L:
	fork_by	57
	await_child
	quit
1:	movq	$1, word
	quit

/* vfork; the child becomes another program, as case a */
/* process M 0: I 16 R 3 W 0 code:0 */
/* process M 1: I 13 R 4 W 0 code:0 */
case_M:
	fork_by	58
	await_child
	quit
1:	exec_myself
	ud2

/* fork; the parent does not wait, the child forks again and ends first */
/* process N 0: I 11 R 3 W 1 code:0 */
/* process N 1: I 9 R 0 W 0 code:0 */
/* process N 2: I 6 R 0 W 1 code:0 */
case_N:
	fork_by	57
	movq	$1, word
	quit
1:	fork_by	57
	quit
1:	movq	$1, word
	quit

/* fork; the child dies of a signal that the parent does not see coming */
/* process O 0: I 16 R 3 W 0 code:0 */
/* process O 1: I 4 R 0 W 1 signal:11 */
case_O:
	fork_by	57
	await_child
	quit
1:	movq	$1, word
	movq	$1, 0
	ud2

	.section .rodata
	.balign 64
readonly:
	.quad	1
path:
	.asciz	"/proc/self/exe"
nowhere:
	.asciz	"/nowhere"
letter_a:
	.asciz	"a"
	.balign 8
arguments:
	.quad	letter_a, letter_a, 0
	.balign 64
	.skip	1024

	.data
	.balign 64
word:
	.quad	0, 0, 0, 0
lanes:
	.long	word, word + 4, 0, word + 8
hundred:
	.long	101
	.long	0
cases: /* 'A' to 'z' */
	.quad	case_A, case_B, case_C, case_D, case_E, case_F, case_G, case_H
	.quad	case_I, case_J, case_K, case_L, case_M, case_N, case_O, case_P
	.quad	case_Q, case_R
	.skip	('a' - 'S') * 8
	.quad	case_a, case_b, case_c, case_d, case_e, case_f, case_g, case_h
	.quad	case_i, case_j, case_k, case_l, case_m, case_n, case_o, case_p
	.quad	case_q, case_r, case_s, case_t, case_u, case_v, case_w, case_x
	.quad	case_y, case_z
resume:
	.quad	0
resume_stack:
	.quad	0
signal_stack:
	.quad	on_signal, 0, 65536
	.macro action handler /* siginfo, own stack, restorer, no deferring */
	.quad	\handler, 0x4c000004, give_back, 0
	.endm
jump_out:
	action	jump
step_over:
	action	skip
count_it:
	action	count

	.bss
	.balign 4096
page:
	.skip	4096
hole:
	.skip	4096
	.balign 64
on_signal:
	.skip	65536

	.section .note.GNU-stack, "", @progbits
