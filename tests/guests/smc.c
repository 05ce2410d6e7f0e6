/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * smc.c - code that is written, called, rewritten at the same address and
 * called again, 60 times; each version makes another number of accesses
 */
#include "guest.h"

/* mov %rdi, (%rsi), @n times; mov $@value, %eax; ret */
static NOINLINE void write_code(uint8_t *at, unsigned n, uint8_t value)
{
	while (n--) {
		*at++ = 0x48;
		*at++ = 0x89;
		*at++ = 0x3e;
	}
	*at++ = 0xb8;
	*at++ = value;
	*at++ = 0;
	*at++ = 0;
	*at++ = 0;
	*at = 0xc3;
}

int guest_main(void)
{
	uint8_t *code = guest_map(8192, GUEST_RWX);
	int (*call)(long, long *) = (int (*)(long, long *))(uintptr_t)code;
	long word;
	unsigned i;

	for (i = 0; i < 60; i++) {
		write_code(code, i % 7, (uint8_t)i);
		if (call(i, &word) != (int)i)
			return 1;
		if (call(i, &word) != (int)i)
			return 1;
	}
	return 0;
}
