/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_decode.c - decodes how an instruction transfers control; see
   code_map.h */

#include "analyzers/code/code_map.h"

#include <Zydis/Zydis.h>
#include <string.h>

static enum an_branch_kind
branch_kind_of_instr(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return AN_BRANCH_CALL;
	case ZYDIS_CATEGORY_RET:
		return AN_BRANCH_RETURN;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return AN_BRANCH_JUMP;
	case ZYDIS_CATEGORY_COND_BR:
		return AN_BRANCH_CONDITIONAL;
	case ZYDIS_CATEGORY_SYSCALL:
		return AN_BRANCH_SYSTEM_CALL;
	case ZYDIS_CATEGORY_STRINGOP:
		return in->attributes & (ZYDIS_ATTRIB_HAS_REP |
					 ZYDIS_ATTRIB_HAS_REPE |
					 ZYDIS_ATTRIB_HAS_REPNE)
			       ? AN_BRANCH_REPEAT
			       : AN_BRANCH_NONE;
	default:
		return in->mnemonic == ZYDIS_MNEMONIC_INT
			       ? AN_BRANCH_SYSTEM_CALL
			       : AN_BRANCH_NONE;
	}
}

/* Whether @byte is a prefix that an instruction that transfers control, or a
   string instruction, may have. */
static bool is_prefix_of_branch(uint8_t byte)
{
	return (byte & 0xf0) == 0x40 || (byte & 0xe7) == 0x26 ||
	       (byte >= 0x64 && byte <= 0x67) || byte == 0xf2 || byte == 0xf3;
}

/* Whether @opcode, of one byte, may be that of a transfer of control or of a
   string instruction. */
static bool may_opcode_be_branch_or_string_instr(uint8_t opcode)
{
	return (opcode & 0xf0) == 0x70 || opcode >= 0xe0 ||
	       (opcode >= 0xa4 && opcode <= 0xaf) ||
	       (opcode >= 0xc2 && opcode <= 0xcf);
}

/* Whether the opcode 0F @second may be that of a transfer of control: a
   conditional branch, syscall, sysenter or xend. */
static bool may_second_opcode_be_branch(uint8_t second)
{
	return (second & 0xf0) == 0x80 || second == 0x05 || second == 0x34 ||
	       second == 0x01;
}

/* Whether an instruction of which an_branch.kind may differ from
   AN_BRANCH_NONE begins like @code. False for most instructions, which then
   need not be decoded. */
static bool may_be_branch(const uint8_t *code, unsigned len)
{
	unsigned i = 0;

	while (i + 1 < len && is_prefix_of_branch(code[i]))
		i++;
	if (len == 0 || code[i] != 0x0f)
		return len > 0 && may_opcode_be_branch_or_string_instr(code[i]);
	return i + 1 < len && may_second_opcode_be_branch(code[i + 1]);
}

/* Return the kind of a branch without prefixes whose target follows its opcode,
   which begins like @code; AN_BRANCH_NONE: it is another instruction. */
static enum an_branch_kind kind_of_common_branch(const uint8_t *code,
						 unsigned len)
{
	if ((code[0] & 0xf0) == 0x70 ||
	    (len > 1 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80))
		return AN_BRANCH_CONDITIONAL;
	if (code[0] == 0xe8)
		return AN_BRANCH_CALL;
	return code[0] == 0xe9 || code[0] == 0xeb ? AN_BRANCH_JUMP
						  : AN_BRANCH_NONE;
}

/* Set @branch to the branch if it is one without prefixes whose target follows
   its opcode, as most are. Return: whether it is. */
static bool decode_common_branch(const uint8_t *code, unsigned len,
				 uint64_t address, struct an_branch *branch)
{
	enum an_branch_kind kind = kind_of_common_branch(code, len);
	unsigned opcode_bytes = code[0] == 0x0f ? 2 : 1;
	bool is_byte = (code[0] & 0xf0) == 0x70 || code[0] == 0xeb;
	unsigned bytes = opcode_bytes + (is_byte ? 1 : 4);
	int32_t distance = 0;

	if (kind == AN_BRANCH_NONE || len < bytes)
		return false;
	if (is_byte)
		distance = (int8_t)code[opcode_bytes];
	else
		memcpy(&distance, code + opcode_bytes, sizeof(distance));
	*branch = (struct an_branch){
		.kind = (uint8_t)kind,
		.target = address + bytes + (uint64_t)(int64_t)distance,
	};
	return true;
}

struct an_branch an_branch_decode(const uint8_t *code, unsigned len,
				  uint64_t address)
{
	struct an_branch b = {.kind = AN_BRANCH_NONE};
	ZydisDecodedInstruction in;
	ZydisDecoder decoder;

	if (!may_be_branch(code, len) ||
	    decode_common_branch(code, len, address, &b))
		return b;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code,
							len, &in)))
		return b;
	b.kind = (uint8_t)branch_kind_of_instr(&in);
	if (b.kind == AN_BRANCH_NONE || b.kind == AN_BRANCH_REPEAT)
		return b;
	b.is_indirect = !in.raw.imm[0].is_relative;
	if (!b.is_indirect)
		b.target = address + in.length + in.raw.imm[0].value.u;
	return b;
}
