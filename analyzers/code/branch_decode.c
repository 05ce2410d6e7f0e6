/* SPDX-License-Identifier: GPL-2.0-or-later */
/* branch_decode.c - decodes how an instruction transfers control; see
   code_map.h */

#include "analyzers/code/code_map.h"

#include <Zydis/Zydis.h>

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

struct an_branch an_branch_decode(const uint8_t *code, unsigned len,
				  uint64_t address)
{
	struct an_branch b = {.kind = AN_BRANCH_NONE};
	ZydisDecodedInstruction in;
	ZydisDecoder decoder;

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
