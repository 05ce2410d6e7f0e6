/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit.c - code that is made at run time, within reach of .text
 *
 *   jit call N     N rounds of made code that calls one function of .text by a
 *                  direct call and leaves for another by a direct jump
 *   jit dead N     N rounds of made code that loads what nobody uses
 *   jit again N    N pieces of code are written, each over an older one and
 *                  executed: 128 pages, 7 pieces in turn at each
 *   jit new N      the same, of pieces that are never alike
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PLACES = 128, PIECES = 7, NEAR = 16 << 20 };

static volatile long cell[8];
static uint8_t *code; /* [PLACES] pages */

void called(void);
void jumped_to(void);

__attribute__((noinline)) void called(void)
{
	cell[0]++;
	cell[1] = cell[2];
}

__attribute__((noinline)) void jumped_to(void)
{
	cell[3] = cell[4];
	cell[5]++;
}

/* Write a direct call or jump to @to at @at. @opcode: 0xe8 or 0xe9. Return: the
   address after it. */
static uint8_t *put_branch(uint8_t *at, uint8_t opcode, void (*to)(void))
{
	int32_t far = (int32_t)((intptr_t)(uintptr_t)to - (intptr_t)(at + 5));

	*at = opcode;
	memcpy(at + 1, &far, sizeof(far));
	return at + 5;
}

static void call(unsigned long n)
{
	uint8_t *at = code;

	*at++ = 0x53; /* push %rbx */
	at = put_branch(at, 0xe8, called);
	*at++ = 0x5b; /* pop %rbx */
	put_branch(at, 0xe9, jumped_to);
	while (n--)
		((void (*)(void))(uintptr_t)code)();
}

/* push %rbp; mov (%rsi), %rbp; mov (%rsi), %rax; mov %rdi, %rbp;
   mov %rax, (%rsi); pop %rbp; ret */
static void load_unused(unsigned long n)
{
	long word = 1;

	memcpy(code,
	       "\x55\x48\x8b\x2e\x48\x8b\x06\x48\x89\xfd\x48\x89\x06\x5d\xc3",
	       15);
	while (n--)
		((void (*)(long, long *))(uintptr_t)code)(1, &word);
}

/* Write code at @at: mov %rdi, (%rsi), @stores times; mov $@value, %eax; ret */
static void put_piece(uint8_t *at, unsigned stores, uint32_t value)
{
	while (stores--) {
		memcpy(at, "\x48\x89\x3e", 3);
		at += 3;
	}
	*at++ = 0xb8;
	memcpy(at, &value, sizeof(value));
	at[4] = 0xc3;
}

static int rewrite(unsigned long n, int alike)
{
	unsigned long i;
	long word;

	for (i = 0; i < n; i++) {
		uint8_t *at = code + i % PLACES * PAGE;
		unsigned piece = (unsigned)(i / PLACES % PIECES);
		uint32_t value = alike ? piece : (uint32_t)i;

		put_piece(at, piece, value);
		if (((uint32_t(*)(long, long *))(uintptr_t)at)(1, &word) !=
		    value)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	uintptr_t near = ((uintptr_t)called + NEAR) & ~(uintptr_t)(PAGE - 1);

	code = mmap((void *)near, PLACES * PAGE,
		    PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (n == 0 || code == MAP_FAILED)
		return 2;
	if (strcmp(argv[1], "call") == 0)
		call(n);
	else if (strcmp(argv[1], "dead") == 0)
		load_unused(n);
	else
		return rewrite(n, strcmp(argv[1], "again") == 0);
	return 0;
}
