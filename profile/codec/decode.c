/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decode.c - decodes chunks; see codec.h */

#include <errno.h>

#include "profile/codec/codec.h"
#include "profile/codec/coder_state.h"

static unsigned read_column_byte_or_mark_bad(struct pf_coder *c,
					     struct pf_columns *in,
					     unsigned column)
{
	unsigned byte = 0;

	if (!pf_column_read_byte(in, column, &byte))
		c->is_bad = true;
	return byte;
}

static inline uint64_t read_column_number_or_mark_bad(struct pf_coder *c,
						      struct pf_columns *in,
						      unsigned column,
						      unsigned byte_count)
{
	uint64_t number;

	if (!pf_column_read_number(in, column, &number, byte_count))
		c->is_bad = true;
	return number;
}

static uint64_t mark_code_as_bad_and_return_0(struct pf_coder *c)
{
	c->is_bad = true;
	return 0;
}

/* Set c->run[@run_column] to the next run of column @run_column: the number of
   correct predictions before the next incorrect one; -1 at the end of the
   column. */
static void read_next_run_length(struct pf_coder *c, struct pf_columns *in,
				 unsigned run_column)
{
	int64_t n = 0;
	unsigned byte;

	do {
		if (!pf_column_read_byte(in, run_column, &byte)) {
			c->run[run_column] = -1;
			return;
		}
		n += byte;
	} while (byte == PF_LONG_RUN);
	c->run[run_column] = n;
}

static void read_first_correct_prediction_runs(struct pf_coder *c,
					       struct pf_columns *in)
{
	unsigned i;

	for (i = 0; i < PF_RUNS; i++)
		read_next_run_length(c, in, i);
}

static bool is_every_run_used_up(const struct pf_coder *c)
{
	unsigned i;

	for (i = 0; i < PF_RUNS; i++)
		if (c->run[i] > 0)
			return false;
	return true;
}

/* Read from column @run_column the next run, a number of correct predictions,
   after an incorrect prediction. Mark the code as bad if the column had ended
   before that prediction. */
static void read_run_of_correct_predictions(struct pf_coder *c,
					    struct pf_columns *in,
					    unsigned run_column)
{
	if (c->run[run_column] < 0)
		c->is_bad = true;
	read_next_run_length(c, in, run_column);
}

static uint32_t read_header_by_coding(struct pf_coder *c,
				      const struct pf_header_predictor *n,
				      struct pf_columns *in)
{
	switch (read_column_byte_or_mark_bad(c, in, PF_COLUMN_HEADER_CODING)) {
	case PF_HEADER_SECOND:
		return n->header[1];
	case PF_HEADER_FOLLOWER:
		return *pf_get_follower_entry_of_last_header(&c->model);
	case PF_HEADER_NEW:
		return (uint32_t)read_column_number_or_mark_bad(
			c, in, PF_COLUMN_HEADERS, 4);
	default:
		return (uint32_t)mark_code_as_bad_and_return_0(c);
	}
}

static inline uint32_t decode_next_header(struct pf_coder *c,
					  struct pf_columns *in)
{
	struct pf_header_predictor *n =
		pf_get_predictor_of_next_header(&c->model);
	unsigned run = pf_header_run_column(&c->model, n);
	uint32_t header = n->header[0];

	if (c->run[run] > 0) {
		c->run[run]--;
		pf_record_correct_header_prediction(&c->model, n);
	} else {
		read_run_of_correct_predictions(c, in, run);
		header = read_header_by_coding(c, n, in);
		pf_record_wrong_header_prediction(&c->model, n, header);
	}
	pf_push_header_into_history(&c->model, header);
	return header;
}

static uint64_t decode_zigzag(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

static uint64_t read_repeat_distance_return_past_value(struct pf_coder *c,
						       struct pf_columns *in,
						       uint32_t value_number)
{
	unsigned distance =
		read_column_byte_or_mark_bad(c, in, PF_COLUMN_REPEATS);

	return distance ? pf_get_value_at_distance_before_number(
				  &c->model, value_number, distance - 1)
			: mark_code_as_bad_and_return_0(c);
}

static uint64_t set_distance_predict_value_or_mark_bad(
	struct pf_coder *c, struct pf_value_predictor *p, uint32_t value_number,
	unsigned values_between)
{
	if (values_between >= PF_BACKS ||
	    !pf_is_last_value_recent_for_diff(p, value_number))
		return mark_code_as_bad_and_return_0(c);
	p->back = (uint16_t)values_between;
	return pf_get_value_at_distance_before_number(&c->model, value_number,
						      values_between) +
	       pf_last_value_minus_past(&c->model, p, values_between);
}

static inline uint64_t
read_difference_and_add_last_value(struct pf_coder *c,
				   const struct pf_value_predictor *p,
				   struct pf_columns *in, unsigned byte_count)
{
	return p->last +
	       decode_zigzag(read_column_number_or_mark_bad(
		       c, in, PF_COLUMN_NUMBERS + byte_count - 1, byte_count));
}

/* Read value number @value_number, for predictor @p, which is coded by @coding
   (enum pf_value_coding). */
static uint64_t read_value_by_coding(struct pf_coder *c,
				     struct pf_value_predictor *p,
				     struct pf_columns *in,
				     uint32_t value_number, unsigned coding)
{
	switch (coding) {
	case PF_STRIDE:
		return pf_predict_by_stride(p);
	case PF_DIFF:
		return pf_predict_by_past_value_plus_diff(&c->model, p,
							  value_number);
	case PF_REPEAT:
		return read_repeat_distance_return_past_value(c, in,
							      value_number);
	case PF_NUMBER:
		return read_difference_and_add_last_value(c, p, in, 1);
	case PF_NUMBER + 1:
		return read_difference_and_add_last_value(c, p, in, 2);
	case PF_NUMBER + 2:
		return read_difference_and_add_last_value(c, p, in, 3);
	case PF_NUMBER + 3:
		return read_difference_and_add_last_value(c, p, in, 4);
	default:
		if (coding <= PF_NUMBER_8)
			return read_difference_and_add_last_value(
				c, p, in, coding - PF_NUMBER + 1);
		return set_distance_predict_value_or_mark_bad(
			c, p, value_number, coding - PF_NEW_DIFF);
	}
}

static uint64_t read_unpredicted_value_update_coding(
	struct pf_coder *c, struct pf_value_predictor *p, struct pf_columns *in,
	uint32_t value_number)
{
	unsigned coding = read_column_byte_or_mark_bad(
		c, in,
		pf_column_of_value_codings(pf_predict_coding_of_next_value(p)));
	uint64_t value = read_value_by_coding(c, p, in, value_number, coding);

	pf_lower_confidence_or_change_coding(p, coding);
	return value;
}

static inline __attribute__((always_inline)) uint64_t
decode_next_value(struct pf_coder *c, struct pf_columns *in,
		  uint32_t predictor_index, uint32_t value_number)
{
	struct pf_value_predictor *p =
		pf_get_value_predictor(&c->model, predictor_index);
	unsigned run = PF_COLUMN_VALUE_RUNS + p->state;
	uint64_t value;

	if (c->run[run] > 0) {
		c->run[run]--;
		if (pf_predict_coding_of_next_value(p) == PF_STRIDE)
			value = pf_predict_by_stride(p);
		else if (pf_predict_coding_of_next_value(p) == PF_DIFF)
			value = pf_predict_by_past_value_plus_diff(
				&c->model, p, value_number);
		else
			value = read_value_by_coding(
				c, p, in, value_number,
				pf_predict_coding_of_next_value(p));
		pf_raise_value_confidence(p);
	} else {
		read_run_of_correct_predictions(c, in, run);
		value = read_unpredicted_value_update_coding(c, p, in,
							     value_number);
	}
	pf_update_predictor_and_past_values(&c->model, p, value_number, value);
	return value;
}

static void decode_control_unit_id(struct pf_coder *c, struct pf_columns *in,
				   uint32_t predictor_index, char *id_out)
{
	uint64_t id = decode_next_value(c, in, predictor_index, c->model.n++);

	memcpy(id_out, &id, 4);
}

/* Decode the rest of a unit, after its header, to @to. */
static inline void decode_unit_after_header(struct pf_coder *c,
					    struct pf_columns *in, char *to,
					    uint32_t header)
{
	uint32_t index = pf_first_value_predictor_index(header);
	uint32_t n, end;

	if (!pt_unit_is_block(header)) {
		decode_control_unit_id(c, in, index++, to);
		to += 4;
	}
	n = c->model.n;
	for (end = n + pf_count_8_byte_unit_values(header); n != end;
	     n++, to += 8) {
		uint64_t value = decode_next_value(c, in, index++, n);

		memcpy(to, &value, 8);
	}
	c->model.n = n;
}

int pf_decode_chunk(struct pf_coder *c, const void *code, size_t code_bytes,
		    void *words, size_t bytes)
{
	char *unit = words;
	char *end = unit + bytes;
	struct pf_columns in;
	uint32_t header;

	pf_model_reset(&c->model);
	c->is_bad = false;
	if (!pf_columns_begin_reading(&in, code, code_bytes))
		return -EBADMSG;
	read_first_correct_prediction_runs(c, &in);
	for (; unit < end; unit += pt_unit_length_in_bytes(header)) {
		header = decode_next_header(c, &in);
		if (!pt_unit_length_in_u32s(header) ||
		    pt_unit_length_in_bytes(header) > (size_t)(end - unit))
			return -EBADMSG;
		memcpy(unit, &header, 4);
		decode_unit_after_header(c, &in, unit + 4, header);
	}
	return !c->is_bad && is_every_run_used_up(c) &&
			       pf_columns_are_read_to_end(&in)
		       ? 0
		       : -EBADMSG;
}
