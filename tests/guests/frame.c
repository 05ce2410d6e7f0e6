/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.c - a fault in a function whose frame begins and ends in one block,
 * mended by a handler that is told about it
 *
 * The function goes on with its frame pointer. Prints what it returns.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MOST = 20 };

static char *page;
static int faults;

long framed(char *at, long value);

__asm__(".globl framed\n"
	"framed:\n"
	"	push	%rbp\n"
	"	mov	%rsp, %rbp\n"
	"	mov	%rsi, -8(%rbp)\n"
	"	mov	%rsi, (%rdi)\n"
	"	mov	-8(%rbp), %rax\n"
	"	pop	%rbp\n"
	"	ret\n");

static void mend(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	if (++faults > MOST)
		_exit(9);
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = mend,
				   .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &action, NULL);
	page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("%ld\n", framed(page, 42));
	return faults != 1;
}
