/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accumulation_test.c - sums, counters and near misses in machine code */
#include "analyzers/code/code_map.h"

#include <string.h>

#include "tests/tap.h"

enum { MOST = 6 };

/* A loop body: machine code of each instruction; NULL after the last one, if it
   has fewer than MOST. */
struct sample {
	const char *code[MOST];
	size_t load, store;
	enum an_accumulation expected;
	const char *name;
};

static const struct sample samples[] = {
	{{"\x01\x07"}, 0, 0, AN_REDUCTION, "add [rdi], eax"},
	{{"\x83\x07\x01"}, 0, 0, AN_INDUCTION, "add [rdi], 1"},
	{{"\xff\x07"}, 0, 0, AN_INDUCTION, "inc [rdi]"},
	{{"\xd1\x27"}, 0, 0, AN_NO_ACCUMULATION, "shl [rdi], 1"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07"},
	 0,
	 2,
	 AN_REDUCTION,
	 "load, add, store"},
	{{"\x03\x07", "\x89\x07"}, 0, 1, AN_REDUCTION, "add eax, [rdi]; store"},
	{{"\x2b\x07", "\x89\x07"},
	 0,
	 1,
	 AN_NO_ACCUMULATION,
	 "sub eax, [rdi]; store: the sign of the value changes"},
	{{"\x8b\x07", "\x29\xd0", "\x89\x07"},
	 0,
	 2,
	 AN_REDUCTION,
	 "load, subtract from it, store"},
	{{"\x8b\x07", "\x29\xc2", "\x89\x17"},
	 0,
	 2,
	 AN_NO_ACCUMULATION,
	 "load, subtract it, store"},
	{{"\x8b\x07", "\x0f\xaf\xc0", "\x89\x07"},
	 0,
	 2,
	 AN_NO_ACCUMULATION,
	 "load, square, store"},
	{{"\x8b\x07", "\x8d\x50\x04", "\x89\x17", "\x8b\x40\x04"},
	 0,
	 2,
	 AN_INDUCTION,
	 "load, lea, store; the old value is an address"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x89\x06"},
	 0,
	 2,
	 AN_NO_ACCUMULATION,
	 "a sum that is also stored elsewhere"},
	{{"\x8b\x07", "\x01\xd0", "\x89\x07", "\x31\xc0", "\x89\x06"},
	 0,
	 2,
	 AN_REDUCTION,
	 "a sum; its register is cleared before it is stored"},
	{{"\x8b\x07", "\x89\xd0", "\x89\x07"},
	 0,
	 2,
	 AN_NO_ACCUMULATION,
	 "another value is stored"},
	{{"\xf2\x0f\x10\x07", "\xf2\x0f\x58\xc1", "\xf2\x0f\x11\x07"},
	 0,
	 2,
	 AN_REDUCTION,
	 "movsd, addsd, movsd"},
	{{"\xf2\x0f\x10\x07", "\xf2\x0f\x5e\xc1", "\xf2\x0f\x11\x07"},
	 0,
	 2,
	 AN_NO_ACCUMULATION,
	 "movsd, divsd, movsd"},
	{{"\xc4\xe2\xf1\xb8\x07", "\xc5\xfb\x11\x07"},
	 0,
	 1,
	 AN_NO_ACCUMULATION,
	 "vfmadd231sd xmm0, xmm1, [rdi]: a factor is loaded"},
};

/* Fill @node, @block and @body. Return: the number of instructions. */
static size_t make_body(const struct sample *s, struct an_instr_node *node,
			struct an_block *block,
			const struct an_instr_node **body)
{
	size_t n = 0;

	for (; n < MOST && s->code[n]; n++) {
		block[n] =
			(struct an_block){.code = (const uint8_t *)s->code[n]};
		node[n] = (struct an_instr_node){
			.block = &block[n], .len = (uint8_t)strlen(s->code[n])};
		body[n] = &node[n];
	}
	return n;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct an_instr_node node[MOST];
		struct an_block block[MOST];
		const struct an_instr_node *body[MOST];
		size_t n = make_body(&samples[i], node, block, body);

		is_u64(an_classify_accumulation(body, n, samples[i].load,
						samples[i].store),
		       samples[i].expected, samples[i].name);
	}
	return done_testing();
}
