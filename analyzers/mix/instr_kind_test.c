/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instr_kind_test.c - decodes instructions whose class and arithmetic are known
 */
#include "analyzers/mix/instr_kind.h"

#include <stdio.h>

#include "tests/tap.h"

static const struct known {
	const char *text;
	uint8_t code[12];
	uint8_t bytes;
	const char *class, *category, *extension;
	struct an_operations o;
} known[] = {
	{"add eax, ebx",
	 {0x01, 0xd8},
	 2,
	 "ADD",
	 "BINARY",
	 "BASE",
	 {AN_INTEGER, 32, 1, 1}},
	{"cmp eax, ebx", {0x39, 0xd8}, 2, "CMP", "BINARY", "BASE", {0}},
	{"test eax, eax", {0x85, 0xc0}, 2, "TEST", "LOGICAL", "BASE", {0}},
	{"lock add [rax], ecx",
	 {0xf0, 0x01, 0x08},
	 3,
	 "ADD_LOCK",
	 "BINARY",
	 "BASE",
	 {AN_INTEGER, 32, 1, 1}},
	{"xchg [rax], ecx", {0x87, 0x08}, 2, "XCHG", "DATAXFER", "BASE", {0}},
	{"rep movsq",
	 {0xf3, 0x48, 0xa5},
	 3,
	 "REP_MOVSQ",
	 "STRINGOP",
	 "LONGMODE",
	 {0}},
	{"repne scasb",
	 {0xf2, 0xae},
	 2,
	 "REPNE_SCASB",
	 "STRINGOP",
	 "BASE",
	 {0}},
	{"repe cmpsb", {0xf3, 0xa6}, 2, "REPE_CMPSB", "STRINGOP", "BASE", {0}},
	{"repne movsb", {0xf2, 0xa4}, 2, "REP_MOVSB", "STRINGOP", "BASE", {0}},
	{"movsd", {0xa5}, 1, "MOVSD", "STRINGOP", "BASE", {0}},
	{"movsd xmm0, [rax]",
	 {0xf2, 0x0f, 0x10, 0x00},
	 4,
	 "MOVSD_XMM",
	 "DATAXFER",
	 "SSE2",
	 {0}},
	{"call", {0xe8, 0, 0, 0, 0}, 5, "CALL_NEAR", "CALL", "BASE", {0}},
	{"repz ret", {0xf3, 0xc3}, 2, "RET_NEAR", "RET", "BASE", {0}},
	{"jne", {0x75, 0}, 2, "JNZ", "COND_BR", "BASE", {0}},
	{"addsd xmm0, xmm1",
	 {0xf2, 0x0f, 0x58, 0xc1},
	 4,
	 "ADDSD",
	 "SSE",
	 "SSE2",
	 {AN_FLOAT, 64, 1, 1}},
	{"mulps xmm0, xmm1",
	 {0x0f, 0x59, 0xc1},
	 3,
	 "MULPS",
	 "SSE",
	 "SSE",
	 {AN_FLOAT, 32, 4, 4}},
	{"vaddsd xmm0, xmm1, xmm2",
	 {0xc5, 0xf3, 0x58, 0xc2},
	 4,
	 "VADDSD",
	 "AVX",
	 "AVX",
	 {AN_FLOAT, 64, 1, 1}},
	{"vdivpd ymm0, ymm1, ymm2",
	 {0xc5, 0xf5, 0x5e, 0xc2},
	 4,
	 "VDIVPD",
	 "AVX",
	 "AVX",
	 {AN_FLOAT, 64, 4, 4}},
	{"vfmadd231ps ymm0, ymm1, ymm2",
	 {0xc4, 0xe2, 0x75, 0xb8, 0xc2},
	 5,
	 "VFMADD231PS",
	 "VFMA",
	 "FMA",
	 {AN_FLOAT, 32, 8, 16}},
	{"vfnmsub132sd xmm0, xmm1, xmm2",
	 {0xc4, 0xe2, 0xf1, 0x9f, 0xc2},
	 5,
	 "VFNMSUB132SD",
	 "VFMA",
	 "FMA",
	 {AN_FLOAT, 64, 1, 2}},
	{"ucomisd xmm0, xmm1",
	 {0x66, 0x0f, 0x2e, 0xc1},
	 4,
	 "UCOMISD",
	 "SSE",
	 "SSE2",
	 {0}},
	{"xorps xmm0, xmm0",
	 {0x0f, 0x57, 0xc0},
	 3,
	 "XORPS",
	 "LOGICAL_FP",
	 "SSE",
	 {0}},
	{"cvtsi2sd xmm0, eax",
	 {0xf2, 0x0f, 0x2a, 0xc0},
	 4,
	 "CVTSI2SD",
	 "CONVERT",
	 "SSE2",
	 {0}},
	{"paddw xmm0, xmm1",
	 {0x66, 0x0f, 0xfd, 0xc1},
	 4,
	 "PADDW",
	 "SSE",
	 "SSE2",
	 {AN_INTEGER, 16, 8, 8}},
	{"fmulp",
	 {0xde, 0xc9},
	 2,
	 "FMULP",
	 "X87_ALU",
	 "X87",
	 {AN_X87, 80, 1, 1}},
	{"fld st0", {0xd9, 0xc0}, 2, "FLD", "X87_ALU", "X87", {0}},
	{"fcomp", {0xd8, 0xd9}, 2, "FCOMP", "X87_ALU", "X87", {0}},
	{"no instruction", {0x06}, 1, "undecoded", "INVALID", "INVALID", {0}},
	{"more than one instruction",
	 {0x90, 0x90},
	 2,
	 "undecoded",
	 "INVALID",
	 "INVALID",
	 {0}},
};

static void test_known(const struct known *k)
{
	struct al_key key = an_instr_kind_decode_to_key(k->code, k->bytes);
	uint64_t class = an_instr_kind_class_word(&key);
	struct an_operations o = an_instr_kind_arithmetic_of_key(&key);
	char name[AN_CLASS_NAME], fact[80];

	an_instr_kind_write_xed_class_name(class, name);
	snprintf(fact, sizeof(fact), "%s: the class", k->text);
	is_str(name, k->class, fact);
	snprintf(fact, sizeof(fact), "%s: the category", k->text);
	is_str(an_instr_kind_category_name(class), k->category, fact);
	snprintf(fact, sizeof(fact), "%s: the extension", k->text);
	is_str(an_instr_kind_extension_name(class), k->extension, fact);
	snprintf(fact, sizeof(fact), "%s: the operations", k->text);
	if (!ok(o.type == k->o.type && o.width == k->o.width &&
			o.elements == k->o.elements && o.count == k->o.count,
		fact))
		printf("# got type %d, width %u, elements %u, count %u\n",
		       (int)o.type, o.width, o.elements, o.count);
}

int main(void)
{
	struct al_key key = an_instr_kind_decode_to_key(NULL, 4);
	char name[AN_CLASS_NAME];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		test_known(&known[i]);
	an_instr_kind_write_xed_class_name(an_instr_kind_class_word(&key),
					   name);
	is_str(name, "undecoded", "unknown code is undecoded");
	return done_testing();
}
