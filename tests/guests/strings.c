/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strings.c - string instructions: counts 0, 1 and many, both directions,
 * with and without rep, ended by the count and by the flags (but no cmps other
 * than repe cmps: Valgrind knows none)
 */
#include "guest.h"

static uint8_t from[4096] ALIGNED(64), to[4096] ALIGNED(64);

#define MOVE(insn, src, dst, n)                                                \
	do {                                                                   \
		const void *s_ = (src);                                        \
		void *d_ = (dst);                                              \
		unsigned long c_ = (n);                                        \
		__asm__ volatile(insn                                          \
				 : "+S"(s_), "+D"(d_), "+c"(c_)                \
				 :                                             \
				 : "rax", "cc", "memory");                     \
	} while (0)

/* Every instruction of one element width. @at: [bytes] of the last element. */
#define FAMILY(suffix, at, n)                                                  \
	do {                                                                   \
		MOVE("rep movs" suffix, from, to, n);                          \
		MOVE("rep movs" suffix, from + 3, to + 61, n);                 \
		MOVE("std; rep movs" suffix "; cld", from + (at), to + (at),   \
		     n);                                                       \
		MOVE("xor %%eax, %%eax; rep stos" suffix, from, to, n);        \
		MOVE("std; rep stos" suffix "; cld", from, to + (at), n);      \
		MOVE("rep lods" suffix, from, to, n);                          \
		MOVE("std; rep lods" suffix "; cld", from + (at), to, n);      \
		MOVE("xor %%eax, %%eax; repe scas" suffix, from, from, n);     \
		MOVE("mov $-1, %%rax; repne scas" suffix, from, from, n);      \
		MOVE("repe cmps" suffix, from, from, n);                       \
		MOVE("repe cmps" suffix, from, to, n);                         \
		MOVE("std; repe cmps" suffix "; cld", from + (at),             \
		     from + (at), n);                                          \
	} while (0)

#define SINGLE(suffix)                                                         \
	do {                                                                   \
		MOVE("movs" suffix, from + 1, to + 60, 0);                     \
		MOVE("stos" suffix, from, to + 62, 0);                         \
		MOVE("lods" suffix, from + 63, to, 0);                         \
		MOVE("scas" suffix, from, to + 127, 0);                        \
		MOVE("std; movs" suffix "; cld", from + 1, to + 60, 0);        \
	} while (0)

static NOINLINE void all(unsigned long n)
{
	unsigned long last = n ? n - 1 : 0;

	FAMILY("b", last, n);
	FAMILY("w", last * 2, n);
	FAMILY("l", last * 4, n);
	FAMILY("q", last * 8, n);
}

int guest_main(void)
{
	unsigned i;

	all(0);
	all(1);
	for (i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i / 40);
	all(2);
	all(37);
	all(300);
	SINGLE("b");
	SINGLE("w");
	SINGLE("l");
	SINGLE("q");
	return 0;
}
