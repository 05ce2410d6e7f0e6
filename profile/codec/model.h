/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - what encoder and decoder both expect of the next unit
 *
 * Threads: one.
 *
 * Both go through the units in step and learn the same, so the one can leave
 * out what the other expects anyway. What is expected is one header, then one
 * kind of prediction for each value; how often that came true lately is how
 * sure it is, and how sure it is chooses where the answer is written.
 */
#ifndef PROFILE_CODEC_MODEL_H
#define PROFILE_CODEC_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "profile/format/coder_streams.h"
#include "proto/unit.h"

enum {
	PF_LOG_NEXT = 14,
	PF_LOG_AFTER = 13,
	PF_LOG_PLACES = 15,
	PF_LOG_PAST = 10,
	PF_N_NEXT = 1 << PF_LOG_NEXT,
	PF_N_AFTER = 1 << PF_LOG_AFTER,
	PF_N_PLACES = 1 << PF_LOG_PLACES,
	PF_N_PAST = 1 << PF_LOG_PAST,
	PF_BACKS = 16,			   /* how far a difference reaches */
	PF_MAX_AGE = PF_N_PAST - PF_BACKS, /* of a place that learns one */
	PF_LONG_RUN = 255,
};

/* How a header that was not expected is told. */
enum pf_unit_how { PF_UNIT_SECOND, PF_UNIT_AFTER, PF_UNIT_NEW, PF_UNIT_HOWS };

/* How a value is told. */
enum pf_value_how {
	PF_STRIDE, /* as far from the last as that from the one before */
	PF_DIFF,   /* as far from a value shortly before as the last time */
	PF_AGAIN,  /* one of the last values: how many ago */
	PF_NUMBER, /* of 1 byte: how far from the last; + 1: of 2 bytes ... */
	PF_NUMBER_8 = PF_NUMBER + 7,
	PF_NEW_DIFF = 16, /* + back */
};

_Static_assert(PF_NUMBER_8 == PF_HOWS - 1, "what is expected has a column");

/* What came after two headers: mostly, and else. */
struct pf_next {
	uint32_t header[2];
	uint32_t sure;
};

/* A value in its place of a unit. */
struct pf_place {
	uint64_t last;
	uint64_t stride; /* from the one before to the last */
	uint64_t diff;	 /* from the value @back before the last to the last */
	uint32_t at;	 /* the last's number; 0: there is none */
	uint16_t back;	 /* 0: the value right before */
	uint16_t state;	 /* PF_SURE * what is expected + how sure */
};

struct pf_model {
	uint64_t before; /* headers: the one before the last; the last << 32 */
	uint32_t was_missed; /* the last header */
	uint32_t n;	     /* number of the next value, from 1 */
	struct pf_next next[PF_N_NEXT];
	uint32_t after[PF_N_AFTER]; /* what came last after one header */
	struct pf_place place[PF_N_PLACES];
	uint64_t past[PF_N_PAST]; /* values, by number */
};

static inline void pf_model_empty(struct pf_model *m)
{
	memset(m, 0, sizeof(*m));
	m->n = 1;
}

static inline uint32_t pf_hash(uint64_t key, unsigned bits)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15 >> (64 - bits));
}

static inline struct pf_next *pf_next_of(struct pf_model *m)
{
	return &m->next[pf_hash(m->before, PF_LOG_NEXT)];
}

static inline uint32_t *pf_after_of(struct pf_model *m)
{
	return &m->after[pf_hash(m->before >> 32, PF_LOG_AFTER)];
}

static inline unsigned pf_unit_run(const struct pf_model *m,
				   const struct pf_next *n)
{
	return PF_COLUMN_UNIT_RUNS + 2 * n->sure + m->was_missed;
}

static inline void pf_header_hit(struct pf_model *m, struct pf_next *n)
{
	m->was_missed = 0;
	n->sure += n->sure < PF_SURE - 1;
}

static inline void pf_header_missed(struct pf_model *m, struct pf_next *n,
				    uint32_t header)
{
	m->was_missed = 1;
	*pf_after_of(m) = header;
	if (n->sure > 1) {
		n->sure--;
		n->header[1] = header;
	} else {
		n->sure = 0;
		n->header[1] = n->header[0];
		n->header[0] = header;
	}
}

static inline void pf_learn_header(struct pf_model *m, uint32_t header)
{
	m->before = m->before >> 32 | (uint64_t)header << 32;
}

/* The place of a unit's first value; those behind it follow, round. */
static inline uint32_t pf_places_of(uint32_t header)
{
	return pf_hash(header, PF_LOG_PLACES);
}

static inline struct pf_place *pf_place_at(struct pf_model *m, uint32_t place)
{
	return &m->place[place % PF_N_PLACES];
}

/* What a place expects where it expects that. */
static inline uint64_t pf_by_stride(const struct pf_place *p)
{
	return p->last + p->stride;
}

/* The value that came @back before the value number @n. */
static inline uint64_t pf_past(const struct pf_model *m, uint32_t n,
			       unsigned back)
{
	return m->past[(n - 1 - back) % PF_N_PAST];
}

static inline uint64_t pf_by_diff(const struct pf_model *m,
				  const struct pf_place *p, uint32_t n)
{
	return pf_past(m, n, p->back) + p->diff;
}

/* Whether it is known what came before the last value, now that @n comes. */
static inline bool pf_may_learn_diff(const struct pf_place *p, uint32_t n)
{
	return p->at && n - p->at <= PF_MAX_AGE;
}

/* How far the last value was from the one @back before it. */
static inline uint64_t pf_diff(const struct pf_model *m,
			       const struct pf_place *p, unsigned back)
{
	return p->last - pf_past(m, p->at, back);
}

static inline unsigned pf_expected(const struct pf_place *p)
{
	return p->state / PF_SURE;
}

static inline unsigned pf_value_how_column(unsigned expected)
{
	return PF_COLUMN_VALUE_HOW +
	       (expected < PF_NUMBER ? expected : PF_NUMBER);
}

static inline void pf_value_hit(struct pf_place *p)
{
	p->state = (uint16_t)(p->state + (p->state % PF_SURE < PF_SURE - 1));
}

/* It was told as @how, which a damaged profile may have anything as. */
static inline void pf_value_missed(struct pf_place *p, unsigned how)
{
	if (p->state % PF_SURE > 1)
		p->state--;
	else
		p->state =
			(uint16_t)((how < PF_HOWS ? how : PF_DIFF) * PF_SURE);
}

/* @n: its number. */
static inline void pf_learn_value(struct pf_model *m, struct pf_place *p,
				  uint32_t n, uint64_t value)
{
	p->stride = value - p->last;
	p->diff = value - pf_past(m, n, p->back);
	p->last = value;
	p->at = n;
	m->past[n % PF_N_PAST] = value;
}

/* Those of 8 bytes, behind the id where there is one. */
static inline unsigned pf_n_values(uint32_t header)
{
	return (pt_unit_length(header) - 1) / 2;
}

#endif
