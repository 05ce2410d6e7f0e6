/* SPDX-License-Identifier: GPL-2.0-or-later */
/* register_flow_test.c - tests the decoder, and chains of loads */

#include "analyzers/cache/evidence/register_flow.h"

#include <stdio.h>
#include <string.h>

#include "tests/tap.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R13, R15 = 15 };

#define R(r) (1u << (r))
#define ALL 0xffffu

static const struct {
	const char *text;
	const char *code;
	unsigned len, address, source, dest;
	bool loads;
} instr[] = {
	/* loads */
	{"mov (%rax),%rax", "\x48\x8b\x00", 3, R(RAX), 0, R(RAX), true},
	{"mov 8(%rbx),%rdx", "\x48\x8b\x53\x08", 4, R(RBX), 0, R(RDX), true},
	{"mov 8(%r13),%r15", "\x4d\x8b\x7d\x08", 4, R(R13), 0, R(R15), true},
	{"mov (%rsp),%rdi", "\x48\x8b\x3c\x24", 4, R(RSP), 0, R(RDI), true},
	{"mov (%rax,%r12,8),%rcx", "\x4a\x8b\x0c\xe0", 4, R(RAX) | R(R12), 0,
	 R(RCX), true},
	{"mov 0(,%rdx,4),%eax", "\x8b\x04\x95\x00\x00\x00\x00", 7, R(RDX), 0,
	 R(RAX), true},
	{"mov 1(%rip),%rax", "\x48\x8b\x05\x01\x00\x00\x00", 7, 0, 0, R(RAX),
	 true},
	{"add 8(%rdi),%rax", "\x48\x03\x47\x08", 4, R(RDI), R(RAX), R(RAX),
	 true},
	{"movzbl (%rsi),%edx", "\x0f\xb6\x16", 3, R(RSI), 0, R(RDX), true},
	{"movslq (%rdx),%rax", "\x48\x63\x02", 3, R(RDX), 0, R(RAX), true},
	{"mov (%rdi),%al", "\x8a\x07", 2, R(RDI), R(RAX), R(RAX), true},
	{"pop %r12", "\x41\x5c", 2, R(RSP), 0, R(R12), true},
	{"cmove (%rcx),%rax", "\x48\x0f\x44\x01", 4, R(RCX), R(RAX), R(RAX),
	 true},
	{"movsd 8(%rbx),%xmm0", "\xf2\x0f\x10\x43\x08", 5, R(RBX), 0, 0, false},
	{"vaddsd (%r8),%xmm1,%xmm0", "\xc4\xc1\x73\x58\x00", 5, R(R8), 0, 0,
	 false},
	/* registers */
	{"mov %rax,%rbx", "\x48\x89\xc3", 3, 0, R(RAX), R(RBX), false},
	{"mov %ah,%bl", "\x88\xe3", 2, 0, R(RAX) | R(RBX), R(RBX), false},
	{"add %dh,%bl", "\x00\xf3", 2, 0, R(RDX) | R(RBX), R(RBX), false},
	{"shl %cl,%rdx", "\x48\xd3\xe2", 3, 0, R(RDX), R(RDX), false},
	{"xchg %rax,(%rdx)", "\x48\x87\x02", 3, R(RDX), 0, R(RAX), false},
	{"rep stos", "\xf3\x48\xab", 3, 0, 0, R(RAX) | R(RCX) | R(RSI) | R(RDI),
	 false},
	{"lea 8(%rax,%rcx),%rdx", "\x48\x8d\x54\x08\x08", 5, 0, R(RAX) | R(RCX),
	 R(RDX), false},
	{"add %rcx,%rax", "\x48\x01\xc8", 3, 0, R(RAX) | R(RCX), R(RAX), false},
	{"add $8,%rdi", "\x48\x83\xc7\x08", 4, 0, R(RDI), R(RDI), false},
	{"shl $3,%rsi", "\x48\xc1\xe6\x03", 4, 0, R(RSI), R(RSI), false},
	{"cltq", "\x48\x98", 2, 0, R(RAX), R(RAX), false},
	{"xor %eax,%eax", "\x31\xc0", 2, 0, 0, R(RAX), false},
	{"mov $1,%r8d", "\x41\xb8\x01\x00\x00\x00", 6, 0, 0, R(R8), false},
	{"div %rcx", "\x48\xf7\xf1", 3, 0, 0, R(RAX) | R(RDX), false},
	{"cvttsd2si %xmm0,%eax", "\xf2\x0f\x2c\xc0", 4, 0, 0, R(RAX), false},
	{"movq %xmm0,%rdx", "\x66\x48\x0f\x7e\xc2", 5, 0, 0, R(RDX), false},
	/* no register is written */
	{"cmp %rax,(%rdx)", "\x48\x39\x02", 3, R(RDX), 0, 0, false},
	{"mov %rax,(%rdx)", "\x48\x89\x02", 3, R(RDX), R(RAX), 0, false},
	{"test %rax,%rax", "\x48\x85\xc0", 3, 0, 0, 0, false},
	{"jne", "\x75\xf0", 2, 0, 0, 0, false},
	{"call *8(%rax)", "\xff\x50\x08", 3, R(RAX), 0, 0, false},
	{"endbr64", "\xf3\x0f\x1e\xfa", 4, 0, 0, 0, false},
	/* not decoded: all registers are lost */
	{"cmpxchg %rcx,(%rdx)", "\x48\x0f\xb1\x0a", 4, 0, 0, ALL, false},
	{"cpuid", "\x0f\xa2", 2, 0, 0, ALL, false},
	{"vpgatherdd", "\xc4\xe2\x6d\x90\x0c\x88", 6, 0, 0, ALL, false},
	{"cut off", "\x48\x8b", 2, 0, 0, ALL, false},
	{"nothing", "", 0, 0, 0, ALL, false},
};

static void test_decoder(void)
{
	for (size_t i = 0; i < sizeof(instr) / sizeof(*instr); i++) {
		struct al_instr_flow f = al_instr_decode_register_flow(
			(const uint8_t *)instr[i].code, instr[i].len);

		/* A source without a destination does not matter. */
		ok(f.address == instr[i].address && f.dest == instr[i].dest &&
			   f.loads == instr[i].loads &&
			   (!f.dest || f.source == instr[i].source),
		   instr[i].text);
	}
}

/* Execute an instruction, which has number @number. */
static void execute(const char *code, unsigned len, struct an_load_chain *chain,
		    uint32_t number)
{
	struct al_instr_flow f =
		al_instr_decode_register_flow((const uint8_t *)code, len);

	f.number = number;
	an_instr_flow_update_chains(&f, chain);
}

/* mov (%rax),%rax */
static void load_next(struct an_load_chain *chain, uint32_t number)
{
	execute("\x48\x8b\x00", 3, chain, number);
}

static void test_chains(void)
{
	struct an_load_chain chain[AN_N_REGISTERS] = {{.n = 0}};

	execute("\x48\x8b\x05\x01\x00\x00\x00", 7, chain, 1); /* mov 1(%rip) */
	is_u64(chain[RAX].n, 1, "a load at a constant address is the first");
	for (int i = 0; i < 3; i++)
		load_next(chain, 2);
	is_u64(chain[RAX].n, 4, "each load at a loaded address is one more");
	execute("\x48\x89\xc3", 3, chain, 0); /* mov %rax,%rbx */
	execute("\x48\x8d\x54\x08\x08", 5, chain, 0);
	is_u64(chain[RBX].n * 10 + chain[RDX].n, 44,
	       "copies and sums have the same chain");
	load_next(chain, 3);
	is_u64(chain[RAX].n, AN_CHAIN_LENGTH, "the last 4 are stored");
	is_u64(chain[RAX].load[0] * 10 + chain[RAX].load[3], 32,
	       "the last first");
	execute("\x31\xc0", 2, chain, 0);
	is_u64(chain[RAX].n, 0, "a constant is not loaded");
	execute("\x48\x89\xdc", 3, chain, 0); /* mov %rbx,%rsp */
	execute("\x5d", 1, chain, 4);	      /* pop %rbp */
	is_u64(chain[RBP].n, 1, "the stack begins anew");
	execute("\x0f\xa2", 2, chain, 0); /* cpuid */
	is_u64(an_load_chain_best_of_registers(chain, ALL).n, 0,
	       "all are lost");
}

static void test_walks(void)
{
	struct an_load_chain chain[AN_N_REGISTERS] = {{.n = 0}};

	for (uint32_t i = 1; i <= 4; i++)
		load_next(chain, i);
	ok(chain[RAX].n == 4 && !an_load_chain_is_walk(&chain[RAX]),
	   "four loads by four instructions are no walk");
	load_next(chain, 1);
	ok(!an_load_chain_is_walk(&chain[RAX]),
	   "nor if the first of them comes again as the fifth");
	load_next(chain, 1);
	ok(an_load_chain_is_walk(&chain[RAX]), "one instruction twice is");
	execute("\x48\x89\xc3", 3, chain, 0); /* mov %rax,%rbx */
	execute("\x31\xc0", 2, chain, 0);
	load_next(chain, 7);
	load_next(chain, 7);
	load_next(chain, 7);
	ok(chain[RAX].repeats && !an_load_chain_is_walk(&chain[RAX]),
	   "three loads are none");
	execute("\x48\x8b\x04\x03", 4, chain, 8); /* mov (%rbx,%rax),%rax */
	ok(an_load_chain_is_walk(&chain[RAX]),
	   "of two registers the better chain counts");
	load_next(chain, 9);
	load_next(chain, 10);
	load_next(chain, 11);
	ok(!an_load_chain_is_walk(&chain[RAX]),
	   "three other instructions later it is none");
}

int main(void)
{
	test_decoder();
	test_chains();
	test_walks();
	return done_testing();
}
