/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decode_test.c - code made by hand, right and wrong in one thing
 */
#include <errno.h>
#include <stdlib.h>

#include "profile/codec/codec.h"
#include "profile/codec/model.h"
#include "profile/format/coder_streams.h"
#include "proto/unit.h"
#include "tests/tap.h"

enum { NONE = -1, UNIT = 12, OTHER_COLUMN = PF_COLUMN_HEADER_RUNS + 2 };

/* One unit of one value, nothing of which is predicted; or a second unit that
   differs in how its value is coded. */
struct made {
	int unit_run, unit_how;
	int64_t header;
	int value_run, value_how, again, number;
	int second_how;
	int other; /* number of entries of OTHER_COLUMN, which is not read */
	size_t words;
};

static const struct made right = {.unit_how = PF_HEADER_NEW,
				  .header = 7 << 8 | UNIT / 4,
				  .value_how = PF_NUMBER,
				  .again = NONE,
				  .number = 8,
				  .second_how = NONE,
				  .other = NONE,
				  .words = UNIT};

static struct pf_coder *coder;

static void put(struct pf_columns *c, unsigned column, int64_t number)
{
	if (number != NONE)
		pf_column_append_number(c, column, (uint64_t)number,
					pf_column_entry_bytes(column));
}

static void put_second(struct pf_columns *c, const struct made *m)
{
	put(c, PF_COLUMN_HEADER_RUNS + 1, 0);
	put(c, PF_COLUMN_HEADER_CODING, PF_HEADER_NEW);
	put(c, PF_COLUMN_HEADERS, m->header);
	put(c, PF_COLUMN_VALUE_RUNS + PF_CONFIDENCES * PF_NUMBER, 0);
	put(c, PF_COLUMN_VALUE_CODING + PF_NUMBER, m->second_how);
}

/* Decode @m to @words. Return: as pf_decode_chunk(). */
static int decode(const struct made *m, void *words)
{
	char code[4096];
	struct pf_columns c;

	pf_columns_begin_writing_code(&c, code, 64);
	put(&c, PF_COLUMN_HEADER_RUNS, m->unit_run);
	put(&c, OTHER_COLUMN, m->other);
	put(&c, PF_COLUMN_VALUE_RUNS, m->value_run);
	put(&c, PF_COLUMN_HEADER_CODING, m->unit_how);
	put(&c, PF_COLUMN_VALUE_CODING, m->value_how);
	put(&c, PF_COLUMN_REPEATS, m->again);
	put(&c, PF_COLUMN_HEADERS, m->header);
	put(&c, PF_COLUMN_NUMBERS, m->number);
	if (m->second_how != NONE)
		put_second(&c, m);
	return pf_decode_chunk(coder, code,
			       pf_columns_write_counts_and_compact(&c), words,
			       m->words);
}

static bool refused(struct made m)
{
	char *words = malloc(m.words);
	int err = decode(&m, words);

	free(words);
	return err == -EBADMSG;
}

static void test_right(void)
{
	uint32_t words[2 * UNIT / 4] = {0};
	struct made m = right;

	ok(!decode(&right, words) && words[0] == (7 << 8 | 3) &&
		   words[1] == 4 && !words[2],
	   "a unit that is told");
	m.value_how = PF_REPEAT;
	m.again = 1;
	m.number = NONE;
	ok(!decode(&m, words) && !words[1], "a value before the first is 0");
	m = right;
	m.second_how = PF_NEW_DIFF;
	m.words = 2 * UNIT;
	ok(!decode(&m, words) && words[UNIT / 4 + 1] == 8,
	   "a value as far from the one before as that was");
}

/* Check codes that are right except in one column. */
static void test_columns_end(void)
{
	struct made m = right;

	m.unit_run = NONE;
	ok(refused(m), "refused: nothing says whether the header was expected");
	m = right;
	m.value_run = NONE;
	ok(refused(m), "refused: nothing says whether the value was expected");
	m = right;
	m.value_how = m.number = NONE;
	ok(refused(m), "refused: nothing says how the value is told");
	m = right;
	m.header = NONE;
	ok(refused(m), "refused: a header is missing");
	m = right;
	m.number = NONE;
	ok(refused(m), "refused: a number is missing");
	m = right;
	m.value_how = PF_REPEAT;
	m.number = NONE;
	ok(refused(m), "refused: how long ago is missing");
	m = right;
	m.other = 1;
	ok(refused(m), "refused: a run is left");
	m = right;
	m.again = 1;
	ok(refused(m), "refused: a value is left");
}

static void test_what_is_told(void)
{
	struct made m = right;

	m.unit_how = PF_HEADER_CODINGS;
	m.header = NONE;
	ok(refused(m), "refused: no such way to tell a header");
	m = right;
	m.number = NONE;
	m.value_how = PF_NUMBER_8 + 1;
	ok(refused(m), "refused: no such way to tell a value");
	m.value_how = PF_NEW_DIFF;
	ok(refused(m), "refused: a difference where there was no value");
	m = right;
	m.second_how = PF_NEW_DIFF + PF_BACKS;
	m.words = 2 * UNIT;
	ok(refused(m), "refused: a difference to a value too long ago");
	m = right;
	m.number = NONE;
	m.value_how = PF_REPEAT;
	m.again = 0;
	ok(refused(m), "refused: a value of 0 values ago");
}

static void test_lengths(void)
{
	struct made m = right;

	m.header = 7 << 8;
	m.words = 4;
	ok(refused(m), "refused: a unit of length 0");
	m = right;
	m.words = UNIT - 4;
	ok(refused(m), "refused: a unit longer than there is room");
	m.words = UNIT + 4;
	ok(refused(m), "refused: fewer units than there is room for");
	m.words = UNIT + 2;
	ok(refused(m), "refused: room for half a header");
}

/* Decode the head of a code of @bytes without units; @again: length that it
   states for one column. */
static int decode_head(size_t bytes, uint32_t again)
{
	char head[4 * PF_COLUMNS + 8] = {0};
	char *code = malloc(bytes);
	int err;

	memcpy(head + 4 * PF_COLUMN_REPEATS, &again, 4);
	memcpy(code, head, bytes);
	err = pf_decode_chunk(coder, code, bytes, NULL, 0);
	free(code);
	return err;
}

static void test_head(void)
{
	size_t head = 4 * PF_COLUMNS;

	ok(!decode_head(head, 0), "no units");
	ok(decode_head(head - 1, 0) == -EBADMSG, "refused: no whole head");
	ok(decode_head(head + 1, 0) == -EBADMSG,
	   "refused: bytes behind the columns");
	ok(decode_head(head + 8, 9) == -EBADMSG,
	   "refused: a column longer than the code");
}

int main(void)
{
	coder = pf_coder_new();
	test_right();
	test_columns_end();
	test_what_is_told();
	test_lengths();
	test_head();
	pf_coder_free(coder);
	return done_testing();
}
