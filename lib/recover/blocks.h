/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocks.h - the blocks of an image, read from its log and checked
 *
 * Threads: one at a time.
 *
 * Descriptors never change once read. A forked child borrows its parent's.
 */
#ifndef LIB_RECOVER_BLOCKS_H
#define LIB_RECOVER_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/recover/mappings.h"
#include "lib/recover/marks.h"
#include "lib/recover/plan_outcome.h"
#include "proto/log.h"

struct al_intern;

struct al_desc {
	const struct al_mapping *mapping; /* whose names are known, or NULL */
	const char *path; /* of the file that it lies in, or NULL; interned */
	const struct pt_instr *instr;
	const struct pt_access *access;
	const struct pt_exit *exit;
	const struct pt_value *value; /* [n_accesses], or NULL */
	const uint8_t *code; /* bytes of the instructions; NULL: not told */
	const uint64_t *instr_lanes; /* that want each instruction; NULL: the
					same want all */
	uint64_t lanes;		     /* that want any of it */
	uint32_t route;		     /* of exit 0 */
	uint16_t n_instrs;
	uint16_t n_accesses;
	uint16_t n_exits;
	uint16_t n_slots;
	uint64_t log;	/* [bytes] of the log up to the block's end */
	uint16_t stamp; /* slot of when it began, or PT_NO_SLOT */
	uint16_t far;	/* the same, of how far the process was */
};

struct al_blocks {
	struct al_intern *strings;
	struct al_desc **desc; /* by the tool's id */
	uint32_t n;
	uint32_t n_routes; /* all exits of all blocks */
	uint32_t size;
	uint32_t borrowed;	      /* the first are another image's */
	uint64_t log;		      /* [bytes] read */
	uint64_t kept;		      /* [bytes] of the log that are stored,
					 AL_MOST_KEPT at most */
	const char *path;	      /* of the next block, or NULL; interned */
	struct pt_log_values *values; /* of the next block, or NULL */
	struct pt_log_wanted *wanted; /* who wants the next block, or NULL */
	struct al_mappings mappings;
	struct al_marks marks;	     /* a child begins with none */
	struct al_outcomes outcomes; /* and with none of these */
};

/* @strings: where paths are kept. */
void al_blocks_init(struct al_blocks *, struct al_intern *strings);
void al_blocks_release(struct al_blocks *);

/**
 * al_blocks_borrow() - Start with what a parent had at a fork.
 * @parent: must live as long. It may have read on since.
 * @n: blocks that it had.
 * @log: [bytes] of its log then.
 *
 * Return: 0; -ENOMEM; -EPROTO when it has not read so far.
 */
int al_blocks_borrow(struct al_blocks *, const struct al_blocks *parent,
		     uint32_t n, uint64_t log);

/* Read whole records. Return: 0; -ENOMEM; -EPROTO at the first contradiction;
   -AL_E_KEPT. */
int al_blocks_take(struct al_blocks *, const void *log, size_t bytes);

/**
 * al_desc_cut() - The part of a block that happened before a fault.
 * @accesses: of the block's, done.
 * @instrs: begun.
 * @half: the next access, a modify, has loaded.
 *
 * Return: a descriptor with one exit, for free(), that points to the block's
 *         arrays, but for accesses if @half; NULL with errno set: EPROTO when
 *         the block has no such part.
 */
struct al_desc *al_desc_cut(const struct al_desc *, uint32_t accesses,
			    uint32_t instrs, bool half);

/* Lanes that want instruction @i. */
static inline uint64_t al_desc_lanes(const struct al_desc *d, unsigned i)
{
	return d->instr_lanes ? d->instr_lanes[i] : d->lanes;
}

enum al_wanted { AL_WANT_NONE, AL_WANT_SOME, AL_WANT_ALL };

/* How many of its instructions one of @lanes wants. */
enum al_wanted al_desc_wanted(const struct al_desc *, uint64_t lanes);

/**
 * al_desc_narrow() - The part of a block that lanes want.
 * @lanes: want some of its instructions.
 *
 * Exits are those of the block; slots stay where they are.
 *
 * Return: a descriptor for free(), or NULL: memory is short. It points to what
 *         the block's does.
 */
struct al_desc *al_desc_narrow(const struct al_desc *, uint64_t lanes);

/* The tool's id of the block that a route below n_routes belongs to. */
uint32_t al_blocks_of_route(const struct al_blocks *, uint32_t route);

#endif
