/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - the only place with atomic operations on shared memory
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

/* A position that one side stores and the other loads. */
struct pt_pos {
	uint64_t value;
};

static inline uint64_t pt_load_acquire(const struct pt_pos *p)
{
	return __atomic_load_n(&p->value, __ATOMIC_ACQUIRE);
}

static inline void pt_store_release(struct pt_pos *p, uint64_t value)
{
	__atomic_store_n(&p->value, value, __ATOMIC_RELEASE);
}

/* For the field's own writer, and for a word whose staleness is harmless. */
static inline uint64_t pt_load_relaxed(const struct pt_pos *p)
{
	return __atomic_load_n(&p->value, __ATOMIC_RELAXED);
}

/* Load a position behind all loads that came before. */
static inline uint64_t pt_load_behind(const struct pt_pos *p)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&p->value, __ATOMIC_RELAXED);
}

static inline void pt_store_relaxed(struct pt_pos *p, uint64_t value)
{
	__atomic_store_n(&p->value, value, __ATOMIC_RELAXED);
}

/**
 * pt_store_last() - Store a word behind everything that was stored before.
 *
 * For a reader that looks when the writer has been killed: the processor did all
 * that was issued, so it is enough that the compiler issues the store last. A
 * reader that looks meanwhile needs an acquire and pt_store_release().
 */
static inline void pt_store_last(uint64_t *p, uint64_t value)
{
	__atomic_signal_fence(__ATOMIC_RELEASE);
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

/**
 * pt_word() - Read one word that a peer may be writing.
 * @p: word in memory shared with a traced program.
 *
 * Relaxed, because ordering comes from the acquire of the chunk's position;
 * atomic, so that the compiler loads it once: what was checked is what is
 * used.
 */
static inline uint64_t pt_word(const uint64_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* The same of 32 bits. */
static inline uint32_t pt_half(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* The same of 64 bits that are aligned to 32 only, such as slots. One load on
   every processor that takes unaligned ones; a volatile access, since atomic
   ones must be aligned. */
static inline uint64_t pt_slot(const uint32_t *p)
{
	typedef uint64_t unaligned __attribute__((aligned(4), may_alias));

	return *(const volatile unaligned *)p;
}

#endif
