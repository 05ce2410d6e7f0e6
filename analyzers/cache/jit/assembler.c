/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assembler.c - writes machine code byte by byte; see assembler.h */

#include "analyzers/cache/jit/assembler.h"

#include <string.h>

void an_emit(struct an_emit *e, uint64_t value, unsigned n)
{
	memcpy(e->code + e->used, &value, n);
	e->used += n;
}

void an_emit_bytes(struct an_emit *e, const uint8_t *byte, unsigned n)
{
	memcpy(e->code + e->used, byte, n);
	e->used += n;
}

void an_emit_jump_distance(struct an_emit *e, size_t target)
{
	an_emit(e, target - (e->used + 4), 4);
}

void an_emit_patch_jump_to_here(struct an_emit *e, size_t at)
{
	uint32_t distance = (uint32_t)(e->used - (at + 4));

	memcpy(e->code + at, &distance, 4);
}
