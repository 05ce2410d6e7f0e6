/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assembler.h - machine code, written byte by byte
 */
#ifndef ANALYZERS_CACHE_JIT_ASSEMBLER_H
#define ANALYZERS_CACHE_JIT_ASSEMBLER_H

#include <stddef.h>
#include <stdint.h>

struct an_emit {
	uint8_t *code; /* the host's, see an_env.code; NULL: none */
	size_t used;   /* [bytes] */
};

/* Appends the @n lower bytes of @value. There must be room. */
void an_emit(struct an_emit *, uint64_t value, unsigned n);

/* Appends @n bytes. There must be room. */
void an_emit_bytes(struct an_emit *, const uint8_t *byte, unsigned n);

/* Appends constants. */
#define AN_EMIT(e, ...)                                                        \
	an_emit_bytes((e), (const uint8_t[]){__VA_ARGS__},                     \
		      sizeof((const uint8_t[]){__VA_ARGS__}))

/* Appends the four bytes of a jump or call to @target. */
void an_emit_jump_to(struct an_emit *, size_t target);

/* The four bytes at @at, of a jump or call, shall lead to where we are. */
void an_emit_land(struct an_emit *, size_t at);

#endif
