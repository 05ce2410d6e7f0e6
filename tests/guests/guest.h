/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest.h - a C program without C library, so that its trace is its own
 *
 * The program is guest_main(); its value is the exit status.
 */
#ifndef GUEST_H
#define GUEST_H

#include <stdint.h>

#define NOINLINE __attribute__((noinline))
#define ALIGNED(n) __attribute__((aligned(n)))

extern volatile long guest_exit;
int guest_main(void);
void guest_start(void);

static inline long guest_call(long number, long a, long b, long c, long d,
			      long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

enum { GUEST_MMAP = 9, GUEST_MPROTECT = 10, GUEST_EXIT = 60 };
enum { GUEST_NONE = 0, GUEST_RW = 3, GUEST_RWX = 7 };

/* Fresh memory, [bytes], with protection @prot. */
static inline uint8_t *guest_map(unsigned long bytes, int prot)
{
	return (uint8_t *)guest_call(GUEST_MMAP, 0, (long)bytes, prot, 0x22, -1,
				     0);
}

/* Valgrind reads the symbols of an object only when it has data. */
volatile long guest_exit = GUEST_EXIT;

void guest_start(void)
{
	guest_call(guest_exit, guest_main(), 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

__asm__(".globl _start\n"
	"_start:\n"
	"	xor %ebp, %ebp\n"
	"	and $-64, %rsp\n"
	"	call guest_start\n");

#endif
