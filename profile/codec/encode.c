/* SPDX-License-Identifier: GPL-2.0-or-later */
/* encode.c - encodes chunks; see codec.h */

#include "profile/codec/codec.h"
#include "profile/codec/coder_state.h"

enum { MAX_DISTANCE = 255, MAX_WASTE = 2 };

/* Write the length of the column's current run of correct predictions, and
   begin a new run. A byte of PF_LONG_RUN means that the next byte is added to
   it. */
static void append_run_length_and_reset(struct pf_coder *c,
					struct pf_columns *out,
					unsigned run_column)
{
	int64_t n = c->run[run_column];

	for (; n >= PF_LONG_RUN; n -= PF_LONG_RUN)
		pf_column_append_byte(out, run_column, PF_LONG_RUN);
	pf_column_append_byte(out, run_column, (unsigned)n);
	c->run[run_column] = 0;
}

static void append_unfinished_run_lengths(struct pf_coder *c,
					  struct pf_columns *out)
{
	unsigned i;

	for (i = 0; i < PF_RUNS; i++)
		if (c->run[i])
			append_run_length_and_reset(c, out, i);
}

/* ---- headers ---- */

/* Write a header that was not predicted. */
static void
append_header_coding_and_header_if_new(struct pf_coder *c,
				       const struct pf_header_predictor *n,
				       struct pf_columns *out, uint32_t header)
{
	enum pf_header_coding coding =
		header == n->header[1] ? PF_HEADER_SECOND
		: header == *pf_get_follower_entry_of_last_header(&c->model)
			? PF_HEADER_FOLLOWER
			: PF_HEADER_NEW;

	pf_column_append_byte(out, PF_COLUMN_HEADER_CODING, coding);
	if (coding != PF_HEADER_NEW)
		return;
	pf_column_append_number(out, PF_COLUMN_HEADERS, header, 4);
	if (c->content) /* each new header is coded this way when it occurs
			   first */
		c->content->header[c->content->n_headers++] = header;
}

static inline void encode_header(struct pf_coder *c, struct pf_columns *out,
				 uint32_t header)
{
	struct pf_header_predictor *n =
		pf_get_predictor_of_next_header(&c->model);
	unsigned run = pf_header_run_column(&c->model, n);

	if (header == n->header[0]) {
		c->run[run]++;
		pf_record_correct_header_prediction(&c->model, n);
	} else {
		append_run_length_and_reset(c, out, run);
		append_header_coding_and_header_if_new(c, n, out, header);
		pf_record_wrong_header_prediction(&c->model, n, header);
	}
	pf_push_header_into_history(&c->model, header);
}

/* ---- values ---- */

/* Encode a signed difference as an unsigned number (zigzag), so that
   differences near 0 need few bytes. */
static uint64_t encode_zigzag(uint64_t value)
{
	return value << 1 ^ (0 - (value >> 63));
}

/* Return the number of bytes that @number needs, 1..8. */
static unsigned count_significant_bytes_at_least_1(uint64_t number)
{
	return (71 - (unsigned)__builtin_clzll(number | 1)) / 8;
}

/* Return the table entry for the number of the last value with the hash of
   @value. */
static uint16_t *get_entry_of_last_value_number_by_hash(struct pf_coder *c,
							uint64_t value)
{
	return &c->last_by_hash[pf_hash_key_to_bits(value, PF_LOG_HASHES)];
}

/* Whether find_new_coding_of_equal_past_diff_or_0() is worth its time. It is
   not if the predictor's confidence is 2 or more and it predicts PF_REPEAT or a
   number: the search then rarely finds a difference. */
static bool
can_diff_search_beat_predicted_coding(const struct pf_value_predictor *p)
{
	return pf_predict_coding_of_next_value(p) < PF_REPEAT ||
	       p->state % PF_CONFIDENCES < 2;
}

/* Find a distance such that @value differs from the value at that distance
   before it by as much as the predictor's last value differed from the value at
   the same distance before that. Both have then changed by the same amount,
   @value - p->last. Return: PF_NEW_DIFF + the distance - 1; 0: there is none,
   or it was not found. */
static unsigned
find_new_coding_of_equal_past_diff_or_0(const struct pf_model *m,
					const struct pf_value_predictor *p,
					uint32_t value_number, uint64_t value)
{
	const uint64_t *now = &m->past_values[value_number % PF_N_PAST_VALUES];
	const uint64_t *then =
		&m->past_values[p->last_number % PF_N_PAST_VALUES];
	uint64_t difference = value - p->last;
	unsigned back;

	if (!pf_is_last_value_recent_for_diff(p, value_number) ||
	    value_number % PF_N_PAST_VALUES < PF_BACKS ||
	    p->last_number % PF_N_PAST_VALUES < PF_BACKS)
		return 0;
	for (back = 0; back < PF_BACKS; back++)
		if (*--now - *--then == difference)
			return PF_NEW_DIFF + back;
	return 0;
}

/* Return the distance from value number @value_number to the last equal value,
   1..MAX_DISTANCE; 0: there is none, or it was not found. */
static unsigned find_repeat_distance(struct pf_coder *c, uint32_t value_number,
				     uint64_t value)
{
	unsigned distance =
		(uint16_t)(value_number -
			   *get_entry_of_last_value_number_by_hash(c, value));

	if (!distance || distance > MAX_DISTANCE ||
	    pf_get_value_at_distance_before_number(&c->model, value_number,
						   distance - 1) != value)
		return 0;
	return distance;
}

/* Return the coding for @value, enum pf_value_coding. The predicted coding is
   used even if it takes up to MAX_WASTE bytes more than needed: that is cheaper
   than coding a change of the coding. */
static unsigned choose_value_coding(struct pf_coder *c,
				    const struct pf_value_predictor *p,
				    uint32_t value_number, uint64_t value)
{
	const struct pf_model *m = &c->model;
	uint64_t difference = value - p->last;
	unsigned expected = pf_predict_coding_of_next_value(p);
	unsigned coding;

	if (difference == p->stride)
		return PF_STRIDE;
	if (value == pf_predict_by_past_value_plus_diff(m, p, value_number))
		return PF_DIFF;
	coding = can_diff_search_beat_predicted_coding(p)
			 ? find_new_coding_of_equal_past_diff_or_0(
				   m, p, value_number, value)
			 : 0;
	if (coding)
		return coding;
	coding = PF_NUMBER +
		 count_significant_bytes_at_least_1(encode_zigzag(difference)) -
		 1;
	if (coding > PF_NUMBER && find_repeat_distance(c, value_number, value))
		return PF_REPEAT;
	return coding < expected && coding + MAX_WASTE >= expected ? expected
								   : coding;
}

/* Write the operand of @coding for a value: the distance of a repeated value,
   or the difference as a number; nothing if it needs none. */
static void append_coding_operand(struct pf_coder *c,
				  const struct pf_value_predictor *p,
				  struct pf_columns *out, uint32_t value_number,
				  uint64_t value, unsigned coding)
{
	unsigned bytes = coding - PF_NUMBER + 1;

	if (coding == PF_REPEAT)
		pf_column_append_byte(
			out, PF_COLUMN_REPEATS,
			find_repeat_distance(c, value_number, value));
	else if (coding >= PF_NUMBER && coding <= PF_NUMBER_8)
		pf_column_append_number(out, PF_COLUMN_NUMBERS + bytes - 1,
					encode_zigzag(value - p->last), bytes);
}

static void choose_coding_and_encode_value(struct pf_coder *c,
					   struct pf_value_predictor *p,
					   struct pf_columns *out,
					   uint32_t value_number,
					   uint64_t value)
{
	unsigned run = PF_COLUMN_VALUE_RUNS + p->state;
	unsigned expected = pf_predict_coding_of_next_value(p);
	unsigned coding = choose_value_coding(c, p, value_number, value);

	append_coding_operand(c, p, out, value_number, value, coding);
	if (coding == expected) {
		c->run[run]++;
		pf_raise_value_confidence(p);
		return;
	}
	append_run_length_and_reset(c, out, run);
	pf_column_append_byte(out, pf_column_of_value_codings(expected),
			      coding);
	pf_lower_confidence_or_change_coding(p, coding);
	if (coding >= PF_NEW_DIFF)
		p->back = (uint16_t)(coding - PF_NEW_DIFF);
}

static inline bool
is_predicted_by_stride_or_diff(const struct pf_model *m,
			       const struct pf_value_predictor *p,
			       uint32_t value_number, uint64_t value)
{
	if (pf_predict_coding_of_next_value(p) == PF_STRIDE)
		return value == pf_predict_by_stride(p);
	return pf_predict_coding_of_next_value(p) == PF_DIFF &&
	       value == pf_predict_by_past_value_plus_diff(m, p, value_number);
}

static inline __attribute__((always_inline)) void
encode_value(struct pf_coder *c, struct pf_columns *out,
	     uint32_t predictor_index, uint32_t value_number, uint64_t value)
{
	struct pf_value_predictor *p =
		pf_get_value_predictor(&c->model, predictor_index);

	if (is_predicted_by_stride_or_diff(&c->model, p, value_number, value)) {
		c->run[PF_COLUMN_VALUE_RUNS + p->state]++;
		pf_raise_value_confidence(p);
	} else {
		choose_coding_and_encode_value(c, p, out, value_number, value);
	}
	*get_entry_of_last_value_number_by_hash(c, value) =
		(uint16_t)value_number;
	pf_update_predictor_and_past_values(&c->model, p, value_number, value);
}

/* Add the page of @value, the page before it and the page after it to
   content->values if there is a content, and the page of @value to the recent
   pages. No-op for PT_NOT_DONE. */
static __attribute__((noinline)) void
add_pages_around_value_to_content(struct pf_coder *c, uint64_t value)
{
	const uint64_t page = 1 << PF_PAGE_BITS;
	uint64_t from = value & -page;

	if (value == PT_NOT_DONE)
		return;
	c->recent_pages[from / page % PF_N_RECENT_PAGES] = from / page;
	if (c->content)
		pf_pages_add_address_range(&c->content->values, from - page,
					   from + 2 * page - 1);
}

/* Whether the page of @value is among the recently added ones. */
static inline bool is_page_of_value_recently_added(const struct pf_coder *c,
						   uint64_t value)
{
	uint64_t page = value >> PF_PAGE_BITS;

	return c->recent_pages[page % PF_N_RECENT_PAGES] == page;
}

/* Encode the values of a block execution, @values, which follow its header. */
static inline void encode_block_values(struct pf_coder *c,
				       struct pf_columns *out,
				       const char *values, uint32_t header)
{
	uint32_t index = pf_first_value_predictor_index(header);
	uint32_t n = c->model.n, end = n + pf_count_8_byte_unit_values(header);

	for (; n != end; n++, values += 8) {
		uint64_t value;

		memcpy(&value, values, 8);
		if (!is_page_of_value_recently_added(c, value))
			add_pages_around_value_to_content(c, value);
		encode_value(c, out, index++, n, value);
	}
	c->model.n = n;
}

/* Encode the id and the words of a control unit, @from, which follow its
   header. */
static __attribute__((noinline)) void
encode_control_id_and_words(struct pf_coder *c, struct pf_columns *out,
			    const char *from, uint32_t header)
{
	uint32_t index = pf_first_value_predictor_index(header);
	uint64_t value = 0;

	memcpy(&value, from, 4);
	encode_value(c, out, index++, c->model.n++, value);
	from += 4;
	for (unsigned i = pf_count_8_byte_unit_values(header); i > 0;
	     i--, from += 8) {
		memcpy(&value, from, 8);
		encode_value(c, out, index++, c->model.n++, value);
	}
}

static void reset_encoder_and_content(struct pf_coder *c)
{
	memset(c->run, 0, sizeof(c->run));
	memset(c->last_by_hash, 0, sizeof(c->last_by_hash));
	memset(c->recent_pages, 0, sizeof(c->recent_pages));
	c->recent_pages[0] =
		1; /* page 0 was not added, so entry 0 must not be 0 */
	pf_model_reset(&c->model);
	if (!c->content)
		return;
	c->content->n_headers = 0;
	pf_pages_clear(&c->content->values);
}

size_t pf_encode_chunk(struct pf_coder *c, const void *words, size_t bytes,
		       void *code)
{
	const char *unit = words;
	const char *end = unit + bytes;
	struct pf_columns out;
	uint32_t header;

	reset_encoder_and_content(c);
	pf_columns_begin_writing_code(&out, code, bytes);
	for (; unit < end; unit += pt_unit_length_in_bytes(header)) {
		if (end - unit < 4)
			return 0;
		memcpy(&header, unit, 4);
		if (!pt_unit_length_in_u32s(header) ||
		    pt_unit_length_in_bytes(header) > (size_t)(end - unit))
			return 0;
		encode_header(c, &out, header);
		if (pt_unit_is_block(header))
			encode_block_values(c, &out, unit + 4, header);
		else
			encode_control_id_and_words(c, &out, unit + 4, header);
	}
	append_unfinished_run_lengths(c, &out);
	return pf_columns_write_counts_and_compact(&out);
}
