/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x87.c - loads, stores, environment and whole state of the x87 (but fbld,
 * fbstp and ficom of memory, which Valgrind does not know)
 */
#include "guest.h"

static uint8_t memory[512] ALIGNED(64);

#define X87(insn, at)                                                          \
	__asm__ volatile(insn : : "a"(memory + (at)) : "cc", "memory")

static NOINLINE void numbers(void)
{
	X87("fld1; fstps (%0)", 0);
	X87("flds (%0); fstpl 8(%0)", 0);
	X87("fldl 8(%0); fstpt 16(%0)", 0);
	X87("fldt 16(%0); fstpt 60(%0)", 0);
	X87("fldt 60(%0); fsts (%0); fstl 5(%0); fstp %%st(0)", 0);
	X87("fldpi; fistps 32(%0)", 0);
	X87("fldpi; fistpl 36(%0)", 0);
	X87("fldpi; fistpll 40(%0)", 0);
	X87("filds 32(%0); fistl 36(%0); fisttpll 61(%0)", 0);
	X87("fildl 36(%0); fadds (%0); fmull 8(%0); fstpl 8(%0)", 0);
	X87("fildll 40(%0); fiadds 32(%0); fidivl 36(%0); fstpl 8(%0)", 0);
	X87("fldl 8(%0); fcoms (%0); fstp %%st(0)", 0);
}

static NOINLINE void state(void)
{
	X87("fnstcw (%0); fldcw (%0); fnstsw 2(%0)", 0);
	X87("fnstenv (%0); fldenv (%0)", 128);
	X87("fnstenv (%0); fldenv (%0)", 50);
	X87("fldpi; fld1; fnsave (%0); frstor (%0)", 256);
	X87("fnsave (%0); frstor (%0); fninit", 60);
	X87("stmxcsr (%0); ldmxcsr (%0)", 8);
	X87("movq (%0), %%mm0; movntq %%mm0, 8(%0); emms", 0);
}

int guest_main(void)
{
	numbers();
	state();
	return 0;
}
