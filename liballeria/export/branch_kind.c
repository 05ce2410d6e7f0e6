/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branch_kind.c - classifies x86-64 branches by their bytes
 *
 * Opcodes as in the manuals of Intel and AMD, "Opcode Map".
 */
#include "liballeria/export/branch_kind.h"

#include <string.h>

static bool is_x86_legacy_or_rex_prefix_byte(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e: /* segment prefixes; 0x3e is also notrack */
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67: /* 0x66: operand size, 0x67: address size */
	case 0xf0: /* lock */
	case 0xf2: /* 0xf2: bnd or repne, 0xf3: rep */
	case 0xf3:
		return true;
	}
	return (byte & 0xf0) == 0x40; /* REX */
}

/* Return the kind of branch of an instruction with opcode 0xff, by bits 3 to 5
   of @modrm_byte, the byte after the opcode. */
static enum ex_branch classify_branch_of_opcode_ff(uint8_t modrm_byte)
{
	switch (modrm_byte >> 3 & 7) {
	case 2:
	case 3:
		return EX_CALL_INDIRECT;
	case 4:
	case 5:
		return EX_JUMP_INDIRECT;
	}
	return EX_NO_BRANCH;
}

enum ex_branch ex_branch_classify(const uint8_t *bytes, unsigned size)
{
	unsigned i = 0;

	while (i < size && is_x86_legacy_or_rex_prefix_byte(bytes[i]))
		i++;
	if (i == size)
		return EX_NO_BRANCH;
	if (bytes[i] == 0x0f && i + 1 < size)
		return (bytes[i + 1] & 0xf0) == 0x80 ? EX_CONDITIONAL
						     : EX_NO_BRANCH;
	if (bytes[i] == 0xff && i + 1 < size)
		return classify_branch_of_opcode_ff(bytes[i + 1]);
	if ((bytes[i] & 0xf0) == 0x70 || (bytes[i] & 0xfc) == 0xe0)
		return EX_CONDITIONAL;
	switch (bytes[i]) {
	case 0xe8:
		return EX_CALL;
	case 0xe9:
	case 0xeb:
		return EX_JUMP;
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
		return EX_RETURN;
	}
	return EX_NO_BRANCH;
}

/* Compute the target from the displacement at the end of the instruction: 4
   bytes after the opcodes e8, e9 and 0f 8x, else 1 byte. The opcode is not
   checked. */
uint64_t ex_compute_direct_target_unchecked(const uint8_t *bytes, unsigned size,
					    uint64_t address)
{
	unsigned i = 0;
	int32_t displacement;

	while (i < size && is_x86_legacy_or_rex_prefix_byte(bytes[i]))
		i++;
	if (i + 1 + sizeof(displacement) > size)
		return address + size + (uint64_t)(int8_t)bytes[size - 1];
	memcpy(&displacement, bytes + size - sizeof(displacement),
	       sizeof(displacement));
	return address + size + (uint64_t)displacement;
}
