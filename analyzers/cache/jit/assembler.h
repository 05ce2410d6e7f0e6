/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assembler.h - writes machine code byte by byte */
#ifndef ANALYZERS_CACHE_JIT_ASSEMBLER_H
#define ANALYZERS_CACHE_JIT_ASSEMBLER_H

#include <stddef.h>
#include <stdint.h>

struct an_emit {
	uint8_t *code; /* memory of the host, see an_env.alloc_code; NULL:
			  none */
	size_t used;   /* [bytes] of code written so far */
};

/* Append the @byte_count lower bytes of @value. The caller ensures that they
   fit. */
void an_emit(struct an_emit *, uint64_t value, unsigned byte_count);

/* Append @byte_count bytes. The caller ensures that they fit. */
void an_emit_bytes(struct an_emit *, const uint8_t *byte, unsigned byte_count);

/* Append constant bytes. */
#define AN_EMIT(e, ...)                                                        \
	an_emit_bytes((e), (const uint8_t[]){__VA_ARGS__},                     \
		      sizeof((const uint8_t[]){__VA_ARGS__}))

/* Append the four-byte distance from the end of this jump or call to offset
   @target_offset. */
void an_emit_jump_distance(struct an_emit *, size_t target_offset);

/* Make the jump or call whose four-byte distance is at offset @distance_offset
   lead to the current end of the code. */
void an_emit_patch_jump_to_here(struct an_emit *, size_t distance_offset);

#endif
