/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation_test.c - sums, counters and near misses in machine code */
#include "analyzers/code/code_map.h"

#include <string.h>

#include "tests/tap.h"

enum { MOST = 6 };

enum accumulation { NONE, INDUCTION, REDUCTION };

/* A loop body: machine code of each instruction; NULL after the last one, if it
   has fewer than MOST. */
struct sample {
	const char *code[MOST];
	const char *at_value; /* 'x' for each instruction that accesses [rdi],
				 up to the last one */
	enum accumulation expected;
	const char *name;
};

static const struct sample samples[] = {
	{{"\x01\x07"}, "x", REDUCTION, "add [rdi], eax"},
	{{"\x83\x07\x01"}, "x", INDUCTION, "add [rdi], 1"},
	{{"\xff\x07"}, "x", INDUCTION, "inc [rdi]"},
	{{"\xd1\x27"}, "x", NONE, "shl [rdi], 1"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07"},
	 "x-x",
	 REDUCTION,
	 "load, add, store"},
	{{"\x03\x07", "\x89\x07"}, "xx", REDUCTION, "add eax, [rdi]; store"},
	{{"\x2b\x07", "\x89\x07"},
	 "xx",
	 NONE,
	 "sub eax, [rdi]; store: the sign of the value changes"},
	{{"\x8b\x07", "\x29\xd0", "\x89\x07"},
	 "x-x",
	 REDUCTION,
	 "load, subtract from it, store"},
	{{"\x8b\x07", "\x29\xc2", "\x89\x17"},
	 "x-x",
	 NONE,
	 "load, subtract it, store"},
	{{"\x8b\x07", "\x0f\xaf\xc0", "\x89\x07"},
	 "x-x",
	 NONE,
	 "load, square, store"},
	{{"\x8b\x07", "\x8d\x50\x04", "\x89\x17", "\x8b\x40\x04"},
	 "x-x",
	 INDUCTION,
	 "load, lea, store; the old value is an address"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x89\x06"},
	 "x-x",
	 NONE,
	 "a sum that is also stored elsewhere"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x31\xc0", "\x89\x06"},
	 "x-x",
	 REDUCTION,
	 "a sum; its register is cleared before it is stored"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x30\xe0", "\x89\x06"},
	 "x-x",
	 NONE,
	 "a sum; xor al, ah does not clear its register"},
	{{"\x8b\x07", "\x89\xd0", "\x89\x07"},
	 "x-x",
	 NONE,
	 "another value is stored"},
	{{"\xf2\x0f\x10\x07", "\xf2\x0f\x58\xc1", "\xf2\x0f\x11\x07"},
	 "x-x",
	 REDUCTION,
	 "movsd, addsd, movsd"},
	{{"\xf2\x0f\x10\x07", "\xf2\x0f\x5e\xc1", "\xf2\x0f\x11\x07"},
	 "x-x",
	 NONE,
	 "movsd, divsd, movsd"},
	{{"\xc4\xe2\xf1\xb8\x07", "\xc5\xfb\x11\x07"},
	 "xx",
	 NONE,
	 "vfmadd231sd xmm0, xmm1, [rdi]: a factor is loaded"},
	{{"\x8b\x07", "\x0f\xaf\xc2", "\x83\xc0\x05", "\x89\x07"},
	 "x--x",
	 NONE,
	 "load, multiply, add, store"},
	{{"\x8b\x07", "\x31\xd0", "\x0f\xaf\xc2", "\x89\x07"},
	 "x--x",
	 NONE,
	 "load, xor, multiply, store"},
	{{"\x8b\x07", "\x21\xd0", "\x09\xc8", "\x89\x07"},
	 "x--x",
	 NONE,
	 "load, and, or, store"},
	{{"\x8b\x07", "\x01\xd0", "\x29\xc8", "\x89\x07"},
	 "x--x",
	 REDUCTION,
	 "load, add, subtract, store"},
	{{"\xf3\x0f\x10\x07", "\xf3\x0f\x58\xc1", "\xf2\x0f\x58\xc1",
	  "\xf3\x0f\x11\x07"},
	 "x--x",
	 NONE,
	 "movss, addss, addsd, movss"},
	{{"\x66\x0f\xec\x07", "\x66\x0f\x7f\x07"},
	 "xx",
	 NONE,
	 "paddsb, movdqa: an addition that saturates"},
	{{"\x01\x07", "\x29\x17"},
	 "xx",
	 REDUCTION,
	 "add [rdi], eax; sub [rdi], edx"},
	{{"\x01\x07", "\x0f\xaf\x17", "\x89\x17"},
	 "xxx",
	 NONE,
	 "add [rdi], eax; imul edx, [rdi]; store"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x03\x0f", "\x89\x0f"},
	 "x-xxx",
	 REDUCTION,
	 "two additions, each with its load and store"},
	{{"\x8b\x07", "\x01\x17", "\x01\xc8", "\x89\x07"},
	 "xx-x",
	 NONE,
	 "a store of a sum without an addition in between"},
	{{"\xff\x07", "\x8b\x17", "\x83\x07\x02", "\x89\x16"},
	 "xxx",
	 INDUCTION,
	 "inc [rdi]; load; add [rdi], 2; the value loaded is stored elsewhere"},
	{{"\x8b\x07", "\x89\x06", "\x01\xd0", "\x89\x07"},
	 "x--x",
	 NONE,
	 "a sum that is stored elsewhere before the addition"},
	{{"\x8b\x07", "\x8b\x0a", "\x39\xc8", "\x0f\x4c\xc1", "\x89\x07"},
	 "x---x",
	 REDUCTION,
	 "load, cmp eax, ecx; cmovl eax, ecx; store: a maximum"},
	{{"\x8b\x07", "\x39\xc8", "\x0f\x4f\xc8", "\x89\x0f"},
	 "x--x",
	 REDUCTION,
	 "load, cmp eax, ecx; cmovg ecx, eax; store: a maximum"},
	{{"\x8b\x07", "\x39\xc8", "\x0f\x4c\xc2", "\x89\x07"},
	 "x--x",
	 NONE,
	 "load, cmp eax, ecx; cmovl eax, edx; store: neither is compared"},
	{{"\x8b\x07", "\x39\xc8", "\x0f\x4c\xc1", "\x7c\x02", "\x89\x07"},
	 "x---x",
	 NONE,
	 "a maximum with a jump by the same comparison"},
	{{"\x8b\x07", "\x39\xc8", "\x0f\x4c\xc1", "\x0f\x42\xc1", "\x89\x07"},
	 "x---x",
	 NONE,
	 "two conditional moves, the second of an older comparison"},
	{{"\x8b\x07", "\x39\xc8", "\x7d\x02", "\x89\x0f"},
	 "x--x",
	 NONE,
	 "a comparison and a jump"},
	{{"\x01\x07", "\x78\x02"},
	 "x",
	 NONE,
	 "add [rdi], eax; js: the flags are used"},
};

/* Fill @node, @block and @body. Return: the number of instructions. */
static size_t make_body(const char *const code[MOST],
			struct an_instr_node *node, struct an_block *block,
			const struct an_instr_node **body)
{
	size_t n = 0;

	for (; n < MOST && code[n]; n++) {
		block[n] = (struct an_block){.code = (const uint8_t *)code[n]};
		node[n] = (struct an_instr_node){
			.block = &block[n], .len = (uint8_t)strlen(code[n])};
		body[n] = &node[n];
	}
	return n;
}

/* Return the accumulation of the sample with @n instructions in @body. */
static enum accumulation
classify_sample(const struct sample *s, const struct an_instr_node *const *body,
		size_t n)
{
	bool is_at_value[MOST] = {false}, changes[MOST];
	size_t last = strlen(s->at_value) - 1;

	for (size_t i = 0; i <= last; i++)
		is_at_value[i] = s->at_value[i] == 'x';
	if (an_is_induction(body, is_at_value, 0, last, changes))
		return INDUCTION;
	return an_is_reduction(body, n, is_at_value) ? REDUCTION : NONE;
}

/* A loop body, and what it carries in registers. */
static const struct carrying_sample {
	const char *code[MOST];
	enum an_register_carry expected;
	const char *name;
} carrying[] = {
	{{"\x03\x06", "\x48\x83\xc6\x04"},
	 AN_CARRIES_REDUCTION,
	 "add eax, [rsi]; add rsi, 4: a sum"},
	{{"\x03\x06", "\x89\x07", "\x48\x83\xc6\x04", "\x48\x83\xc7\x04"},
	 AN_CARRIES_RECURRENCE,
	 "add eax, [rsi]; mov [rdi], eax: each sum is stored"},
	{{"\x8d\x0c\x02", "\x89\xd0", "\x89\xca", "\x89\x07",
	  "\x48\x83\xc7\x04"},
	 AN_CARRIES_RECURRENCE,
	 "lea ecx, [rdx+rax]; mov eax, edx; mov edx, ecx: Fibonacci numbers"},
	{{"\x39\xc8", "\x0f\x4c\xc1", "\x89\x07", "\x8b\x0f",
	  "\x48\x83\xc7\x04"},
	 AN_CARRIES_RECURRENCE,
	 "cmp eax, ecx; cmovl eax, ecx; mov [rdi], eax: each maximum is "
	 "stored"},
	{{"\x48\x89\xd0", "\x48\x6b\xc0\x07", "\x88\x0c\x07", "\x48\xff\xc2"},
	 AN_CARRIES_COUNTER,
	 "mov rax, rdx; imul rax, rax, 7; mov [rdi+rax], cl; inc rdx"},
	{{"\x48\x01\xf7", "\x89\x07"},
	 AN_CARRIES_COUNTER,
	 "add rdi, rsi; mov [rdi], eax: a stride that does not change"},
	{{"\x48\x8d\x3c\xf7", "\x89\x07"},
	 AN_CARRIES_COUNTER,
	 "lea rdi, [rdi+8*rsi]; mov [rdi], eax"},
	{{"\x48\x03\x7c\x24\x08", "\x89\x07"},
	 AN_CARRIES_COUNTER,
	 "add rdi, [rsp+8]; mov [rdi], eax: a stride in memory"},
	{{"\x48\x03\x3e", "\x89\x07", "\x48\x83\xc6\x08"},
	 AN_CARRIES_RECURRENCE,
	 "add rdi, [rsi]; mov [rdi], eax; add rsi, 8: strides that change"},
	{{"\x0f\x11\x0f", "\x66\x0f\xfe\xc8", "\x48\x83\xc7\x10"},
	 AN_CARRIES_COUNTER,
	 "movups [rdi], xmm1; paddd xmm1, xmm0: indices in a vector"},
	{{"\xf2\x0f\x11\x0f", "\xf2\x0f\x58\xc8", "\x48\x83\xc7\x08"},
	 AN_CARRIES_RECURRENCE,
	 "movsd [rdi], xmm1; addsd xmm1, xmm0: rounding depends on the order"},
	{{"\x89\xc1", "\xc1\xe1\x0d", "\x31\xc8", "\x89\x07",
	  "\x48\x83\xc7\x04"},
	 AN_CARRIES_RECURRENCE,
	 "mov ecx, eax; shl ecx, 13; xor eax, ecx; mov [rdi], eax"},
};

int main(void)
{
	struct an_instr_node node[MOST];
	struct an_block block[MOST];
	const struct an_instr_node *body[MOST];
	bool changes[MOST], counts[MOST];

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		size_t n = make_body(samples[i].code, node, block, body);

		is_u64(classify_sample(&samples[i], body, n),
		       samples[i].expected, samples[i].name);
	}
	for (size_t i = 0; i < sizeof(carrying) / sizeof(*carrying); i++) {
		size_t n = make_body(carrying[i].code, node, block, body);

		is_u64(an_register_carry(body, n, changes, counts),
		       carrying[i].expected, carrying[i].name);
	}
	return done_testing();
}
