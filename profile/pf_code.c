/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pf_code.c - coding and decoding units; see pf_code.h
 *
 * Encoder and decoder go through the units in step: both keep the same model,
 * by which the one leaves out what the other can tell by itself.
 */
#include "profile/pf_code.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/pf_columns.h"
#include "proto/pt_unit.h"

enum {
	LOG_NEXT = 12,
	LOG_VALUES = 16,
	N_NEXT = 1 << LOG_NEXT,
	N_VALUES = 1 << LOG_VALUES,
};

/* What came after two headers: the last time, and before that. */
struct next {
	uint32_t header[2];
};

/* A value in its place of a unit: the last, and how far from the one before. */
struct value {
	uint64_t last;
	uint64_t stride;
};

struct pf_coder {
	uint32_t before[2]; /* headers: the last, the one before it */
	struct next next[N_NEXT];
	struct value values[N_VALUES];
};

struct pf_coder *pf_coder_new(void)
{
	return malloc(sizeof(struct pf_coder));
}

void pf_coder_free(struct pf_coder *c)
{
	free(c);
}

static uint32_t hash(uint64_t key, unsigned bits)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15 >> (64 - bits));
}

static struct next *next_of(struct pf_coder *c)
{
	return &c->next[hash((uint64_t)c->before[0] << 32 | c->before[1],
			     LOG_NEXT)];
}

/* The place of the unit's first value; those behind it follow, round. */
static uint32_t values_of(uint32_t header)
{
	return hash(header, LOG_VALUES);
}

static struct value *value_at(struct pf_coder *c, uint32_t place)
{
	return &c->values[place % N_VALUES];
}

static void learn_header(struct pf_coder *c, struct next *n, uint32_t header)
{
	if (header != n->header[0]) {
		n->header[1] = n->header[0];
		n->header[0] = header;
	}
	c->before[1] = c->before[0];
	c->before[0] = header;
}

static void learn_value(struct value *v, uint64_t value)
{
	v->stride = value - v->last;
	v->last = value;
}

/* [bytes] of value @i of a unit: of an even length, the first is the id. */
static unsigned width(uint32_t header, unsigned i)
{
	return i || pt_unit_is_block(header) ? 8 : 4;
}

static unsigned n_values(uint32_t header)
{
	return pt_unit_length(header) / 2;
}

/* Signed numbers near 0 as small ones. */
static uint64_t fold(uint64_t value)
{
	return value << 1 ^ (0 - (value >> 63));
}

static uint64_t unfold(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

static void put_header(struct pf_coder *c, struct pf_columns *out,
		       uint32_t header)
{
	struct next *n = next_of(c);

	if (header == n->header[0]) {
		pf_column_put_byte(out, PF_COLUMN_UNITS, 0);
	} else if (header == n->header[1]) {
		pf_column_put_byte(out, PF_COLUMN_UNITS, 1);
	} else {
		pf_column_put_byte(out, PF_COLUMN_UNITS, 2);
		pf_columns_put_number(out, header, 4);
	}
	learn_header(c, n, header);
}

static void put_value(struct pf_columns *out, struct value *v, uint64_t value)
{
	uint64_t rest;
	unsigned bytes;

	if (value == v->last + v->stride) {
		pf_column_put_byte(out, PF_COLUMN_VALUES, 0);
	} else {
		rest = fold(value - v->last);
		bytes = pf_bytes_of(rest);
		pf_column_put_byte(out, PF_COLUMN_VALUES, 1 + bytes);
		pf_columns_put_number(out, rest, bytes);
	}
	learn_value(v, value);
}

/* @unit is a whole one. */
static void put_unit(struct pf_coder *c, struct pf_columns *out,
		     const char *unit)
{
	uint32_t header, place;
	unsigned i, n;

	memcpy(&header, unit, 4);
	put_header(c, out, header);
	place = values_of(header);
	n = n_values(header);
	unit += 4;
	for (i = 0; i < n; i++) {
		uint64_t value = 0;

		memcpy(&value, unit, width(header, i));
		unit += width(header, i);
		put_value(out, value_at(c, place + i), value);
	}
}

static void empty(struct pf_coder *c)
{
	memset(c, 0, sizeof(*c));
}

size_t pf_code_bound(size_t bytes)
{
	return pf_columns_bound(bytes);
}

size_t pf_encode(struct pf_coder *c, const void *words, size_t bytes,
		 void *code)
{
	const char *unit = words;
	const char *end = unit + bytes;
	struct pf_columns out;
	uint32_t header;

	empty(c);
	pf_columns_start(&out, code, bytes);
	for (; unit < end; unit += pt_unit_bytes(header)) {
		if (end - unit < 4)
			return 0;
		memcpy(&header, unit, 4);
		if (!pt_unit_length(header) ||
		    pt_unit_bytes(header) > (size_t)(end - unit))
			return 0;
		put_unit(c, &out, unit);
	}
	return pf_columns_finish(&out);
}

static bool take_header(struct pf_coder *c, struct pf_columns *in,
			uint32_t *header)
{
	struct next *n = next_of(c);
	uint64_t number;
	unsigned how;

	if (!pf_column_take_byte(in, PF_COLUMN_UNITS, &how) || how > 2)
		return false;
	if (how < 2) {
		*header = n->header[how];
	} else {
		if (!pf_columns_take_number(in, &number, 4))
			return false;
		*header = (uint32_t)number;
	}
	learn_header(c, n, *header);
	return true;
}

static bool take_value(struct pf_columns *in, struct value *v, uint64_t *value)
{
	uint64_t rest;
	unsigned how;

	if (!pf_column_take_byte(in, PF_COLUMN_VALUES, &how) || how > 9)
		return false;
	if (!how) {
		*value = v->last + v->stride;
	} else {
		if (!pf_columns_take_number(in, &rest, how - 1))
			return false;
		*value = v->last + unfold(rest);
	}
	learn_value(v, *value);
	return true;
}

/* The next unit to @unit, where there is room for @room bytes. Its [bytes]; 0
   when the code is wrong. */
static size_t take_unit(struct pf_coder *c, struct pf_columns *in, char *unit,
			size_t room)
{
	uint32_t header, place;
	uint64_t value;
	unsigned i, n;

	if (room < 4 || !take_header(c, in, &header) ||
	    pt_unit_bytes(header) > room)
		return 0;
	memcpy(unit, &header, 4);
	unit += 4;
	place = values_of(header);
	n = n_values(header);
	for (i = 0; i < n; i++) {
		if (!take_value(in, value_at(c, place + i), &value))
			return 0;
		memcpy(unit, &value, width(header, i));
		unit += width(header, i);
	}
	return pt_unit_bytes(header);
}

int pf_decode(struct pf_coder *c, const void *code, size_t code_bytes,
	      void *words, size_t bytes)
{
	char *unit = words;
	char *end = unit + bytes;
	struct pf_columns in;

	empty(c);
	if (!pf_columns_open(&in, code, code_bytes))
		return -EBADMSG;
	while (unit < end) {
		size_t took = take_unit(c, &in, unit, (size_t)(end - unit));

		if (!took)
			return -EBADMSG;
		unit += took;
	}
	return pf_columns_are_empty(&in) ? 0 : -EBADMSG;
}
