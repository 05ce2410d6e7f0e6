/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partitions.h - the first level of data, simulated in parts by set
 *
 * Threads: as analyzer.h says of an analysis in parts. What is whose stands
 *          below; a lane is of one stage after the other.
 *
 * What happens in a set depends on the accesses to that set and nothing else,
 * so groups of sets are simulated apart. A group is those sets whose numbers
 * end in the same bits; a map tells which part has it.
 *
 *   execution --spread--> uses of lines, a list for each part
 *             --part----> those that missed, in program order
 *             --join----> misses of all parts, in program order
 *
 * Which part a group belongs to makes no difference to what happens in it: its
 * times only have to grow. Groups change hands where all parts are done with a
 * chunk and have not begun the next, and then the times of each set are
 * replaced by ranks.
 */
#ifndef ANALYZERS_CACHE_PARALLEL_PARTITIONS_H
#define ANALYZERS_CACHE_PARALLEL_PARTITIONS_H

#include <errno.h>

#include "analyzers/cache/model/access_runs.h"
#include "analyzers/cache/model/l1.h"

enum {
	AN_PRESENT = 1 << 10, /* lines that a spreader remembers, at most */
	AN_COLD = 1 << 12,
};

/* In program order. */
struct an_uses {
	uint64_t *line;
	uint32_t *where; /* number of the execution in the chunk, access */
	size_t n;
	size_t size;
};

/* An access that missed its first level, on the way to the next. */
struct an_miss {
	uint64_t addr;
	uint32_t when; /* place of its execution, and below that its
			  instruction: an_when(). Of a part, until it is
			  completed: as in an_uses.where */
	uint32_t block;
	uint16_t row;  /* of its counters */
	uint16_t size; /* [bytes] */
	uint8_t path;
	bool hit; /* it was half of an access, and did not miss */
	bool write;
};

struct an_misses {
	struct an_miss *miss;
	size_t n;
	size_t size;
	size_t sent;
	size_t from; /* those of the batch being gathered */
};

/* 0 or -ENOMEM. */
int an_misses_grow(struct an_misses *);

_Static_assert(PT_MAX_INSTRS <= 1 << AN_EXIT_BITS,
	       "an instruction fits below a place");

static inline uint32_t an_when(struct an_exec e, unsigned instr)
{
	return an_at(e) << AN_EXIT_BITS | instr;
}

/* The next one, to be filled in; NULL: memory is short. */
static inline struct an_miss *an_misses_next(struct an_misses *m)
{
	if (m->n == m->size && an_misses_grow(m) != 0)
		return NULL;
	return &m->miss[m->n++];
}

/* Field by field where it is to lie: what is read at once too soon behind
   several short stores waits for them. Of code the row is the instruction. */
static inline void an_miss_fill(struct an_miss *m, struct an_exec e, int path,
				unsigned row, unsigned instr, struct an_ref r)
{
	m->addr = r.addr;
	m->when = an_when(e, instr);
	m->block = e.block;
	m->row = (uint16_t)row;
	m->size = (uint16_t)r.size;
	m->path = (uint8_t)path;
	m->hit = false;
	m->write = r.write;
}

/* What the stages of a chunk hand on. */
struct an_partlane {
	uint64_t moves; /* times that the map had changed before */
	uint8_t map[AN_GROUPS];
	uint64_t used[AN_GROUPS];     /* uses of lines, by group */
	uint64_t present[AN_PRESENT]; /* the last use of some set each */
	const struct pt_pos *entry; /* of the compiler, when the chunk began */
	uint32_t cold[AN_COLD];	    /* blocks executed without code */
	unsigned n_cold;
	struct an_uses uses[AN_MAX_PARTS];
	struct an_misses missed[AN_MAX_PARTS];
};

struct an_parts {
	/* Constant. */
	unsigned n;		  /* less than 2: not in parts */
	uint32_t groups;	  /* a power of two */
	uint64_t remembered;	  /* mask of line numbers */
	struct an_partlane *lane; /* [AN_LANES] */

	/* Of the preparation. */
	uint8_t map[AN_GROUPS];		/* part by group */
	uint64_t used[AN_GROUPS];	/* since the map was looked at */
	unsigned chunks;		/* alike */
	uint64_t moves;			/* times that the map changed */
	uint64_t load[2][AN_MAX_PARTS]; /* uses, with the first map and with
					   those after it */

	/* Of the join, while the parts rest. */
	uint64_t wholes; /* batches that were simulated whole */

	/* Each of its part. */
	struct {
		int32_t clock;
		uint64_t writebacks;
		uint64_t moves; /* that it knows of */
		char pad[40];	/* a cache line each */
	} part[AN_MAX_PARTS];
};

/* Of several images added up: uses of lines with the first map, and with those
   after it. */
struct an_partsums {
	unsigned n; /* parts; 0: not in parts */
	uint64_t moves;
	uint64_t wholes; /* batches */
	uint64_t uses[2];
	uint64_t busiest[2]; /* of the part that had most, in each image */
};

/* 0 or -ENOMEM; an_parts_release() in both cases. */
int an_parts_init(struct an_parts *, struct an_first *, unsigned n);
void an_parts_release(struct an_parts *);

/* A chunk begins. Return: whether groups have moved. */
bool an_parts_begin(struct an_parts *, unsigned lane);

/* After the last chunk: what the parts had to do. */
struct an_partsums an_parts_sums(struct an_parts *);

void an_partsums_add(struct an_partsums *, const struct an_partsums *);

/* Members of a JSON object. */
void an_partsums_report(const struct an_partsums *, struct an_sink *);

#endif
