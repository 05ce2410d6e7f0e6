/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - copies a chunk past the writer's caches
 *
 * Freestanding C11; the producers of units use it.
 *
 * The lines of a ring chunk lie in the caches of the processor that read the
 * chunk before. An ordinary store would wait until each line has come from
 * there. A non-temporal store does not read the line: the processor collects a
 * whole line and sends it to memory, and the reader's copy is dropped.
 */
#ifndef PROTO_STREAM_H
#define PROTO_STREAM_H

#include <stddef.h>
#include <stdint.h>

enum { PT_LINE = 64 /* size of a cache line [bytes] */ };

#ifdef __SSE2__

typedef long long pt_vector __attribute__((vector_size(16), may_alias));

/* Copy one line by non-temporal stores. Both addresses are multiples of 16. */
static inline void pt_copy_cache_line_nontemporal(pt_vector *to,
						  const pt_vector *from)
{
	pt_vector a = from[0], b = from[1], c = from[2], d = from[3];

	__asm__ volatile("movntdq %1, %0" : "=m"(to[0]) : "x"(a));
	__asm__ volatile("movntdq %1, %0" : "=m"(to[1]) : "x"(b));
	__asm__ volatile("movntdq %1, %0" : "=m"(to[2]) : "x"(c));
	__asm__ volatile("movntdq %1, %0" : "=m"(to[3]) : "x"(d));
}

static inline void pt_nontemporal_store_fence(void)
{
	__asm__ volatile("sfence" ::: "memory");
}

#else

typedef uint64_t pt_vector __attribute__((may_alias));

static inline void pt_copy_cache_line_nontemporal(pt_vector *to,
						  const pt_vector *from)
{
	for (size_t i = 0; i < PT_LINE / sizeof(*to); i++)
		to[i] = from[i];
}

static inline void pt_nontemporal_store_fence(void)
{
}

#endif

/**
 * pt_copy_nontemporal_and_fence() - Copy @bytes, rounded up to whole lines,
 * past the caches.
 * @to, @from: aligned to PT_LINE; both extend to the end of the last line.
 *
 * Non-temporal stores are weakly ordered: other processors may see a later
 * ordinary store before them, even a store-release, which on x86 is an ordinary
 * store. The fence at the end makes all of them visible before any store that
 * follows.
 */
static inline void pt_copy_nontemporal_and_fence(void *to, const void *from,
						 size_t bytes)
{
	const char *in = from;
	char *out = to;

	for (size_t i = 0; i < bytes; i += PT_LINE)
		pt_copy_cache_line_nontemporal((pt_vector *)(out + i),
					       (const pt_vector *)(in + i));
	pt_nontemporal_store_fence();
}

#endif
