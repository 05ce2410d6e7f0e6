/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code_map_test.c - tests versions of code and the decoding of branches */

#include "analyzers/code/code_map.h"

#include <Zydis/Zydis.h>

#include "tests/tap.h"

/* mov $N,%eax; ret, with N in the second byte */
static struct pt_instr instr[] = {{.addr = 0x1000, .len = 5},
				  {.addr = 0x1005, .len = 1}};

static struct an_block block(const uint8_t *code, unsigned first, unsigned n)
{
	return (struct an_block){
		.n_instrs = (uint16_t)n, .instr = instr + first, .code = code};
}

static void test_branches(void)
{
	static const uint8_t call[] = {0xe8, 0xfb, 0xff, 0xff, 0xff},
			     je[] = {0x74, 0x10}, jmp[] = {0xff, 0xe0},
			     ret[] = {0xc3}, movs[] = {0xf3, 0xa4},
			     add[] = {0x01, 0xc0}, syscall[] = {0x0f, 0x05};
	struct an_branch b = an_branch_decode(call, sizeof(call), 0x1000);

	ok(b.kind == AN_BRANCH_CALL && !b.is_indirect && b.target == 0x1000,
	   "a direct call, backwards");
	b = an_branch_decode(je, sizeof(je), 0x1000);
	ok(b.kind == AN_BRANCH_CONDITIONAL && b.target == 0x1012,
	   "a conditional branch");
	b = an_branch_decode(jmp, sizeof(jmp), 0x1000);
	ok(b.kind == AN_BRANCH_JUMP && b.is_indirect, "an indirect jump");
	b = an_branch_decode(ret, sizeof(ret), 0x1000);
	ok(b.kind == AN_BRANCH_RETURN && b.is_indirect, "a return");
	b = an_branch_decode(syscall, sizeof(syscall), 0x1000);
	ok(b.kind == AN_BRANCH_SYSTEM_CALL && b.is_indirect, "a system call");
	ok(an_branch_decode(movs, sizeof(movs), 0).kind == AN_BRANCH_REPEAT,
	   "a string instruction with a prefix");
	ok(an_branch_decode(add, sizeof(add), 0).kind == AN_BRANCH_NONE,
	   "arithmetic is no branch");
}

/* Whether the decoder says that @code transfers control or is a string
   instruction that repeats. */
static bool decoder_finds_branch(const ZydisDecoder *decoder,
				 const uint8_t *code, unsigned len)
{
	ZydisDecodedInstruction in;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder, NULL, code,
							len, &in)))
		return false;
	switch (in.meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_SYSCALL:
		return true;
	case ZYDIS_CATEGORY_STRINGOP:
		return in.attributes &
		       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
			ZYDIS_ATTRIB_HAS_REPNE);
	default:
		return in.mnemonic == ZYDIS_MNEMONIC_INT;
	}
}

/* Return how many of the instructions that begin with @prefix_bytes prefixes
   and any two bytes are branches for only one of an_branch_decode() and the
   decoder. */
static unsigned count_differences_from_decoder(const uint8_t *prefix,
					       unsigned prefix_bytes)
{
	static const uint8_t third[] = {0x00, 0x24, 0x75, 0x84,
					0xc0, 0xd5, 0xf8, 0xff};
	uint8_t code[15] = {0};
	ZydisDecoder decoder;
	unsigned n = 0;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	memcpy(code, prefix, prefix_bytes);
	for (unsigned i = 0; i < sizeof(third) << 16; i++) {
		code[prefix_bytes] = (uint8_t)i;
		code[prefix_bytes + 1] = (uint8_t)(i >> 8);
		code[prefix_bytes + 2] = third[i >> 16];
		n += decoder_finds_branch(&decoder, code, sizeof(code)) !=
		     (an_branch_decode(code, sizeof(code), 0).kind !=
		      AN_BRANCH_NONE);
	}
	return n;
}

static void test_all_opcodes(void)
{
	static const uint8_t prefix[][2] = {
		{0x48},	      {0x66},	    {0xf2},	  {0xf3},
		{0x2e, 0x3e}, {0x67, 0x64}, {0xf0, 0x41}, {0xf3, 0x4f}};
	unsigned n = count_differences_from_decoder(prefix[0], 0);

	for (unsigned i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++)
		n += count_differences_from_decoder(prefix[i],
						    prefix[i][1] ? 2 : 1);
	is_u64(n, 0, "all opcodes, with prefixes, are as they are decoded");
}

/* Whether the branch that @code begins with has the target that the decoder
   finds, if it finds a direct one, and has none if not. */
static bool is_target_as_decoded(const ZydisDecoder *decoder,
				 const uint8_t *code, unsigned len)
{
	const uint64_t address = 0x401000;
	struct an_branch b = an_branch_decode(code, len, address);
	ZydisDecodedInstruction in;

	if (!decoder_finds_branch(decoder, code, len) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder, NULL, code,
							len, &in)) ||
	    b.kind == AN_BRANCH_REPEAT)
		return b.target == 0 && !b.is_indirect;
	return b.is_indirect != in.raw.imm[0].is_relative &&
	       b.target == (b.is_indirect ? 0
					  : address + in.length +
						    in.raw.imm[0].value.u);
}

static void test_targets_of_all_opcodes(void)
{
	static const uint8_t distance[][5] = {{0x00, 0x01, 0x02, 0x03, 0x04},
					      {0x7f, 0xff, 0xff, 0x7f, 0xff},
					      {0x80, 0x00, 0x00, 0x00, 0x80},
					      {0xfb, 0xfe, 0xff, 0xff, 0xff}};
	ZydisDecoder decoder;
	bool is_equal = true;
	uint8_t code[6];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	for (unsigned i = 0; i < sizeof(distance) / sizeof(distance[0]); i++)
		for (unsigned opcode = 0; opcode < 0x200; opcode++)
			for (unsigned len = 1; len <= sizeof(code); len++) {
				unsigned first = opcode >> 8;

				code[0] = 0x0f;
				code[first] = (uint8_t)opcode;
				memcpy(code + first + 1, distance[i],
				       sizeof(code) - 1 - first);
				is_equal = is_equal &&
					   is_target_as_decoded(&decoder, code,
								len);
			}
	ok(is_equal, "targets are as they are decoded");
}

int main(void)
{
	static const uint8_t one[] = {0xb8, 1, 0, 0, 0, 0xc3},
			     two[] = {0xb8, 2, 0, 0, 0, 0xc3};
	struct an_code_map m = {0};
	struct an_block a = block(one, 0, 2), b = block(two, 0, 2),
			end = block(one + 5, 1, 1);
	uint32_t first[2], second[2], again[2];

	ok(an_code_map_add_block(&m, &a, first) == 0 &&
		   an_code_map_add_block(&m, &end, again) == 0,
	   "blocks are added");
	is_u64(again[0], first[1], "an instruction in two blocks is one");
	an_code_map_add_block(&m, &b, second);
	ok(second[0] != first[0] && second[1] != first[1],
	   "rewritten code is numbered anew, with what did not change");
	is_u64(m.node[second[1]].version, 1, "it is version 1");
	an_code_map_add_block(&m, &a, again);
	ok(again[0] == first[0] && again[1] == first[1],
	   "code that comes back has its old numbers");
	is_u64((uint64_t)an_code_map_find_node_or_newest(&m, 0x1005, 0),
	       first[1], "an instruction is found by its version");
	is_u64((uint64_t)an_code_map_find_node_or_newest(&m, 0x1005, 7),
	       second[1], "or else its newest one");
	ok(an_code_map_find_node_or_newest(&m, 0x1006, 0) < 0, "or none");
	test_branches();
	test_targets_of_all_opcodes();
	test_all_opcodes();
	an_code_map_release(&m);
	return done_testing();
}
