/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * avx.c - AVX2: masked loads and stores, gathers, with masks of no, some and
 * all lanes; lanes that are masked off may lie in memory that is not there
 */
#include "guest.h"

static uint32_t masks[7][8] ALIGNED(32) = {
	{0},
	{~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u},
	{~0u, 0, ~0u, 0, ~0u, 0, ~0u, 0},
	{0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u},
	{0, 0, ~0u, ~0u, 0, 0, 0, 0},
	{0x80000000, 0x7fffffff, 1, 0, 0, 0, 0, 0x80000000},
	{~0u, ~0u, 0, 0, 0, 0, 0, 0},
};
static uint32_t index32[8] ALIGNED(32) = {0, 9, 3, 3, 100, 7, 1, 50};
static uint64_t index64[4] ALIGNED(32) = {5, 0, 77, 5};

/* Mask in ymm1, data in ymm0, address in rax. */
#define MASKED(insn, at, mask)                                                 \
	__asm__ volatile("vmovdqu (%1), %%ymm1\n"                              \
			 "vpxor %%xmm0, %%xmm0, %%xmm0\n" insn                 \
			 :                                                     \
			 : "a"(at), "r"(mask)                                  \
			 : "xmm0", "xmm1", "xmm2", "memory")

#define GATHER(insn, at, mask, index)                                          \
	__asm__ volatile("vmovdqu (%1), %%ymm1\n"                              \
			 "vmovdqu (%2), %%ymm2\n"                              \
			 "vpxor %%xmm0, %%xmm0, %%xmm0\n" insn                 \
			 :                                                     \
			 : "a"(at), "r"(mask), "r"(index)                      \
			 : "xmm0", "xmm1", "xmm2", "memory")

static NOINLINE void masked(uint8_t *at, const uint32_t *mask)
{
	MASKED("vmaskmovps (%0), %%xmm1, %%xmm0", at, mask);
	MASKED("vmaskmovps (%0), %%ymm1, %%ymm0", at, mask);
	MASKED("vmaskmovpd (%0), %%xmm1, %%xmm0", at, mask);
	MASKED("vmaskmovpd (%0), %%ymm1, %%ymm0", at, mask);
	MASKED("vmaskmovps %%xmm0, %%xmm1, (%0)", at, mask);
	MASKED("vmaskmovps %%ymm0, %%ymm1, (%0)", at, mask);
	MASKED("vmaskmovpd %%xmm0, %%xmm1, (%0)", at, mask);
	MASKED("vmaskmovpd %%ymm0, %%ymm1, (%0)", at, mask);
	MASKED("vpmaskmovd (%0), %%xmm1, %%xmm0", at, mask);
	MASKED("vpmaskmovd (%0), %%ymm1, %%ymm0", at, mask);
	MASKED("vpmaskmovq (%0), %%xmm1, %%xmm0", at, mask);
	MASKED("vpmaskmovq (%0), %%ymm1, %%ymm0", at, mask);
	MASKED("vpmaskmovd %%xmm0, %%xmm1, (%0)", at, mask);
	MASKED("vpmaskmovd %%ymm0, %%ymm1, (%0)", at, mask);
	MASKED("vpmaskmovq %%xmm0, %%xmm1, (%0)", at, mask);
	MASKED("vpmaskmovq %%ymm0, %%ymm1, (%0)", at, mask);
}

static NOINLINE void gathers(uint8_t *at, const uint32_t *mask)
{
	GATHER("vgatherdps %%ymm1, (%0,%%ymm2,4), %%ymm0", at, mask, index32);
	GATHER("vgatherdps %%xmm1, 1(%0,%%xmm2,4), %%xmm0", at, mask, index32);
	GATHER("vgatherdpd %%ymm1, (%0,%%xmm2,8), %%ymm0", at, mask, index32);
	GATHER("vgatherqps %%xmm1, (%0,%%ymm2,4), %%xmm0", at, mask, index64);
	GATHER("vgatherqpd %%ymm1, (%0,%%ymm2,8), %%ymm0", at, mask, index64);
	GATHER("vpgatherdd %%ymm1, (%0,%%ymm2,1), %%ymm0", at, mask, index32);
	GATHER("vpgatherdq %%ymm1, (%0,%%xmm2,2), %%ymm0", at, mask, index32);
	GATHER("vpgatherqd %%xmm1, (%0,%%ymm2,4), %%xmm0", at, mask, index64);
	GATHER("vpgatherqq %%xmm1, (%0,%%xmm2,8), %%xmm0", at, mask, index64);
	GATHER("vpgatherqq %%ymm1, (%0,%%ymm2,8), %%ymm0", at, mask, index64);
}

/* The base is -1, which nobody knows beforehand, and no address of an access
   is. */
uint32_t table[32] ALIGNED(32);
static volatile long minus_one = -1;

static NOINLINE void from_minus_one(const uint32_t *mask)
{
	long base = minus_one;

	MASKED("vmaskmovps table+1(%0), %%ymm1, %%ymm0", base, mask);
	MASKED("vmaskmovps %%ymm0, %%ymm1, table+33(%0)", base, mask);
}

int guest_main(void)
{
	uint8_t *page = guest_map(3 * 4096, GUEST_RW);
	unsigned i;

	guest_call(GUEST_MPROTECT, (long)page + 8192, 4096, GUEST_NONE, 0, 0,
		   0);
	for (i = 0; i < 7; i++) {
		masked(page + 64, masks[i]);
		masked(page + 45, masks[i]);
		masked(page + 4096 - 14, masks[i]);
		gathers(page, masks[i]);
		gathers(page + 4096 - 39, masks[i]);
		from_minus_one(masks[i]);
	}
	/* Only the lanes before the hole. */
	masked(page + 8192 - 8, masks[6]);
	masked(page + 8192, masks[0]);
	gathers(page + 8192, masks[0]);
	__asm__ volatile("vmovdqu (%0), %%ymm3\n"
			 "vmovdqu %%ymm3, 61(%0)\n"
			 "vmovups %%xmm3, 63(%0)\n"
			 "vzeroupper\n"
			 "movdqu (%0), %%xmm0\n"
			 "pxor %%xmm1, %%xmm1\n"
			 "maskmovdqu %%xmm1, %%xmm0\n"
			 :
			 : "D"(page)
			 : "xmm0", "xmm1", "xmm3", "memory");
	return 0;
}
