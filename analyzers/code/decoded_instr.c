/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decoded_instr.c - decodes instructions of the code map */

#include "analyzers/code/decoded_instr.h"

bool an_instr_node_decode(const struct an_instr_node *node,
			  ZydisDecodedInstruction *instr_out,
			  ZydisDecodedOperand *operands_out)
{
	const uint8_t *code = an_instr_node_code_or_null(node);
	unsigned bytes =
		node->len < AN_MAX_CODE_BYTES ? node->len : AN_MAX_CODE_BYTES;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	return code != NULL &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes,
						   instr_out, operands_out));
}

uint64_t an_register_bit_or_0(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(
		ZYDIS_MACHINE_MODE_LONG_64, reg);
	ZydisRegisterClass class = ZydisRegisterGetClass(whole);
	int id = ZydisRegisterGetId(whole);

	if (id < 0 || id > 31)
		return 0;
	if (class == ZYDIS_REGCLASS_GPR64)
		return UINT64_C(1) << id;
	return class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
			       class == ZYDIS_REGCLASS_ZMM
		       ? UINT64_C(1) << (32 + id)
		       : 0;
}
