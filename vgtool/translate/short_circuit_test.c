/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_circuit_test.c - compares the decoder of short_circuit.c with Zydis
 */
#include "vgtool/translate/short_circuit.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

/* [bytes] at the end of the code that are not tested. */
enum { MARGIN = 64 };

struct code {
	Addr start, end;
};

/* Return the machine code of the C library in this process. */
static struct code find_libc_code(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	struct code c = {0};
	char line[512], mode[8], path[256];

	while (f && !c.start && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &c.start,
			   &c.end, mode, path) < 4 ||
		    mode[2] != 'x' || !strstr(path, "/libc"))
			c.start = 0;
	if (f)
		fclose(f);
	return c;
}

static bool decode(Addr address, ZydisDecodedInstruction *in)
{
	static ZydisDecoder decoder;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];

	if (!decoder.machine_mode)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
				 ZYDIS_STACK_WIDTH_64);
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(
		&decoder, (const void *)address, 15, in, operand));
}

static bool is_branch(Addr address, const ZydisDecodedInstruction *in,
		      struct vt_branch_sides *s)
{
	bool is_near = in->opcode_map == ZYDIS_OPCODE_MAP_0F;

	if (in->meta.category != ZYDIS_CATEGORY_COND_BR ||
	    in->opcode >> 4 != (is_near ? 8 : 7))
		return false;
	s->side[1] = address + in->length;
	s->side[0] = s->side[1] + (Addr)in->raw.imm[0].value.s;
	return true;
}

static bool is_within(const struct code *c, Addr address)
{
	return address >= c->start && address < c->end - MARGIN;
}

static bool is_jump(const ZydisDecodedInstruction *in)
{
	return in->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       in->meta.category == ZYDIS_CATEGORY_CALL ||
	       in->meta.category == ZYDIS_CATEGORY_RET;
}

/* Whether @side ends with a branch to @other, as decoded by Zydis. */
static bool branches_to(Addr side, Addr other)
{
	ZydisDecodedInstruction in;
	struct vt_branch_sides s;

	for (int i = 0; i < 3 && decode(side, &in) && !is_jump(&in); i++) {
		if (is_branch(side, &in, &s))
			return s.side[0] == other || s.side[1] == other;
		side += in.length;
	}
	return false;
}

/* Whether vt_branch_may_begin_logical_and() finds a branch that follows @instr;
   true if control does not reach that branch. */
static bool finds_next_branch(const uint8_t *instr)
{
	uint8_t code[64] = {0};
	struct vt_branch_sides s = {{(Addr)code, (Addr)code + sizeof(code)}};
	ZydisDecodedInstruction in;

	if (!decode((Addr)instr, &in) || is_jump(&in) ||
	    in.meta.category == ZYDIS_CATEGORY_COND_BR ||
	    !strncmp(ZydisMnemonicGetString(in.mnemonic), "ud", 2))
		return true;
	memcpy(code, instr, in.length);
	code[in.length] = 0x74;
	code[in.length + 1] = (uint8_t)(sizeof(code) - in.length - 2);
	return vt_branch_may_begin_logical_and(&s);
}

/* Count the instructions that hide a following branch, among all opcodes of
   both maps, with each field of ModR/M. */
static uint64_t count_hiding(uint8_t prefix, uint8_t rex)
{
	static const uint8_t forms[] = {0x00, 0x04, 0x05, 0x44, 0x80, 0xc0};
	uint64_t n = 0;

	for (unsigned int i = 0; i < 2 * 256 * 8 * sizeof(forms); i++) {
		uint8_t instr[16] = {0}, *p = instr;

		if (prefix)
			*p++ = prefix;
		if (rex)
			*p++ = rex;
		if (i & 1)
			*p++ = 0x0f;
		*p++ = (uint8_t)(i >> 1);
		*p++ = (uint8_t)(forms[i >> 12] | (i >> 9 & 7) << 3);
		*p = 0x25; /* a SIB with an address of 4 bytes */
		n += !finds_next_branch(instr);
	}
	return n;
}

static uint64_t count_all_hiding(uint8_t prefix)
{
	return count_hiding(prefix, 0) + count_hiding(prefix, 0x41) +
	       count_hiding(prefix, 0x48);
}

static void test_instructions(void)
{
	is_u64(count_all_hiding(0), 0, "no instruction hides a branch");
	is_u64(count_all_hiding(0x64), 0, "nor one with FS");
	is_u64(count_all_hiding(0x66), 0, "nor one of 2 bytes");
	is_u64(count_all_hiding(0xf2), 0, "nor one with F2");
	is_u64(count_all_hiding(0xf3), 0, "nor one with F3");
}

int main(void)
{
	struct code c = find_libc_code();
	uint64_t branches = 0, seen = 0, idioms = 0, missed = 0, may = 0;
	uint64_t others = 0;
	ZydisDecodedInstruction in;
	struct vt_branch_sides want, got;

	for (Addr address = c.start; is_within(&c, address);
	     address += in.length) {
		if (!decode(address, &in)) {
			in.length = 1;
			continue;
		}
		if (!is_branch(address, &in, &want)) {
			others += vt_branch_try_decode_sides(address, in.length,
							     &got);
			continue;
		}
		if (!is_within(&c, want.side[0]))
			continue;
		branches++;
		seen += vt_branch_try_decode_sides(address, in.length, &got) &&
			got.side[0] == want.side[0] &&
			got.side[1] == want.side[1];
		may += vt_branch_may_begin_logical_and(&want);
		if (branches_to(want.side[0], want.side[1]) ||
		    branches_to(want.side[1], want.side[0])) {
			idioms++;
			missed += !vt_branch_may_begin_logical_and(&want);
		}
	}
	printf("# %lu branches, %lu idioms, %lu may be\n", branches, idioms,
	       may);
	ok(branches > 10000 && idioms > 500, "the C library has branches");
	is_u64(seen, branches, "where each goes is told");
	is_u64(others, 0, "nothing else is taken for one");
	is_u64(missed, 0, "no idiom is missed");
	ok(may - idioms < branches / 10, "few others are thought to be some");
	test_instructions();
	return done_testing();
}
