/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - predicts the next unit, alike in encoder and decoder
 *
 * Threads: one.
 *
 * Encoder and decoder process the same units and update the same tables, so the
 * encoder can omit everything that the decoder predicts. The model predicts one
 * header, then for each value the way in which it is coded. A counter of recent
 * correct predictions is the confidence (`sure`, 0..3); it selects the column
 * in which the result of the prediction is written.
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
	PF_BACKS = 16, /* earlier values that PF_DIFF can refer to */
	PF_MAX_AGE = PF_N_PAST - PF_BACKS, /* greatest age of a place's last
					      value from which a new difference
					      can be learnt [values] */
	PF_LONG_RUN = 255, /* byte of a run that is continued in the next
			      byte */
};

/* The ways in which a header that was not predicted is coded. */
enum pf_unit_how {
	PF_UNIT_SECOND, /* pf_next.header[1] */
	PF_UNIT_AFTER,	/* the header that last followed the last header */
	PF_UNIT_NEW,	/* the header itself */
	PF_UNIT_HOWS
};

/* The ways in which a value is coded. */
enum pf_value_how {
	PF_STRIDE, /* last value of its place + difference of the last two */
	PF_DIFF,   /* a recent value + the same difference as last time */
	PF_AGAIN,  /* equal to a recent value: a byte with its distance */
	PF_NUMBER, /* difference from the place's last value in 1 byte; the next
		      ones: in 2 to 8 bytes */
	PF_NUMBER_8 = PF_NUMBER + 7,
	PF_NEW_DIFF = 16, /* + back: as PF_DIFF, and pf_place.back changes */
};

_Static_assert(PF_NUMBER_8 == PF_HOWS - 1, "what is expected has a column");

/* The headers that follow two given headers. */
struct pf_next {
	uint32_t header[2]; /* the predicted one, the second choice */
	uint32_t sure;	    /* confidence in header[0], 0..PF_SURE - 1 */
};

/* The prediction for the values at one position of the units of a header. */
struct pf_place {
	uint64_t last;	 /* last value */
	uint64_t stride; /* last value - the place's value before it */
	uint64_t diff;	 /* last value - the value of any place that came @back
			    values earlier */
	uint32_t at;	 /* number of the last value; 0: there is none */
	uint16_t back;	 /* 0: the value right before */
	uint16_t state;	 /* PF_SURE * predicted enum pf_value_how +
			    confidence */
};

struct pf_model {
	uint64_t before;     /* the last header << 32 | the one before it */
	uint32_t was_missed; /* 1: the last header was not predicted */
	uint32_t n;	     /* number of the next value, from 1 */
	struct pf_next next[PF_N_NEXT]; /* by the hash of the last two
					   headers */
	uint32_t after[PF_N_AFTER]; /* header that last followed a header, by
				       the hash of the latter */
	struct pf_place place[PF_N_PLACES]; /* see pf_places_of() */
	uint64_t past[PF_N_PAST];	    /* last values, by number */
};

/* Set the initial state, with which each chunk begins. */
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

/* Return the index of the place of a unit's first value. The places of its
   other values follow, modulo PF_N_PLACES. */
static inline uint32_t pf_places_of(uint32_t header)
{
	return pf_hash(header, PF_LOG_PLACES);
}

static inline struct pf_place *pf_place_at(struct pf_model *m, uint32_t place)
{
	return &m->place[place % PF_N_PLACES];
}

/* Return the value that PF_STRIDE predicts. */
static inline uint64_t pf_by_stride(const struct pf_place *p)
{
	return p->last + p->stride;
}

/* Return the value number @n - 1 - @back. */
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

/* Whether the values before the place's last value are still in `past` when
   value number @n is coded. */
static inline bool pf_may_learn_diff(const struct pf_place *p, uint32_t n)
{
	return p->at && n - p->at <= PF_MAX_AGE;
}

/* Return the place's last value - the value number at - 1 - @back. */
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

/* Lower the confidence, or change the prediction to @how, the way in which the
   value was coded. In a damaged profile @how may be any byte. */
static inline void pf_value_missed(struct pf_place *p, unsigned how)
{
	if (p->state % PF_SURE > 1)
		p->state--;
	else
		p->state =
			(uint16_t)((how < PF_HOWS ? how : PF_DIFF) * PF_SURE);
}

/* Update the place and the past values. @n: number of @value. */
static inline void pf_learn_value(struct pf_model *m, struct pf_place *p,
				  uint32_t n, uint64_t value)
{
	p->stride = value - p->last;
	p->diff = value - pf_past(m, n, p->back);
	p->last = value;
	p->at = n;
	m->past[n % PF_N_PAST] = value;
}

/* Return the number of 8-byte values of a unit. The id of a control unit is
   none of them. */
static inline unsigned pf_n_values(uint32_t header)
{
	return (pt_unit_length(header) - 1) / 2;
}

#endif
