/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - all atomic operations on shared memory
 *
 * Positions count up and never wrap in practice (64 bits); compare them by
 * difference.
 */
#ifndef PROTO_SHARED_ATOMIC_H
#define PROTO_SHARED_ATOMIC_H

#include <stdint.h>

#if __GCC_ATOMIC_LLONG_LOCK_FREE != 2
#error "64-bit atomic operations must be lock-free"
#endif

/* A value that one side stores and the other side loads. 8 bytes, without
   padding. */
struct pt_shared_u64 {
	uint64_t value;
};

static inline uint64_t pt_load_acquire(const struct pt_shared_u64 *p)
{
	return __atomic_load_n(&p->value, __ATOMIC_ACQUIRE);
}

static inline void pt_store_release(struct pt_shared_u64 *p, uint64_t value)
{
	__atomic_store_n(&p->value, value, __ATOMIC_RELEASE);
}

/* Load a position without ordering. For the only writer of the position, where
   a stale value is harmless, or where an earlier acquire orders the load. */
static inline uint64_t pt_load_relaxed(const struct pt_shared_u64 *p)
{
	return __atomic_load_n(&p->value, __ATOMIC_RELAXED);
}

/* Load a position after all loads that the program issued before. The compiler
   keeps that order here, and x86 never reorders loads. */
static inline uint64_t
pt_load_relaxed_after_earlier_loads(const struct pt_shared_u64 *p)
{
	__atomic_signal_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&p->value, __ATOMIC_RELAXED);
}

static inline void pt_store_relaxed(struct pt_shared_u64 *p, uint64_t value)
{
	__atomic_store_n(&p->value, value, __ATOMIC_RELAXED);
}

/**
 * pt_store_after_compiler_fence() - Store a word after everything that was
 * stored before.
 *
 * For a reader that reads after the writer was killed. The processor completes
 * all stores that were issued, so it is enough that the compiler issues this
 * store last. A reader that reads while the writer runs needs an acquire and
 * pt_store_release().
 */
static inline void pt_store_after_compiler_fence(uint64_t *p, uint64_t value)
{
	__atomic_signal_fence(__ATOMIC_RELEASE);
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

/**
 * pt_read_shared_u64() - Read one word that a peer may be writing.
 * @p: word in memory shared with a traced program.
 *
 * Relaxed, because ordering comes from the acquire of the chunk's position.
 * Atomic, so that the compiler loads the word once: the value that was checked
 * is the value that is used.
 */
static inline uint64_t pt_read_shared_u64(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Read 32 bits that a peer may be writing; see pt_read_shared_u64(). */
static inline uint32_t pt_read_shared_u32_relaxed(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Read 64 bits that a peer may be writing and that are aligned to 4 bytes only,
   such as slots. This is one load on every processor that supports unaligned
   loads. The access is volatile, since atomic ones must be aligned. */
static inline uint64_t pt_read_shared_unaligned_u64_once(const uint32_t *p)
{
	typedef uint64_t unaligned __attribute__((aligned(4), may_alias));

	return *(const volatile unaligned *)p;
}

#endif
