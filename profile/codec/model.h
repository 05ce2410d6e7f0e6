/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - predicts the next unit, identically in encoder and decoder
 *
 * Threads: one.
 *
 * Encoder and decoder process the same units and update the same tables, so the
 * encoder can omit everything that the decoder predicts. The model predicts one
 * header, then for each value the way in which it is coded. A counter of recent
 * correct predictions is the confidence, 0..3; it selects the column in which
 * the result of the prediction is written.
 */
#ifndef PROFILE_CODEC_MODEL_H
#define PROFILE_CODEC_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "profile/format/coder_streams.h"
#include "proto/unit.h"

enum {
	PF_LOG_HEADER_PREDICTORS = 14,
	PF_LOG_FOLLOWERS = 13,
	PF_LOG_VALUE_PREDICTORS = 15,
	PF_LOG_PAST_VALUES = 10,
	PF_N_HEADER_PREDICTORS = 1 << PF_LOG_HEADER_PREDICTORS,
	PF_N_FOLLOWERS = 1 << PF_LOG_FOLLOWERS,
	PF_N_VALUE_PREDICTORS = 1 << PF_LOG_VALUE_PREDICTORS,
	PF_N_PAST_VALUES = 1 << PF_LOG_PAST_VALUES,
	PF_BACKS = 16, /* number of earlier values that PF_DIFF can refer to */
	PF_MAX_AGE = PF_N_PAST_VALUES - PF_BACKS, /* [values] greatest age of a
						predictor's last value from
						which a new difference can be
						learnt */
	PF_LONG_RUN = 255, /* byte of a run that is continued in the next
			      byte */
};

/* The ways in which a header that was not predicted is coded. */
enum pf_header_coding {
	PF_HEADER_SECOND,   /* pf_header_predictor.header[1] */
	PF_HEADER_FOLLOWER, /* pf_model.follower of the last header */
	PF_HEADER_NEW,	    /* the header itself */
	PF_HEADER_CODINGS
};

/* The ways in which a value is coded. */
enum pf_value_coding {
	PF_STRIDE, /* the value equals the predictor's last value + the
		      difference of its last two values */
	PF_DIFF,   /* the value that came `back` + 1 values earlier + the
		      predictor's diff */
	PF_REPEAT, /* equal to a recent value: a byte with its distance */
	PF_NUMBER, /* difference from the predictor's last value in 1 byte; the
		      following codings: in 2 to 8 bytes */
	PF_NUMBER_8 = PF_NUMBER + 7,
	PF_NEW_DIFF = 16, /* PF_NEW_DIFF + n, n below PF_BACKS: set
			     pf_value_predictor.back to n, then as PF_DIFF */
};

_Static_assert(PF_NUMBER_8 == PF_VALUE_CODINGS - 1,
	       "what is expected has a column");

/* Predicts a header from the two headers before it. */
struct pf_header_predictor {
	uint32_t header[2]; /* [0] the predicted header, [1] the second
			       choice */
	uint32_t
		confidence; /* confidence in header[0], 0..PF_CONFIDENCES - 1 */
};

/* Predicts the values at one position of the units that have one header. */
struct pf_value_predictor {
	uint64_t last;	 /* last value at the predictor's position */
	uint64_t stride; /* last value - the predictor's value before it */
	uint64_t diff;	 /* last value - the value (of any predictor) that came
			    `back` + 1 values earlier */
	uint32_t last_number; /* number of the predictor's last value; 0: there
				 is none */
	uint16_t back;	      /* number of values between the two of `diff`; 0:
				 the value immediately before */
	uint16_t state; /* PF_CONFIDENCES * predicted enum pf_value_coding +
			    confidence */
};

struct pf_model {
	uint64_t last_headers; /* the last header << 32 | the one before it */
	uint32_t was_missed;   /* 1: the last header was not predicted */
	uint32_t n;	       /* number of the next value, counted from 1 */
	struct pf_header_predictor header_predictor
		[PF_N_HEADER_PREDICTORS]; /* by the hash of the last two
					   headers */
	uint32_t follower
		[PF_N_FOLLOWERS]; /* by the hash of a header: the last header
				     that followed it and was not predicted */
	/* index: pf_first_value_predictor_index(header of the unit) + position
	   of the value in the unit */
	struct pf_value_predictor value_predictor[PF_N_VALUE_PREDICTORS];
	uint64_t past_values[PF_N_PAST_VALUES]; /* last values, by their numbers
						   % PF_N_PAST_VALUES */
};

/* Set the initial state, with which each chunk begins. */
static inline void pf_model_reset(struct pf_model *m)
{
	memset(m, 0, sizeof(*m));
	m->n = 1;
}

/* Return a hash of @key below 1 << @bit_count. */
static inline uint32_t pf_hash_key_to_bits(uint64_t key, unsigned bit_count)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15 >> (64 - bit_count));
}

static inline struct pf_header_predictor *
pf_get_predictor_of_next_header(struct pf_model *m)
{
	return &m->header_predictor[pf_hash_key_to_bits(
		m->last_headers, PF_LOG_HEADER_PREDICTORS)];
}

static inline uint32_t *pf_get_follower_entry_of_last_header(struct pf_model *m)
{
	return &m->follower[pf_hash_key_to_bits(m->last_headers >> 32,
						PF_LOG_FOLLOWERS)];
}

static inline unsigned pf_header_run_column(const struct pf_model *m,
					    const struct pf_header_predictor *n)
{
	return PF_COLUMN_HEADER_RUNS + 2 * n->confidence + m->was_missed;
}

/* Record that the next header was predicted by @n: clear was_missed, and raise
   the confidence of @n by 1 up to the greatest level. */
static inline void
pf_record_correct_header_prediction(struct pf_model *m,
				    struct pf_header_predictor *n)
{
	m->was_missed = 0;
	n->confidence += n->confidence < PF_CONFIDENCES - 1;
}

/* Record that @n did not predict the next header, @header: set was_missed, and
   store @header as the follower of the last header. If the confidence of @n is
   above 1, lower it by 1 and make @header the second choice; else set it to 0,
   make @header the prediction, and the old prediction the second choice. */
static inline void pf_record_wrong_header_prediction(
	struct pf_model *m, struct pf_header_predictor *n, uint32_t header)
{
	m->was_missed = 1;
	*pf_get_follower_entry_of_last_header(m) = header;
	if (n->confidence > 1) {
		n->confidence--;
		n->header[1] = header;
	} else {
		n->confidence = 0;
		n->header[1] = n->header[0];
		n->header[0] = header;
	}
}

static inline void pf_push_header_into_history(struct pf_model *m,
					       uint32_t header)
{
	m->last_headers = m->last_headers >> 32 | (uint64_t)header << 32;
}

/* Return the index of the predictor of a unit's first value. The predictors of
   its other values follow, modulo PF_N_VALUE_PREDICTORS. */
static inline uint32_t pf_first_value_predictor_index(uint32_t header)
{
	return pf_hash_key_to_bits(header, PF_LOG_VALUE_PREDICTORS);
}

static inline struct pf_value_predictor *
pf_get_value_predictor(struct pf_model *m, uint32_t index)
{
	return &m->value_predictor[index % PF_N_VALUE_PREDICTORS];
}

/* Return the value that PF_STRIDE predicts. */
static inline uint64_t pf_predict_by_stride(const struct pf_value_predictor *p)
{
	return p->last + p->stride;
}

/* Return the value with number @later_value_number - 1 - @distance_minus_1. */
static inline uint64_t
pf_get_value_at_distance_before_number(const struct pf_model *m,
				       uint32_t later_value_number,
				       unsigned distance_minus_1)
{
	return m->past_values[(later_value_number - 1 - distance_minus_1) %
			      PF_N_PAST_VALUES];
}

static inline uint64_t
pf_predict_by_past_value_plus_diff(const struct pf_model *m,
				   const struct pf_value_predictor *p,
				   uint32_t value_number)
{
	return pf_get_value_at_distance_before_number(m, value_number,
						      p->back) +
	       p->diff;
}

/* Whether the values before the predictor's last value are still in past_values
   when value number @value_number is coded. */
static inline bool
pf_is_last_value_recent_for_diff(const struct pf_value_predictor *p,
				 uint32_t value_number)
{
	return p->last_number && value_number - p->last_number <= PF_MAX_AGE;
}

/* Return the difference: the predictor's last value minus the value that came
   @n_values_between + 1 values before it. */
static inline uint64_t
pf_last_value_minus_past(const struct pf_model *m,
			 const struct pf_value_predictor *p,
			 unsigned n_values_between)
{
	return p->last - pf_get_value_at_distance_before_number(
				 m, p->last_number, n_values_between);
}

static inline unsigned
pf_predict_coding_of_next_value(const struct pf_value_predictor *p)
{
	return p->state / PF_CONFIDENCES;
}

static inline unsigned pf_column_of_value_codings(unsigned predicted_coding)
{
	return PF_COLUMN_VALUE_CODING +
	       (predicted_coding < PF_NUMBER ? predicted_coding : PF_NUMBER);
}

/* Raise the confidence of the predictor by 1 up to the greatest level. */
static inline void pf_raise_value_confidence(struct pf_value_predictor *p)
{
	p->state = (uint16_t)(p->state +
			      (p->state % PF_CONFIDENCES < PF_CONFIDENCES - 1));
}

/* Lower the confidence of the predictor by 1; if it is at most 1, set it to 0
   and change the predicted coding to @coding, by which the value was coded, or
   to PF_DIFF for PF_NEW_DIFF + n. In a damaged profile @coding may be any byte;
   a byte that is no coding then selects PF_DIFF, too. */
static inline void
pf_lower_confidence_or_change_coding(struct pf_value_predictor *p,
				     unsigned coding)
{
	if (p->state % PF_CONFIDENCES > 1)
		p->state--;
	else
		p->state = (uint16_t)((coding < PF_VALUE_CODINGS ? coding
								 : PF_DIFF) *
				      PF_CONFIDENCES);
}

/* Update the predictor and the past values by @value, which has number
   @value_number. */
static inline void
pf_update_predictor_and_past_values(struct pf_model *m,
				    struct pf_value_predictor *p,
				    uint32_t value_number, uint64_t value)
{
	p->stride = value - p->last;
	p->diff = value - pf_get_value_at_distance_before_number(
				  m, value_number, p->back);
	p->last = value;
	p->last_number = value_number;
	m->past_values[value_number % PF_N_PAST_VALUES] = value;
}

/* Return the number of 8-byte values of a unit. The id of a control unit is not
   counted. */
static inline unsigned pf_count_8_byte_unit_values(uint32_t header)
{
	return (pt_unit_length_in_u32s(header) - 1) / 2;
}

#endif
