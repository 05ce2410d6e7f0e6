/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pt_unit.h - the event units that fill a ring chunk
 *
 * Room:    proto. Freestanding C11.
 * Used by: vgtool (writes), lib (reads), doc/PROTOCOL.md (explains).
 *
 * A unit is a header word followed by payload words, all of 8 bytes. Its
 * length stands in its header, so a reader can skip a kind that it does not
 * know. The header word:
 *
 *   63    58 57     48 47            32 31                              0
 *   kkkkkk   eeeeeeeeee  bbbbbbbbbbbbbbbb iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii
 *
 *   i  id: the block, thread, signal or process that the unit is about
 *   b  [bytes] length of the whole unit, header included; a multiple of 8
 *   e  exit of the block that was taken (PT_BLOCK), else 0
 *   k  enum pt_kind; never 0, so that zeroed memory is no unit
 *
 * A PT_BLOCK unit is one execution of a block. Its payload are the slots that
 * the block's accesses up to the exit need, in order of first use: slot s is
 * word 1 + s. An access happened at slot value + its descriptor's delta.
 */
#ifndef PT_UNIT_H
#define PT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

enum pt_kind {
	PT_CHUNK = 1,	     /* first unit of a chunk; id: low half of its
				number; word 1: [bytes] committed */
	PT_BLOCK = 2,	     /* id: block; exit; slots */
	PT_CUT = 3,	     /* a block stopped by a fault; id: block; slots,
				then one word: see pt_cut() */
	PT_THREAD = 4,	     /* id: thread number that runs from here on */
	PT_THREAD_START = 5, /* id: number of the new thread, from 1 */
	PT_THREAD_END = 6,   /* id: number of the thread that ended */
	PT_SIGNAL = 7,	     /* id: signal delivered to the running thread */
	PT_CHILD_EXIT = 8,   /* id: process waited for; word 1: wait status */
	PT_KINDS
};

enum {
	PT_EXIT_BITS = 10,
	PT_MAX_EXITS = 1 << PT_EXIT_BITS,
	PT_MAX_UNIT = 1 << 15, /* [bytes] longest unit that a tool may write */
	PT_CHUNK_HEAD = 16,    /* [bytes] the PT_CHUNK unit */
};

/* The slot value of a guarded access whose guard was false. */
#define PT_NOT_DONE UINT64_MAX

/* The upper half of a header, the part that changes at an exit. */
static inline uint32_t pt_unit_tail(enum pt_kind kind, unsigned exit,
				    unsigned bytes)
{
	return (uint32_t)kind << 26 | (uint32_t)exit << 16 | (uint32_t)bytes;
}

static inline uint64_t pt_unit(enum pt_kind kind, uint32_t id, unsigned exit,
			       unsigned bytes)
{
	return (uint64_t)pt_unit_tail(kind, exit, bytes) << 32 | id;
}

static inline unsigned pt_unit_kind(uint64_t header)
{
	return (unsigned)(header >> 58);
}

static inline uint32_t pt_unit_id(uint64_t header)
{
	return (uint32_t)header;
}

static inline unsigned pt_unit_exit(uint64_t header)
{
	return (unsigned)(header >> 48) & (PT_MAX_EXITS - 1);
}

/* [bytes] */
static inline unsigned pt_unit_bytes(uint64_t header)
{
	return (unsigned)(header >> 32) & 0xffff;
}

/*
 * The last word of a PT_CUT unit: accesses done, instructions begun, and
 * whether of the next access, a modify, the load was done but not the store.
 */
static inline uint64_t pt_cut(unsigned accesses, unsigned instrs, bool half)
{
	return (uint64_t)half << 63 | (uint64_t)instrs << 32 | accesses;
}

static inline uint32_t pt_cut_accesses(uint64_t word)
{
	return (uint32_t)word;
}

static inline uint32_t pt_cut_instrs(uint64_t word)
{
	return (uint32_t)(word >> 32) & 0x7fffffff;
}

static inline bool pt_cut_half(uint64_t word)
{
	return word >> 63;
}

#endif
