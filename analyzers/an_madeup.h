/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * an_madeup.h - a program that never was, for analyses
 *
 * Blocks and executions at random: straddling, guarded, absolute and long
 * accesses, several exits, loops over few lines and walks over many. The same
 * seed makes the same program.
 */
#ifndef AN_MADEUP_H
#define AN_MADEUP_H

#include <stdlib.h>
#include <string.h>

#include "analyzers/analyzer.h"

enum {
	MADE_BLOCKS = 60,
	MADE_INSTRS = 10,
	MADE_ACCESSES = 12,
	MADE_EXITS = 3,
	MADE_SLOTS = 3,
	MADE_EXECS = 12000,
	MADE_WORDS = MADE_EXECS * (1 + 2 * MADE_SLOTS),
};

struct made_block {
	struct an_block pub;
	struct pt_instr instr[MADE_INSTRS];
	struct pt_access access[MADE_ACCESSES];
	struct pt_exit exit[MADE_EXITS];
	uint64_t left[MADE_EXITS];
	uint64_t skipped[MADE_ACCESSES];
};

struct made_program {
	uint64_t seed;
	struct made_block block[MADE_BLOCKS];
	struct an_exec exec[MADE_EXECS];
	uint32_t word[MADE_WORDS];
};

/* Below @n. */
static inline uint64_t made_up(struct made_program *p, uint64_t n)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return p->seed % n;
}

static inline void make_accesses(struct made_program *p, struct made_block *b)
{
	static const uint16_t size[] = {1, 4, 8, 8, 16, 32, 48, 512};
	unsigned n = 0;

	for (unsigned i = 0; i < b->pub.n_instrs; i++)
		while (n < MADE_ACCESSES && made_up(p, 2) == 0) {
			bool based = made_up(p, 8) != 0;

			b->access[n++] = (struct pt_access){
				.delta = based ? made_up(p, 150)
					       : 0x7000 + made_up(p, 300),
				.instr = (uint16_t)i,
				.slot = based ? (uint16_t)made_up(p, MADE_SLOTS)
					      : (uint16_t)PT_NO_SLOT,
				.size = size[made_up(p, 8)],
				.kind = (uint8_t)made_up(p, 3),
				.flags = based && made_up(p, 8) == 0
						 ? PT_GUARDED
						 : 0,
			};
		}
	b->pub.n_accesses = (uint16_t)n;
}

static inline void make_block(struct made_program *p, struct made_block *b,
			      uint32_t id)
{
	uint64_t pc = 0x400000 + made_up(p, 6000);
	unsigned n = 1 + (unsigned)made_up(p, MADE_INSTRS);

	b->pub = (struct an_block){
		.id = id,
		.n_instrs = (uint16_t)n,
		.n_exits = (uint16_t)(1 + made_up(p, MADE_EXITS)),
		.n_slots = MADE_SLOTS,
		.instr = b->instr,
		.access = b->access,
		.exit = b->exit,
		.left = b->left,
		.skipped = b->skipped,
	};
	for (unsigned i = 0; i < n; i++) {
		b->instr[i].addr = pc;
		b->instr[i].len = (uint8_t)(1 + made_up(p, 15));
		pc += made_up(p, 12) ? b->instr[i].len : made_up(p, 500);
	}
	make_accesses(p, b);
	/* The last exit has all behind it, the others some. */
	for (unsigned e = 0; e < b->pub.n_exits; e++) {
		struct pt_exit *x = &b->exit[e];
		unsigned some = n * (e + 1) / b->pub.n_exits;

		x->n_instrs = (uint16_t)some;
		while (x->n_accesses < b->pub.n_accesses &&
		       b->access[x->n_accesses].instr < some)
			x->n_accesses++;
	}
}

static inline uint64_t make_address(struct made_program *p, uint64_t i)
{
	switch (made_up(p, 4)) {
	case 0:
		return 0x1ffe000000 + made_up(p, 400);
	case 1:
		return 0x10000 + i * 24 % 40000;
	case 2:
		return 0x5000000 + made_up(p, 1 << 16);
	default:
		return UINT64_C(0x7ff000000000) + made_up(p, 64) * 4096;
	}
}

static inline void make_exec(struct made_program *p, uint64_t i, uint32_t *at)
{
	struct made_block *b =
		&p->block[made_up(p, 4) ? made_up(p, 8)
					: made_up(p, MADE_BLOCKS)];
	unsigned e = (unsigned)made_up(p, b->pub.n_exits);
	bool skip[MADE_SLOTS];

	p->exec[i] = an_exec(b->pub.id, e, *at + 1);
	b->left[e]++;
	for (unsigned s = 0; s < MADE_SLOTS; s++) {
		uint64_t value = make_address(p, i);
		bool guarded_only = true;

		for (unsigned a = 0; a < b->pub.n_accesses; a++)
			guarded_only &= b->access[a].slot != s ||
					b->access[a].flags & PT_GUARDED;
		skip[s] = guarded_only && made_up(p, 2) == 0;
		value = skip[s] ? PT_NOT_DONE : value;
		memcpy(p->word + *at + 1 + 2 * s, &value, sizeof(value));
	}
	for (unsigned a = 0; a < b->exit[e].n_accesses; a++)
		b->skipped[a] += b->access[a].slot != PT_NO_SLOT &&
				 b->access[a].flags & PT_GUARDED &&
				 skip[b->access[a].slot];
	*at += 1 + 2 * MADE_SLOTS;
}

/* @seed: not 0. For free(). */
static inline struct made_program *make_program(uint64_t seed)
{
	struct made_program *p = calloc(1, sizeof(*p));
	uint32_t at = 0;

	if (p == NULL)
		exit(99);
	p->seed = seed;
	for (uint32_t i = 0; i < MADE_BLOCKS; i++)
		make_block(p, &p->block[i], i);
	for (uint64_t i = 0; i < MADE_EXECS; i++)
		make_exec(p, i, &at);
	return p;
}

static const char *made_option(void *host, const char *key)
{
	(void)host, (void)key;
	return NULL;
}

static void made_symbol(void *host, const struct an_block *block,
			unsigned instr, struct an_symbol *out)
{
	(void)host, (void)block, (void)instr;
	*out = (struct an_symbol){"???", "???", "???", 0, "???"};
}

static void *made_code(void *host, size_t bytes)
{
	(void)host, (void)bytes;
	return NULL;
}

/* Runs an analysis over it, each batch a chunk. Return: 0 or -errno. */
static inline int run_program(const struct made_program *p,
			      const struct an_class *class, void *state,
			      const struct an_env *env)
{
	int err = class->open ? class->open(state, env) : 0;

	for (size_t i = 0; i < MADE_BLOCKS && !err; i++)
		err = class->block(state, &p->block[i].pub);
	for (size_t i = 0; i < MADE_EXECS && !err; i += AN_BATCH) {
		struct an_batch batch = {
			.exec = p->exec + i,
			.n_execs = MADE_EXECS - i < AN_BATCH ? MADE_EXECS - i
							     : AN_BATCH,
			.base = p->word,
			.lane = i / AN_BATCH % AN_LANES,
		};

		if (class->prepare)
			err = class->prepare(state, &batch);
		if (!err)
			err = class->batch(state, &batch);
		if (!err && class->tail)
			err = class->tail(state, &batch);
	}
	return err ? err : class->finish(state);
}

#endif
