/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xsave.c - fxsave and xsave with every mask of x87, SSE and AVX
 *
 * Valgrind makes these by helpers that it describes as one access each; where
 * a component is not asked for, Lackey and Cachegrind count it all the same.
 */
#include "guest.h"

static uint8_t area[1024] ALIGNED(64);

static NOINLINE void save(uint32_t mask)
{
	__asm__ volatile("xsave (%0)"
			 :
			 : "D"(area), "a"(mask), "d"(0)
			 : "memory");
}

static NOINLINE void restore(uint32_t mask)
{
	__asm__ volatile("xrstor (%0)"
			 :
			 : "D"(area), "a"(mask), "d"(0)
			 : "memory");
}

int guest_main(void)
{
	uint32_t mask;

	__asm__ volatile("fxsave (%0); fxrstor (%0); fxsave64 (%0)"
			 :
			 : "D"(area)
			 : "memory");
	__asm__ volatile("rep stosb" : : "D"(area), "a"(0), "c"(sizeof(area)));
	for (mask = 0; mask < 8; mask++) {
		save(mask);
		restore(mask);
	}
	save(7);
	for (mask = 0; mask < 8; mask++)
		restore(mask);
	return 0;
}
