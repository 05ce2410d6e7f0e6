/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * badstack.c - a jump to a function with a stack pointer that leads nowhere:
 * its first instruction faults, and a handler on another stack ends the program
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void target(void);

__asm__(".globl target\n"
	".type target, @function\n"
	"target:\n"
	"	push	%rbx\n"
	"	pop	%rbx\n"
	"	ret\n"
	".size target, . - target\n");

static void leave(int signal)
{
	(void)signal;
	_exit(3);
}

int main(void)
{
	struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
	stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};

	sigaltstack(&other, NULL);
	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile("mov	$4096, %rsp\n"
			 "	jmp	target\n");
	return 0;
}
