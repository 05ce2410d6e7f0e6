/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assembler.c - writes machine code byte by byte; see assembler.h */

#include "analyzers/cache/jit/assembler.h"

#include <string.h>

void an_emit(struct an_emit *e, uint64_t value, unsigned byte_count)
{
	memcpy(e->code + e->used, &value, byte_count);
	e->used += byte_count;
}

void an_emit_bytes(struct an_emit *e, const uint8_t *byte, unsigned byte_count)
{
	memcpy(e->code + e->used, byte, byte_count);
	e->used += byte_count;
}

void an_emit_jump_distance(struct an_emit *e, size_t target_offset)
{
	an_emit(e, target_offset - (e->used + 4), 4);
}

void an_emit_patch_jump_to_here(struct an_emit *e, size_t distance_offset)
{
	uint32_t distance = (uint32_t)(e->used - (distance_offset + 4));

	memcpy(e->code + distance_offset, &distance, 4);
}
