/* SPDX-License-Identifier: GPL-2.0-or-later */
/* encode.c - encodes chunks; see codec.h */

#include "profile/codec/codec.h"
#include "profile/codec/coder_state.h"

enum { MAX_AGAIN = 255, WIDER = 2 };

/* Write and end the current run of a column. A byte of 255 means that the next
   byte is added to it. */
static void put_run(struct pf_coder *c, struct pf_columns *out, unsigned run)
{
	int64_t n = c->run[run];

	for (; n >= PF_LONG_RUN; n -= PF_LONG_RUN)
		pf_column_append_byte(out, run, PF_LONG_RUN);
	pf_column_append_byte(out, run, (unsigned)n);
	c->run[run] = 0;
}

static void put_last_runs(struct pf_coder *c, struct pf_columns *out)
{
	unsigned i;

	for (i = 0; i < PF_RUNS; i++)
		if (c->run[i])
			put_run(c, out, i);
}

/* ---- headers ---- */

/* Write a header that was not predicted. */
static void put_other_header(struct pf_coder *c,
			     const struct pf_header_predictor *n,
			     struct pf_columns *out, uint32_t header)
{
	enum pf_header_coding how = header == n->header[1] ? PF_HEADER_SECOND
				    : header == *pf_find_follower(&c->model)
					    ? PF_HEADER_FOLLOWER
					    : PF_HEADER_NEW;

	pf_column_append_byte(out, PF_COLUMN_HEADER_CODING, how);
	if (how != PF_HEADER_NEW)
		return;
	pf_column_append_number(out, PF_COLUMN_HEADERS, header, 4);
	if (c->content) /* each new header is coded this way the first time */
		c->content->header[c->content->n_headers++] = header;
}

static inline void put_header(struct pf_coder *c, struct pf_columns *out,
			      uint32_t header)
{
	struct pf_header_predictor *n = pf_find_header_predictor(&c->model);
	unsigned run = pf_header_run_column(&c->model, n);

	if (header == n->header[0]) {
		c->run[run]++;
		pf_header_hit(&c->model, n);
	} else {
		put_run(c, out, run);
		put_other_header(c, n, out, header);
		pf_header_missed(&c->model, n, header);
	}
	pf_learn_header(&c->model, header);
}

/* ---- values ---- */

/* Map a signed difference to an unsigned number (zigzag), so that differences
   near 0 have few bytes. */
static uint64_t fold(uint64_t value)
{
	return value << 1 ^ (0 - (value >> 63));
}

/* Return the number of bytes that @number needs, 1..8. */
static unsigned bytes_of(uint64_t number)
{
	return (71 - (unsigned)__builtin_clzll(number | 1)) / 8;
}

/* Return the table entry for the number of the last value with this hash. */
static uint16_t *seen_entry(struct pf_coder *c, uint64_t value)
{
	return &c->last_by_hash[pf_hash(value, PF_LOG_HASHES)];
}

/* Whether find_diff() may succeed: a place whose values are coded as numbers
   with high confidence rarely has a difference, and the search takes time. */
static bool is_worth_a_search(const struct pf_value_predictor *p)
{
	return pf_expected_coding(p) < PF_REPEAT ||
	       p->state % PF_CONFIDENCES < 2;
}

/* Find a recent value whose difference from @value equals the difference from
   the place's last value to the value at the same distance before it. Both
   values then have changed by the same amount, @value - last. Return:
   PF_NEW_DIFF + back; 0: there is none. */
static unsigned find_diff(const struct pf_model *m,
			  const struct pf_value_predictor *p, uint32_t n,
			  uint64_t value)
{
	const uint64_t *now = &m->past_values[n % PF_N_PAST_VALUES];
	const uint64_t *then =
		&m->past_values[p->last_number % PF_N_PAST_VALUES];
	uint64_t rest = value - p->last;
	unsigned back;

	if (!pf_may_learn_diff(p, n) || n % PF_N_PAST_VALUES < PF_BACKS ||
	    p->last_number % PF_N_PAST_VALUES < PF_BACKS)
		return 0;
	for (back = 0; back < PF_BACKS; back++)
		if (*--now - *--then == rest)
			return PF_NEW_DIFF + back;
	return 0;
}

/* Return the distance to the last equal value, 1..MAX_AGAIN; 0: there is none,
   or it was not found. */
static unsigned find_again(struct pf_coder *c, uint32_t n, uint64_t value)
{
	unsigned ago = (uint16_t)(n - *seen_entry(c, value));

	if (!ago || ago > MAX_AGAIN ||
	    pf_past_value(&c->model, n, ago - 1) != value)
		return 0;
	return ago;
}

/* Return the way to code @value, enum pf_value_coding. The predicted way is used
   for a number that needs up to WIDER bytes less: that is cheaper than coding a
   change of the way. */
static unsigned choose_how(struct pf_coder *c,
			   const struct pf_value_predictor *p, uint32_t n,
			   uint64_t value)
{
	const struct pf_model *m = &c->model;
	uint64_t rest = value - p->last;
	unsigned expected = pf_expected_coding(p);
	unsigned how;

	if (rest == p->stride)
		return PF_STRIDE;
	if (value == pf_predict_by_diff(m, p, n))
		return PF_DIFF;
	how = is_worth_a_search(p) ? find_diff(m, p, n, value) : 0;
	if (how)
		return how;
	how = PF_NUMBER + bytes_of(fold(rest)) - 1;
	if (how > PF_NUMBER && find_again(c, n, value))
		return PF_REPEAT;
	return how < expected && how + WIDER >= expected ? expected : how;
}

/* Write the distance or the number of a value, if @how has one. */
static void put_rest(struct pf_coder *c, const struct pf_value_predictor *p,
		     struct pf_columns *out, uint32_t n, uint64_t value,
		     unsigned how)
{
	unsigned bytes = how - PF_NUMBER + 1;

	if (how == PF_REPEAT)
		pf_column_append_byte(out, PF_COLUMN_REPEATS,
				      find_again(c, n, value));
	else if (how >= PF_NUMBER && how <= PF_NUMBER_8)
		pf_column_append_number(out, PF_COLUMN_NUMBERS + bytes - 1,
					fold(value - p->last), bytes);
}

static void put_chosen(struct pf_coder *c, struct pf_value_predictor *p,
		       struct pf_columns *out, uint32_t n, uint64_t value)
{
	unsigned run = PF_COLUMN_VALUE_RUNS + p->state;
	unsigned expected = pf_expected_coding(p);
	unsigned how = choose_how(c, p, n, value);

	put_rest(c, p, out, n, value, how);
	if (how == expected) {
		c->run[run]++;
		pf_value_hit(p);
		return;
	}
	put_run(c, out, run);
	pf_column_append_byte(out, pf_value_coding_column(expected), how);
	pf_value_missed(p, how);
	if (how >= PF_NEW_DIFF)
		p->back = (uint16_t)(how - PF_NEW_DIFF);
}

static inline bool is_expected(const struct pf_model *m,
			       const struct pf_value_predictor *p, uint32_t n,
			       uint64_t value)
{
	if (pf_expected_coding(p) == PF_STRIDE)
		return value == pf_predict_by_stride(p);
	return pf_expected_coding(p) == PF_DIFF &&
	       value == pf_predict_by_diff(m, p, n);
}

static inline __attribute__((always_inline)) void
put_value(struct pf_coder *c, struct pf_columns *out, uint32_t place,
	  uint32_t n, uint64_t value)
{
	struct pf_value_predictor *p = pf_get_value_predictor(&c->model, place);

	if (is_expected(&c->model, p, n, value)) {
		c->run[PF_COLUMN_VALUE_RUNS + p->state]++;
		pf_value_hit(p);
	} else {
		put_chosen(c, p, out, n, value);
	}
	*seen_entry(c, value) = (uint16_t)n;
	pf_learn_value(&c->model, p, n, value);
}

/* Add the page of @value and its neighbours to `met`, and remember the page. */
static __attribute__((noinline)) void add_page(struct pf_coder *c,
					       uint64_t value)
{
	const uint64_t page = 1 << PF_PAGE_BITS;
	uint64_t from = value & -page;

	if (value == PT_NOT_DONE)
		return;
	c->recent_pages[from / page % PF_N_RECENT_PAGES] = from / page;
	if (c->content)
		pf_pages_add(&c->content->values, from - page,
			     from + 2 * page - 1);
}

/* Whether the page of @value was added lately. */
static inline bool is_page_added(const struct pf_coder *c, uint64_t value)
{
	uint64_t page = value >> PF_PAGE_BITS;

	return c->recent_pages[page % PF_N_RECENT_PAGES] == page;
}

/* Encode the values of a block execution, everything but its header. */
static inline void put_values(struct pf_coder *c, struct pf_columns *out,
			      const char *from, uint32_t header)
{
	uint32_t place = pf_first_value_predictor(header);
	uint32_t n = c->model.n, end = n + pf_n_values(header);

	for (; n != end; n++, from += 8) {
		uint64_t value;

		memcpy(&value, from, 8);
		if (!is_page_added(c, value))
			add_page(c, value);
		put_value(c, out, place++, n, value);
	}
	c->model.n = n;
}

/* Encode a control unit's id and words, everything but its header. */
static __attribute__((noinline)) void put_words(struct pf_coder *c,
						struct pf_columns *out,
						const char *from,
						uint32_t header)
{
	uint32_t place = pf_first_value_predictor(header);
	uint64_t value = 0;

	memcpy(&value, from, 4);
	put_value(c, out, place++, c->model.n++, value);
	from += 4;
	for (unsigned i = pf_n_values(header); i > 0; i--, from += 8) {
		memcpy(&value, from, 8);
		put_value(c, out, place++, c->model.n++, value);
	}
}

static void start(struct pf_coder *c)
{
	memset(c->run, 0, sizeof(c->run));
	memset(c->last_by_hash, 0, sizeof(c->last_by_hash));
	memset(c->recent_pages, 0, sizeof(c->recent_pages));
	c->recent_pages[0] =
		1; /* page 0 was not added: entry 0 must differ from 0 */
	pf_model_reset(&c->model);
	if (!c->content)
		return;
	c->content->n_headers = 0;
	pf_pages_clear(&c->content->values);
}

size_t pf_encode(struct pf_coder *c, const void *words, size_t bytes,
		 void *code)
{
	const char *unit = words;
	const char *end = unit + bytes;
	struct pf_columns out;
	uint32_t header;

	start(c);
	pf_columns_start(&out, code, bytes);
	for (; unit < end; unit += pt_unit_bytes(header)) {
		if (end - unit < 4)
			return 0;
		memcpy(&header, unit, 4);
		if (!pt_unit_length(header) ||
		    pt_unit_bytes(header) > (size_t)(end - unit))
			return 0;
		put_header(c, &out, header);
		if (pt_unit_is_block(header))
			put_values(c, &out, unit + 4, header);
		else
			put_words(c, &out, unit + 4, header);
	}
	put_last_runs(c, &out);
	return pf_columns_finish(&out);
}
