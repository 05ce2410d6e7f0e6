/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caught.c - faults in a function whose frame begins and ends in one block, and
 * handlers that receive nothing but the signal
 *
 * Build: -fno-omit-frame-pointer
 *
 *   caught segv|bus|fpe|ill    prints whether the handler found the frame
 *                              pointer of the function
 *   caught told                handlers that are told more are installed, and
 *                              nothing happens
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static sigjmp_buf back;
void *frame; /* the frame pointer that the function had */
static void *found;
char *nowhere;

void load(void);
void store(void);
void divide(void);
void undefined(void);

#define FRAMED(name, code)                                                     \
	__asm__(".globl " name "\n" name ":\n"                                 \
		"	push	%rbp\n"                                                 \
		"	mov	%rsp, %rbp\n"                                            \
		"	mov	%rbp, frame(%rip)\n" code                      \
		"	pop	%rbp\n"                                                  \
		"	ret\n")

FRAMED("load", "	mov	nowhere(%rip), %rax\n"
	       "	mov	(%rax), %rax\n");
FRAMED("store", "	mov	nowhere(%rip), %rax\n"
		"	mov	%rax, (%rax)\n");
FRAMED("divide", "	xor	%ecx, %ecx\n"
		 "	xor	%edx, %edx\n"
		 "	mov	$7, %eax\n"
		 "	idiv	%ecx\n");
FRAMED("undefined", "	ud2\n");

static void caught(int signal)
{
	(void)signal;
	found = *(void **)__builtin_frame_address(0);
	siglongjmp(back, 1);
}

static const char *catch (void (*f)(void))
{
	if (sigsetjmp(back, 1) == 0)
		f();
	return frame != NULL && found == frame ? "found" : "lost";
}

static void install(int flags)
{
	static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	struct sigaction action = {.sa_handler = caught, .sa_flags = flags};
	unsigned i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		sigaction(all[i], &action, NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	FILE *empty;

	install(strcmp(how, "told") == 0 ? SA_SIGINFO : 0);
	if (strcmp(how, "segv") == 0) {
		puts(catch (load));
		puts(catch (store));
	} else if (strcmp(how, "bus") == 0) {
		empty = tmpfile();
		nowhere = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			       fileno(empty), 0);
		puts(catch (load));
		puts(catch (store));
	} else if (strcmp(how, "fpe") == 0) {
		puts(catch (divide));
	} else if (strcmp(how, "ill") == 0) {
		puts(catch (undefined));
	}
	return 0;
}
