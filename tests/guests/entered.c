/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * entered.c - faults in the first instruction behind a branch that is executed
 * often, and a handler that compares the program counter
 *
 *   entered N    N rounds without a fault, then a load and a store that fault;
 *                prints for each whether the handler found the address of the
 *                instruction, and its distance if not
 *   entered N paused    recording is paused before the faults
 *   entered N crash     the store faults, and there is no handler
 *
 * Behind one branch the program mostly goes on, behind the other it mostly
 * jumps.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <valgrind/alleria.h>

enum { PAGE = 4096, MAX_FAULTS = 20 };

static char *page;
static long found;
static int faults;

/* Return what is loaded from @at if @seldom is 0; @touched is accessed first.
   */
long go_on(const char *at, long seldom, long *touched);
extern const char go_on_load[];

/* Store to @at if @often is not 0; @touched is accessed first. */
void jump(char *at, long often, long *touched);
extern const char jump_store[];

__asm__(".globl go_on, go_on_load, jump, jump_store\n"
	"go_on:\n"
	"	incq	(%rdx)\n"
	"	test	%rsi, %rsi\n"
	"	jnz	1f\n"
	"go_on_load:\n"
	"	mov	(%rdi), %rax\n"
	"	add	%rax, (%rdx)\n"
	"	ret\n"
	"1:	xor	%eax, %eax\n"
	"	ret\n"
	"jump:\n"
	"	incq	(%rdx)\n"
	"	test	%rsi, %rsi\n"
	"	jnz	jump_store\n"
	"	ret\n"
	"	.size	jump, . - jump\n"
	"	.skip	64\n"
	"	.type	jump, @function\n"
	"	.type	jump_store, @function\n"
	"jump_store:\n"
	"	mov	%rsi, (%rdi)\n"
	"	add	%rsi, (%rdx)\n"
	"	ret\n"
	"	.size	jump_store, . - jump_store\n");

static void caught(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *u = context;

	(void)signal;
	(void)info;
	if (++faults > MAX_FAULTS)
		_exit(9);
	found = (long)u->uc_mcontext.gregs[REG_RIP];
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static void print(const char *what, const char *expected)
{
	if (found == (long)expected)
		printf("%s found\n", what);
	else
		printf("%s at %+ld\n", what, found - (long)expected);
}

/* Teach the tool where the branches lead. */
static __attribute__((noinline)) void rounds(long n, long *touched)
{
	for (long i = 0; i < n; i++) {
		go_on(page, i % 64 == 63, touched);
		jump(page, i % 64 != 63, touched);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = caught,
				   .sa_flags = SA_SIGINFO};
	const char *how = argc > 2 ? argv[2] : "";
	long n = argc > 1 ? atol(argv[1]) : 0, touched = 0;

	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 1;
	rounds(n, &touched);
	if (strcmp(how, "paused") == 0)
		ALLERIA_STOP_COLLECT(ALLERIA_COLLECT_ALL);
	mprotect(page, PAGE, PROT_NONE);
	if (strcmp(how, "crash") == 0)
		jump(page, 1, &touched);
	if (sigaction(SIGSEGV, &action, NULL) != 0)
		return 1;
	go_on(page, 0, &touched);
	print("load", go_on_load);
	mprotect(page, PAGE, PROT_READ);
	jump(page, 1, &touched);
	print("store", jump_store);
	return 0;
}
