/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cas.c - compare-and-swap, locked read-modify-write, and retry loops as other
 * machines build from load-linked and store-conditional
 */
#include "guest.h"

static uint8_t memory[256] ALIGNED(64);

#define RMW(insn, at)                                                          \
	__asm__ volatile(insn                                                  \
			 : "+m"(memory[at])                                    \
			 : "a"(1UL), "c"(2UL), "r"(&memory[at])                \
			 : "cc", "memory")

#define CMPXCHG(suffix, reg, at, expect)                                       \
	do {                                                                   \
		unsigned long a_ = (expect);                                   \
		__asm__ volatile("lock cmpxchg" suffix " " reg ", %1"          \
				 : "+a"(a_), "+m"(memory[at])                  \
				 : "c"(5UL)                                    \
				 : "cc", "memory");                            \
		__asm__ volatile("cmpxchg" suffix " " reg ", %1"               \
				 : "+a"(a_), "+m"(memory[at])                  \
				 : "c"(0UL)                                    \
				 : "cc", "memory");                            \
	} while (0)

#define WIDE(insn, at, lo)                                                     \
	do {                                                                   \
		unsigned long a_ = (lo), d_ = 0;                               \
		__asm__ volatile(insn                                          \
				 : "+a"(a_), "+d"(d_), "+m"(memory[at])        \
				 : "b"(7UL), "c"(9UL)                          \
				 : "cc", "memory");                            \
	} while (0)

static NOINLINE void locked(void)
{
	RMW("lock addb %%al, %0", 0);
	RMW("lock addw %%ax, %0", 2);
	RMW("lock addl %%eax, %0", 4);
	RMW("lock addq %%rax, %0", 8);
	RMW("lock subq $3, %0", 61);
	RMW("lock orl $3, %0", 16);
	RMW("lock andl $3, %0", 62);
	RMW("lock xorw $3, %0", 16);
	RMW("lock adcq $3, %0", 16);
	RMW("lock sbbq $3, %0", 16);
	RMW("lock incl %0", 24);
	RMW("lock decq %0", 24);
	RMW("lock negl %0", 24);
	RMW("lock notq %0", 24);
	RMW("lock btsq $5, %0", 32);
	RMW("lock btrl $5, %0", 32);
	RMW("lock btcl %%ecx, %0", 32);
	RMW("xchgb %%al, %0", 40);
	RMW("xchgq %%rax, %0", 60);
	RMW("lock xaddl %%eax, %0", 48);
	RMW("lock xaddq %%rax, %0", 48);
	RMW("xaddw %%ax, %0", 48);
	RMW("addq %%rax, %0", 48);
	RMW("notb %0", 48);
	RMW("btsq %%rcx, %0", 48);
	RMW("shlq %%cl, %0", 48);
	RMW("shldq $3, %%rax, %0", 48);
}

/* Adds 1 as "load, compute, store if unchanged"; the first @stale attempts
   come with an old value and fail. */
static NOINLINE void retry(unsigned long stale)
{
	unsigned long *at = (unsigned long *)(memory + 128);
	unsigned long seen = *at + stale;

	__asm__ volatile("1:	mov %1, %%rax\n"
			 "	lea 1(%%rax), %%rcx\n"
			 "	lock cmpxchgq %%rcx, %0\n"
			 "	je 2f\n"
			 "	dec %1\n"
			 "	jmp 1b\n"
			 "2:"
			 : "+m"(*at), "+r"(seen)
			 :
			 : "rax", "rcx", "cc", "memory");
}

int guest_main(void)
{
	unsigned long i;

	for (i = 0; i < 3; i++) {
		locked();
		CMPXCHG("b", "%%cl", 70, i);
		CMPXCHG("w", "%%cx", 72, i);
		CMPXCHG("l", "%%ecx", 76, i);
		CMPXCHG("q", "%%rcx", 80, i);
		CMPXCHG("q", "%%rcx", 125, i);
		WIDE("lock cmpxchg8b %2", 96, i);
		WIDE("cmpxchg8b %2", 96, 7 + i);
		WIDE("lock cmpxchg16b %2", 112, i);
		WIDE("cmpxchg16b %2", 112, 7 + i);
		retry(i * 10);
	}
	return 0;
}
